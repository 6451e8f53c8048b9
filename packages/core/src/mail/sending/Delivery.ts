/** Delivers one claimed mail: checks it, builds it, marks its try as begun, sends it, and stores the result. */
import type { QuietHours, SendingSettings } from "@posthorn/contract/mail/sending/SendingSettings"
import { DateTime, Effect, Random } from "effect"
import { Projects } from "../../accounts/projects/Projects.ts"
import { Contacts } from "../../audience/contacts/Contacts.ts"
import { Suppressions } from "../../audience/suppression/Suppressions.ts"
import { TestEvents } from "../../events/TestEvents.ts"
import { failpoint } from "../../platform/Failpoint.ts"
import { type CannotCompose, type Envelope, isNotHandedOver, Mailer } from "../../platform/Mailer.ts"
import { Settings } from "../../platform/Settings.ts"
import { Transaction } from "../../platform/Transaction.ts"
import * as Refusals from "../domains/health/Refusals.ts"
import { asksConsent, countsForCaps, isUnderPolicy } from "../Eligibility.ts"
import { Ledger } from "../ledger/Ledger.ts"
import { placeRequest, waitsUntil } from "../policy/FrequencyCaps.ts"
import type { FrequencyPlaces } from "../policy/FrequencyPlaces.ts"
import { quietUntil } from "../policy/QuietHours.ts"
import { SendingPolicy } from "../policy/SendingPolicy.ts"
import * as RecipientProviders from "../recipients/RecipientProviders.ts"
import * as SenderReputation from "../reputation/SenderReputation.ts"
import * as MailingQueues from "../shaping/MailingQueues.ts"
import { ofInstallation, type Shaping } from "../shaping/Shaping.ts"
import type { Lanes } from "../transports/Lanes.ts"
import type { TransportChoice } from "../transports/MailRoute.ts"
import type { MailRoutes } from "../transports/MailRoutes.ts"
import type { StoredTransport } from "../transports/TransportRow.ts"
import type { AdaptiveConcurrency } from "./AdaptiveConcurrency.ts"
import type { CannotRender, Written } from "./CampaignTexts.ts"
import type { DeliveryMarks } from "./DeliveryMarks.ts"
import * as DeliveryMetrics from "./DeliveryMetrics.ts"
import { type AttemptResult, type ClaimedEmail, DeliveryQueue, type Settlement } from "./DeliveryQueue.ts"
import type { Lease } from "./Lease.ts"
import { MessageBuilder } from "./MessageBuilder.ts"
import * as Outcome from "./Outcome.ts"
import { simulatedOutcome } from "./OutcomeAddress.ts"
import { classify, isMailboxFull, type Reply } from "./Replies.ts"
import { ReturnPath } from "./ReturnPath.ts"
import * as TestMode from "./TestMode.ts"

/** The parts of a worker that its mails share. */
export interface Worker {
  readonly id: string
  readonly marks: DeliveryMarks
  readonly places: FrequencyPlaces
  readonly lease: Lease
  readonly pace: AdaptiveConcurrency
  /** Connections to transports of projects. */
  readonly lanes: Lanes
  readonly routes: MailRoutes
  readonly shaping: Shaping
  /** Runs the effect as soon as the transports of the installation accept one more transmission. */
  readonly inTurn: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** True once the worker stops. Then no transmission begins. */
  readonly stopping: () => boolean
}

type Send = Mailer["Service"]["send"]

const replyOf = ({ code, enhancedCode, reply }: AttemptResult): Reply => ({
  code: code ?? undefined,
  enhancedCode: enhancedCode ?? undefined,
  reply: reply ?? ""
})

const isFull = (attempt: AttemptResult): boolean => attempt.outcome === "deferred" && isMailboxFull(replyOf(attempt))

export const make = Effect.gen(function* () {
  const builder = yield* MessageBuilder
  const mailer = yield* Mailer
  const queue = yield* DeliveryQueue
  const returnPath = yield* ReturnPath
  const suppressions = yield* Suppressions
  const contacts = yield* Contacts
  const policy = yield* SendingPolicy
  const projects = yield* Projects
  const reputation = yield* SenderReputation.make
  const providers = yield* RecipientProviders.make
  const refusals = yield* Refusals.make
  const queues = yield* MailingQueues.make
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
    const needsConsent = !mail.test && asksConsent(mail.type, mail.sourceType, mail.topicId)
    if (needsConsent && mail.refusal !== null) return Outcome.suppressed(mail, at, mail.refusal)
    if (mail.domainId === null) return Outcome.domainUnverified(mail, at)
    if (mail.personal === null && mail.text === null) {
      return Outcome.failed(mail, at, { code: "render_failed", message: "The content of this mail is no longer kept." })
    }
  }

  /** The result if the mail would begin in the quiet hours of its contact. */
  const quietRefusal = (
    mail: ClaimedEmail,
    at: Outcome.Moment,
    hours: QuietHours,
    timezone: string
  ): Settlement | undefined => {
    const until = quietUntil(hours, at.now.epochMilliseconds, mail.personal?.data ?? {}, timezone)
    if (until === undefined) return undefined
    return hours.action === "SKIP"
      ? Outcome.refusedByPolicy(mail, at, "QUIET_HOURS")
      : Outcome.held(mail, at, "QUIET_HOURS", DateTime.makeUnsafe(until))
  }

  /** Takes the place of the mail under the caps. The result if there is none. */
  const capRefusal = Effect.fnUntraced(function* (
    worker: Worker,
    mail: ClaimedEmail,
    at: Outcome.Moment,
    settings: SendingSettings,
    isLimited: boolean
  ) {
    const { projectId, contactId, id: emailId, topicId } = mail
    const request =
      contactId === null ? undefined : placeRequest(settings, { projectId, contactId, emailId, topicId }, isLimited)
    const freeAt = request === undefined ? null : yield* worker.places.take(request)
    if (freeAt === null) return undefined
    const until = waitsUntil(settings, settings.onCap.campaigns, freeAt, {
      now: at.now,
      since: mail.cappedSince ?? at.now
    })
    return until === undefined
      ? Outcome.refusedByPolicy(mail, at, "FREQUENCY_CAP")
      : Outcome.held(mail, at, "FREQUENCY_CAP", until)
  })

  /**
   * The result if the sending policy does not allow the mail now. It is asked before the first try, since time passes
   * between the making of a mail and its claim. Workflows ask it before they make a mail; single sends only count.
   */
  const policyRefusal = Effect.fnUntraced(function* (worker: Worker, mail: ClaimedEmail, at: Outcome.Moment) {
    const { projectId, campaignId, sourceType } = mail
    if (sourceType === "WORKFLOW" || mail.attempts > 0 || mail.mode === "TEST" || !countsForCaps(mail)) return undefined
    const settings = yield* policy.getCached(projectId)
    const { quietHours, frequencyCaps } = settings
    if (quietHours === null && frequencyCaps.length === 0) return undefined
    if (campaignId === null || !isUnderPolicy(mail)) return yield* capRefusal(worker, mail, at, settings, false)
    const own = yield* builder.policyOf(projectId, campaignId)
    if (quietHours !== null && own.quietHours === "APPLY") {
      const { timezone } = yield* Effect.orDie(projects.getCached(projectId))
      const refused = quietRefusal(mail, at, quietHours, timezone)
      if (refused !== undefined) return refused
    }
    return yield* capRefusal(worker, mail, at, settings, own.frequencyCaps === "APPLY")
  })

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
    destination: RecipientProviders.MailDestination,
    envelope: Envelope,
    message: Uint8Array,
    send: Send
  ) {
    // Not begun: the mail stays as it is, and is released when the sender stops or the lease ends.
    if (worker.stopping()) return
    if (!(yield* worker.lease.holds))
      return yield* Effect.logWarning("Not sent: too little is left of the worker's lease")
    const number = mail.attempts + 1
    const { projectId, id, claim, mailing } = mail
    const begun = yield* worker.marks.begin({ projectId, id, claim, number, at: yield* DateTime.now, mailing, frozen })
    // The campaign was paused or cancelled, or the contact does not take the mail any more, or the claim was lost. A lost claim settles nothing.
    if (!begun && mailing !== null) return yield* settle(worker, Outcome.released(mail, yield* moment), mail)
    if (!begun) return yield* Effect.logWarning("Claim lost before the mail was sent")
    // The lease may have ended while the mark waited for the database.
    if (!(yield* worker.lease.holds)) return
    yield* failpoint("after_begin")
    const settlement = yield* send(envelope, message).pipe(
      Effect.tap(() => failpoint("after_reply")),
      Effect.matchEffect({
        onSuccess: (receipt) => Effect.map(moment, (at) => Outcome.accepted(mail, at, receipt)),
        onFailure: (error) => Effect.map(moment, (at) => Outcome.notAccepted(mail, at, error))
      })
    )
    const { attempt } = settlement
    if (attempt !== null && attempt.outcome !== "accepted" && mail.mode !== "TEST")
      yield* refusals.note(mail, replyOf(attempt))
    yield* settle(worker, settlement, mail)
    if (attempt !== null) yield* worker.shaping.replied(mail, destination, attempt)
    yield* failpoint("after_settle")
  })

  /** The transports of the installation. */
  const byServer =
    ({ pace, shaping }: Worker, mail: ClaimedEmail): Send =>
    (envelope, message) =>
      mailer.send(envelope, message).pipe(
        Effect.tap(() => pace.succeeded),
        Effect.tapError((error) =>
          pace.failed(
            error,
            error.reason === "refused" && classify(error) === "slow_down" && !shaping.isAboutProvider(mail, error)
          )
        )
      )

  /** The transports of a route in order of failover. The caller has a turn at the first. */
  const byTransports =
    (worker: Worker, mail: ClaimedEmail, { fallback, transports }: TransportChoice): Send =>
    (envelope, message) => {
      const over = (transport: StoredTransport, isFirst: boolean) =>
        Effect.scoped(
          Effect.flatMap(worker.lanes.get(transport), ({ inTurn, send }) =>
            isFirst ? send(envelope, message) : inTurn(send(envelope, message))
          )
        )
      const tries = transports.map((transport, n) => over(transport, n === 0))
      if (fallback) tries.push(worker.inTurn(byServer(worker, mail)(envelope, message)))
      return tries.reduce((sent, next) => Effect.catchIf(sent, isNotHandedOver, () => next))
    }

  /** Runs the hand-over when the first transport of the mail takes one more. The route is looked up again at that moment. */
  const inTurn = (worker: Worker, mail: ClaimedEmail, use: (send: Send) => Effect.Effect<void>): Effect.Effect<void> =>
    Effect.flatMap(worker.routes.way(mail), (way) => {
      if (way === undefined) return worker.inTurn(use(byServer(worker, mail)))
      const [first] = way.transports
      if (first === undefined) {
        return Effect.flatMap(moment, (at) => settle(worker, Outcome.waiting(mail, at, way.reason ?? ""), mail))
      }
      return Effect.gen(function* () {
        const lane = yield* worker.lanes.get(first)
        const isDone = yield* lane.inTurn(
          Effect.gen(function* () {
            const now = yield* worker.routes.way(mail)
            if (now?.transports[0]?.id !== first.id) return false
            yield* use(byTransports(worker, mail, now))
            return true
          })
        )
        if (!isDone) yield* inTurn(worker, mail, use)
      }).pipe(Effect.scoped)
    })

  const cannotCompose = (worker: Worker, mail: ClaimedEmail) => (error: CannotCompose | CannotRender) =>
    Effect.flatMap(moment, (at) =>
      settle(worker, Outcome.failed(mail, at, { code: "render_failed", message: error.message }), mail)
    )

  const deliver = Effect.fn("Delivery.deliver")(function* (worker: Worker, claimed: ClaimedEmail) {
    const at = yield* moment
    const refused = refusal(claimed, at) ?? (yield* policyRefusal(worker, claimed, at))
    if (refused !== undefined) return yield* settle(worker, refused, claimed)
    const destination = yield* providers.destination(claimed.to)
    const mail = { ...claimed, provider: claimed.provider ?? destination.provider }
    const way = mail.mode === "TEST" ? undefined : yield* worker.routes.way(mail)
    const scope = way?.transports[0]?.id ?? ofInstallation
    const queue = yield* worker.shaping.waitsIn(mail, destination, scope)
    if (queue !== undefined) {
      yield* queues.list(mail, queue)
      return yield* settle(worker, Outcome.shaped(mail, yield* moment, queue), mail)
    }
    yield* Effect.gen(function* () {
      const written = yield* builder.write(mail)
      return { written, message: yield* builder.build(written.mail) }
    }).pipe(
      Effect.matchEffect({
        onFailure: cannotCompose(worker, mail),
        onSuccess: ({ written, message }) =>
          Effect.flatMap(returnPath.of(mail), (from) => {
            const envelope = { from, to: mail.to, dialogue: mail.smtpDialogue }
            const handing = (send: Send) =>
              worker.shaping.counted(
                destination,
                scope,
                handOver(worker, written, destination, envelope, message, send)
              )
            // Mail of test mode is handed over without a connection, before any route is looked at.
            return mail.mode === "TEST"
              ? handing(() => TestMode.handOver(mail))
              : worker.shaping.inTurn(destination, scope, inTurn(worker, mail, handing))
          })
      })
    )
  })

  return { deliver }
})
