/** Metrics of the delivery. No label contains an address or a project. */
import { type Effect, Metric } from "effect"
import type { Settlement } from "./DeliveryQueue.ts"

const settledTotal = Metric.counter("posthorn_emails_total", {
  description: "Mails by the state that a worker brought them to, and how they were made",
  incremental: true
})

export const settled = ({ status }: Settlement, source: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(settledTotal, { status, source }), 1)
