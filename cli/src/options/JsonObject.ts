/** An option that takes a JSON object. */
import { Effect, Option, Schema } from "effect"
import { CliError, Flag } from "effect/cli"
import { text } from "./StandardInput.ts"

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json)))

/** From the command line, or with `-` from standard input. */
export const jsonObject = (name: string): Flag.Flag<{ readonly [key: string]: Schema.Json }> =>
  text(name).pipe(
    Flag.mapEffect((given) =>
      Option.match(decode(given), {
        onSome: Effect.succeed,
        onNone: () =>
          new CliError.InvalidValue({
            option: name,
            value: given,
            expected: `a JSON object, such as {"plan":"pro"}`,
            kind: "flag"
          })
      })
    ),
    Flag.withMetavar("<json|->")
  )
