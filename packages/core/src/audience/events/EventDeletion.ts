/** The job that removes the rows of events that were deleted by name, if there are many of them. */
import { DateTime, Effect, Option, Schema } from "effect"
import * as Job from "../../platform/jobs/Job.ts"
import { Transaction } from "../../platform/Transaction.ts"
import * as EventStore from "./EventStore.ts"

/** The number of rows that one transaction deletes. */
export const batchSize = 10_000

const Counted = Schema.Struct({ deleted: Schema.Int })

export const job = Job.define({
  name: "event-deletion",
  payload: Schema.Struct({ eventName: Schema.String, before: Schema.DateTimeUtcFromString, count: Schema.Int }),
  result: Counted,
  checkpoint: Counted,
  run: Effect.fnUntraced(function* ({ eventName, before, count }, { project, save, saved }) {
    const store = yield* EventStore.make
    const transaction = yield* Transaction

    const advance = Effect.fnUntraced(function* (deleted: number) {
      const gone = yield* store.remove(project, eventName, before, batchSize)
      const point = { deleted: deleted + gone }
      const progress = Math.min(100, (100 * point.deleted) / Math.max(count, 1))
      yield* save({ progress, result: point, checkpoint: point })
      return { ...point, isLast: gone < batchSize }
    }, transaction.run)

    let reached = { deleted: Option.match(saved, { onNone: () => 0, onSome: (_) => _.result.deleted }), isLast: false }
    while (!reached.isLast) reached = yield* advance(reached.deleted)
    return { deleted: reached.deleted }
  })
})

/** The first instant that a deletion made now does not cover. */
export const endOf = (now: DateTime.Utc): DateTime.Utc => DateTime.add(now, { milliseconds: 1 })
