/** Accepts requests to send: one, or a batch of them. */

import { EmailId } from "@posthorn/contract/mail/emails/Email"
import type { SendBatch, SentBatch } from "@posthorn/contract/mail/sending/Batch"
import type { SendEmail, SentEmails } from "@posthorn/contract/mail/sending/Send"
import type { ApiKeyHolder, ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict, type RateLimitExceeded } from "@posthorn/contract/platform/Errors"
import type { IdempotencyKeyReused } from "@posthorn/contract/platform/Request"
import { Context, DateTime, Effect, Layer } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { Billing } from "../../accounts/billing/Billing.ts"
import type { Projects } from "../../accounts/projects/Projects.ts"
import type { Contacts } from "../../audience/contacts/Contacts.ts"
import type { OptInRequests } from "../../audience/optins/OptInRequests.ts"
import type { AudienceRules } from "../../audience/settings/AudienceRules.ts"
import type { SuppressedAddress } from "../../audience/suppression/SuppressedAddress.ts"
import type { IdempotencyKeys } from "../../platform/http/IdempotencyKeys.ts"
import type { Transaction } from "../../platform/Transaction.ts"
import type { Wakeups } from "../../platform/Wakeups.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import * as Acceptance from "./Acceptance.ts"
import * as Batch from "./Batch.ts"
import { type AddressedSend, addressedOf, type Submitted } from "./Draft.ts"
import type { MailRenderer } from "./MailRenderer.ts"
import { isTest } from "./TestMode.ts"

/** Why a request to send is not accepted. */
export type AcceptRefusal = Acceptance.SendRefusal | RateLimitExceeded

/** Accepts mail. A service, because HTTP handlers call it. */
export class Sending extends Context.Service<
  Sending,
  {
    /**
     * Stores one mail for each recipient, or none at all, and wakes the sender. Contacts are created or changed in the same
     * transaction. `apiKey` is the API key of the request, if it has one.
     */
    readonly send: (
      project: ProjectId,
      input: SendEmail,
      apiKey?: ApiKeyHolder
    ) => Effect.Effect<SentEmails["data"], AcceptRefusal>
    /**
     * As `send`, for a message that came by SMTP. Attachments and recipients are those of the message; the request has
     * its other fields. Returns the id of the first mail.
     */
    readonly submit: (
      project: ProjectId,
      input: SendEmail,
      submitted: Submitted,
      apiKey?: ApiKeyHolder
    ) => Effect.Effect<EmailId, AcceptRefusal>
    /** Accepts the items of a batch in one transaction. */
    readonly sendBatch: (
      project: ProjectId,
      input: SendBatch,
      keys: Batch.ItemKeys,
      apiKey?: ApiKeyHolder
    ) => Effect.Effect<SentBatch["data"], IdempotencyKeyReused | AcceptRefusal>
  }
>()("@posthorn/core/mail/sending/Sending") {}

export const layer: Layer.Layer<
  Sending,
  never,
  | AudienceRules
  | Billing
  | Contacts
  | Digest.Digest
  | IdempotencyKeys
  | Ledger
  | MailRenderer
  | OptInRequests
  | Projects
  | SecureRandom.SecureRandom
  | SqlClient.SqlClient
  | SuppressedAddress
  | Transaction
  | Wakeups
> = Layer.effect(
  Sending,
  Effect.gen(function* () {
    const acceptance = yield* Acceptance.make
    const billing = yield* Billing
    const { sendBatch } = yield* Batch.make(acceptance)

    const acceptAddressed = Effect.fnUntraced(function* (
      project: ProjectId,
      input: AddressedSend,
      now: DateTime.Utc,
      apiKey?: ApiKeyHolder,
      submitted?: Submitted
    ) {
      const found = yield* acceptance.look(project, [input], submitted?.recipients)
      const draft = yield* acceptance.draft(project, input, found, now, apiKey, submitted)
      const size = Acceptance.sizeOf(draft)
      const isLive = !isTest(draft)
      if (isLive && draft.scheduledFor !== null && size > (yield* acceptance.scheduledRoom(project))) {
        return yield* acceptance.noScheduledRoom()
      }
      if (isLive) yield* billing.requireRoom(project, "transactional", size)
      const { accepted } = yield* acceptance
        .accept(project, [{ index: 0, draft }], found.contacts, now)
        .pipe(Effect.catchTag("DraftsRefused", Acceptance.only))
      return accepted.get(0) ?? (yield* Effect.die("the draft was accepted"))
    })

    const accept = Effect.fnUntraced(
      function* (
        project: ProjectId,
        input: SendEmail,
        now: DateTime.Utc,
        apiKey?: ApiKeyHolder,
        submitted?: Submitted
      ) {
        const addressed = addressedOf(input)
        if (addressed !== undefined) return yield* acceptAddressed(project, addressed, now, apiKey, submitted)
        return yield* acceptance.identified(
          Effect.gen(function* () {
            const [result] = yield* acceptance.withAddresses(project, [input])
            if (result === undefined) return yield* Effect.die("one request has one result")
            return yield* acceptAddressed(project, yield* Effect.fromResult(result), now, apiKey, submitted)
          })
        )
      },
      Effect.catchTag("ExternalIdTaken", () => Effect.fail(new Conflict({ reason: "external_id_taken" })))
    )

    const send = Effect.fn("Sending.send")(function* (project: ProjectId, input: SendEmail, apiKey?: ApiKeyHolder) {
      const now = yield* DateTime.now
      return { ...(yield* accept(project, input, now, apiKey)), timestamp: now }
    })

    const submit = Effect.fn("Sending.submit")(function* (
      project: ProjectId,
      input: SendEmail,
      submitted: Submitted,
      apiKey?: ApiKeyHolder
    ) {
      const { emails, copies = [] } = yield* accept(project, input, yield* DateTime.now, apiKey, submitted)
      const [first = yield* Effect.die("a message has recipients")] = [...emails, ...copies]
      return EmailId.make(first.email)
    })

    return Sending.of({ send, submit, sendBatch })
  })
)
