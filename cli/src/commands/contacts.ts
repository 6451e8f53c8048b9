import type { BulkJob, ChangeContacts, Contact, ContactCount, ImportJob } from "@posthorn/client"
import { Console, Effect, FileSystem, Option, Path, Stdio, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { contactArgument, contactOf, segmentOf } from "../api/Lookups.ts"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { exportOptions, formatOf, writeExport } from "../files/Export.ts"
import {
  confirm,
  filterTree,
  jsonObject,
  limitOptions,
  optional,
  pageLimit,
  standardInput,
  upTo,
  yes
} from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import { progress } from "../output/Progress.ts"
import { type Block, type Cell, printable } from "../output/Table.ts"
import { consentHead, consentRow, optIn } from "./consents.ts"

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

const merge = Command.make(
  "merge",
  {
    contact: contactArgument,
    other: Argument.String("other").pipe(Argument.withDescription("The contact that goes: its address or id")),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Count what would move, and change nothing")
    ),
    yes,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ contact, other, dryRun, yes }) {
    const { call } = yield* Api
    const stays = yield* contactOf(contact)
    const gone = yield* contactOf(other)
    if (!dryRun) yield* confirm(`Merge ${gone.email} into ${stays.email}? This cannot be undone.`, yes)
    const { contact: merged, merged: moved } = yield* call(({ contacts }) =>
      contacts.merge(stays.id, { contactId: gone.id, dryRun })
    )
    const rows = Object.entries(moved).map(([name, count]): ReadonlyArray<Cell> => [name, count])
    yield* Output.one({ id: merged.id, email: merged.email, dryRun, merged: moved }, { rows })
  })
).pipe(
  Command.withDescription("Merge another contact into a contact, permanently; asks first"),
  Command.withExamples([{ command: "posthorn contacts merge ada@example.com ada@work.example --dry-run" }]),
  withApi
)

const links = Command.make(
  "links",
  { contact: contactArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ contact }) {
    const { call } = yield* Api
    const { id } = yield* contactOf(contact)
    const found = yield* call(({ contacts }) => contacts.links(id))
    yield* Output.one(found, {
      rows: [
        ["unsubscribe", found.unsubscribeUrl],
        ["subscribe", found.subscribeUrl],
        ["preferences", found.manageUrl],
        ["token", found.token]
      ]
    })
  })
).pipe(
  Command.withDescription("Show the links to the pages of a contact; a person who has them acts for the contact"),
  Command.withExamples([{ command: "posthorn contacts links ada@example.com" }]),
  withApi
)

const sendingState = Command.make(
  "sending-state",
  { contact: contactArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ contact }) {
    const { call } = yield* Api
    const { id } = yield* contactOf(contact)
    const found = yield* call(({ contacts }) => contacts.sendingState(id))
    yield* Output.one(found, {
      rows: [
        ["time zone", found.timezone],
        ["quiet hours", found.quietHours === null ? "none" : (found.quietHours.until ?? "not now")],
        ...found.caps.map(
          ({ id, used, limit, freeAt }): ReadonlyArray<string> => [
            `cap ${id}`,
            `${used} of ${limit}${freeAt === null ? "" : `, free at ${freeAt}`}`
          ]
        )
      ]
    })
  })
).pipe(
  Command.withDescription(
    "Show how the sending policy acts on a contact now: its quiet hours, and its mail under each cap"
  ),
  Command.withExamples([{ command: "posthorn contacts sending-state ada@example.com" }]),
  withApi
)

const exportContacts = Command.make(
  "export",
  {
    ...exportOptions,
    search: Flag.String("search").pipe(Flag.withDescription("Only addresses with this text in them"), optional),
    subscribed: subscribed("Only subscribed contacts, or with --no-subscribed the others"),
    segmentId: Flag.String("segment-id").pipe(Flag.withDescription("Only members of this segment"), optional),
    condition: filterTree("condition").pipe(
      Flag.withDescription("Only contacts that match this filter tree; not with the other filters"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ out, format, search, subscribed, segmentId, condition }) {
    const { call } = yield* Api
    const query = { format: yield* formatOf({ out, format }), search, subscribed, segmentId }
    if (condition !== undefined) {
      if ([search, subscribed, segmentId].some((given) => given !== undefined)) {
        return yield* wrongUsage("--condition cannot be combined with --search, --subscribed or --segment-id.")
      }
      const body = yield* call(({ contacts }) => contacts.exportSelected({ condition, format: query.format }))
      const counted = Effect.map(
        call(({ contacts }) => contacts.count({ condition })),
        ({ count }) => count ?? undefined
      )
      return yield* writeExport(body, out, query.format, counted)
    }
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
  const asked = (name: string): Block["rows"] => (result.pendingCount > 0 ? [[name, result.pendingCount]] : [])
  return "wouldCreate" in result
    ? [
        ["would create", result.wouldCreate],
        ["would update", result.wouldUpdate],
        ...asked("would be asked to confirm")
      ]
    : [["created", result.createdCount], ["updated", result.updatedCount], ...asked("asked to confirm")]
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

const importOptions = {
  file: Argument.String("file").pipe(
    Argument.withDescription("CSV file with a header line and a column named email; `-` reads standard input")
  ),
  inferTypes: Flag.Boolean("infer-types").pipe(
    Flag.withDescription("Convert numbers and booleans; with --no-infer-types, every cell stays text"),
    optional
  ),
  mapping: jsonObject("mapping").pipe(
    Flag.withDescription(
      "What each column is stored as, by its header: email, externalId, subscribed, locale, timezone, topic.<key>, data.<key>, or null to skip it"
    ),
    optional
  ),
  dryRun: Flag.Boolean("dry-run").pipe(
    Flag.withoutNegation,
    Flag.withDescription("Only count what the import would do; no contact changes"),
    optional
  ),
  segment: segment("Static segment that the contacts join"),
  doubleOptIn: Flag.Literals("double-opt-in", ["send", "skip"]).pipe(
    Flag.withDescription("Whether contacts that the file subscribes must confirm by mail: send or skip"),
    optional
  ),
  consent: jsonObject("consent").pipe(
    Flag.withDescription("Evidence of the consent of every contact, as JSON: basis, wording, at and the like"),
    optional
  ),
  ...connectionOptions
}

const runImport = Effect.fnUntraced(function* ({ file, inferTypes, mapping, dryRun, segment, doubleOptIn, consent }) {
  const { call } = yield* Api
  const upload = yield* fileOf(file)
  const segmentId = yield* idOf(segment)
  const { jobId } = yield* call(({ contacts }) =>
    contacts.import({
      file: upload,
      inferTypes,
      dryRun,
      segmentId,
      doubleOptIn,
      mapping: mapping && JSON.stringify(mapping),
      consent: consent && JSON.stringify(consent)
    })
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

const importDescription = "Import contacts from a CSV file and wait for the end; faulty rows go to standard error"

const importContacts = Command.make("import", importOptions, runImport).pipe(
  Command.withDescription(importDescription),
  Command.withExamples([
    { command: "posthorn contacts import people.csv" },
    { command: "posthorn contacts import - --json < people.csv" },
    { command: `posthorn contacts import people.csv --dry-run --mapping '{"E-Mail":"email","Plan":"data.plan"}'` },
    { command: "posthorn contacts import people.csv --segment press" },
    { command: "posthorn contacts import people.csv --double-opt-in send" }
  ]),
  withApi
)

/** The same, beside the imports from other services. */
export const importCsv = Command.make("csv", importOptions, runImport).pipe(
  Command.withDescription(importDescription),
  Command.withExamples([{ command: "posthorn import csv people.csv --dry-run" }]),
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

const bulkResult = ({ result }: BulkJob): Block["rows"] => {
  if (result === null) return []
  return [
    ["changed", result.successCount],
    ["unchanged", result.unchanged],
    ...("pendingCount" in result && result.pendingCount > 0 ? [["asked to confirm", result.pendingCount]] : []),
    ["failed", result.failureCount]
  ]
}

/** Polls the job until it ends, and shows its progress. */
const bulkEnded = Effect.fnUntraced(function* (jobId: string, count: number) {
  const { call } = yield* Api
  const bar = yield* progress("contacts")
  return yield* Effect.gen(function* () {
    for (;;) {
      const job = yield* call(({ contacts }) => contacts.bulkJob(jobId))
      if (job.finishedAt !== null) return job
      yield* bar.show(Math.round((count * job.progress) / 100), count)
      yield* Effect.sleep(poll)
    }
  }).pipe(Effect.ensuring(bar.clear))
})

const bulkOperations = [
  "subscribe",
  "unsubscribe",
  "set-topics",
  "set-data",
  "add-to-segment",
  "remove-from-segment",
  "delete"
] as const

const bulk = Command.make(
  "bulk",
  {
    operation: Argument.Literals("operation", bulkOperations).pipe(
      Argument.withDescription("What to do with each contact")
    ),
    ...selectionOptions,
    everybody: Flag.Boolean("everybody").pipe(
      Flag.withoutNegation,
      Flag.withDescription("All contacts of the project"),
      optional
    ),
    topics: jsonObject("topics").pipe(
      Flag.withDescription("For set-topics: subscribed, unsubscribed or unset by the key of each topic"),
      optional
    ),
    data: jsonObject("data").pipe(Flag.withDescription("For set-data: values by name; null removes one"), optional),
    target: Flag.String("target").pipe(
      Flag.withMetavar("<segment>"),
      Flag.withDescription("For add-to-segment and remove-from-segment: the slug, name or id of a static segment"),
      optional
    ),
    silent: Flag.Boolean("silent").pipe(
      Flag.withoutNegation,
      Flag.withDescription("Record no events about changed subscriptions"),
      optional
    ),
    yes,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ operation, condition, segment, everybody, topics, data, target, silent, yes }) {
    const { call } = yield* Api
    const select = { condition, segmentId: yield* idOf(segment), all: everybody === true ? (true as const) : undefined }
    if (Object.values(select).filter((given) => given !== undefined).length !== 1) {
      return yield* wrongUsage("Say which contacts: exactly one of --condition, --segment and --everybody.")
    }
    const body = {
      operation,
      select,
      topics: topics as ChangeContacts["topics"],
      data: data as ChangeContacts["data"],
      targetSegmentId: yield* idOf(target),
      silent
    }
    const preview = yield* call(({ contacts }) => contacts.bulk({ ...body, dryRun: true }))
    if (!("confirmationToken" in preview))
      return yield* wrongUsage("The server made no dry run. Is it older than this?")
    const { count, sample, confirmationToken } = preview
    const examples = sample.map(({ email }) => printable(email)).join(", ")
    const many = count === 1 ? "1 contact" : `${count} contacts`
    yield* confirm(`${operation}: ${many}${count === 0 ? "" : `, such as ${examples}`}. Go on?`, yes)
    const queued = yield* call(({ contacts }) => contacts.bulk({ ...body, confirmationToken }))
    if (!("jobId" in queued)) return yield* wrongUsage("The server queued no job. Is it older than this?")
    const job = yield* bulkEnded(queued.jobId, count)
    if (job.state !== "completed") {
      const failed = `The change failed: ${job.failedReason ?? "the reason is unknown."}`
      const message = job.state === "cancelled" ? "The change was cancelled." : failed
      return yield* new CommandFailure({ exit: "failed", code: "JOB_FAILED", message, details: { job } })
    }
    yield* Output.one(job, { rows: [...bulkResult(job), ["job", job.id]] })
  })
).pipe(
  Command.withDescription("Change the contacts that match: shows how many there are, and asks"),
  Command.withShortDescription("Change many contacts"),
  Command.withExamples([
    {
      command: `posthorn contacts bulk unsubscribe --condition '{"groups":[{"filters":[{"field":"data.plan","operator":"equals","value":"free"}]}]}'`
    },
    { command: `posthorn contacts bulk set-data --segment pro-users --data '{"tier":"gold"}' --yes` },
    { command: "posthorn contacts bulk add-to-segment --everybody --target newsletter --yes" }
  ]),
  withApi
)

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
    topic: Flag.String("topic").pipe(
      Flag.withMetavar("<id or key>"),
      Flag.withDescription("With --for: the topic of that mail"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ condition, segment, for: type, topic }) {
    const { call } = yield* Api
    const segmentId = yield* idOf(segment)
    const answer = yield* call(({ contacts }) =>
      contacts.count({ condition, segmentId, for: type === undefined ? undefined : { type, topic } })
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

const topics = Command.make(
  "topics",
  { contact: contactArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ contact }) {
    const { call } = yield* Api
    const { id } = yield* contactOf(contact)
    const found = yield* call(({ contacts }) => contacts.topics(id))
    yield* Output.list(Stream.fromIterable(found), {
      head: ["key", "state", "takes", "name"],
      row: ({ topic, state, takes }) => [topic.key, state, takes ? "yes" : "no", topic.name],
      none: "The project has no topics."
    })
  })
).pipe(
  Command.withDescription("List the topics of the project, with what a contact said about each"),
  Command.withExamples([{ command: "posthorn contacts topics ada@example.com" }]),
  withApi
)

const consents = Command.make(
  "consents",
  { contact: contactArgument, ...limitOptions, ...connectionOptions },
  Effect.fnUntraced(function* ({ contact, limit, all }) {
    const { items } = yield* Api
    const { id } = yield* contactOf(contact)
    const found = items(({ contacts }) => contacts.consents(id, { limit: pageLimit({ limit, all }) }))
    yield* Output.list(upTo({ limit, all })(found), { head: consentHead, row: consentRow, none: "No records." })
  })
).pipe(
  Command.withDescription("List the records of consent of a contact, newest first"),
  Command.withExamples([{ command: "posthorn contacts consents ada@example.com" }]),
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
    topics,
    consents,
    executions,
    links,
    sendingState,
    upsert,
    remove,
    merge,
    importContacts,
    importErrors,
    exportContacts,
    bulk,
    lookup,
    optIn
  ])
)
