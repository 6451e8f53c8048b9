/** Options that several commands share. */
import type { FilterTree } from "@posthorn/client"
import { Effect, Option, Schema, Stdio, Stream } from "effect"
import { CliError, Flag } from "effect/cli"

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
