import type { PrivacyRequest } from "@posthorn/client"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { confirm, limitOptions, optional, pageLimit, upTo, yes } from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import type { Cell } from "../output/Table.ts"

const head = ["requested", "type", "status", "due", "address", "id"]
const row = ({ requestedAt, type, status, dueAt, email, id }: PrivacyRequest): ReadonlyArray<Cell> => [
  requestedAt,
  type,
  status,
  dueAt ?? "",
  email ?? "(erased)",
  id
]

const requestArgument = Argument.String("request").pipe(Argument.withDescription("The request: its id"))

const list = Command.make(
  "list",
  {
    status: Flag.Literals("status", ["UNCONFIRMED", "OPEN", "DONE", "REFUSED", "EXPIRED"]).pipe(
      Flag.withDescription("Only requests with this status"),
      optional
    ),
    type: Flag.Literals("type", ["EXPORT", "ERASURE"]).pipe(
      Flag.withDescription("Only requests of this type"),
      optional
    ),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ limit, all, status, type }) {
    const { items } = yield* Api
    const found = items(({ privacyRequests }) =>
      privacyRequests.list({ status, type, limit: pageLimit({ limit, all }) })
    )
    yield* Output.list(upTo({ limit, all })(found), { head, row, none: "No such requests." })
  })
).pipe(
  Command.withDescription("List what recipients asked about their data, newest first"),
  Command.withExamples([{ command: "posthorn privacy list --status OPEN" }]),
  withApi
)

const complete = Command.make(
  "complete",
  { request: requestArgument, yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ request, yes }) {
    const { call } = yield* Api
    const { email } = yield* call(({ privacyRequests }) => privacyRequests.get(request))
    yield* confirm(`Erase ${email ?? "the person"}? This cannot be undone.`, yes)
    const done = yield* call(({ privacyRequests }) => privacyRequests.complete(request))
    yield* Output.one(done, { head, rows: [row(done)] })
  })
).pipe(
  Command.withDescription("Erase the person who asked for it, permanently; asks first"),
  Command.withExamples([{ command: "posthorn privacy complete 019a9f3c-5e1d-7a40-8f21-0c6b1d2e3f23 --yes" }]),
  withApi
)

const refuse = Command.make(
  "refuse",
  {
    request: requestArgument,
    note: Flag.String("note").pipe(Flag.withDescription("Why; it is mailed to the person")),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ request, note }) {
    const { call } = yield* Api
    const refused = yield* call(({ privacyRequests }) => privacyRequests.refuse(request, { note }))
    yield* Output.one(refused, { head, rows: [row(refused)] })
  })
).pipe(
  Command.withDescription("Refuse an erasure, and mail the reason to the person"),
  Command.withExamples([
    {
      command: "posthorn privacy refuse 019a9f3c-5e1d-7a40-8f21-0c6b1d2e3f23 --note 'We must keep your invoices.'"
    }
  ]),
  withApi
)

export const privacy = Command.make("privacy").pipe(
  Command.withDescription("What recipients ask about their data: a copy, or its deletion"),
  Command.withExamples([{ command: "posthorn privacy list --status OPEN" }]),
  Command.withSubcommands([list, complete, refuse])
)
