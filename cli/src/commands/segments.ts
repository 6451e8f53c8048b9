import type { AddedMembers, Segment } from "@posthorn/client"
import { Array, Effect, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { segmentArgument, segmentOf } from "../api/Lookups.ts"
import { wrongUsage } from "../Failure.ts"
import {
  confirm,
  filterTree,
  ifUpdatedAt,
  limitOptions,
  optional,
  pageLimit,
  standardInput,
  upTo,
  yes
} from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import { portionwise, waiting } from "../output/Progress.ts"
import type { Block, Cell } from "../output/Table.ts"

const emailsOption = Flag.String("emails").pipe(
  Flag.withMetavar("<address|->"),
  Flag.withDescription("Address of a contact; may be repeated. `-` reads one address a line from standard input"),
  Flag.atLeast(1)
)

/** Addresses in one request. */
const maxEmails = 1_000

/** All addresses, in portions that fit a request. */
const emailPortions = Effect.fnUntraced(function* (given: ReadonlyArray<string>) {
  const lines = given.includes("-") ? (yield* standardInput).split(/\r?\n/) : []
  const emails = [...given.filter((each) => each !== "-"), ...lines].map((each) => each.trim()).filter((each) => each)
  if (!Array.isArrayNonEmpty(emails))
    return yield* wrongUsage("There are no addresses.", "Pass at least one with --emails.")
  return Array.chunksOf(emails, maxEmails)
})

const condition = filterTree("condition").pipe(
  Flag.withDescription("Filter tree that selects the members of a dynamic segment"),
  optional
)

const segmentOptions = {
  description: Flag.String("description").pipe(Flag.withDescription("Internal note"), optional),
  condition,
  trackMembership: Flag.Boolean("track-membership").pipe(
    Flag.withDescription("Record an event when a contact joins or leaves; --no-track-membership turns it off"),
    optional
  ),
  silentStart: Flag.Boolean("silent-start").pipe(
    Flag.withoutNegation,
    Flag.withDescription("Contacts that match when tracking is turned on become members without events"),
    optional
  )
}

/** One line of a list. */
const segmentHead = ["slug", "type", "members", "tracked", "created", "name"]
const segmentRow = ({ slug, type, memberCount, trackMembership, createdAt, name }: Segment): ReadonlyArray<Cell> => [
  slug,
  type,
  memberCount,
  trackMembership ? "yes" : "no",
  createdAt,
  name
]

const segmentBlocks = (segment: Segment): ReadonlyArray<Block> => [
  {
    rows: [
      ["id", segment.id],
      ["name", segment.name],
      ["slug", segment.slug],
      ...(segment.description === null ? [] : [["description", segment.description]]),
      ["type", segment.type],
      ...(segment.condition === null ? [] : [["condition", JSON.stringify(segment.condition)]]),
      ["members", segment.memberCount],
      ["tracked", segment.trackMembership ? "yes" : "no"],
      ["created", segment.createdAt],
      ["updated", segment.updatedAt]
    ]
  }
]

const add = Command.make(
  "add",
  {
    segment: segmentArgument,
    emails: emailsOption,
    createMissing: Flag.Boolean("create-missing").pipe(
      Flag.withoutNegation,
      Flag.withDescription("Create a contact for each address that has none"),
      optional
    ),
    subscribed: Flag.Boolean("subscribed").pipe(
      Flag.withDescription("Create contacts as subscribed, or with --no-subscribed as unsubscribed"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ segment, emails, createMissing, subscribed }) {
    const { call } = yield* Api
    const portions = yield* emailPortions(emails)
    const { id } = yield* segmentOf(segment)
    const answers = yield* portionwise("Adding", portions, (emails) =>
      call(({ segments }) => segments.addMembers(id, { emails, createMissing, subscribed }))
    )
    const sum = (field: "added" | "created" | "alreadyMembers") =>
      answers.reduce((total, answer) => total + answer[field], 0)
    const result: AddedMembers = {
      added: sum("added"),
      created: sum("created"),
      alreadyMembers: sum("alreadyMembers"),
      notFound: answers.flatMap(({ notFound }) => notFound)
    }
    yield* Output.one(
      result,
      {
        rows: [
          ["added", result.added],
          ["created", result.created],
          ["already members", result.alreadyMembers]
        ]
      },
      { name: "not found", head: ["not found"], rows: result.notFound.map((email) => [email]) }
    )
  })
).pipe(
  Command.withDescription("Add any number of contacts to a static segment"),
  Command.withExamples([
    { command: "posthorn segments add press --emails ada@example.com --emails bo@example.com" },
    { command: "posthorn segments add press --emails - --create-missing < addresses.txt" }
  ]),
  withApi
)

/** The first computation for a large audience writes a row and an event for each member. */
const timeoutMs = 30 * 60_000

const compute = Command.make(
  "compute",
  { segment: segmentArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ segment }) {
    const { call } = yield* Api
    const { id, name } = yield* segmentOf(segment)
    const computed = yield* waiting(
      `Computing ${name}`,
      call(({ segments }) => segments.compute(id, { timeoutMs }))
    )
    yield* Output.one(computed, {
      rows: [
        ["joined", computed.added],
        ["left", computed.removed],
        ["members", computed.total]
      ]
    })
  })
).pipe(
  Command.withDescription(
    "Recompute the members of a tracked segment now, with an event for each contact that joins or leaves"
  ),
  Command.withShortDescription("Recompute the members of a tracked segment now"),
  Command.withExamples([{ command: "posthorn segments compute pro" }]),
  withApi
)

const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("Name of the segment")),
    type: Flag.Literals("type", ["DYNAMIC", "STATIC"]).pipe(
      Flag.withDescription("DYNAMIC (default): members match a condition; STATIC: members are added by hand"),
      optional
    ),
    ...segmentOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ name, type, description, condition, trackMembership, silentStart }) {
    const { call } = yield* Api
    const body = { name, type, description, condition, trackMembership, silentStart }
    const created = yield* call(({ segments }) => segments.create(body))
    yield* Output.one(created, ...segmentBlocks(created))
  })
).pipe(
  Command.withDescription("Create a segment and count its members"),
  Command.withExamples([
    {
      command: `posthorn segments create 'Pro users' --condition '{"groups":[{"filters":[{"field":"data.plan","operator":"equals","value":"pro"}]}]}'`
    },
    { command: "posthorn segments create 'New buyers' --condition - --track-membership < condition.json" },
    { command: "posthorn segments create Press --type STATIC", description: "Members are added by hand" }
  ]),
  withApi
)

const deleteSegment = Command.make(
  "delete",
  { segment: segmentArgument, yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ segment, yes }) {
    const { call } = yield* Api
    const { id, name, slug } = yield* segmentOf(segment)
    yield* confirm(`Delete the segment ${name} and its memberships? The contacts stay.`, yes)
    yield* call(({ segments }) => segments.delete(id))
    yield* Output.one({ id, slug, deleted: true }, { rows: [["deleted", slug]] })
  })
).pipe(
  Command.withDescription("Delete a segment and its memberships, not its contacts; asks first"),
  Command.withExamples([{ command: "posthorn segments delete pro --yes" }]),
  withApi
)

const list = Command.make(
  "list",
  connectionOptions,
  Effect.fnUntraced(function* () {
    const { call } = yield* Api
    const segments = yield* call(({ segments }) => segments.list())
    yield* Output.list(Stream.fromIterable(segments), {
      head: segmentHead,
      row: segmentRow,
      none: "The project has no segments yet. Create one with `posthorn segments create <name>`."
    })
  })
).pipe(
  Command.withDescription("List the segments of the project, newest first"),
  Command.withExamples([{ command: "posthorn segments list" }]),
  withApi
)

const members = Command.make(
  "members",
  { segment: segmentArgument, ...limitOptions, ...connectionOptions },
  Effect.fnUntraced(function* ({ segment, limit, all }) {
    const { items } = yield* Api
    const { id } = yield* segmentOf(segment)
    const contacts = items(({ segments }) => segments.contacts(id, { pageSize: pageLimit({ limit, all }) }))
    yield* Output.list(upTo({ limit, all })(contacts), {
      head: ["email", "subscribed", "created", "id"],
      row: ({ email, subscribed, createdAt, id }) => [email, subscribed ? "yes" : "no", createdAt, id],
      none: "The segment has no members."
    })
  })
).pipe(
  Command.withDescription("List the current members of a segment"),
  Command.withExamples([
    { command: "posthorn segments members pro --limit 50" },
    { command: "posthorn segments members pro --all --json", description: "All members with their data" }
  ]),
  withApi
)

const refresh = Command.make(
  "refresh",
  { segment: segmentArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ segment }) {
    const { call } = yield* Api
    const { id } = yield* segmentOf(segment)
    const refreshed = yield* call(({ segments }) => segments.refresh(id))
    yield* Output.one(refreshed, { rows: [["members", refreshed.memberCount]] })
  })
).pipe(
  Command.withDescription("Recount the members of a segment, without events and without storing memberships"),
  Command.withShortDescription("Recount the members of a segment"),
  Command.withExamples([{ command: "posthorn segments refresh pro" }]),
  withApi
)

const remove = Command.make(
  "remove",
  { segment: segmentArgument, emails: emailsOption, ...connectionOptions },
  Effect.fnUntraced(function* ({ segment, emails }) {
    const { call } = yield* Api
    const portions = yield* emailPortions(emails)
    const { id } = yield* segmentOf(segment)
    const answers = yield* portionwise("Removing", portions, (emails) =>
      call(({ segments }) => segments.removeMembers(id, { emails }))
    )
    const removed = answers.reduce((total, answer) => total + answer.removed, 0)
    const notFound = answers.flatMap((answer) => answer.notFound)
    yield* Output.one(
      { removed, notFound },
      { rows: [["removed", removed]] },
      { name: "not found", head: ["no member"], rows: notFound.map((email) => [email]) }
    )
  })
).pipe(
  Command.withDescription("Remove contacts from a static segment; the contacts stay"),
  Command.withExamples([{ command: "posthorn segments remove press --emails ada@example.com" }]),
  withApi
)

const show = Command.make(
  "show",
  { segment: segmentArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ segment }) {
    const found = yield* segmentOf(segment)
    yield* Output.one(found, ...segmentBlocks(found))
  })
).pipe(
  Command.withDescription("Show a segment with its condition"),
  Command.withExamples([{ command: "posthorn segments show pro" }]),
  withApi
)

const update = Command.make(
  "update",
  {
    segment: segmentArgument,
    name: Flag.String("name").pipe(Flag.withDescription("New name; the slug does not change"), optional),
    ...segmentOptions,
    ifUpdatedAt,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ segment, name, description, condition, trackMembership, silentStart, ifUpdatedAt }) {
    const { call } = yield* Api
    const { id } = yield* segmentOf(segment)
    const body = { name, description, condition, trackMembership, silentStart, ifUpdatedAt }
    const updated = yield* call(({ segments }) => segments.update(id, body))
    yield* Output.one(updated, ...segmentBlocks(updated))
  })
).pipe(
  Command.withDescription("Change a segment; options that are not given keep their value"),
  Command.withExamples([
    { command: "posthorn segments update pro --name 'Paying users'" },
    {
      command: "posthorn segments update pro --track-membership --silent-start",
      description: "Record an event when a contact joins or leaves from now on"
    }
  ]),
  withApi
)

export const segments = Command.make("segments").pipe(
  Command.withDescription("Named groups of contacts, by a condition or by hand"),
  Command.withExamples([
    {
      command: `posthorn segments create Pro --condition '{"groups":[{"filters":[{"field":"data.plan","operator":"equals","value":"pro"}]}]}'`
    },
    { command: "posthorn segments members pro" }
  ]),
  Command.withSubcommands([list, show, create, update, deleteSegment, members, add, remove, compute, refresh])
)
