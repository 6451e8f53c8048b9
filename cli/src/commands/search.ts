/** Commands that find records: `search` and `views`. */

import type { View } from "@posthorn/client"
import { ViewPage } from "@posthorn/contract/insight/views/View"
import { Effect, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { CommandFailure } from "../Failure.ts"
import { optional } from "../options/Options.ts"
import * as Output from "../output/Output.ts"

export const search = Command.make(
  "search",
  {
    text: Argument.String("text").pipe(Argument.withDescription("Part of a name or address, or an id")),
    limit: Flag.Int("limit").pipe(Flag.withDescription("Results of each type, 1 to 10; default 5"), optional),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ text, limit }) {
    const { call } = yield* Api
    const { results } = yield* call(({ search }) => search.find({ q: text, limit }))
    yield* Output.list(Stream.fromIterable(results), {
      head: ["type", "id", "title", "subtitle"],
      row: ({ type, id, title, subtitle }) => [type, id, title, subtitle],
      none: `Nothing in the project has ${text} in its name or address.`
    })
  })
).pipe(
  Command.withDescription(
    "Find contacts by address, everything else by name, and also mails by id; takes the secret key or a login"
  ),
  Command.withShortDescription("Find records by name, address or id"),
  Command.withExamples([{ command: "posthorn search welcome" }, { command: "posthorn search ada@example.com --json" }]),
  withApi
)

const pages = ViewPage.literals

const viewRow = ({ page, id, name, query, createdBy }: View) => [page, id, name, query, createdBy?.email ?? "key"]

const list = Command.make(
  "list",
  {
    page: Flag.Literals("page", pages).pipe(Flag.withDescription("Only views of this list of the console"), optional),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ page }) {
    const { call } = yield* Api
    const found = yield* call(({ views }) => views.list(page === undefined ? {} : { page }))
    yield* Output.list(Stream.fromIterable(found), {
      head: ["page", "id", "name", "query", "by"],
      row: viewRow,
      none: "The project has no shared views."
    })
  })
).pipe(
  Command.withDescription("List the shared views of the console's lists"),
  Command.withExamples([{ command: "posthorn views list --page mails" }]),
  withApi
)

const save = Command.make(
  "save",
  {
    page: Argument.Literals("page", pages).pipe(Argument.withDescription("The list of the console")),
    name: Argument.String("name").pipe(Argument.withDescription("1 to 100 characters")),
    query: Flag.String("query").pipe(
      Flag.withDescription("The query as in the URL of the list, without the question mark")
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ page, name, query }) {
    const { call } = yield* Api
    const saved = yield* call(({ views }) => views.create({ page, name, query, shared: true }))
    yield* Output.one(saved, {
      rows: [
        ["id", saved.id],
        ["page", saved.page],
        ["name", saved.name],
        ["query", saved.query]
      ]
    })
  })
).pipe(
  Command.withDescription("Save a query of a list of the console as a view that all members see"),
  Command.withExamples([{ command: "posthorn views save mails Bounced --query state=BOUNCED" }]),
  withApi
)

const remove = Command.make(
  "delete",
  {
    view: Argument.String("view").pipe(Argument.withDescription("Id of the view, or the name of a single one")),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ view }) {
    const { call } = yield* Api
    const all = yield* call(({ views }) => views.list())
    const found = all.filter(({ id, name }) => id === view || name === view)
    const [one] = found
    if (one === undefined || found.length > 1) {
      return yield* new CommandFailure({
        exit: "notFound",
        code: "RESOURCE_NOT_FOUND",
        message: one === undefined ? `There is no shared view ${view}.` : `${found.length} views have this name.`,
        suggestion: "`posthorn views list` shows their ids."
      })
    }
    yield* call(({ views }) => views.remove(one.id))
    yield* Output.one({ id: one.id, removed: true }, { rows: [["deleted", one.name]] })
  })
).pipe(
  Command.withDescription("Delete a shared view"),
  Command.withExamples([{ command: "posthorn views delete Bounced" }]),
  withApi
)

export const views = Command.make("views").pipe(
  Command.withDescription("Saved queries of the console's lists"),
  Command.withExamples([{ command: "posthorn views list" }]),
  Command.withSubcommands([list, save, remove])
)
