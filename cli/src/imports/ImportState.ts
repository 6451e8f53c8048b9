/**
 * How far an import is, in a file. It is written after each page, so an import that was killed goes on with the page
 * that it had begun. Everything that a page stores has a name of its own here, so storing it again changes nothing.
 */
import { Effect, FileSystem, Option, Schema } from "effect"
import { CommandFailure, wrongUsage } from "../Failure.ts"

const ImportCounts = Schema.Struct({
  /** Read from the source. */
  read: Schema.Int,
  created: Schema.Int,
  /** Here already, and perhaps changed. */
  existing: Schema.Int,
  /** Not stored. */
  refused: Schema.Int
})
export type ImportCounts = typeof ImportCounts.Type

const ImportStage = Schema.Struct({
  /** The page to read next; null: the first. */
  cursor: Schema.NullOr(Schema.String),
  isDone: Schema.Boolean,
  counts: ImportCounts
})
export type ImportStage = typeof ImportStage.Type

export const ImportProblem = Schema.Struct({ what: Schema.String, why: Schema.String })
export type ImportProblem = typeof ImportProblem.Type

export const ImportState = Schema.Struct({
  version: Schema.Literal(1),
  source: Schema.String,
  sourceUrl: Schema.String,
  /** The project that it imports into. */
  project: Schema.String,
  stages: Schema.Record(Schema.String, ImportStage),
  /** Segments here, by their ids at the source. */
  segments: Schema.Record(Schema.String, Schema.String),
  /** Keys of topics here, by the ids of the topics at the source. */
  topics: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  /** The first problems. */
  problems: Schema.Array(ImportProblem),
  problemCount: Schema.Int
})
export type ImportState = typeof ImportState.Type

export const noCounts: ImportCounts = { read: 0, created: 0, existing: 0, refused: 0 }
export const newStage: ImportStage = { cursor: null, isDone: false, counts: noCounts }

/** Problems in the file and the report. All are counted. */
const mostProblems = 200

export const withProblems = (state: ImportState, found: ReadonlyArray<ImportProblem>): ImportState => ({
  ...state,
  problems: [...state.problems, ...found].slice(0, mostProblems),
  problemCount: state.problemCount + found.length
})

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(ImportState))

/** The state of the file; none if there is no such file. */
export const read = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.option(fs.readFileString(file))
  if (Option.isNone(text)) return Option.none<ImportState>()
  const state = yield* Effect.mapError(decode(text.value), () =>
    wrongUsage(`${file} is not the state of an import.`, "Name another file with --state.")
  )
  return Option.some(state)
})

/** A new file replaces the old one at once, so a kill leaves one of them. */
export const write = Effect.fnUntraced(function* (file: string, state: ImportState) {
  const fs = yield* FileSystem.FileSystem
  const fresh = `${file}.${process.pid}`
  yield* fs.writeFileString(fresh, `${JSON.stringify(state)}\n`, { mode: 0o600 }).pipe(
    Effect.andThen(fs.rename(fresh, file)),
    Effect.mapError(
      ({ reason }) =>
        new CommandFailure({
          exit: "failed",
          code: "FILE_NOT_WRITTEN",
          message: `The file ${file} cannot be written (${reason._tag}).`
        })
    )
  )
})
