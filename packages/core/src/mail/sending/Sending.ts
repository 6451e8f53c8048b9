/** Accepts requests to send: one, or a batch of them. */

import type { BillingLimitExceeded } from "@posthorn/contract/accounts/billing/Billing"
import type { TemplateNotFound } from "@posthorn/contract/content/templates/Template"
import type { ApiKeyHolder, Forbidden, ProjectId } from "@posthorn/contract/platform/Auth"
import type {
  PayloadTooLarge,
  RateLimitExceeded,
  SenderDomainUnverified,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import type { IdempotencyKeyReused } from "@posthorn/contract/platform/Request"
import type { SendBatch, SentBatch } from "@posthorn/contract/service/v1/Batch"
import type { SendEmail, SentEmails } from "@posthorn/contract/service/v1/Send"
import { Context, DateTime, Effect, Layer } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { Billing } from "../../accounts/billing/Billing.ts"
import type { Projects } from "../../accounts/projects/Projects.ts"
import type { SuppressedAddress } from "../../audience/suppression/SuppressedAddress.ts"
import type { IdempotencyKeys } from "../../platform/http/IdempotencyKeys.ts"
import type { Transaction } from "../../platform/Transaction.ts"
import type { Wakeups } from "../../platform/Wakeups.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import * as Acceptance from "./Acceptance.ts"
import * as Batch from "./Batch.ts"
import type { MailRenderer } from "./MailRenderer.ts"
import { isTest } from "./TestMode.ts"

type Refused =
  | BillingLimitExceeded
  | Forbidden
  | PayloadTooLarge
  | RateLimitExceeded
  | SenderDomainUnverified
  | TemplateNotFound
  | ValidationError

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
    ) => Effect.Effect<SentEmails["data"], Refused>
    /** Accepts the items of a batch in one transaction. */
    readonly sendBatch: (
      project: ProjectId,
      input: SendBatch,
      keys: Batch.ItemKeys,
      apiKey?: ApiKeyHolder
    ) => Effect.Effect<SentBatch["data"], IdempotencyKeyReused | Refused>
  }
>()("@posthorn/core/mail/sending/Sending") {}

export const layer: Layer.Layer<
  Sending,
  never,
  | Billing
  | Digest.Digest
  | IdempotencyKeys
  | Ledger
  | MailRenderer
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

    const send = Effect.fn("Sending.send")(function* (project: ProjectId, input: SendEmail, apiKey?: ApiKeyHolder) {
      const now = yield* DateTime.now
      const found = yield* acceptance.look(project, [input])
      const draft = yield* acceptance.draft(project, input, found, now, apiKey)
      const size = Acceptance.sizeOf(draft)
      const isLive = !isTest(draft)
      if (isLive && draft.scheduledFor !== null && size > (yield* acceptance.scheduledRoom(project))) {
        return yield* acceptance.noScheduledRoom()
      }
      if (isLive) yield* billing.requireRoom(project, "transactional", size)
      const { accepted } = yield* acceptance
        .accept(project, [{ index: 0, draft }], found.contacts, now)
        .pipe(Effect.catchTag("DraftsRefused", Acceptance.only))
      return { ...(accepted.get(0) ?? (yield* Effect.die("the draft was accepted"))), timestamp: now }
    })

    return Sending.of({ send, sendBatch })
  })
)
