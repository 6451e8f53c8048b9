import type { OptIn } from "@posthorn/client"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { contactArgument, contactOf } from "../api/Lookups.ts"
import { optional } from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import type { Block, Cell } from "../output/Table.ts"

const head = ["status", "source", "topics", "mails", "requested", "expires", "id"]

const row = ({ status, source, topics, mailsSent, requestedAt, expiresAt, id }: OptIn): ReadonlyArray<Cell> => [
  status,
  source,
  topics.join(" "),
  mailsSent,
  requestedAt,
  expiresAt,
  id
]

const block = (optIns: ReadonlyArray<OptIn>): Block => ({ head, rows: optIns.map(row) })

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

const list = Command.make(
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
  Command.withSubcommands([ask, list, cancel])
)
