import { Effect, Stdio, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { wrongUsage } from "../../Failure.ts"
import { optional } from "../../options/Optional.ts"
import * as Output from "../../output/Output.ts"
import { suppressionBlock } from "../../output/SuppressionText.ts"

/** Most of one call (contract-2 20); more go in several. */
const perCall = 1000

/** One address on each line of standard input. */
const fromInput = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const text = yield* Stream.mkString(Stream.decodeText(stdio.stdin))
  return text.split(/\s+/).filter((line) => line !== "")
})

export const add = Command.make(
  "add",
  {
    emails: Argument.String("address").pipe(
      Argument.withDescription("The address, or several; - reads them from standard input"),
      Argument.variadic({ min: 1 })
    ),
    note: Flag.String("note").pipe(Flag.withDescription("Kept with the record; at most 500 characters"), optional),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ emails: given, note }) {
    const { call } = yield* Api
    const emails = given.length === 1 && given[0] === "-" ? yield* fromInput : given
    const more = note === undefined ? {} : { note }
    const [email, ...others] = emails
    if (email === undefined) return yield* wrongUsage("There is no address on standard input.")
    if (others.length === 0) {
      const one = yield* call(({ suppressions }) => suppressions.add({ email, ...more }))
      if ("reason" in one) return yield* Output.one(one, suppressionBlock(one))
    }
    let [added, existing] = [0, 0]
    for (let at = 0; at < emails.length; at += perCall) {
      const part = { emails: emails.slice(at, at + perCall), ...more }
      const counts = yield* call(({ suppressions }) => suppressions.add(part))
      if ("added" in counts) [added, existing] = [added + counts.added, existing + counts.existing]
    }
    yield* Output.one(
      { added, existing },
      {
        rows: [
          ["added", added],
          ["on the list before", existing]
        ]
      }
    )
  })
).pipe(
  Command.withDescription("Suppress addresses: no mail of any type goes to them"),
  Command.withExamples([
    { command: "posthorn suppressions add gone@example.com --note 'asked by phone'" },
    { command: "posthorn suppressions add - < addresses.txt", description: "One on each line" }
  ]),
  withApi
)
