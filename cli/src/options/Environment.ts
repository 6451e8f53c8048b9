/** Environment variables as defaults of options. */
import { Config, Effect, Option } from "effect"

/** The option, otherwise the variable. A blank variable counts as unset. */
export const orVariable = (option: string | undefined, name: string): Effect.Effect<string | undefined> =>
  option === undefined
    ? Config.option(Config.String(name)).pipe(
        Effect.orDie,
        Effect.map((value) => Option.getOrUndefined(Option.filter(value, (text) => text.trim() !== "")))
      )
    : Effect.succeed(option)
