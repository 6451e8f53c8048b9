/** Stored contacts for the suites of the storage ports. */
import { randomUUID } from "node:crypto"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import { ContactStore } from "../audience/contacts/ContactStore.ts"
import { noDataChange } from "../audience/contacts/DataChange.ts"
import { at } from "./StoreValues.ts"

export const storeContact = Effect.fnUntraced(function* (project: ProjectId, subscribed = true) {
  const id = ContactId.make(randomUUID())
  const email = `${id}@example.com`
  yield* ContactStore.use((contacts) =>
    contacts.upsert(project, [{ id, email, data: noDataChange, subscribed }], at(0))
  )
  return { id, email }
})
