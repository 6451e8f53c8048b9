/** What operators watch of the delivery (contract-2 17): no address, no project in any label. */
import { DateTime, Duration, Effect, Metric } from "effect"
import { DeliveryQueue, type Settlement } from "./DeliveryQueue.ts"

const settledTotal = Metric.counter("posthorn_emails_total", {
  description: "Mails by the state that a worker brought them to, and how they were made",
  incremental: true
})
const pending = Metric.gauge("posthorn_emails_pending", { description: "Mails that wait, due or not" })
const oldestPending = Metric.gauge("posthorn_email_oldest_pending_seconds", {
  description: "How long the longest waiting mail has been due"
})

export const settled = ({ status }: Settlement, source: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(settledTotal, { status, source }), 1)

/** Counting is a walk over an index: often enough for a graph, seldom enough for a long queue. */
const lookEvery = Duration.seconds(30)

/** Runs for ever. */
export const watchBacklog: Effect.Effect<never, never, DeliveryQueue> = Effect.gen(function* () {
  const queue = yield* DeliveryQueue
  const look = Effect.gen(function* () {
    const backlog = yield* queue.backlog(yield* DateTime.now)
    yield* Metric.update(pending, backlog.pending)
    yield* Metric.update(oldestPending, Duration.toSeconds(backlog.oldestDue))
  })
  const safely = Effect.catchDefect(look, (defect) => Effect.logWarning("The backlog was not counted", defect))
  return yield* Effect.forever(Effect.andThen(safely, Effect.sleep(lookEvery)))
})
