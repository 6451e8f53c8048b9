/** Options that several commands share. */
import type { FilterTree } from "@posthorn/client"
import { Clock, Effect, Option, Redacted, Schema, Stdio, Stream } from "effect"
import { CliError, Flag, Prompt } from "effect/cli"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { printable } from "../output/Table.ts"

export const optional = <A>(flag: Flag.Flag<A>): Flag.Flag<A | undefined> =>
  flag.pipe(Flag.optional, Flag.map(Option.getOrUndefined))

export const idempotencyKey = Flag.String("idempotency-key").pipe(
  Flag.withMetavar("<key>"),
  Flag.withDescription("Makes the command safe to repeat: a second run with the same key is refused"),
  optional
)

export const ifUpdatedAt = Flag.String("if-updated-at").pipe(
  Flag.withMetavar("<time>"),
  Flag.withDescription("Only if it was not changed since: the updatedAt that was read"),
  optional
)

/** All of standard input as UTF-8, without the line break at its end. */
export const standardInput: Effect.Effect<string, CliError.UserError, Stdio.Stdio> = Stdio.Stdio.use(({ stdin }) =>
  Stream.mkString(Stream.decodeText(stdin))
).pipe(
  Effect.mapBoth({
    onFailure: (cause) => new CliError.UserError({ cause, userMessage: "Standard input cannot be read." }),
    onSuccess: (text) => text.replace(/\r?\n$/, "")
  })
)

/** A text option that can read standard input. Only one option of a command may do so. */
export const text = (name: string): Flag.Flag<string> =>
  Flag.String(name).pipe(
    Flag.mapEffect((given) => (given === "-" ? standardInput : Effect.succeed(given))),
    Flag.withMetavar("<text|->")
  )

/** A JSON value from the command line, or for `-` from standard input. */
const json = <A>(name: string, schema: Schema.ConstraintDecoder<A>, expected: string): Flag.Flag<A> => {
  const decode = Schema.decodeUnknownOption(Schema.fromJsonString(schema))
  return text(name).pipe(
    Flag.mapEffect((given) =>
      Option.match(decode(given), {
        onSome: Effect.succeed,
        onNone: () => new CliError.InvalidValue({ option: name, value: given, expected, kind: "flag" })
      })
    ),
    Flag.withMetavar("<json|->")
  )
}

export const jsonObject = (name: string): Flag.Flag<{ readonly [key: string]: Schema.Json }> =>
  json(name, Schema.Record(Schema.String, Schema.Json), `a JSON object, such as {"plan":"pro"}`)

/** A JSON object of this type. The service checks it. */
export const jsonOf = <A extends object>(name: string): Flag.Flag<A> =>
  Flag.map(jsonObject(name), (given: object) => given as A)

export const jsonList = (name: string, example: string): Flag.Flag<ReadonlyArray<Schema.Json>> =>
  json(name, Schema.Array(Schema.Json), `a JSON list, such as ${example}`)

/** Tells a condition from any other object. The service validates it. */
const isTree = (json: object): json is FilterTree => "groups" in json && Array.isArray(json.groups)

export const filterTree = (name: string): Flag.Flag<FilterTree> =>
  jsonObject(name).pipe(
    Flag.mapEffect((json) =>
      isTree(json)
        ? Effect.succeed(json)
        : new CliError.InvalidValue({
            option: name,
            value: JSON.stringify(json),
            expected: `a filter tree, such as {"groups":[{"filters":[{"field":"data.plan","operator":"equals","value":"pro"}]}]}`,
            kind: "flag"
          })
    )
  )

/** Items on one page of the API. */
const maxPage = 100

/** Options of every list that can be long. */
export const limitOptions = {
  limit: Flag.Int("limit").pipe(
    Flag.filter(
      (limit) => limit >= 1,
      () => "a whole number from 1"
    ),
    Flag.withDefault(20),
    Flag.withDescription("Maximum number of items; default 20")
  ),
  all: Flag.Boolean("all").pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription("List all items"))
}

export interface LimitInput {
  readonly limit: number
  readonly all: boolean
}

/** Items to request on each page. */
export const pageLimit = ({ all, limit }: LimitInput): number => (all ? maxPage : Math.min(limit, maxPage))

/** Takes as many items as requested. */
export const upTo =
  ({ all, limit }: LimitInput) =>
  <A, E, R>(items: Stream.Stream<A, E, R>): Stream.Stream<A, E, R> =>
    all ? items : Stream.take(items, limit)

/** The option `--yes` of every command that asks. */
export const yes = Flag.Boolean("yes").pipe(
  Flag.withAlias("y"),
  Flag.withoutNegation,
  Flag.withDefault(false),
  Flag.withDescription("Do not ask; required without a terminal")
)

/** Asks for confirmation if the time is in the past. The service validates the time. */
export const confirmPast = Effect.fnUntraced(function* (time: string | undefined, then: string, yes: boolean) {
  if (time !== undefined && Date.parse(time) < (yield* Clock.currentTimeMillis)) {
    yield* confirm(`${time} is in the past: ${then}. Continue?`, yes)
  }
})

/** Asks on a terminal. Without a terminal there is no one to answer, so the action is refused. */
export const confirm = Effect.fnUntraced(function* (question: string, yes: boolean) {
  if (yes) return
  const stdio = yield* Stdio.Stdio
  if (!((yield* stdio.stdinIsTerminal) && (yield* stdio.stdoutIsTerminal))) {
    return yield* wrongUsage(`The command needs a confirmation: ${question}`, "Add --yes to confirm.")
  }
  const agreed = yield* Prompt.run(Prompt.Confirm({ message: printable(question) }))
  if (!agreed) return yield* new CommandFailure({ exit: "failed", code: "DECLINED", message: "Nothing was changed." })
})

export const passwordStdin = Flag.Boolean("password-stdin").pipe(
  Flag.withoutNegation,
  Flag.withDefault(false),
  Flag.withDescription("Read the password from standard input, instead of asking for it")
)

export const passwordOf = Effect.fnUntraced(function* (fromStandardInput: boolean) {
  if (fromStandardInput) return Redacted.make(yield* standardInput)
  const { stdinIsTerminal } = yield* Stdio.Stdio
  if (yield* stdinIsTerminal) return yield* Prompt.run(Prompt.Password({ message: "Password" }))
  return yield* wrongUsage(
    "There is no terminal to ask for the password.",
    "Add --password-stdin and pipe the password in."
  )
})

export const code = Flag.String("code").pipe(
  Flag.withMetavar("<code>"),
  Flag.withDescription("Code of the authenticator app, or a recovery code; a terminal asks for it"),
  optional
)

/** Six digits are a code of the app; any other text is a recovery code. */
const factorOf = (given: string) =>
  /^[\d ]{6,20}$/.test(given.trim()) ? { code: given.trim() } : { recoveryCode: given }

/** The second factor in the form of the API. */
export const secondFactorOf = Effect.fnUntraced(function* (given: string | undefined) {
  if (given !== undefined) return factorOf(given)
  const { stdinIsTerminal } = yield* Stdio.Stdio
  if (yield* stdinIsTerminal) {
    return factorOf(yield* Prompt.run(Prompt.String({ message: "Code of the authenticator app, or a recovery code" })))
  }
  return yield* wrongUsage("The account needs a second factor.", "Add --code with a code of the authenticator app.")
})
