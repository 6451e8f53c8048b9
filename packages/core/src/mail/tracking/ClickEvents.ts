/**
 * Emits `email.click`, 3 seconds after the click: by then it is known whether it was one of several.
 *
 * What is due waits in the database, and is taken in the transaction that records its event: a process that dies leaves
 * it to the next one.
 */
import { Array, Cause, DateTime, Effect, Layer } from "effect"
import { EventLog } from "../../events/EventLog.ts"
import { untilItSucceeds } from "../../platform/Backoff.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { clickEvent } from "../sending/MailEvents.ts"
import { Engagement } from "./Engagement.ts"
import type { DueClick } from "./EngagementSql.ts"

const poll = "500 millis"
const maxBatch = 500

const eventOf = ({ mail, url, at, clickedAt, ordinal, verdict }: DueClick) =>
  clickEvent(mail, url, { at, first: clickedAt ?? at, ordinal, verdict })

/** One batch. Returns its size. */
export const emitDue = Effect.gen(function* () {
  const engagement = yield* Engagement
  const events = yield* EventLog
  const transaction = yield* Transaction
  return yield* Effect.gen(function* () {
    const now = yield* DateTime.now
    const due = yield* engagement.takeDueClicks(now, maxBatch)
    for (const clicks of Object.values(Array.groupBy(due, ({ projectId }) => projectId))) {
      yield* events.record(clicks[0].projectId, clicks.map(eventOf), now)
    }
    return due.length
  }).pipe(transaction.run)
}).pipe(Effect.withSpan("ClickEvents.emitDue"))

export const layer: Layer.Layer<never, never, Engagement | EventLog | Transaction> = Layer.effectDiscard(
  Effect.forkScoped(
    emitDue.pipe(
      Effect.flatMap((count) => (count < maxBatch ? Effect.sleep(poll) : Effect.void)),
      Effect.tapCause((cause) =>
        Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError("Clicks cannot be told yet", cause)
      ),
      Effect.sandbox,
      Effect.retry(untilItSucceeds),
      Effect.orDie,
      Effect.forever
    )
  )
)
