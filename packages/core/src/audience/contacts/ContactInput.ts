/** The input with which other capabilities create and change contacts. */
import { type ContactData, ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { Effect, type Schema } from "effect"
import type { SecureRandom } from "effect/crypto"
import { type ConsentProof, storedProof } from "../consents/ConsentProof.ts"
import type { ConsentEntry, ConsentGiven } from "../consents/ConsentSql.ts"
import type { Asking } from "../optins/OptInRules.ts"
import type { ContactEvent, ContactUpsert, SubscriptionCause } from "./ContactStore.ts"
import { dataChange } from "./DataChange.ts"
import type { MailConsent } from "./MailConsent.ts"
import type { TopicsChange } from "./TopicsChange.ts"

/** A contact to create if it is missing, or to change if it exists. */
export interface ContactInput {
  readonly email: string
  readonly externalId?: string | undefined
  /** The job or form that makes a new contact. */
  readonly originId?: string | undefined
  readonly subscribed?: boolean | undefined
  readonly subscribedWhenNew: boolean
  readonly topics?: TopicsChange | undefined
  readonly proof?: ConsentProof | undefined
  readonly data: ContactData
  /** If set, an existing contact keeps its state and its data. */
  readonly keepKnown?: boolean | undefined
  readonly event?: ContactEvent | undefined
  /** Who subscribes it. If set, the rules of the audience may ask the contact to confirm before it is subscribed. */
  readonly asking?: Asking | undefined
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
  { data, proof, asking: _, ...touch }: ContactInput,
  cause: SubscriptionCause
): Effect.fn.Return<ContactUpsert> {
  const id = ContactId.make(yield* random.uuidV7())
  const { subscribed, topics } = touch
  // Without `subscribed` the subscription cannot change.
  const { jobId: __, ...reasons } = cause
  const flip = subscribed === undefined ? undefined : { id: yield* random.uuidV7(), cause: reasons }
  const isAboutConsent = subscribed !== undefined || topics !== undefined || proof !== undefined
  const consent = isAboutConsent ? yield* consentGiven(random, { subscribed, topics, proof }, cause) : undefined
  return { ...touch, id, data: dataChange(data), flip, consent, origin: cause.reason }
})

/** What a write may record about consent. */
export const consentGiven = Effect.fnUntraced(function* (
  random: SecureRandom.SecureRandom["Service"],
  {
    subscribed,
    topics,
    proof,
    silent
  }: {
    readonly subscribed?: boolean | undefined
    readonly topics?: TopicsChange | undefined
    readonly proof?: ConsentProof | undefined
    /** Whether changes of topics have no events. */
    readonly silent?: boolean | undefined
  },
  cause: SubscriptionCause
): Effect.fn.Return<ConsentGiven> {
  const entry = Effect.fnUntraced(function* (to: ConsentEntry["to"], topic?: string): Effect.fn.Return<ConsentEntry> {
    const id = yield* random.uuidV7()
    if (topic === undefined || to === "unset" || silent === true) return { id, to, topic }
    const quiet = cause.reason === "import" ? { quiet: true as const } : {}
    return { id, to, topic, event: { id: yield* random.uuidV7(), ...quiet } }
  })
  // The event about the subscription comes before those about topics.
  const flipId = subscribed === undefined ? undefined : yield* random.uuidV7()
  // Evidence without a change is about the subscription that the contact has.
  const global = subscribed ?? (proof?.recordsRepeats && topics === undefined ? true : undefined)
  return {
    entries: [
      ...(global === undefined ? [] : [yield* entry(global ? "subscribed" : "unsubscribed")]),
      ...(yield* Effect.forEach(topics?.on ?? [], (topic) => entry("subscribed", topic))),
      ...(yield* Effect.forEach(topics?.off ?? [], (topic) => entry("unsubscribed", topic))),
      ...(yield* Effect.forEach(topics?.unset ?? [], (topic) => entry("unset", topic)))
    ],
    ...((topics !== undefined || proof !== undefined) && { atCreation: true }),
    proof: yield* storedProof(cause, proof),
    flipId
  }
})
