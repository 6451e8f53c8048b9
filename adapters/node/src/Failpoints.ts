/** For durability tests: kills or blocks the process at a chosen point of the sender. */
import { Failpoint } from "@posthorn/core/platform/Failpoint"
import { Config, Effect, Layer, Option } from "effect"

const killed = Effect.andThen(
  Effect.sync(() => process.kill(process.pid, "SIGKILL")),
  Effect.never
)

/** Blocks the event loop, not only the fiber, like an endless computation. */
const blocked = (seconds: number) =>
  Effect.sync(() => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, seconds * 1000))

/**
 * `POSTHORN_FAIL_AT` names the point. `after_reply:45` blocks the process there once for 45 seconds instead of killing
 * it. Works only if NODE_ENV is `test`.
 */
export const layer: Layer.Layer<never> = Layer.unwrap(
  Effect.gen(function* () {
    const isTest = (yield* Config.option(Config.String("NODE_ENV"))).pipe(Option.contains("test"))
    const failAt = yield* Config.option(Config.String("POSTHORN_FAIL_AT"))
    if (!isTest || Option.isNone(failAt)) return Layer.empty
    const [window, seconds] = failAt.value.split(":")
    const failure = seconds === undefined ? killed : yield* Effect.cached(blocked(Number(seconds)))
    return Layer.succeed(Failpoint, (reached) => (reached === window ? failure : Effect.void))
  }).pipe(Effect.orDie)
)
