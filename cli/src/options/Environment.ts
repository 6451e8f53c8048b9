/** What the environment says where the command line is silent. */
import { Config, Effect, Option } from "effect"

/** The option, else the variable; a blank variable is the same as an unset one. */
export const orVariable = (option: string | undefined, name: string): Effect.Effect<string | undefined> =>
  option === undefined
    ? Config.option(Config.String(name)).pipe(
        Effect.orDie,
        Effect.map((value) => Option.getOrUndefined(Option.filter(value, (text) => text.trim() !== "")))
      )
    : Effect.succeed(option)
