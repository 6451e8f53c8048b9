/** For tests of the service's durability: the process kills itself, or stands still, at one of the sender's windows. */
import { Failpoint } from "@posthorn/core/sending/Failpoint"
import { Config, Effect, Layer, Option } from "effect"

const killed = Effect.andThen(
  Effect.sync(() => process.kill(process.pid, "SIGKILL")),
  Effect.never
)

/** The event loop, not the fiber: as by a computation that does not end. */
const blocked = (seconds: number) =>
  Effect.sync(() => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, seconds * 1000))

/**
 * `POSTHORN_FAIL_AT` names the window; `after_reply:45` stands still for 45 seconds there, once, instead of the end.
 * Nothing comes of it unless NODE_ENV is `test`.
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
