/** The jobs of imports. They apply the rows of a CSV file to contacts, or foresee what that would do, step by step. */
import { ImportCheck, ImportResult, maxImportErrors } from "@posthorn/contract/audience/contacts/ContactJob"
import { SegmentId, type SegmentNotFound } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Conflict, ValidationError } from "@posthorn/contract/platform/Errors"
import { Array, Data, Effect, Option, Result, Schema } from "effect"
import * as Job from "../../../platform/jobs/Job.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import { Segments } from "../../segments/Segments.ts"
import { Suppressions } from "../../suppression/Suppressions.ts"
import * as ContactBatchStore from "../ContactBatchStore.ts"
import { dataTooLarge } from "../ContactConstraints.ts"
import type { ContactInput } from "../ContactInput.ts"
import { Contacts } from "../Contacts.ts"
import { dataChange } from "../DataChange.ts"
import { type FaultyRow, type ImportRow, type ImportSheet, openSheet, rowOf } from "./ContactImportCsv.ts"
import { type CsvPlace, type CsvReader, csvReader } from "./CsvReader.ts"
import * as ImportFaults from "./ImportFaults.ts"

/** The limits of one transaction: rows of the file, and their approximate length in characters. */
const step = { rows: 100, length: 512 * 1024 }

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

/** Merges rows with the same address. Later values win. */
const merged = (rows: ReadonlyArray<ImportRow>): ReadonlyArray<ImportRow> => {
  const byEmail = new Map<string, ImportRow>()
  for (const row of rows) {
    const earlier = byEmail.get(row.email)
    byEmail.set(row.email, {
      email: row.email,
      subscribed: row.subscribed ?? earlier?.subscribed,
      data: earlier === undefined ? row.data : { ...earlier.data, ...row.data }
    })
  }
  return [...byEmail.values()]
}

/** An address that complained is never subscribed by an import. */
const inputOf =
  (complained: ReadonlySet<string>) =>
  ({ email, subscribed, data }: ImportRow): ContactInput => {
    const isBarred = complained.has(email)
    return { email, subscribed: isBarred && subscribed ? undefined : subscribed, subscribedWhenNew: !isBarred, data }
  }

/** Addresses that a step would have subscribed although their owners complained. The step had no effect. */
class Complained extends Data.TaggedError("Complained")<{ readonly emails: ReadonlySet<string> }> {}

const nothing: ImportResult = {
  totalRows: 0,
  successCount: 0,
  createdCount: 0,
  updatedCount: 0,
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

const withSuccesses = (result: ImportResult, count: number, created: number): ImportResult => ({
  ...result,
  totalRows: result.totalRows + count,
  successCount: result.successCount + count,
  createdCount: result.createdCount + created,
  updatedCount: result.updatedCount + count - created
})

const Place = Schema.Struct({ at: Schema.Int, line: Schema.Int })

const Payload = Schema.Struct({
  inferTypes: Schema.Boolean,
  rows: Schema.Int,
  mapping: Schema.optionalKey(Schema.Array(Schema.Tuple([Schema.String, Schema.NullOr(Schema.String)]))),
  segmentId: Schema.optionalKey(SegmentId)
})
type Payload = typeof Payload.Type

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
  { mapping }: Payload,
  file: Effect.Effect<Option.Option<Uint8Array>>
): Effect.fn.Return<ImportSheet, Job.JobFailed> {
  const bytes = Option.getOrUndefined(yield* file)
  if (bytes === undefined) return yield* new Job.JobFailed({ reason: "The file is no longer there." })
  const opened = openSheet(bytes, new Map(mapping))
  if (Result.isFailure(opened)) return yield* new Job.JobFailed({ reason: opened.failure.message })
  return opened.success
})

const goodIn = (lines: Lines) => lines.flatMap(({ read }) => (Result.isSuccess(read) ? [read.success] : []))
const faultyIn = (lines: Lines) =>
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
        const email = Result.match(read, { onFailure: ({ email }) => email, onSuccess: ({ email }) => email })
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
      return { row, error, email: cells[columns.email] ?? "", cells }
    })
  )

const percentOf = ({ totalRows }: ImportResult, rows: number) => (100 * totalRows) / Math.max(rows, 1)

const segmentGone = new Job.JobFailed({ reason: "The segment is no longer there." })

export const importJob = Job.define({
  name: "import",
  perProject: 2,
  payload: Payload,
  result: ImportResult,
  checkpoint: Place,
  run: Effect.fnUntraced(function* (payload, { file, id, project, save, saved }) {
    const contacts = yield* Contacts
    const faults = yield* ImportFaults.make
    const segments = yield* Segments
    const suppressions = yield* Suppressions
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
      const good = goodIn(lines)
      const inputs = merged(good).map(inputOf(complained))
      let created = 0
      if (Array.isReadonlyArrayNonEmpty(inputs)) {
        yield* inSegment((id) => segments.holdStatic(project, id))
        created = yield* contacts.touchMany(project, inputs, { reason: "import" })
        const emails = inputs.flatMap((_) => ((_.subscribed ?? _.subscribedWhenNew) ? [_.email] : []))
        const found = yield* suppressions.complained(project, emails)
        if (found.size > 0) return yield* new Complained({ emails: found })
        yield* inSegment((id) => segments.addMembers(project, id, { emails: inputs.map(({ email }) => email) }))
      }
      return yield* settle(withSuccesses(before, good.length, created), lines, faultyIn(lines))
    }, transaction.runRepeatable)

    const apply = (
      before: ImportResult,
      lines: Lines,
      complained: ReadonlySet<string> = new Set()
    ): Effect.Effect<ImportResult, ValidationError | Job.JobFailed> =>
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

/**
 * Counts what an import of the file would do, by the same steps, and changes no contact. It keeps the data of the rows
 * in memory, since later rows of an address are merged into earlier ones, and therefore starts again after a crash.
 */
export const checkJob = Job.define({
  name: "import-check",
  perProject: 2,
  payload: Payload,
  result: ImportCheck,
  // Always the same, so that a file on which processes die is given up after three tries.
  checkpoint: Schema.Null,
  run: Effect.fnUntraced(function* (payload, { file, id, project, save }) {
    const faults = yield* ImportFaults.make
    const store = yield* ContactBatchStore.make
    const transaction = yield* Transaction
    const sheet = yield* sheetOf(payload, file)
    const seen = new Map<string, Schema.JsonObject>()

    const settle = Effect.fnUntraced(function* (before: ImportResult, lines: Lines, failures: Failures) {
      const result = withFailures(before, failures)
      yield* keepFaults(faults, sheet, { project, id }, before, lines, failures)
      yield* save({ progress: percentOf(result, payload.rows), result: checkOf(result), checkpoint: null })
      return result
    }, transaction.run)

    const apply = Effect.fnUntraced(function* (before: ImportResult, lines: Lines) {
      const good = goodIn(lines)
      const changed = merged(good).map(({ email, data }) => ({
        email,
        data: { ...seen.get(email), ...dataChange(data).set }
      }))
      const { known, isTooLarge } = yield* store.foresee(project, changed)
      if (isTooLarge) return yield* dataTooLarge()
      const created = changed.filter(({ email }) => !known.has(email) && !seen.has(email)).length
      for (const { email, data } of changed) seen.set(email, data)
      return yield* settle(withSuccesses(before, good.length, created), lines, faultyIn(lines))
    })

    const start = { place: sheet.rows, result: nothing }
    return checkOf(yield* walk(sheet, payload, start, { apply, settle }))
  })
})
