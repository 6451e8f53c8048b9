import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import * as Output from "../output/Output.ts"

export const verify = Command.make(
  "verify",
  { email: Argument.String("email").pipe(Argument.withDescription("Address to look at")), ...connectionOptions },
  Effect.fnUntraced(function* ({ email }) {
    const { call } = yield* Api
    const verdict = yield* call((posthorn) => posthorn.verify({ email }))
    yield* Output.one(verdict, {
      rows: [
        ["email", verdict.email],
        ["valid", verdict.valid ? "yes" : "no"],
        ["reasons", verdict.reasons.join(" ")]
      ]
    })
  })
).pipe(
  Command.withDescription("Look at an address without writing to it: its form, its domain, likely typos"),
  Command.withExamples([{ command: "posthorn verify ada@gnail.com" }]),
  withApi
)
