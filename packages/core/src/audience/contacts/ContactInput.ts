/** The input with which other capabilities create and change contacts. */
import { type ContactData, ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { Effect, type Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { ContactEvent, ContactUpsert, SubscriptionCause } from "./ContactStore.ts"
import { dataChange } from "./DataChange.ts"
import type { MailConsent } from "./MailConsent.ts"

/** A contact to create if it is missing, or to change if it exists. */
export interface ContactInput {
  readonly email: string
  readonly externalId?: string | undefined
  /** The job or form that makes a new contact. */
  readonly originId?: string | undefined
  readonly subscribed?: boolean | undefined
  readonly subscribedWhenNew: boolean
  readonly data: ContactData
  /** If set, an existing contact keeps its state and its data. */
  readonly keepKnown?: boolean | undefined
  readonly event?: ContactEvent | undefined
}

/** A contact as it was read. `version` identifies the state of its data. */
export interface KnownContact extends MailConsent {
  readonly id: ContactId
  readonly email: string
  readonly data: Schema.JsonObject
  readonly version: string
}

/**
 * An upsert that applies only if the contact is unchanged since `known` was read, or still missing if `known` is
 * absent.
 */
export interface ExpectedUpsert extends ContactUpsert {
  readonly known?: KnownContact | undefined
}

/** Turns the input into the upsert of the store. */
export const upsertOf = Effect.fnUntraced(function* (
  random: SecureRandom.SecureRandom["Service"],
  { data, ...touch }: ContactInput,
  cause: SubscriptionCause
): Effect.fn.Return<ContactUpsert> {
  const id = ContactId.make(yield* random.uuidV7())
  // Without `subscribed` the subscription cannot change.
  const flip = touch.subscribed === undefined ? undefined : { id: yield* random.uuidV7(), cause }
  return { ...touch, id, data: dataChange(data), flip, origin: cause.reason }
})
