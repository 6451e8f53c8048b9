import type { Consent, OptIn } from "@posthorn/client"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { contactArgument, contactOf } from "../api/Lookups.ts"
import { exportOptions, formatOf, writeExport } from "../files/Export.ts"
import { limitOptions, optional, pageLimit, upTo } from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import type { Block, Cell } from "../output/Table.ts"

export const consentHead = ["at", "action", "scope", "source", "actor", "address"]
export const consentRow = ({ at, action, topic, source, actor, email }: Consent): ReadonlyArray<Cell> => [
  at,
  action,
  topic?.key ?? "global",
  source,
  actor.type,
  email ?? "(erased)"
]

const text = (name: string, description: string) => Flag.String(name).pipe(Flag.withDescription(description), optional)

const filters = {
  contact: text("contact", "Only records of this contact, by id, under whatever address"),
  email: text("email", "Only records of this address, also of an erased person"),
  topic: text("topic", "Only records about this topic, by key or id"),
  action: Flag.Literals("action", ["requested", "granted", "withdrawn", "declined", "expired", "merged"]).pipe(
    Flag.withDescription("Only records of this action"),
    optional
  ),
  startDate: text("start-date", "Recorded at or after this date or date-time"),
  endDate: text("end-date", "Recorded before this date-time, or until the end of this date")
}

const list = Command.make(
  "list",
  { ...filters, ...limitOptions, ...connectionOptions },
  Effect.fnUntraced(function* ({ limit, all, contact, email, topic, action, startDate, endDate }) {
    const { items } = yield* Api
    const query = { contactId: contact, email, topic, action, startDate, endDate }
    const found = items(({ consents }) => consents.list({ ...query, limit: pageLimit({ limit, all }) }))
    yield* Output.list(upTo({ limit, all })(found), { head: consentHead, row: consentRow, none: "No such records." })
  })
).pipe(
  Command.withDescription("List records of consent, newest first"),
  Command.withExamples([
    { command: "posthorn consents list --email ada@example.com" },
    { command: "posthorn consents list --topic news --action withdrawn --limit 50" }
  ]),
  withApi
)

const exportAll = Command.make(
  "export",
  { ...exportOptions, ...filters, ...connectionOptions },
  Effect.fnUntraced(function* ({ out, format: given, contact, email, topic, action, startDate, endDate }) {
    const { call } = yield* Api
    const format = yield* formatOf({ out, format: given })
    const query = { contactId: contact, email, topic, action, startDate, endDate }
    const body = yield* call(({ consents }) => consents.export({ ...query, format }))
    const first = call(({ consents }) => consents.list({ ...query, limit: 1 }).page())
    yield* writeExport(
      body,
      out,
      format,
      Effect.map(first, ({ total }) => total)
    )
  })
).pipe(
  Command.withDescription("Write records of consent as CSV or NDJSON, to standard output or a file"),
  Command.withExamples([{ command: "posthorn consents export --out consents.csv" }]),
  withApi
)

export const consents = Command.make("consents").pipe(
  Command.withDescription("What proves that contacts agreed to mail, or withdrew"),
  Command.withExamples([{ command: "posthorn consents list --email ada@example.com" }]),
  Command.withSubcommands([list, exportAll])
)

const optInHead = ["status", "source", "topics", "mails", "requested", "expires", "id"]

const optInRow = ({ status, source, topics, mailsSent, requestedAt, expiresAt, id }: OptIn): ReadonlyArray<Cell> => [
  status,
  source,
  topics.join(" "),
  mailsSent,
  requestedAt,
  expiresAt,
  id
]

const block = (optIns: ReadonlyArray<OptIn>): Block => ({ head: optInHead, rows: optIns.map(optInRow) })

const ask = Command.make(
  "ask",
  {
    contact: contactArgument,
    subscribe: Flag.Boolean("subscribe").pipe(
      Flag.withDescription("Ask for all mail (default), or with --no-subscribe for the topics only"),
      optional
    ),
    topic: Flag.String("topic").pipe(
      Flag.withDescription("Ask for this topic: its key or its id; may be repeated"),
      Flag.atLeast(0)
    ),
    redirectUrl: Flag.String("redirect-url").pipe(
      Flag.withDescription("Where the browser goes after the confirmation"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ contact, subscribe, topic, redirectUrl }) {
    const { call } = yield* Api
    const { id } = yield* contactOf(contact)
    const topics = topic.length === 0 ? undefined : topic
    const asked = yield* call(({ optIns }) => optIns.request(id, { subscribe, topics, redirectUrl }))
    yield* Output.one(asked, block([asked]))
  })
).pipe(
  Command.withDescription("Ask a contact by mail to confirm"),
  Command.withExamples([{ command: "posthorn contacts opt-in ask ada@example.com" }]),
  withApi
)

const listOptIns = Command.make(
  "list",
  { contact: contactArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ contact }) {
    const { call } = yield* Api
    const { id } = yield* contactOf(contact)
    const found = yield* call(({ optIns }) => optIns.ofContact(id))
    yield* Output.one(found, block(found))
  })
).pipe(
  Command.withDescription("Show what a contact was asked to confirm"),
  Command.withExamples([{ command: "posthorn contacts opt-in list ada@example.com" }]),
  withApi
)

const cancel = Command.make(
  "cancel",
  { contact: contactArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ contact }) {
    const { call } = yield* Api
    const { id, email } = yield* contactOf(contact)
    yield* call(({ optIns }) => optIns.cancel(id))
    yield* Output.one({ id, email, cancelled: true }, { rows: [["cancelled", email]] })
  })
).pipe(
  Command.withDescription("End the open request of a contact"),
  Command.withExamples([{ command: "posthorn contacts opt-in cancel ada@example.com" }]),
  withApi
)

export const optIn = Command.make("opt-in").pipe(
  Command.withDescription("Ask contacts to confirm"),
  Command.withExamples([{ command: "posthorn contacts opt-in ask ada@example.com" }]),
  Command.withSubcommands([ask, listOptIns, cancel])
)
