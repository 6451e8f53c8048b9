/**
 * Delivery reports of the dev mailbox: every message in it counts as delivered, and `complained@` as a complaint.
 *
 * The mailbox accepts a message before its sender records the reply. If the sender crashes, the reply is never
 * recorded. So a report is repeated until it takes effect, and each start reports the last messages again.
 */
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import * as DeliveryReports from "@posthorn/core/mail/sending/DeliveryReports"
import { DateTime, Effect, Layer, Option, Schedule, Schema } from "effect"
import type { AcceptedMessage } from "./MailboxServer.ts"
import { MailboxStore } from "./MailboxStore.ts"
import { outcomeOf } from "./Outcomes.ts"

const decodeId = Schema.decodeUnknownOption(EmailId)

type Kind = "delivered" | "complained"

/** The time is that of the attempt that takes effect. */
const reportOf = (kind: Kind): Effect.Effect<DeliveryReports.Report> =>
  Effect.map(DateTime.now, (at) => (kind === "delivered" ? { kind, at } : { kind, at, feedbackType: "abuse" }))

const reportOnce = Effect.fnUntraced(function* (email: EmailId, kind: Kind) {
  const report = yield* reportOf(kind)
  const outcome = yield* Effect.flatMap(DeliveryReports.make, (notices) =>
    notices.report(email, report, { kind: "dev", id: `${email} ${kind}` })
  )
  return outcome !== "early"
})

const kindsOf = (complained: boolean): ReadonlyArray<Kind> => (complained ? ["delivered", "complained"] : ["delivered"])

/** Frequent at first, about a minute in total. It counts attempts, so an advance of the clock does not end it. */
const patience = Schedule.min([Schedule.exponential("20 millis", 1.5), Schedule.spaced("1 second")]).pipe(
  Schedule.upTo({ times: 70 })
)

const reportUntilItCounts = Effect.fn("DeliveryReports.report")(function* (email: EmailId, kind: Kind) {
  const counted = yield* Effect.repeat(reportOnce(email, kind), { schedule: patience, until: (counts) => counts })
  if (!counted) yield* Effect.logDebug("A report of the dev mailbox had no effect", { kind })
})

/** Runs when the mail server of dev mode has accepted a message. */
export const accepted = Effect.fnUntraced(function* ({ emailId, complained }: AcceptedMessage) {
  const email = decodeId(emailId)
  if (Option.isNone(email)) return
  for (const kind of kindsOf(complained)) yield* reportUntilItCounts(email.value, kind)
})

/** More messages than can be in transmission when a process is killed. */
const lastMails = 50

const again = Effect.gen(function* () {
  const { entries } = yield* (yield* MailboxStore).list({ limit: lastMails })
  for (const { emailId, to } of entries) {
    const email = decodeId(emailId)
    if (Option.isNone(email)) continue
    for (const kind of kindsOf(outcomeOf(to) === "complained")) yield* reportOnce(email.value, kind)
  }
}).pipe(Effect.catchDefect((defect) => Effect.logWarning("The latest emails could not be reported again", defect)))

/**
 * Reports the last messages again, because their sender may have been killed before it recorded the reply. An embedded
 * database releases the claims of a dead process at once, a server after the end of its lease.
 */
export const layer: Layer.Layer<never, never, MailboxStore | DeliveryReports.Needs> = Layer.effectDiscard(
  Effect.forkScoped(Effect.andThen(again, Effect.delay(again, "45 seconds")))
)
