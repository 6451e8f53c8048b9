/** Converts errors of the application's driver to the errors of Effect's driver. */
import { SqlError } from "effect/sql"

const textOf = (cause: object, ...names: ReadonlyArray<string>): string | undefined => {
  for (const name of names) {
    const value: unknown = Reflect.get(cause, name)
    if (typeof value === "string") return value
  }
  return undefined
}

/** By SQLSTATE. An error without one comes from the connection. */
const reasonOf = (code: string | undefined, constraint: string, props: { cause: unknown; message: string }) => {
  if (code === undefined || !/^[0-9A-Z]{5}$/.test(code) || code.startsWith("08"))
    return new SqlError.ConnectionError(props)
  if (code === "23505") return new SqlError.UniqueViolation({ ...props, constraint })
  if (code.startsWith("23")) return new SqlError.ConstraintError(props)
  if (code === "40P01") return new SqlError.DeadlockError(props)
  if (code === "40001") return new SqlError.SerializationError(props)
  if (code === "55P03") return new SqlError.LockTimeoutError(props)
  if (code === "57014") return new SqlError.StatementTimeoutError(props)
  return new SqlError.UnknownError(props)
}

/** `pg` and `postgres` use different names for the fields of PostgreSQL's error. */
export const sqlError = (thrown: unknown): SqlError.SqlError => {
  const cause = typeof thrown === "object" && thrown !== null ? thrown : { message: String(thrown) }
  const code = textOf(cause, "code")
  const constraint = textOf(cause, "constraint", "constraint_name") ?? "unknown"
  const message = textOf(cause, "message") ?? "The driver failed."
  return new SqlError.SqlError({
    reason: reasonOf(code, constraint, { cause: { code, constraint, message }, message })
  })
}
