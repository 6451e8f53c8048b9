/**
 * Records `email.click` 3 seconds after the click, when its verdict is final.
 *
 * Due clicks wait in the database. The transaction that records the event takes the click, so no click is lost if a
 * process dies.
 */
import { Array, DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { EventLog } from "../../events/EventLog.ts"
import { forkLoop } from "../../platform/jobs/Loop.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { clickEvent } from "../sending/MailEvents.ts"
import { Engagement } from "./Engagement.ts"
import { type DueClick, nextClick } from "./EngagementSql.ts"

const poll = Duration.millis(500)
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

type Needs = Engagement | EventLog | SqlClient.SqlClient | Transaction

export const layer: Layer.Layer<never, never, Needs> = Layer.effectDiscard(
  Effect.gen(function* () {
    const next = nextClick(yield* SqlClient.SqlClient)
    const emit = Effect.map(emitDue, (count) => count === maxBatch)
    yield* forkLoop("Emission of click events", emit, { next, poll })
  })
)
