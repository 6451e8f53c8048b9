import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import * as Output from "../output/Output.ts"

export const verify = Command.make(
  "verify",
  { email: Argument.String("email").pipe(Argument.withDescription("Address to check")), ...connectionOptions },
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
  Command.withDescription("Check an address without sending email to it: its syntax, its domain, likely typos"),
  Command.withExamples([{ command: "posthorn verify ada@gnail.com" }]),
  withApi
)
