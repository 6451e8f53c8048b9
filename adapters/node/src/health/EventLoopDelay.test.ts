import { assert, it } from "@effect/vitest"
import { EventLoop, isLate } from "@posthorn/core/service/EventLoop"
import { Duration, Effect, Option } from "effect"
import { PrometheusMetrics } from "effect/observability"
import * as EventLoopDelay from "./EventLoopDelay.ts"

const standStill = (millis: number) =>
  Effect.sync(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis))

it.live("the delay of the event loop is measured, kept for six windows, and a metric", () =>
  Effect.gen(function* () {
    const measured = yield* EventLoop
    assert.isTrue(Option.isNone(yield* measured))
    yield* Effect.sleep("50 millis")
    yield* standStill(1_200)
    yield* Effect.sleep("300 millis")
    const late = Option.getOrThrow(yield* measured)
    assert.isAbove(late.max, 1_000)
    assert.isTrue(isLate(late))
    const text = yield* PrometheusMetrics.format()
    assert.match(text, /posthorn_event_loop_delay_max_seconds 1\.\d+/)
    assert.include(text, "posthorn_event_loop_delay_p99_seconds")
    yield* Effect.sleep("1500 millis")
    assert.isBelow(Option.getOrThrow(yield* measured).max, 1_000)
  }).pipe(Effect.provide(EventLoopDelay.layerWith({ window: Duration.millis(100) })))
)
