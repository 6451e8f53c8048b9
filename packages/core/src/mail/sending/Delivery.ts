/** Delivers one claimed mail: checks it, builds it, marks its try as begun, sends it, and stores the result. */
import { DateTime, Effect, Random } from "effect"
import { Contacts } from "../../audience/contacts/Contacts.ts"
import { Suppressions } from "../../audience/suppression/Suppressions.ts"
import { TestEvents } from "../../events/TestEvents.ts"
import { failpoint } from "../../platform/Failpoint.ts"
import { type CannotCompose, type Envelope, Mailer } from "../../platform/Mailer.ts"
import { Settings } from "../../platform/Settings.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { asksConsent } from "../Eligibility.ts"
import { Ledger } from "../ledger/Ledger.ts"
import { SenderReputation } from "../reputation/SenderReputation.ts"
import type { AdaptiveConcurrency } from "./AdaptiveConcurrency.ts"
import type { CannotRender, Written } from "./CampaignTexts.ts"
import type { DeliveryMarks } from "./DeliveryMarks.ts"
import * as DeliveryMetrics from "./DeliveryMetrics.ts"
import { type AttemptResult, type ClaimedEmail, DeliveryQueue, type Settlement } from "./DeliveryQueue.ts"
import type { Lease } from "./Lease.ts"
import { MessageBuilder } from "./MessageBuilder.ts"
import * as Outcome from "./Outcome.ts"
import { simulatedOutcome } from "./OutcomeAddress.ts"
import { isMailboxFull } from "./Replies.ts"
import { ReturnPath } from "./ReturnPath.ts"
import * as TestMode from "./TestMode.ts"

/** The parts of a worker that its mails share. */
export interface Worker {
  readonly id: string
  readonly marks: DeliveryMarks
  readonly lease: Lease
  readonly pace: AdaptiveConcurrency
  /** Runs the effect as soon as the transport accepts one more transmission. */
  readonly inTurn: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** True once the worker stops. Then no transmission begins. */
  readonly stopping: () => boolean
}

const isFull = ({ outcome, code, enhancedCode, reply }: AttemptResult): boolean =>
  outcome === "deferred" &&
  isMailboxFull({ code: code ?? undefined, enhancedCode: enhancedCode ?? undefined, reply: reply ?? "" })

export const make = Effect.gen(function* () {
  const builder = yield* MessageBuilder
  const mailer = yield* Mailer
  const queue = yield* DeliveryQueue
  const returnPath = yield* ReturnPath
  const suppressions = yield* Suppressions
  const contacts = yield* Contacts
  const reputation = yield* SenderReputation
  const transaction = yield* Transaction
  const ledger = yield* Ledger
  const testEvents = yield* TestEvents
  const { evidenceWait } = yield* Settings

  const moment = Effect.gen(function* () {
    return { now: yield* DateTime.now, random: yield* Random.next, evidenceWait } satisfies Outcome.Moment
  })

  /** The result if the mail must not be sent now. The rules are the same for every source of mail. */
  const refusal = (mail: ClaimedEmail, at: Outcome.Moment): Settlement | undefined => {
    if (mail.personal !== null && mail.personal.data === null) return Outcome.contactDeleted(mail, at)
    if (mail.suppression !== null) return Outcome.suppressed(mail, at, mail.suppression)
    if (mail.mode === "TEST" && simulatedOutcome(mail.to) === "suppressed")
      return Outcome.suppressed(mail, at, "MANUAL")
    const needsConsent = !mail.test && asksConsent(mail.type, mail.sourceType)
    if (needsConsent && mail.subscribed === false) return Outcome.suppressed(mail, at, "UNSUBSCRIBED")
    if (mail.domainId === null) return Outcome.domainUnverified(mail, at)
    if (mail.personal === null && mail.text === null) {
      return Outcome.failed(mail, at, { code: "render_failed", message: "The content of this mail is no longer kept." })
    }
  }

  /** Stores the result. A bounce in the SMTP session also suppresses the address, in the same transaction. */
  const settle = (worker: Worker, settlement: Settlement, mail: ClaimedEmail) =>
    mail.mode === "TEST"
      ? settleTest(worker, settlement, mail)
      : Effect.andThen(record(worker, settlement, mail), DeliveryMetrics.settled(settlement, mail.sourceType))

  /** The result of a test mail changes its own record only. Its events go to webhooks in test mode. */
  const settleTest = (worker: Worker, settlement: Settlement, mail: ClaimedEmail) =>
    Effect.gen(function* () {
      const counted = yield* queue.mark(worker.id, [], [{ ...settlement, event: null }])
      if (!counted.has(mail.id)) return
      const { at, id, projectId } = settlement
      if (settlement.status === "SENT") yield* ledger.endTest(projectId, id, TestMode.endOf(mail), at)
      yield* testEvents.deliver(projectId, TestMode.eventsOf(mail, settlement), at)
    }).pipe(transaction.run)

  const record = (worker: Worker, settlement: Settlement, mail: ClaimedEmail) =>
    settlement.status === "BOUNCED"
      ? bounced(worker, settlement, mail)
      : Effect.flatMap(worker.marks.settle(settlement), (counted) =>
          counted ? softBounce(settlement, mail) : Effect.void
        )

  const bounced = (worker: Worker, settlement: Settlement, mail: ClaimedEmail) =>
    Effect.gen(function* () {
      const counted = yield* queue.mark(worker.id, [], [settlement])
      if (!counted.has(mail.id)) return
      const { campaignId } = mail
      const cause = { reason: "bounce", emailId: mail.id, ...(campaignId !== null && { campaignId }) } as const
      yield* suppressions.add(mail.projectId, mail.to, "HARD_BOUNCE", mail.id, settlement.at)
      yield* contacts.unsubscribeAddress(mail.projectId, mail.to, cause)
      yield* reputation.changed(mail.projectId, settlement.at)
    }).pipe(transaction.run)

  /** A full mailbox counts once for each mail, not for each try. */
  const softBounce = ({ attempt, at }: Settlement, mail: ClaimedEmail) =>
    attempt !== null && isFull(attempt)
      ? transaction.run(suppressions.softBounce(mail.projectId, mail.to, mail.id, at))
      : Effect.void

  const handOver = Effect.fnUntraced(function* (
    worker: Worker,
    { mail, frozen }: Written,
    envelope: Envelope,
    message: Uint8Array
  ) {
    // Not begun: the mail stays as it is, and is released when the sender stops or the lease ends.
    if (worker.stopping() || !(yield* worker.lease.holds)) return
    const number = mail.attempts + 1
    const { projectId, id, claim, mailing } = mail
    const begun = yield* worker.marks.begin({ projectId, id, claim, number, at: yield* DateTime.now, mailing, frozen })
    // The campaign was paused or cancelled, or the contact unsubscribed, or the claim was lost. A lost claim settles nothing.
    if (!begun && mailing !== null) return yield* settle(worker, Outcome.released(mail, yield* moment), mail)
    if (!begun) return yield* Effect.logWarning("Claim lost before the mail was sent")
    // The lease may have ended while the mark waited for the database.
    if (!(yield* worker.lease.holds)) return
    yield* failpoint("after_begin")
    // Decided before any transport is looked at.
    const isTest = mail.mode === "TEST"
    const handing = isTest ? TestMode.handOver(mail) : mailer.send(envelope, message)
    const settlement = yield* handing.pipe(
      Effect.tap(() => failpoint("after_reply")),
      Effect.matchEffect({
        onSuccess: (receipt) =>
          Effect.andThen(
            isTest ? Effect.void : worker.pace.succeeded,
            Effect.map(moment, (at) => Outcome.accepted(mail, at, receipt))
          ),
        onFailure: (error) =>
          Effect.andThen(
            isTest ? Effect.void : worker.pace.failed(error),
            Effect.map(moment, (at) => Outcome.notAccepted(mail, at, error))
          )
      })
    )
    yield* settle(worker, settlement, mail)
    yield* failpoint("after_settle")
  })

  const cannotCompose = (worker: Worker, mail: ClaimedEmail) => (error: CannotCompose | CannotRender) =>
    Effect.flatMap(moment, (at) =>
      settle(worker, Outcome.failed(mail, at, { code: "render_failed", message: error.message }), mail)
    )

  const deliver = Effect.fn("Delivery.deliver")(function* (worker: Worker, mail: ClaimedEmail) {
    const refused = refusal(mail, yield* moment)
    if (refused !== undefined) return yield* settle(worker, refused, mail)
    yield* Effect.gen(function* () {
      const written = yield* builder.write(mail)
      return { written, message: yield* builder.build(written.mail) }
    }).pipe(
      Effect.matchEffect({
        onFailure: cannotCompose(worker, mail),
        onSuccess: ({ written, message }) =>
          Effect.flatMap(returnPath.of(mail), (from) => {
            const handing = handOver(worker, written, { from, to: mail.to }, message)
            return mail.mode === "TEST" ? handing : worker.inTurn(handing)
          })
      })
    )
  })

  return { deliver }
})
