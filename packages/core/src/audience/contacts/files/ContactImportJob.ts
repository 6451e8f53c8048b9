/** The jobs of imports. They apply the rows of a CSV file to contacts, or foresee what that would do, step by step. */
import { GivenConsent } from "@posthorn/contract/audience/consents/GivenConsent"
import type { EmailAlreadyExists } from "@posthorn/contract/audience/contacts/Contact"
import {
  ImportCheck,
  ImportOptIn,
  ImportResult,
  maxImportErrors
} from "@posthorn/contract/audience/contacts/ContactJob"
import { SegmentId, type SegmentNotFound } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type Conflict, ValidationError } from "@posthorn/contract/platform/Errors"
import { Array, Data, Effect, Option, Result, Schema } from "effect"
import * as Job from "../../../platform/jobs/Job.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import type { ConsentProof } from "../../consents/ConsentProof.ts"
import * as ConsentProofs from "../../consents/ConsentProofs.ts"
import { OptInRequests } from "../../optins/OptInRequests.ts"
import { Segments } from "../../segments/Segments.ts"
import { AudienceRules } from "../../settings/AudienceRules.ts"
import { Suppressions } from "../../suppression/Suppressions.ts"
import { Topics } from "../../topics/Topics.ts"
import * as ContactBatchStore from "../ContactBatchStore.ts"
import { dataTooLarge } from "../ContactConstraints.ts"
import type { ContactInput } from "../ContactInput.ts"
import { Contacts } from "../Contacts.ts"
import { dataChange } from "../DataChange.ts"
import { type IdentityRefusal, type NamedPerson, type Roster, roster } from "../Identity.ts"
import { topicsChange } from "../TopicsChange.ts"
import { type FaultyRow, type ImportRow, type ImportSheet, openSheet, rowOf } from "./ContactImportCsv.ts"
import { type CsvPlace, type CsvReader, csvReader } from "./CsvReader.ts"
import * as ImportFaults from "./ImportFaults.ts"

/** The limits of one transaction: rows of the file, and their approximate length in characters. */
const step = { rows: 500, length: 512 * 1024 }

/** A valid or faulty row of the file, and where the next one begins. */
interface Line {
  /** The line in the file. The header is line 1. */
  readonly row: number
  readonly next: CsvPlace
  readonly read: Result.Result<ImportRow, FaultyRow>
  /** As given. Empty if the row cannot be read. */
  readonly cells: ReadonlyArray<string>
}

/**
 * The rows of the next step. One reader reads the whole file, because a new reader would search for line ends again.
 */
const nextLines = (reader: CsvReader, sheet: ImportSheet, inferTypes: boolean): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  let end = Infinity
  while (lines.length < step.rows) {
    const record = reader.next()
    if (record === undefined) break
    end = Math.min(end, record.next.at + step.length)
    const cells = record.fault === undefined ? reader.cells(record) : []
    const read =
      record.fault === undefined ? rowOf(sheet, cells, inferTypes) : Result.fail({ email: "", error: record.fault })
    lines.push({ row: record.line - sheet.headerLine + 1, next: record.next, read, cells })
    if (record.next.at > end) break
  }
  return lines
}

/** A row, and the contact that it means. */
interface PlacedRow extends Omit<ImportRow, "email"> {
  readonly email: string
  /** Undefined if the file has no external ids. */
  readonly person: NamedPerson | undefined
}

type PlacedLine = Omit<Line, "read"> & { readonly read: Result.Result<PlacedRow, FaultyRow> }

const reasonOf = (refusal: IdentityRefusal): string =>
  refusal._tag === "AddressMissing"
    ? "An address is required, because no contact has this external id."
    : refusal.message

/** The rows with their contacts. A row whose names belong to two contacts is faulty. */
const placed = Effect.fnUntraced(function* (
  contacts: Contacts["Service"],
  project: ProjectId,
  { columns }: ImportSheet,
  lines: Lines,
  into?: Roster
) {
  const rows = lines.flatMap(({ read }) => (Result.isSuccess(read) ? [read.success] : []))
  const hasIds = columns.externalId !== undefined
  const { found, moves } = hasIds ? yield* contacts.identify(project, rows, into) : { found: [], moves: [] }
  const results = found[Symbol.iterator]()
  return {
    moves,
    lines: lines.map(
      (line): PlacedLine => ({
        ...line,
        read: Result.flatMap(line.read, ({ email = "", ...row }): Result.Result<PlacedRow, FaultyRow> => {
          const result = results.next().value
          if (result === undefined) return Result.succeed({ ...row, email, person: undefined })
          if (Result.isFailure(result)) return Result.fail({ email, error: reasonOf(result.failure) })
          const { externalId, isIdNew } = result.success
          const own = isIdNew && row.externalId === externalId ? row.externalId : undefined
          return Result.succeed({ ...row, externalId: own, email: result.success.email, person: result.success })
        })
      })
    )
  }
})

/** Merges rows with the same address. Later values win. */
const merged = (rows: ReadonlyArray<PlacedRow>): ReadonlyArray<PlacedRow> => {
  const byEmail = new Map<string, PlacedRow>()
  for (const row of rows) {
    const earlier = byEmail.get(row.email)
    byEmail.set(row.email, {
      email: row.email,
      externalId: row.externalId ?? earlier?.externalId,
      person: row.person,
      subscribed: row.subscribed ?? earlier?.subscribed,
      topics: row.topics && { ...earlier?.topics, ...row.topics },
      data: earlier === undefined ? row.data : { ...earlier.data, ...row.data }
    })
  }
  return [...byEmail.values()]
}

/** How an import subscribes contacts. */
interface Admission {
  /** Whether contacts must confirm before they are subscribed. */
  readonly isAsked: boolean
  /** Whether a new contact of which the row says nothing is subscribed. */
  readonly whenNew: boolean
  /** The topics that are there, by their ids. */
  readonly topics: ReadonlySet<string>
  readonly proof: ConsentProof | undefined
}

/** What an import does with subscriptions and topics, by the rules of the project and the topics that are there now. */
const admissionOf = Effect.fnUntraced(function* (
  project: ProjectId,
  sheet: ImportSheet,
  { doubleOptIn }: Payload,
  proof: ConsentProof | undefined
): Effect.fn.Return<Admission, never, AudienceRules | Topics> {
  const { mode } = (yield* AudienceRules.use((rules) => rules.getCached(project))).doubleOptIn
  const named = sheet.columns.topics.map(([, , topic]) => topic)
  const there = yield* Topics.use((topics) => topics.resolve(project, named))
  return {
    isAsked: doubleOptIn === "send",
    whenNew: mode !== "all",
    topics: new Set([...there.values()].map(({ id }) => id as string)),
    proof
  }
})

/** What a contact must confirm. */
const askedOf = (
  complained: ReadonlySet<string>,
  { isAsked, topics: there }: Admission,
  { email, subscribed, topics }: PlacedRow
) => {
  const on = topicsChange(topics ?? {}).on.filter((topic) => there.has(topic))
  const subscribe = subscribed === true
  return isAsked && !complained.has(email) && (subscribe || on.length > 0) ? { subscribe, topics: on } : undefined
}

/** An address that complained is never subscribed by an import. */
const inputOf =
  (complained: ReadonlySet<string>, { isAsked, whenNew, topics: there, proof }: Admission) =>
  ({ email, externalId, subscribed, topics = {}, data }: PlacedRow): ContactInput => {
    const isBarred = complained.has(email)
    const waits = subscribed === true && (isBarred || isAsked)
    const said = Object.entries(topics).filter(([topic, to]) => there.has(topic) && !(isAsked && to === "subscribed"))
    return {
      email,
      ...(externalId !== undefined && { externalId }),
      subscribed: waits ? undefined : subscribed,
      subscribedWhenNew: !isBarred && !waits && whenNew,
      ...(said.length > 0 && { topics: topicsChange(Object.fromEntries(said)) }),
      ...(proof !== undefined && { proof }),
      data
    }
  }

/** Addresses that a step would have subscribed although their owners complained. The step had no effect. */
class Complained extends Data.TaggedError("Complained")<{ readonly emails: ReadonlySet<string> }> {}

const nothing: ImportResult = {
  totalRows: 0,
  successCount: 0,
  createdCount: 0,
  updatedCount: 0,
  pendingCount: 0,
  failureCount: 0,
  errors: [],
  errorsTruncated: false
}

const withFailures = (result: ImportResult, failures: ImportResult["errors"]): ImportResult => {
  const failureCount = result.failureCount + failures.length
  return {
    ...result,
    totalRows: result.totalRows + failures.length,
    failureCount,
    errors: failures.length === 0 ? result.errors : [...result.errors, ...failures].slice(0, maxImportErrors),
    errorsTruncated: failureCount > maxImportErrors
  }
}

const withSuccesses = (result: ImportResult, count: number, created: number, pending = 0): ImportResult => ({
  ...result,
  totalRows: result.totalRows + count,
  successCount: result.successCount + count,
  createdCount: result.createdCount + created,
  updatedCount: result.updatedCount + count - created,
  pendingCount: result.pendingCount + pending
})

const Place = Schema.Struct({ at: Schema.Int, line: Schema.Int })

const Payload = Schema.Struct({
  inferTypes: Schema.Boolean,
  rows: Schema.Int,
  mapping: Schema.optionalKey(Schema.Array(Schema.Tuple([Schema.String, Schema.NullOr(Schema.String)]))),
  segmentId: Schema.optionalKey(SegmentId),
  doubleOptIn: Schema.optionalKey(ImportOptIn),
  consent: Schema.optionalKey(GivenConsent),
  /** The topics that columns can name, by their keys. Absent if none does. */
  topics: Schema.optionalKey(Schema.Array(Schema.Tuple([Schema.String, Schema.String])))
})
type Payload = typeof Payload.Type

/** Imports of earlier versions do not say how many contacts they asked. */
const StoredResult = Schema.Struct({
  ...ImportResult.fields,
  pendingCount: Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.succeed(0)))
})

type Lines = Array.NonEmptyReadonlyArray<Line>
type Failures = ImportResult["errors"]

/** How the rows of a step take effect. */
interface Steps<R> {
  /** All of the rows, or none if one cannot be stored. */
  readonly apply: (
    before: ImportResult,
    lines: Lines
  ) => Effect.Effect<ImportResult, ValidationError | Job.JobFailed, R>
  /** Saves what was reached with these faulty rows, after a row that cannot be stored. */
  readonly settle: (before: ImportResult, lines: Lines, failures: Failures) => Effect.Effect<ImportResult, never, R>
}

const sheetOf = Effect.fnUntraced(function* (
  { mapping, topics }: Payload,
  file: Effect.Effect<Option.Option<Uint8Array>>
): Effect.fn.Return<ImportSheet, Job.JobFailed> {
  const bytes = Option.getOrUndefined(yield* file)
  if (bytes === undefined) return yield* new Job.JobFailed({ reason: "The file is no longer there." })
  const opened = openSheet(bytes, new Map(mapping), new Map(topics))
  if (Result.isFailure(opened)) return yield* new Job.JobFailed({ reason: opened.failure.message })
  return opened.success
})

const goodIn = (lines: ReadonlyArray<PlacedLine>) =>
  lines.flatMap(({ read }) => (Result.isSuccess(read) ? [read.success] : []))
const faultyIn = (lines: ReadonlyArray<PlacedLine>) =>
  lines.flatMap(({ row, read }) => (Result.isFailure(read) ? [{ row, ...read.failure }] : []))

/** Goes over the rows from a place. A row that cannot be stored appears in the result and does not affect others. */
const walk = Effect.fnUntraced(function* <R>(
  sheet: ImportSheet,
  { inferTypes }: Payload,
  start: { readonly place: CsvPlace; readonly result: ImportResult },
  { apply, settle }: Steps<R>
): Effect.fn.Return<ImportResult, Job.JobFailed, R> {
  /** If a row is too large, halves the rows until only that row fails. */
  const applyHalves = Effect.fnUntraced(function* (
    before: ImportResult,
    lines: Lines
  ): Effect.fn.Return<ImportResult, Job.JobFailed, R> {
    let reached = before
    for (const half of Array.chunksOf(lines, Math.ceil(lines.length / 2))) {
      reached = yield* Effect.catchTag(apply(reached, half), "VALIDATION_ERROR", ({ errors }) => {
        if (half.length > 1) return applyHalves(reached, half)
        const [{ row, read }] = half
        const email = Result.match(read, { onFailure: ({ email }) => email, onSuccess: ({ email = "" }) => email })
        const error = errors[0]?.message ?? "The row cannot be stored."
        return settle(reached, half, [{ row, email, error }])
      })
    }
    return reached
  })

  const reader = csvReader(sheet.text, sheet.delimiter, start.place)
  for (let { result } = start; ; ) {
    const lines = nextLines(reader, sheet, inferTypes)
    if (!Array.isReadonlyArrayNonEmpty(lines)) return result
    const before = result
    result = yield* Effect.catchTag(apply(before, lines), "VALIDATION_ERROR", () => applyHalves(before, lines))
  }
})

/** Keeps the rows of a step that are faulty, with their cells. */
const keepFaults = (
  faults: ImportFaults.ImportFaults,
  { header, columns }: ImportSheet,
  { project, id }: { readonly project: ProjectId; readonly id: Job.JobId },
  before: ImportResult,
  lines: Lines,
  failures: Failures
) =>
  faults.keep(
    project,
    id,
    header,
    before.failureCount,
    failures.map(({ row, error }) => {
      const cells = lines.find((line) => line.row === row)?.cells ?? []
      return { row, error, email: columns.email === undefined ? "" : (cells[columns.email] ?? ""), cells }
    })
  )

const percentOf = ({ totalRows }: ImportResult, rows: number) => (100 * totalRows) / Math.max(rows, 1)

/** Another request took the address meanwhile. The row alone then shows it. */
const addressTaken = ({ message }: EmailAlreadyExists) => Effect.fail(ValidationError.one("email", "custom", message))

const segmentGone = new Job.JobFailed({ reason: "The segment is no longer there." })

export const importJob = Job.define({
  name: "import",
  perProject: 2,
  payload: Payload,
  result: StoredResult,
  checkpoint: Place,
  run: Effect.fnUntraced(function* (payload, { file, id, project, save, saved }) {
    const contacts = yield* Contacts
    const faults = yield* ImportFaults.make
    const optIns = yield* OptInRequests
    const segments = yield* Segments
    const suppressions = yield* Suppressions
    const proofs = yield* ConsentProofs.make
    const transaction = yield* Transaction
    const { rows, segmentId } = payload
    const sheet = yield* sheetOf(payload, file)

    const settle = Effect.fnUntraced(function* (before: ImportResult, lines: Lines, failures: Failures) {
      const { next } = Array.lastNonEmpty(lines)
      const result = withFailures(before, failures)
      yield* keepFaults(faults, sheet, { project, id }, before, lines, failures)
      yield* save({ progress: percentOf(result, rows), result, checkpoint: next })
      return result
    }, transaction.run)

    /** A static segment cannot become dynamic, so it can only be deleted meanwhile. */
    const inSegment = <A>(use: (id: SegmentId) => Effect.Effect<A, SegmentNotFound | Conflict>) =>
      segmentId === undefined
        ? Effect.void
        : Effect.catchTag(use(segmentId), ["SEGMENT_NOT_FOUND", "CONFLICT"], () => Effect.fail(segmentGone))

    /**
     * Applies all rows or none. Fails if the data of a contact would be too large. Complaints are read after the
     * writes: a concurrent complaint is either visible, or waits for these contacts and then unsubscribes them.
     */
    const tried = Effect.fnUntraced(function* (before: ImportResult, lines: Lines, complained: ReadonlySet<string>) {
      const { lines: read, moves } = yield* placed(contacts, project, sheet, lines)
      const good = goodIn(read)
      const proof = yield* Effect.orDie(proofs.read(project, payload.consent))
      const admission = yield* admissionOf(project, sheet, payload, proof)
      const people = merged(good)
      const inputs = people.map(inputOf(complained, admission))
      let created = 0
      let pending = 0
      if (Array.isReadonlyArrayNonEmpty(inputs)) {
        yield* inSegment((id) => segments.holdStatic(project, id))
        if (moves.length > 0)
          yield* Effect.catchTag(contacts.move(project, moves), "EMAIL_ALREADY_EXISTS", addressTaken)
        const left = inputs.flatMap(({ email, subscribed }) => (subscribed === false ? [email] : []))
        if (left.length > 0) yield* optIns.cancelAt(project, left)
        const asks = new Map(
          people.flatMap((row) => {
            const asked = askedOf(complained, admission, row)
            return asked === undefined ? [] : [[row.email, asked]]
          })
        )
        const wanted = [...asks.keys()]
        const known = wanted.length === 0 ? new Set<string>() : yield* optIns.knownOf(project, wanted)
        created = yield* contacts.touchMany(project, inputs, { reason: "import", jobId: id })
        const refused = inputs.flatMap(({ email, topics }) =>
          topics === undefined || topics.off.length === 0 ? [] : [[email, topics.off] as const]
        )
        if (refused.length > 0) yield* optIns.leaveAt(project, new Map(refused))
        if (wanted.length > 0) {
          pending = yield* optIns.requestMany(project, asks, known, { source: "import", isBulk: true, proof })
        }
        const emails = inputs.flatMap((_) => ((_.subscribed ?? _.subscribedWhenNew) ? [_.email] : []))
        const found = yield* suppressions.complained(project, [...emails, ...wanted])
        if (found.size > 0) return yield* new Complained({ emails: found })
        const members = inputs.map(({ email }) => email)
        yield* inSegment((id) =>
          // Only topics can be faulty.
          Effect.catchTag(segments.addMembers(project, id, { emails: members }), "VALIDATION_ERROR", Effect.die)
        )
      }
      return yield* settle(withSuccesses(before, good.length, created, pending), lines, faultyIn(read))
    }, transaction.runRepeatable)

    const apply = (
      before: ImportResult,
      lines: Lines,
      complained: ReadonlySet<string> = new Set()
    ): Effect.Effect<ImportResult, ValidationError | Job.JobFailed, AudienceRules | Topics> =>
      Effect.catchTag(tried(before, lines, complained), "Complained", ({ emails }) =>
        apply(before, lines, complained.union(emails))
      )

    const start = Option.match(saved, {
      onNone: () => ({ place: sheet.rows, result: nothing }),
      onSome: ({ checkpoint, result }) => ({ place: checkpoint, result })
    })
    return yield* walk(sheet, payload, start, { apply, settle })
  })
})

const checkOf = ({ createdCount, updatedCount, successCount: _, ...rest }: ImportResult): ImportCheck => ({
  ...rest,
  wouldCreate: createdCount,
  wouldUpdate: updatedCount
})

/** Checks of earlier versions do not say how many contacts the import would ask. */
const StoredCheck = Schema.Struct({ ...ImportCheck.fields, pendingCount: StoredResult.fields.pendingCount })

/** A contact as the rows so far leave it. */
interface ForeseenContact {
  readonly data: Schema.JsonObject
  readonly subscribed: boolean
  /** Ids of the topics that it takes by a state of its own. */
  readonly topics: ReadonlySet<string>
}

/**
 * Counts what an import of the file would do, by the same steps, and changes no contact. It keeps the data of the rows
 * in memory, since later rows of an address are merged into earlier ones, and therefore starts again after a crash.
 */
export const checkJob = Job.define({
  name: "import-check",
  perProject: 2,
  payload: Payload,
  result: StoredCheck,
  // Always the same, so that a file on which processes die is given up after three tries.
  checkpoint: Schema.Null,
  run: Effect.fnUntraced(function* (payload, { file, id, project, save }) {
    const faults = yield* ImportFaults.make
    const store = yield* ContactBatchStore.make
    const transaction = yield* Transaction
    const sheet = yield* sheetOf(payload, file)
    const contacts = yield* Contacts
    const suppressions = yield* Suppressions
    const people = roster()
    const seen = new Map<NamedPerson | string, ForeseenContact>()

    const settle = Effect.fnUntraced(function* (before: ImportResult, lines: Lines, failures: Failures) {
      const result = withFailures(before, failures)
      yield* keepFaults(faults, sheet, { project, id }, before, lines, failures)
      yield* save({ progress: percentOf(result, payload.rows), result: checkOf(result), checkpoint: null })
      return result
    }, transaction.run)

    const apply = Effect.fnUntraced(function* (before: ImportResult, lines: Lines) {
      const { lines: read } = yield* transaction.run(placed(contacts, project, sheet, lines, people))
      const good = goodIn(read)
      const changed = merged(good).map((row) => {
        const key = row.person ?? row.email
        const data = { ...seen.get(key)?.data, ...dataChange(row.data).set }
        return { row, key, email: row.person?.storedEmail ?? row.email, data }
      })
      const { known, isTooLarge } = yield* store.foresee(
        project,
        changed.map(({ email, data }) => ({ email, data }))
      )
      if (isTooLarge) return yield* dataTooLarge()
      const admission = yield* admissionOf(project, sheet, payload, undefined)
      const complained = yield* suppressions.complained(
        project,
        changed.map(({ row }) => row.email)
      )
      let created = 0
      let pending = 0
      for (const { row, key, email, data } of changed) {
        const found = seen.get(key) ?? known.get(email)
        if (found === undefined) created++
        const input = inputOf(complained, admission)(row)
        const { on, off, unset } = input.topics ?? topicsChange({})
        const topics = new Set(found?.topics).union(new Set(on)).difference(new Set([...off, ...unset]))
        const subscribed = input.subscribed ?? found?.subscribed ?? input.subscribedWhenNew
        seen.set(key, { data, subscribed, topics })
        const asked = askedOf(complained, admission, row)
        if (asked === undefined) continue
        if ((asked.subscribe && !subscribed) || asked.topics.some((topic) => !topics.has(topic))) pending++
      }
      return yield* settle(withSuccesses(before, good.length, created, pending), lines, faultyIn(read))
    })

    const start = { place: sheet.rows, result: nothing }
    return checkOf(yield* walk(sheet, payload, start, { apply, settle }))
  })
})
