/** The metrics of what slows mail to mailbox providers. */
import { Effect, Metric } from "effect"
import type { ShapedRow } from "./ShapingSql.ts"
import { installation, type ShapedKey } from "./ShapingState.ts"

const deferralsTotal = Metric.counter("posthorn_provider_deferrals_total", {
  description: "Replies by which a mailbox provider asked for less mail",
  incremental: true
})
const levelGauge = Metric.gauge("posthorn_provider_level", {
  description: "How far mail to a mailbox provider is slowed down; 0 is normal"
})
const rateGauge = Metric.gauge("posthorn_provider_rate_per_minute", {
  description: "Mails a minute that a slowed mailbox provider takes; 0 while it is suspended"
})

/** Counts a reply that asks for less mail. */
export const deferred = ({ key, transport }: Pick<ShapedKey, "key" | "transport">): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(deferralsTotal, { provider: key, transport }), 1)

/** Shows the states of the transports of the installation. Those that were shown before and are over show level 0. */
export const make = () => {
  const shown = new Set<string>()
  return Effect.fnUntraced(function* (rows: ReadonlyArray<ShapedRow>) {
    const present = new Set<string>()
    for (const { key, level, project, ratePerMinute, transport } of rows) {
      if (project !== installation) continue
      const attributes = { provider: key, transport }
      present.add(`${key} ${transport}`)
      yield* Metric.update(Metric.withAttributes(levelGauge, attributes), level)
      yield* Metric.update(Metric.withAttributes(rateGauge, attributes), ratePerMinute ?? 0)
    }
    for (const name of shown) {
      if (present.has(name)) continue
      const [provider = "", transport = ""] = name.split(" ")
      yield* Metric.update(Metric.withAttributes(levelGauge, { provider, transport }), 0)
      shown.delete(name)
    }
    for (const name of present) shown.add(name)
  })
}
