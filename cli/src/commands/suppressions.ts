import type { Suppression } from "@posthorn/client"
import { Effect, Stdio, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { wrongUsage } from "../Failure.ts"
import { exportOptions, formatOf, writeExport } from "../files/Export.ts"
import { confirm, limitOptions, optional, pageLimit, upTo, yes } from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import type { Block } from "../output/Table.ts"

const suppressionHead = ["address", "reason", "since", "note"]

/** An erased address has only its entry in the list. */
const address = ({ email }: Suppression): string => email ?? "(erased)"

const suppressionRow = (suppression: Suppression) => [
  address(suppression),
  suppression.reason,
  suppression.createdAt,
  suppression.note
]

const suppressionBlock = (suppression: Suppression): Block => ({
  rows: [
    ["address", address(suppression)],
    ["reason", suppression.reason],
    ["since", suppression.createdAt],
    ["mail", suppression.emailId],
    ["note", suppression.note]
  ]
})

/** The API takes at most 1,000 addresses in a call, so more need several calls. */
const perCall = 1000

/** One address on each line of standard input. */
const fromInput = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const text = yield* Stream.mkString(Stream.decodeText(stdio.stdin))
  return text.split(/\s+/).filter((line) => line !== "")
})

const add = Command.make(
  "add",
  {
    emails: Argument.String("address").pipe(
      Argument.withDescription("One or more addresses; `-` reads them from standard input"),
      Argument.variadic({ min: 1 })
    ),
    note: Flag.String("note").pipe(Flag.withDescription("Note on the record; at most 500 characters"), optional),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ emails: given, note }) {
    const { call } = yield* Api
    const emails = given.length === 1 && given[0] === "-" ? yield* fromInput : given
    const more = note === undefined ? {} : { note }
    const [email, ...others] = emails
    if (email === undefined) return yield* wrongUsage("Standard input has no addresses.")
    if (others.length === 0) {
      const one = yield* call(({ suppressions }) => suppressions.add({ email, ...more }))
      if ("reason" in one) return yield* Output.one(one, suppressionBlock(one))
    }
    let [added, existing] = [0, 0]
    for (let at = 0; at < emails.length; at += perCall) {
      const part = { emails: emails.slice(at, at + perCall), ...more }
      const counts = yield* call(({ suppressions }) => suppressions.add(part))
      if ("added" in counts) [added, existing] = [added + counts.added, existing + counts.existing]
    }
    yield* Output.one(
      { added, existing },
      {
        rows: [
          ["added", added],
          ["already suppressed", existing]
        ]
      }
    )
  })
).pipe(
  Command.withDescription("Suppress addresses, so that they get no mail of any type"),
  Command.withExamples([
    { command: "posthorn suppressions add gone@example.com --note 'asked by phone'" },
    { command: "posthorn suppressions add - < addresses.txt", description: "One on each line" }
  ]),
  withApi
)

const get = Command.make(
  "get",
  { email: Argument.String("address").pipe(Argument.withDescription("The address")), ...connectionOptions },
  Effect.fnUntraced(function* ({ email }) {
    const { call } = yield* Api
    const suppression = yield* call(({ suppressions }) => suppressions.get(email))
    yield* Output.one(suppression, suppressionBlock(suppression))
  })
).pipe(
  Command.withDescription("Show whether an address is suppressed, and why; exits with 4 if it is not"),
  Command.withExamples([{ command: "posthorn suppressions get gone@example.com" }]),
  withApi
)

const filter = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), optional)

const filters = {
  reason: Flag.Literals("reason", ["HARD_BOUNCE", "COMPLAINT", "MANUAL"]).pipe(
    Flag.withDescription("Only addresses with this reason"),
    optional
  ),
  search: filter("search", "Only addresses that contain this text"),
  startDate: filter("start-date", "Suppressed at or after this date or date-time"),
  endDate: filter("end-date", "Suppressed before this date-time, or on or before this date")
}

const list = Command.make(
  "list",
  {
    ...filters,
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ url, key, project, dataDir, limit, all, ...query }) {
    const { items } = yield* Api
    const found = items(({ suppressions }) => suppressions.list({ ...query, limit: pageLimit({ limit, all }) }))
    yield* Output.list(upTo({ limit, all })(found), {
      head: suppressionHead,
      row: suppressionRow,
      none: "No address is suppressed."
    })
  })
).pipe(
  Command.withDescription("List suppressed addresses, newest first"),
  Command.withExamples([
    { command: "posthorn suppressions list --reason COMPLAINT --start-date 2026-03-01" },
    { command: "posthorn suppressions list --all --json", description: "The whole list" }
  ]),
  withApi
)

const exportAll = Command.make(
  "export",
  { ...exportOptions, ...filters, ...connectionOptions },
  Effect.fnUntraced(function* ({ out, format: given, reason, search, startDate, endDate }) {
    const { call } = yield* Api
    const format = yield* formatOf({ out, format: given })
    const query = { reason, search, startDate, endDate }
    const body = yield* call(({ suppressions }) => suppressions.export({ ...query, format }))
    const first = call(({ suppressions }) => suppressions.list({ ...query, limit: 1 }).page())
    yield* writeExport(
      body,
      out,
      format,
      Effect.map(first, ({ total }) => total)
    )
  })
).pipe(
  Command.withDescription("Write suppressed addresses as CSV or NDJSON, to standard output or a file"),
  Command.withExamples([
    { command: "posthorn suppressions export --out suppressed.csv" },
    { command: "posthorn suppressions export --format ndjson --reason COMPLAINT | head" }
  ]),
  withApi
)

const remove = Command.make(
  "remove",
  { email: Argument.String("address").pipe(Argument.withDescription("The address")), yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ email, yes }) {
    const { call } = yield* Api
    const { reason } = yield* call(({ suppressions }) => suppressions.get(email))
    yield* confirm(`Remove ${email} from the suppression list? Its reason is ${reason}.`, yes)
    yield* call(({ suppressions }) => suppressions.remove(email))
    yield* Output.one({ email, removed: true }, { rows: [["removed", email]] })
  })
).pipe(
  Command.withDescription("Remove an address from the suppression list; asks first. Its contact stays unsubscribed."),
  Command.withExamples([{ command: "posthorn suppressions remove gone@example.com --yes" }]),
  withApi
)

export const suppressions = Command.make("suppressions").pipe(
  Command.withDescription("Addresses that get no email of any type"),
  Command.withExamples([{ command: "posthorn suppressions list --reason COMPLAINT" }]),
  Command.withSubcommands([list, exportAll, get, add, remove])
)
