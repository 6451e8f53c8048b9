/**
 * What recipients of the dev mailbox report: every mail that it keeps is delivered, and to `complained@` complained about.
 *
 * The mailbox hears of a mail before its sender has written down the reply, and after a crash the sender never does: so a
 * report is repeated until it counts, and the last mails are reported again at the start.
 */
import { EmailId } from "@posthorn/contract/emails/Email"
import { Notices, type Report } from "@posthorn/core/sending/Notices"
import { DateTime, Effect, Layer, Option, Schedule, Schema } from "effect"
import type { Accepted } from "../mailbox/MailboxServer.ts"
import { MailboxStore } from "../mailbox/MailboxStore.ts"
import { outcomeOf } from "../mailbox/Outcomes.ts"

const decodeId = Schema.decodeUnknownOption(EmailId)

type Kind = "delivered" | "complained"

/** At the time of the try that counts. */
const reportOf = (kind: Kind): Effect.Effect<Report> =>
  Effect.map(DateTime.now, (at) => (kind === "delivered" ? { kind, at } : { kind, at, feedbackType: "abuse" }))

const reportOnce = Effect.fnUntraced(function* (email: EmailId, kind: Kind) {
  const report = yield* reportOf(kind)
  const outcome = yield* Notices.use((notices) =>
    notices.report(email, report, { kind: "dev", id: `${email} ${kind}` })
  )
  return outcome !== "early"
})

const kindsOf = (complained: boolean): ReadonlyArray<Kind> => (complained ? ["delivered", "complained"] : ["delivered"])

/** Quickly at first, for about a minute in all; counted, so that an advance of the clock does not end it. */
const patience = Schedule.min([Schedule.exponential("20 millis", 1.5), Schedule.spaced("1 second")]).pipe(
  Schedule.upTo({ times: 70 })
)

const reportUntilItCounts = Effect.fn("DeliveryReports.report")(function* (email: EmailId, kind: Kind) {
  const counted = yield* Effect.repeat(reportOnce(email, kind), { schedule: patience, until: (counts) => counts })
  if (!counted) yield* Effect.logDebug("A report of the dev mailbox came to nothing", { kind })
})

/** For the mail server of the dev mode, when it has taken a mail. */
export const accepted = Effect.fnUntraced(function* ({ emailId, complained }: Accepted) {
  const email = decodeId(emailId)
  if (Option.isNone(email)) return
  for (const kind of kindsOf(complained)) yield* reportUntilItCounts(email.value, kind)
})

/** More than can have been on the wire when a process was killed. */
const lastMails = 50

const again = Effect.gen(function* () {
  const { entries } = yield* (yield* MailboxStore).list({ limit: lastMails })
  for (const { emailId, to } of entries) {
    const email = decodeId(emailId)
    if (Option.isNone(email)) continue
    for (const kind of kindsOf(outcomeOf(to) === "complained")) yield* reportOnce(email.value, kind)
  }
}).pipe(Effect.catchDefect((defect) => Effect.logWarning("The last mails could not be reported again", defect)))

/**
 * The last mails once more: evidence for those whose sender was killed before it wrote down the reply. What a dead
 * process held is ours at once on an embedded database, and after its lease on another.
 */
export const layer: Layer.Layer<never, never, MailboxStore | Notices> = Layer.effectDiscard(
  Effect.forkScoped(Effect.andThen(again, Effect.delay(again, "45 seconds")))
)
