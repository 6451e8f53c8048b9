import type { Contact, ContactCount, ImportJob } from "@posthorn/client"
import { Console, Effect, FileSystem, Option, Path, Stdio, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { contactArgument, contactOf, segmentOf } from "../api/Lookups.ts"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { exportOptions, formatOf, writeExport } from "../files/Export.ts"
import { confirm, yes } from "../options/Confirmation.ts"
import { filterTree, jsonObject, limitOptions, optional, pageLimit, standardInput, upTo } from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import { progress } from "../output/Progress.ts"
import { type Block, type Cell, printable } from "../output/Table.ts"

const subscribed = (description: string): Flag.Flag<boolean | undefined> =>
  Flag.Boolean("subscribed").pipe(Flag.withDescription(description), optional)

const segment = (description: string): Flag.Flag<string | undefined> =>
  Flag.String("segment").pipe(
    Flag.withMetavar("<segment>"),
    Flag.withDescription(`${description}: its slug, its name if it is unique, or its id`),
    optional
  )

const idOf = Effect.fnUntraced(function* (segment: string | undefined) {
  return segment === undefined ? undefined : (yield* segmentOf(segment)).id
})

const valueText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

const contactHead = ["email", "subscribed", "created", "id"]

const contactRow = ({ email, subscribed, createdAt, id }: Contact): ReadonlyArray<Cell> => [
  email,
  subscribed,
  createdAt,
  id
]

const contactBlocks = ({ id, email, data, createdAt, updatedAt, ...contact }: Contact): ReadonlyArray<Block> => [
  {
    rows: [
      ["email", email],
      ...(contact.externalId === null ? [] : [["external id", contact.externalId]]),
      ["subscription", contact.subscription],
      ...(contact.snoozedUntil === null ? [] : [["snoozed until", contact.snoozedUntil]]),
      ["created", createdAt],
      ["updated", updatedAt],
      ["id", id]
    ]
  },
  { head: ["field", "value"], rows: Object.entries(data).map(([key, value]) => [key, valueText(value)]) }
]

const remove = Command.make(
  "delete",
  { contact: contactArgument, yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ contact, yes }) {
    const { call } = yield* Api
    const { email, id } = yield* contactOf(contact)
    yield* confirm(`Delete ${email}? This also deletes its events and cancels its waiting mail.`, yes)
    yield* call(({ contacts }) => contacts.delete(id))
    yield* Output.one({ id, email, deleted: true }, { rows: [["deleted", email]] })
  })
).pipe(
  Command.withDescription("Delete a contact permanently; asks first"),
  Command.withExamples([{ command: "posthorn contacts delete ada@example.com --yes" }]),
  withApi
)

const exportContacts = Command.make(
  "export",
  {
    ...exportOptions,
    search: Flag.String("search").pipe(Flag.withDescription("Only addresses with this text in them"), optional),
    subscribed: subscribed("Only subscribed contacts, or with --no-subscribed the others"),
    segmentId: Flag.String("segment-id").pipe(Flag.withDescription("Only members of this segment"), optional),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ out, format, search, subscribed, segmentId }) {
    const { call } = yield* Api
    const query = { format: yield* formatOf({ out, format }), search, subscribed, segmentId }
    const body = yield* call(({ contacts }) => contacts.export(query))
    // The number of a segment's members is not known in advance.
    const total =
      segmentId === undefined
        ? Effect.map(
            call(({ contacts }) => contacts.list({ search, subscribed, limit: 1 }).page()),
            (page) => page.total
          )
        : Effect.undefined
    yield* writeExport(body, out, query.format, total)
  })
).pipe(
  Command.withDescription("Write contacts as CSV or NDJSON, to standard output or a file"),
  Command.withExamples([
    { command: "posthorn contacts export --out people.csv" },
    { command: "posthorn contacts export --format ndjson --subscribed | head" }
  ]),
  withApi
)

const get = Command.make(
  "get",
  { contact: contactArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ contact }) {
    const found = yield* contactOf(contact)
    yield* Output.one(found, ...contactBlocks(found))
  })
).pipe(
  Command.withDescription("Show a contact and its custom data"),
  Command.withExamples([{ command: "posthorn contacts get ada@example.com" }]),
  withApi
)

const poll = "500 millis"

/** Faulty rows to show to people. `--json` has all rows that the service reported. */
const maxShown = 20

const fileOf = Effect.fnUntraced(function* (name: string) {
  if (name === "-") {
    const { stdin } = yield* Stdio.Stdio
    const chunks = yield* Stream.runCollect(stdin)
    return new File(
      [...chunks].map((chunk) => new Uint8Array(chunk)),
      "standard-input.csv",
      { type: "text/csv" }
    )
  }
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const bytes = yield* Effect.mapError(fs.readFile(name), ({ reason }) =>
    wrongUsage(`The file ${name} cannot be read (${reason._tag}).`)
  )
  return new File([new Uint8Array(bytes)], path.basename(name), { type: "text/csv" })
})

/** Polls the job until it ends, and shows its progress. */
const followed = Effect.fnUntraced(function* (jobId: string) {
  const { call } = yield* Api
  const bar = yield* progress("rows")
  return yield* Effect.gen(function* () {
    for (;;) {
      const job = yield* call(({ contacts }) => contacts.importJob(jobId))
      if (job.finishedAt !== null) return job
      const done = job.result?.totalRows ?? 0
      yield* bar.show(done, job.progress > 0 ? Math.round((100 * done) / job.progress) : undefined)
      yield* Effect.sleep(poll)
    }
  }).pipe(Effect.ensuring(bar.clear))
})

const countsOf = (result: ImportJob["result"]): Block["rows"] => {
  if (result === null) return []
  return "wouldCreate" in result
    ? [
        ["would create", result.wouldCreate],
        ["would update", result.wouldUpdate]
      ]
    : [
        ["created", result.createdCount],
        ["updated", result.updatedCount]
      ]
}

const importErrors = Command.make(
  "import-errors",
  {
    job: Argument.String("job").pipe(Argument.withDescription("Id of the import, which `contacts import` shows")),
    out: exportOptions.out,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ job, out }) {
    const { call } = yield* Api
    const body = yield* call(({ contacts }) => contacts.importErrors(job))
    yield* writeExport(body, out, "csv", Effect.succeed(undefined))
  })
).pipe(
  Command.withDescription("Write the faulty rows of an import as CSV, with their cells as given"),
  Command.withExamples([
    { command: "posthorn contacts import-errors 019a9f3c-0000-7000-8000-0000000000a1 --out faulty.csv" }
  ]),
  withApi
)

const importContacts = Command.make(
  "import",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("CSV file with a header line and a column named email; `-` reads standard input")
    ),
    inferTypes: Flag.Boolean("infer-types").pipe(
      Flag.withDescription("Convert numbers and booleans; with --no-infer-types, every cell stays text"),
      optional
    ),
    mapping: jsonObject("mapping").pipe(
      Flag.withDescription(
        "What each column is stored as, by its header: email, subscribed, locale, timezone, data.<key>, or null to skip it"
      ),
      optional
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withoutNegation,
      Flag.withDescription("Only count what the import would do; no contact changes"),
      optional
    ),
    segment: segment("Static segment that the contacts join"),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ file, inferTypes, mapping, dryRun, segment }) {
    const { call } = yield* Api
    const upload = yield* fileOf(file)
    const segmentId = yield* idOf(segment)
    const { jobId } = yield* call(({ contacts }) =>
      contacts.import({ file: upload, inferTypes, dryRun, segmentId, mapping: mapping && JSON.stringify(mapping) })
    )
    const job = yield* followed(jobId)
    if (job.state !== "completed") {
      const failed = `The import failed: ${job.failedReason ?? "the reason is unknown."}`
      const message = job.state === "cancelled" ? "The import was cancelled." : failed
      return yield* new CommandFailure({ exit: "failed", code: "JOB_FAILED", message, details: { job } })
    }
    const { failureCount = 0, errors = [] } = job.result ?? {}
    yield* Output.one(job, {
      rows: [...countsOf(job.result), ["faulty", failureCount], ["job", jobId]]
    })
    for (const { row, email, error } of errors.slice(0, maxShown)) {
      yield* Console.error(printable(`Line ${row}${email === "" ? "" : ` (${email})`}: ${error}`))
    }
    if (failureCount > maxShown) yield* Console.error(`... and ${failureCount - maxShown} more.`)
  })
).pipe(
  Command.withDescription("Import contacts from a CSV file and wait for the end; faulty rows go to standard error"),
  Command.withExamples([
    { command: "posthorn contacts import people.csv" },
    { command: "posthorn contacts import - --json < people.csv" },
    { command: `posthorn contacts import people.csv --dry-run --mapping '{"E-Mail":"email","Plan":"data.plan"}'` },
    { command: "posthorn contacts import people.csv --segment press" }
  ]),
  withApi
)

const list = Command.make(
  "list",
  {
    search: Flag.String("search").pipe(Flag.withDescription("Only addresses that contain this text"), optional),
    subscribed: subscribed("Only subscribed contacts; with --no-subscribed, only unsubscribed ones"),
    sort: Flag.Literals("sort", ["createdAt", "email"]).pipe(
      Flag.withDescription("Sort order; default createdAt"),
      optional
    ),
    dir: Flag.Literals("dir", ["desc", "asc"]).pipe(Flag.withDescription("Default desc"), optional),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ url, key, project, dataDir, limit, all, ...query }) {
    const { items } = yield* Api
    const contacts = items(({ contacts }) => contacts.list({ ...query, limit: pageLimit({ limit, all }) }))
    yield* Output.list(upTo({ limit, all })(contacts), {
      head: contactHead,
      row: contactRow,
      none: "No contacts. Add one with `posthorn contacts upsert <email>`, or many with `posthorn contacts import`."
    })
  })
).pipe(
  Command.withDescription("List contacts, newest first"),
  Command.withExamples([
    { command: "posthorn contacts list --search @example.com --no-subscribed" },
    { command: "posthorn contacts list --sort email --dir asc --all --json" }
  ]),
  withApi
)

const selectionOptions = {
  condition: filterTree("condition").pipe(Flag.withDescription("Only contacts that match this filter tree"), optional),
  segment: segment("Only members of this segment")
}

const query = Command.make(
  "query",
  {
    ...selectionOptions,
    search: Flag.String("search").pipe(Flag.withDescription("Only addresses with this text in them"), optional),
    subscribed: subscribed("Only subscribed contacts, or with --no-subscribed the others"),
    sort: Flag.Literals("sort", ["createdAt", "updatedAt", "email"]).pipe(
      Flag.withDescription("Sort order; default createdAt"),
      optional
    ),
    dir: Flag.Literals("dir", ["desc", "asc"]).pipe(Flag.withDescription("Default desc"), optional),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ condition, segment, search, subscribed, sort, dir, limit, all }) {
    const { items } = yield* Api
    const segmentId = yield* idOf(segment)
    const body = { condition, segmentId, search, subscribed, sort, dir, limit: pageLimit({ limit, all }) }
    const found = items(({ contacts }) => contacts.query(body))
    yield* Output.list(upTo({ limit, all })(found), { head: contactHead, row: contactRow, none: "No contacts." })
  })
).pipe(
  Command.withDescription("List the contacts that match a condition, or the members of a segment"),
  Command.withExamples([
    {
      command: `posthorn contacts query --condition '{"groups":[{"filters":[{"field":"data.plan","operator":"equals","value":"pro"}]}]}'`
    },
    { command: "posthorn contacts query --segment pro-users --sort updatedAt --all --json" }
  ]),
  withApi
)

const countRows = ({ count, eligible, excluded }: ContactCount): Block["rows"] => [
  ["contacts", count ?? "unknown: counting took too long"],
  ...(eligible === undefined ? [] : [["would get the mail", eligible]]),
  ...Object.entries(excluded ?? {})
]

const count = Command.make(
  "count",
  {
    ...selectionOptions,
    for: Flag.Literals("for", ["TRANSACTIONAL", "MARKETING", "HEADLESS"]).pipe(
      Flag.withDescription("Also count who could get a campaign with mail of this type, and who could not"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ condition, segment, for: type }) {
    const { call } = yield* Api
    const segmentId = yield* idOf(segment)
    const answer = yield* call(({ contacts }) =>
      contacts.count({ condition, segmentId, for: type === undefined ? undefined : { type } })
    )
    yield* Output.one(answer, { rows: countRows(answer) })
  })
).pipe(
  Command.withDescription("Count the contacts that match a condition, or the members of a segment"),
  Command.withExamples([{ command: "posthorn contacts count --segment pro-users --for MARKETING" }]),
  withApi
)

const segments = Command.make(
  "segments",
  { contact: contactArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ contact }) {
    const { call } = yield* Api
    const { id } = yield* contactOf(contact)
    const found = yield* call(({ contacts }) => contacts.segments(id))
    yield* Output.list(Stream.fromIterable(found), {
      head: ["type", "since", "id", "name"],
      row: ({ id, name, type, since }) => [type, since, id, name],
      none: "In no segment."
    })
  })
).pipe(
  Command.withDescription("List the segments that contain a contact now"),
  Command.withExamples([{ command: "posthorn contacts segments ada@example.com" }]),
  withApi
)

const executions = Command.make(
  "executions",
  {
    contact: contactArgument,
    status: Flag.String("status").pipe(
      Flag.withDescription("Only executions in this state, or in one of several with commas between them"),
      optional
    ),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ contact, status, limit, all }) {
    const { items } = yield* Api
    const { id } = yield* contactOf(contact)
    const query = { status, limit: pageLimit({ limit, all }) }
    const found = items(({ executions }) => executions.ofContact(id, query))
    yield* Output.list(upTo({ limit, all })(found), {
      head: ["status", "started", "completed", "id", "workflow"],
      row: ({ status, startedAt, completedAt, id, workflow }) => [status, startedAt, completedAt, id, workflow.name],
      none: "No executions."
    })
  })
).pipe(
  Command.withDescription("List the executions of a contact in all workflows, newest first"),
  Command.withExamples([{ command: "posthorn contacts executions ada@example.com --status RUNNING,WAITING" }]),
  withApi
)

/** Addresses in one call of the API. */
const batch = 500

const addressesOf = Effect.fnUntraced(function* (given: ReadonlyArray<string>) {
  if (!given.includes("-")) return given
  const lines = (yield* standardInput).split(/\r?\n/).filter((line) => line.trim() !== "")
  return [...given.filter((email) => email !== "-"), ...lines]
})

const lookup = Command.make(
  "lookup",
  {
    emails: Argument.String("email").pipe(
      Argument.withDescription("Addresses; `-` reads them from standard input, one on each line"),
      Argument.variadic({ min: 1 })
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ emails }) {
    const { call } = yield* Api
    const addresses = yield* addressesOf(emails)
    const results = Stream.fromIterable(addresses).pipe(
      Stream.grouped(batch),
      Stream.mapEffect((some) =>
        Effect.map(
          call(({ contacts }) => contacts.lookup({ emails: some })),
          ({ found, invalid }) => {
            const [known, odd] = [new Set(found), new Set(invalid)]
            return Array.from(new Set(some), (email) => ({ email, exists: known.has(email), valid: !odd.has(email) }))
          }
        )
      ),
      Stream.flattenIterable
    )
    yield* Output.list(results, {
      head: ["email", "exists", "valid"],
      row: ({ email, exists, valid }) => [email, exists, valid],
      none: "No addresses were given."
    })
  })
).pipe(
  Command.withDescription("Show which addresses have a contact"),
  Command.withExamples([
    { command: "posthorn contacts lookup ada@example.com bob@example.com" },
    { command: "posthorn contacts lookup - < addresses.txt" }
  ]),
  withApi
)

const upsert = Command.make(
  "upsert",
  {
    email: Argument.String("email").pipe(
      Argument.withDescription("Address of the contact; not needed if one has the --external-id"),
      Argument.optional
    ),
    externalId: Flag.String("external-id").pipe(
      Flag.withDescription("Your own id of the contact, unique in the project"),
      optional
    ),
    locale: Flag.String("locale").pipe(Flag.withDescription("Language of its mail: de, pt-BR"), optional),
    timezone: Flag.String("timezone").pipe(Flag.withDescription("IANA name: Europe/Berlin"), optional),
    subscribed: subscribed("Subscribe the contact to marketing mail, or unsubscribe it with --no-subscribed"),
    data: jsonObject("data").pipe(
      Flag.withDescription("Custom data, merged into the existing data; null deletes a field"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ email, externalId, locale, timezone, subscribed, data }) {
    const { call } = yield* Api
    const fields = { email: Option.getOrUndefined(email), externalId, locale, timezone, subscribed, data }
    const contact = yield* call(({ contacts }) => contacts.upsert(fields))
    const happened = { rows: [[contact._meta.isNew ? "created" : "updated", contact.email]] }
    yield* Output.one(contact, happened, ...contactBlocks(contact))
  })
).pipe(
  Command.withDescription("Create the contact with this address or external id, or change it"),
  Command.withExamples([
    { command: `posthorn contacts upsert ada@example.com --data '{"plan":"pro"}'` },
    { command: "posthorn contacts upsert ada@example.com --no-subscribed" },
    { command: "posthorn contacts upsert --external-id 4711 --locale de" }
  ]),
  withApi
)

export const contacts = Command.make("contacts").pipe(
  Command.withDescription("The audience: one contact for each address, with its custom data"),
  Command.withExamples([
    { command: "posthorn contacts import people.csv" },
    { command: "posthorn contacts list --search @example.com" }
  ]),
  Command.withSubcommands([
    list,
    query,
    count,
    get,
    segments,
    executions,
    upsert,
    remove,
    importContacts,
    importErrors,
    exportContacts,
    lookup
  ])
)
