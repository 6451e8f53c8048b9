import type { Partial } from "@posthorn/client"
import { Effect, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { findNamed } from "../api/Lookups.ts"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { confirm, limitOptions, optional, pageLimit, text, upTo, yes } from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import type { Block } from "../output/Table.ts"
import { versionRows, versionVerbs } from "./versions.ts"

const blockOf = (partial: Partial): Block => ({
  rows: [
    ["id", partial.id],
    ["name", partial.name],
    ...(partial.description === null ? [] : [["description", partial.description]]),
    ["in text parts", partial.text === null ? "no" : "yes"],
    ...versionRows(partial),
    ["created", partial.createdAt],
    ["updated", partial.updatedAt]
  ]
})

const partialArgument = Argument.String("partial").pipe(Argument.withDescription("Name of the partial, or its id"))

const partialOf = Effect.fnUntraced(function* (given: string) {
  const { items } = yield* Api
  const all = yield* Stream.runCollect(items(({ partials }) => partials.list({ pageSize: 100 })))
  const found = yield* findNamed(all, given, "partials")
  if (Option.isSome(found)) return found.value
  return yield* new CommandFailure({
    exit: "notFound",
    code: "RESOURCE_NOT_FOUND",
    message: `The project has no partial ${given}.`,
    suggestion: "`posthorn partials list` shows its partials."
  })
})

const contentOptions = {
  body: text("body").pipe(Flag.withDescription("HTML of the partial; `-` reads standard input"), optional),
  text: text("text").pipe(Flag.withDescription("Text of the partial in text parts"), optional),
  description: Flag.String("description").pipe(Flag.withDescription("Internal note, never part of a mail"), optional)
}

const list = Command.make(
  "list",
  {
    search: Flag.String("search").pipe(
      Flag.withDescription("Only partials with this text in the name or the description"),
      optional
    ),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ search, limit, all }) {
    const { items } = yield* Api
    const query = { search, pageSize: pageLimit({ limit, all }) }
    yield* Output.list(upTo({ limit, all })(items(({ partials }) => partials.list(query))), {
      head: ["updated", "id", "name", "description"],
      row: ({ updatedAt, id, name, description }) => [updatedAt, id, name, description],
      none: "No partials."
    })
  })
).pipe(
  Command.withDescription("List partials, newest first"),
  Command.withExamples([{ command: "posthorn partials list --search footer" }]),
  withApi
)

const get = Command.make(
  "get",
  { partial: partialArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ partial }) {
    const found = yield* partialOf(partial)
    yield* Output.one(found, blockOf(found))
  })
).pipe(
  Command.withDescription("Show a partial; --json includes its HTML and text"),
  Command.withExamples([{ command: "posthorn partials get footer --json" }]),
  withApi
)

const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(
      Argument.withDescription("Name of the partial, which templates use as {{> name}}")
    ),
    ...contentOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ name, body, text, description }) {
    const { call } = yield* Api
    if (body === undefined) return yield* wrongUsage("A partial needs --body.")
    const made = yield* call(({ partials }) =>
      partials.create({
        name,
        body,
        ...(text !== undefined && { text }),
        ...(description !== undefined && { description })
      })
    )
    yield* Output.one(made, blockOf(made))
  })
).pipe(
  Command.withDescription("Create a partial, which templates include with {{> name}}"),
  Command.withExamples([
    { command: "posthorn partials create footer --body '<p>{{address}}</p>' --text '{{address}}'" },
    { command: "posthorn partials create main --body - < layout.html", description: "A layout holds {{> content}}" }
  ]),
  withApi
)

const update = Command.make(
  "update",
  {
    partial: partialArgument,
    name: Flag.String("name").pipe(Flag.withDescription("New name; refused while the partial is in use"), optional),
    ...contentOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ partial, name, body, text, description }) {
    const { call } = yield* Api
    const { id } = yield* partialOf(partial)
    const changed = yield* call(({ partials }) =>
      partials.update(id, {
        ...(name !== undefined && { name }),
        ...(body !== undefined && { body }),
        ...(text !== undefined && { text: text === "" ? null : text }),
        ...(description !== undefined && { description: description === "" ? null : description })
      })
    )
    yield* Output.one(changed, blockOf(changed))
  })
).pipe(
  Command.withDescription("Change a partial, for all mail rendered from now on. An empty --text removes the text"),
  Command.withShortDescription("Change a partial"),
  Command.withExamples([{ command: "posthorn partials update footer --body - < footer.html" }]),
  withApi
)

const remove = Command.make(
  "delete",
  { partial: partialArgument, yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ partial, yes }) {
    const { call } = yield* Api
    const { id, name } = yield* partialOf(partial)
    yield* confirm(`Delete the partial ${name}?`, yes)
    yield* call(({ partials }) => partials.delete(id))
    yield* Output.one({ id, name, deleted: true }, { rows: [["deleted", name]] })
  })
).pipe(
  Command.withDescription("Delete a partial that is not in use; asks first"),
  Command.withExamples([{ command: "posthorn partials delete footer --yes" }]),
  withApi
)

const usage = Command.make(
  "usage",
  { partial: partialArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ partial }) {
    const { call } = yield* Api
    const { id } = yield* partialOf(partial)
    const used = yield* call(({ partials }) => partials.usage(id))
    yield* Output.one(used, {
      rows: [
        ...used.templates.map(({ id, name }) => ["template", name, id]),
        ...used.partials.map(({ id, name }) => ["partial", name, id]),
        ...used.campaigns.map(({ id, name, status }) => ["campaign", `${name} (${status})`, id]),
        ["can be deleted", used.canDelete ? "yes" : "no"]
      ]
    })
  })
).pipe(
  Command.withDescription("Show what uses a partial: templates, other partials, and campaigns that are not sent yet"),
  Command.withShortDescription("Show what uses a partial"),
  Command.withExamples([{ command: "posthorn partials usage footer" }]),
  withApi
)

const versions = versionVerbs({
  noun: "partial",
  example: "footer",
  argument: partialArgument,
  find: partialOf,
  of: ({ partials }) => partials,
  blocks: (partial: Partial) => [blockOf(partial)],
  restores: "Give a partial the texts of an earlier version, as a new one that is printed from now on",
  publishes: "Make the draft of a partial its next version, which is printed from now on"
})

export const partials = Command.make("partials").pipe(
  Command.withDescription("Pieces of mail that templates and campaigns include with {{> name}}"),
  Command.withExamples([{ command: "posthorn partials list" }]),
  Command.withSubcommands([list, get, create, update, remove, usage, ...versions])
)
