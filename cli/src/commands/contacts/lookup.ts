import { Effect, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { standardInput } from "../../options/StandardInput.ts"
import * as Output from "../../output/Output.ts"

/** Addresses that the API takes in one call. */
const batch = 500

const addressesOf = Effect.fnUntraced(function* (given: ReadonlyArray<string>) {
  if (!given.includes("-")) return given
  const lines = (yield* standardInput).split(/\r?\n/).filter((line) => line.trim() !== "")
  return [...given.filter((email) => email !== "-"), ...lines]
})

export const lookup = Command.make(
  "lookup",
  {
    emails: Argument.String("email").pipe(
      Argument.withDescription("Addresses; `-` reads them from standard input, one on each line"),
      Argument.variadic({ min: 1 })
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ emails }) {
    const { call } = yield* Api
    const addresses = yield* addressesOf(emails)
    const results = Stream.fromIterable(addresses).pipe(
      Stream.grouped(batch),
      Stream.mapEffect((some) =>
        Effect.map(
          call(({ contacts }) => contacts.lookup({ emails: some })),
          ({ found, invalid }) => {
            const [known, odd] = [new Set(found), new Set(invalid)]
            return Array.from(new Set(some), (email) => ({ email, exists: known.has(email), valid: !odd.has(email) }))
          }
        )
      ),
      Stream.flattenIterable
    )
    yield* Output.list(results, {
      head: ["email", "exists", "valid"],
      row: ({ email, exists, valid }) => [email, exists, valid],
      none: "No addresses were given."
    })
  })
).pipe(
  Command.withDescription("Tell which addresses have a contact"),
  Command.withExamples([
    { command: "posthorn contacts lookup ada@example.com bob@example.com" },
    { command: "posthorn contacts lookup - < addresses.txt" }
  ]),
  withApi
)
