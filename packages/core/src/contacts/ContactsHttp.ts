/** Handlers of ContactsApi. */

import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type ProjectAccess } from "@posthorn/contract/Auth"
import type { CreatedContact, UpdatedContact } from "@posthorn/contract/contacts/Contact"
import type { JsonBody, Validation } from "@posthorn/contract/Request"
import { Effect, type Layer } from "effect"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import type { Upserted } from "./ContactStore.ts"
import { Contacts } from "./Contacts.ts"

/** The encoder picks 201 or 200 by `_meta`. */
const answer = ({ contact, isNew }: Upserted): typeof CreatedContact.Type | typeof UpdatedContact.Type =>
  isNew ? { ...contact, _meta: { isNew, isUpdate: false } } : { ...contact, _meta: { isNew, isUpdate: true } }

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "contacts">,
  never,
  Contacts | JsonBody | ProjectAccess | Validation
> = HttpApiBuilder.group(
  Api,
  "contacts",
  Effect.fnUntraced(function* (handlers) {
    const contacts = yield* Contacts
    return handlers.handleAll({
      list: ({ query }) => CurrentProject.use(({ id }) => contacts.list(id, query)),
      upsert: ({ payload }) => CurrentProject.use(({ id }) => Effect.map(contacts.upsert(id, payload), answer)),
      get: ({ params }) => CurrentProject.use(({ id }) => contacts.get(id, params.id)),
      update: ({ params, payload }) => CurrentProject.use(({ id }) => contacts.update(id, params.id, payload)),
      delete: ({ params }) => CurrentProject.use(({ id }) => contacts.delete(id, params.id))
    })
  })
)
