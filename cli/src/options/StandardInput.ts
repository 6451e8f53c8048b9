/** `-` in the place of a text: standard input (rulings 27). */
import { Effect, Stdio, Stream } from "effect"
import { CliError, Flag } from "effect/cli"

/** All of it, as UTF-8, without the line break at its end. */
export const standardInput: Effect.Effect<string, CliError.UserError, Stdio.Stdio> = Stdio.Stdio.use(({ stdin }) =>
  Stream.mkString(Stream.decodeText(stdin))
).pipe(
  Effect.mapBoth({
    onFailure: (cause) => new CliError.UserError({ cause, userMessage: "Standard input cannot be read." }),
    onSuccess: (text) => text.replace(/\r?\n$/, "")
  })
)

/** A text that may come from standard input. One option of a command line can have it. */
export const text = (name: string): Flag.Flag<string> =>
  Flag.String(name).pipe(
    Flag.mapEffect((given) => (given === "-" ? standardInput : Effect.succeed(given))),
    Flag.withMetavar("<text|->")
  )
