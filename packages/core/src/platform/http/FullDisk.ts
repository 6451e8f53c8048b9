/**
 * Detects that the disk of the database is full. The database still answers reads then, so the process tries to write
 * before it reports ready again.
 */
import { Effect, Result } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { elapsedMillis } from "../Elapsed.ts"

/** PostgreSQL's SQLSTATE for a full disk, and the error of the operating system. */
const codes: ReadonlyArray<unknown> = ["53100", "ENOSPC"]
const words = "No space left on device"
/** Most causes in a chain of errors that are checked. */
const deepest = 8

export const isDiskFull = (error: unknown): boolean => SqlError.isSqlError(error) && isFull(error, 0)

const isFull = (error: unknown, depth: number): boolean => {
  if (typeof error !== "object" || error === null || depth > deepest) return false
  if ("code" in error && codes.includes(error.code)) return true
  if ("message" in error && String(error.message).includes(words)) return true
  return ["cause", "reason"].some((name) => name in error && isFull(Reflect.get(error, name), depth + 1))
}

/** Milliseconds for which a process refuses new work after a full disk if it may not write a test row. */
const memory = 30_000

/** When a write of this process last failed with a full disk, by the monotonic clock. */
let lastMet: number | undefined

export const noteFull: Effect.Effect<void> = Effect.map(elapsedMillis, (now) => {
  lastMet = now
})

export const isRemembered = (): boolean => lastMet !== undefined

/** Counts the disk as not full until the next error. */
export const forget: Effect.Effect<void> = Effect.sync(() => {
  lastMet = undefined
})

/** Writes a megabyte and rolls it back. */
export const tryToWrite: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const written = sql`create temporary table posthorn_room on commit drop as
    select md5(n::text) as filler from generate_series(1, 16000) as n`
  yield* sql.withTransaction(Effect.andThen(written, Effect.fail("rolled back" as const))).pipe(
    Effect.catchIf(
      (error) => error === "rolled back",
      () => Effect.void
    )
  )
})

/** Whether the disk is still full, after a write of this process has failed. */
export const isStillFull = Effect.fnUntraced(function* <R>(write: Effect.Effect<void, SqlError.SqlError, R>) {
  if (lastMet === undefined) return false
  const met = lastMet
  const tried = yield* Effect.result(write)
  if (Result.isSuccess(tried)) {
    yield* forget
    return false
  }
  if (isDiskFull(tried.failure)) return true
  // The role may not create temporary tables, or the connection was lost. Neither says anything about the disk.
  return (yield* elapsedMillis) - met < memory
})
