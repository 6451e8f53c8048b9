/** The verbs about versions, which templates and partials have in common. */
import type { Call, List, Posthorn, TemplateVersion } from "@posthorn/client"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import type { CommandFailure } from "../Failure.ts"
import { limitOptions, pageLimit, upTo } from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import type { Block, Cell } from "../output/Table.ts"

export const versionArgument = Argument.Int("version").pipe(Argument.withDescription("Number of the version"))

/** Publishes a draft over changes that were made since it was stored. */
const force = Flag.Boolean("force").pipe(
  Flag.withoutNegation,
  Flag.withDefault(false),
  Flag.withDescription("Publish even if another version went live since the draft was stored")
)

const versionList = {
  head: ["created", "version", "by", "restored from"],
  row: ({ createdAt, version, live, actor, restoredFrom }: TemplateVersion): ReadonlyArray<Cell> => [
    createdAt,
    live ? `${version} (live)` : version,
    actor.userId ?? actor.type,
    restoredFrom ?? ""
  ],
  none: "No versions."
}

interface Versioned {
  readonly version: number
  readonly draft: { readonly basedOn: number; readonly updatedAt: string } | null
}

export const versionRows = ({ version, draft }: Versioned): ReadonlyArray<ReadonlyArray<Cell>> => [
  ["version", version],
  ...(draft === null ? [] : [["draft", `of ${draft.updatedAt}, based on version ${draft.basedOn}`]])
]

interface VersionVerbs<A> {
  readonly noun: "partial" | "template"
  /** The name in the examples. */
  readonly example: string
  readonly argument: Argument.Argument<string>
  readonly find: (given: string) => Effect.Effect<{ readonly id: string }, CommandFailure, Api>
  readonly of: (client: Posthorn) => {
    readonly versions: (id: string, query: { readonly pageSize: number }) => List<TemplateVersion, unknown>
    readonly restore: (id: string, version: string) => Call<A>
    readonly publish: (id: string, input: { readonly force: boolean }) => Call<A>
  }
  readonly blocks: (answer: A) => ReadonlyArray<Block>
  /** What the two verbs that change something do. */
  readonly restores: string
  readonly publishes: string
}

/** `versions`, `restore` and `publish`. */
export const versionVerbs = <A extends object>(verbs: VersionVerbs<A>) => {
  const { noun, example, argument, find, of, blocks, restores, publishes } = verbs

  const versions = Command.make(
    "versions",
    { given: argument, ...limitOptions, ...connectionOptions },
    Effect.fnUntraced(function* ({ given, limit, all }) {
      const { items } = yield* Api
      const { id } = yield* find(given)
      const found = items((client) => of(client).versions(id, { pageSize: pageLimit({ limit, all }) }))
      yield* Output.list(upTo({ limit, all })(found), versionList)
    })
  ).pipe(
    Command.withDescription(`List the versions of a ${noun}, newest first; the last 100 are kept`),
    Command.withShortDescription(`List the versions of a ${noun}`),
    Command.withExamples([{ command: `posthorn ${noun}s versions ${example}` }]),
    withApi
  )

  const restore = Command.make(
    "restore",
    { given: argument, version: versionArgument, ...connectionOptions },
    Effect.fnUntraced(function* ({ given, version }) {
      const { call } = yield* Api
      const { id } = yield* find(given)
      const restored = yield* call((client) => of(client).restore(id, String(version)))
      yield* Output.one(restored, ...blocks(restored))
    })
  ).pipe(
    Command.withDescription(restores),
    Command.withShortDescription(`Restore a version of a ${noun}`),
    Command.withExamples([{ command: `posthorn ${noun}s restore ${example} 3` }]),
    withApi
  )

  const publish = Command.make(
    "publish",
    { given: argument, force, ...connectionOptions },
    Effect.fnUntraced(function* ({ given, force }) {
      const { call } = yield* Api
      const { id } = yield* find(given)
      const published = yield* call((client) => of(client).publish(id, { force }))
      yield* Output.one(published, ...blocks(published))
    })
  ).pipe(
    Command.withDescription(publishes),
    Command.withShortDescription(`Publish the draft of a ${noun}`),
    Command.withExamples([{ command: `posthorn ${noun}s publish ${example}` }]),
    withApi
  )

  return [versions, restore, publish] as const
}
