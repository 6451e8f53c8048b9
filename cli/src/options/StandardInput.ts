/** `-` as the value of a text option reads standard input. */
import { Effect, Stdio, Stream } from "effect"
import { CliError, Flag } from "effect/cli"

/** All of standard input as UTF-8, without the line break at its end. */
export const standardInput: Effect.Effect<string, CliError.UserError, Stdio.Stdio> = Stdio.Stdio.use(({ stdin }) =>
  Stream.mkString(Stream.decodeText(stdin))
).pipe(
  Effect.mapBoth({
    onFailure: (cause) => new CliError.UserError({ cause, userMessage: "Standard input cannot be read." }),
    onSuccess: (text) => text.replace(/\r?\n$/, "")
  })
)

/** A text option that can read standard input. Only one option of a command line may do so. */
export const text = (name: string): Flag.Flag<string> =>
  Flag.String(name).pipe(
    Flag.mapEffect((given) => (given === "-" ? standardInput : Effect.succeed(given))),
    Flag.withMetavar("<text|->")
  )
