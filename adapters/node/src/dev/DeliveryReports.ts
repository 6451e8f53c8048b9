/**
 * What recipients of the dev mailbox report: every mail that it keeps is delivered, and to `complained@` complained about.
 *
 * The mailbox hears of a mail before its sender has written down the reply, and after a crash the sender never does: so a
 * report is repeated until it counts, and the last mails are reported again at the start.
 */
import { EmailId } from "@posthorn/contract/emails/Email"
import { Projects } from "@posthorn/core/projects/Projects"
import { Notices, type Report } from "@posthorn/core/sending/Notices"
import { DateTime, Effect, Layer, Option, Schedule, Schema } from "effect"
import type { Accepted } from "../mailbox/MailboxServer.ts"
import { MailboxStore } from "../mailbox/MailboxStore.ts"
import { outcomeOf } from "../mailbox/Outcomes.ts"
import { inRealTime } from "./DevClock.ts"
import { DevProject } from "./DevProject.ts"

const decodeId = Schema.decodeUnknownOption(EmailId)

/** The mailbox knows no projects: most mail is of the one that is there from the start. */
const reportOnce = Effect.fnUntraced(function* (email: EmailId, report: Report) {
  const notices = yield* Notices
  const { projectId } = yield* DevProject
  if (yield* notices.report(projectId, email, report)) return true
  for (const { id } of yield* (yield* Projects).list) {
    if (id !== projectId && (yield* notices.report(id, email, report))) return true
  }
  return false
})

const reportsOf = (at: DateTime.Utc, complained: boolean): ReadonlyArray<Report> => [
  { kind: "delivered", at },
  ...(complained ? [{ kind: "complained", at, feedbackType: "abuse" } as const] : [])
]

/** Quickly at first, for half a minute in all. */
const patience = Schedule.min([Schedule.exponential("20 millis", 1.5), Schedule.spaced("1 second")]).pipe(
  Schedule.upTo({ duration: "30 seconds" })
)

const reportUntilItCounts = Effect.fn("DeliveryReports.report")(function* (email: EmailId, report: Report) {
  const counted = yield* inRealTime(
    Effect.repeat(reportOnce(email, report), { schedule: patience, until: (counts) => counts })
  )
  if (!counted) yield* Effect.logDebug("A report of the dev mailbox came to nothing", { kind: report.kind })
})

/** For the mail server of the dev mode, when it has taken a mail. */
export const accepted = Effect.fnUntraced(function* ({ emailId, complained }: Accepted) {
  const email = decodeId(emailId)
  if (Option.isNone(email)) return
  for (const report of reportsOf(yield* DateTime.now, complained)) yield* reportUntilItCounts(email.value, report)
})

/** More than can have been on the wire when a process was killed. */
const lastMails = 50

const again = Effect.gen(function* () {
  const { entries } = yield* (yield* MailboxStore).list({ limit: lastMails })
  for (const { emailId, receivedAt, to } of entries) {
    const email = decodeId(emailId)
    if (Option.isNone(email)) continue
    for (const report of reportsOf(receivedAt, outcomeOf(to) === "complained")) yield* reportOnce(email.value, report)
  }
}).pipe(Effect.catchDefect((defect) => Effect.logWarning("The last mails could not be reported again", defect)))

/**
 * The last mails once more: evidence for those whose sender was killed before it wrote down the reply. What a dead
 * process held is ours at once on an embedded database, and after its lease on another.
 */
export const layer: Layer.Layer<never, never, DevProject | MailboxStore | Notices | Projects> = Layer.effectDiscard(
  Effect.forkScoped(Effect.andThen(again, Effect.delay(again, "45 seconds")))
)
