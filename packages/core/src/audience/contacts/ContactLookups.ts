/** Finds which of the given addresses have a contact in the project. */

import type { ContactLookup, LookupContacts } from "@posthorn/contract/audience/contacts/ContactLookup"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Email } from "@posthorn/contract/platform/Primitives"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { ContactBatchStore } from "./ContactBatchStore.ts"

export class ContactLookups extends Context.Service<
  ContactLookups,
  { readonly find: (project: ProjectId, input: LookupContacts) => Effect.Effect<ContactLookup> }
>()("@posthorn/core/audience/contacts/ContactLookups") {}

const canonical = Schema.decodeOption(Email)

export const layer: Layer.Layer<ContactLookups, never, ContactBatchStore> = Layer.effect(
  ContactLookups,
  Effect.gen(function* () {
    const store = yield* ContactBatchStore

    const find = Effect.fn("ContactLookups.find")(function* (project: ProjectId, { emails }: LookupContacts) {
      const given = Array.from(new Set(emails), (text) => ({ text, email: Option.getOrUndefined(canonical(text)) }))
      const wellFormed = given.flatMap(({ email }) => email ?? [])
      const known = yield* store.known(project, wellFormed)
      const isFound = ({ email }: { readonly email: string | undefined }) => email !== undefined && known.has(email)
      const texts = (some: typeof given) => some.map(({ text }) => text)
      return {
        found: texts(given.filter(isFound)),
        notFound: texts(given.filter((each) => !isFound(each))),
        invalid: texts(given.filter(({ email }) => email === undefined))
      }
    })

    return ContactLookups.of({ find })
  })
)
