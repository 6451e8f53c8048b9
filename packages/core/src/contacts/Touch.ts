/** Contacts as other capabilities create and change them. */
import { type ContactData, ContactId } from "@posthorn/contract/contacts/Contact"
import { Effect, type Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { ContactUpsert, SubscriptionCause, TrackedEvent } from "./ContactStore.ts"
import { dataChange } from "./DataChange.ts"

/** A contact as an action of another capability meets it: created when missing, changed when known. */
export interface Touch {
  readonly email: string
  readonly subscribed?: boolean | undefined
  readonly subscribedWhenNew: boolean
  readonly data: ContactData
  readonly event?: TrackedEvent | undefined
}

/** A contact as it was read; `version` tells one state of its data from another. */
export interface KnownContact {
  readonly id: ContactId
  readonly email: string
  readonly subscribed: boolean
  readonly data: Schema.JsonObject
  readonly version: string
}

/** An upsert that is made only if the contact is still as `known`, or still missing where that is absent. */
export interface ExpectedUpsert extends ContactUpsert {
  readonly known?: KnownContact | undefined
}

/** What the store is to make of it. */
export const upsertOf = Effect.fnUntraced(function* (
  random: SecureRandom.SecureRandom["Service"],
  { data, ...touch }: Touch,
  cause: SubscriptionCause
): Effect.fn.Return<ContactUpsert> {
  const id = ContactId.make(yield* random.uuidV7())
  // Without `subscribed` nothing can flip.
  const flip = touch.subscribed === undefined ? undefined : { id: yield* random.uuidV7(), cause }
  return { ...touch, id, data: dataChange(data), flip }
})
