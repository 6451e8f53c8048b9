/** For tests of the service's durability: the process kills itself at one of the sender's windows. */
import { Failpoint } from "@posthorn/core/sending/Failpoint"
import { Config, Effect, Layer, Option } from "effect"

const killed = Effect.andThen(
  Effect.sync(() => process.kill(process.pid, "SIGKILL")),
  Effect.never
)

/** `POSTHORN_FAIL_AT` names the window. Nothing comes of it unless NODE_ENV is `test`. */
export const layer: Layer.Layer<never> = Layer.unwrap(
  Effect.gen(function* () {
    const isTest = (yield* Config.option(Config.String("NODE_ENV"))).pipe(Option.contains("test"))
    const failAt = yield* Config.option(Config.String("POSTHORN_FAIL_AT"))
    if (!isTest || Option.isNone(failAt)) return Layer.empty
    return Layer.succeed(Failpoint, (window) => (window === failAt.value ? killed : Effect.void))
  }).pipe(Effect.orDie)
)
