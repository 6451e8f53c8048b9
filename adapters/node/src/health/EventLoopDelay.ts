/** Measures how late the event loop of this process runs, as two gauges and for `/ready`. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import { EventLoop, type EventLoopDelay, isLate } from "@posthorn/core/service/EventLoop"
import { Duration, Effect, Layer, Metric, Option } from "effect"

/**
 * Milliseconds between two readings of the clock. The interval itself does not count as delay. Each reading wakes an idle
 * process: every 10 milliseconds, they took 4.6 milliseconds of CPU a second, every 25 they took 2.0, every 50 they take
 * 1.0.
 */
const resolution = 50
const windows = 6

const p99 = Metric.gauge("posthorn_event_loop_delay_p99_seconds", {
  description: "Delay of the event loop: the highest 99th percentile of the ten-second windows of the last minute"
})
const max = Metric.gauge("posthorn_event_loop_delay_max_seconds", {
  description: "Maximum delay of the event loop in the last minute"
})

export interface Options {
  /** Default: 10 seconds. The last six windows are the last minute. */
  readonly window?: Duration.Duration
}

const make = Effect.fnUntraced(function* ({ window = Duration.seconds(10) }: Options) {
  const histogram = monitorEventLoopDelay({ resolution })
  yield* Effect.acquireRelease(
    Effect.sync(() => histogram.enable()),
    () => Effect.sync(() => histogram.disable())
  )
  const recent: Array<EventLoopDelay> = []
  let wasLate = false

  const millis = (nanos: number) => Math.max(0, nanos / 1e6 - resolution)
  const lastMinute = (): EventLoopDelay => ({
    p99: Math.max(...recent.map(({ p99 }) => p99)),
    max: Math.max(...recent.map(({ max }) => max))
  })

  const look = Effect.gen(function* () {
    recent.push({ p99: millis(histogram.percentile(99)), max: millis(histogram.max) })
    histogram.reset()
    if (recent.length > windows) recent.shift()
    const now = lastMinute()
    yield* Metric.update(p99, now.p99 / 1000)
    yield* Metric.update(max, now.max / 1000)
    if (isLate(now) && !wasLate) {
      yield* Effect.logWarning("The event loop is blocked", { p99Millis: now.p99, maxMillis: now.max })
    }
    wasLate = isLate(now)
  })
  yield* Effect.forkScoped(Effect.forever(Effect.delay(look, window)))
  return Effect.sync(() => (recent.length === 0 ? Option.none() : Option.some(lastMinute())))
})

export const layerWith = (options: Options): Layer.Layer<never> => Layer.effect(EventLoop, make(options))

export const layer: Layer.Layer<never> = layerWith({})
