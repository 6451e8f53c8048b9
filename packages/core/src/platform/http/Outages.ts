/** Storage that is down, restarting or full, or too many requests. Neither a bug nor the caller's fault. Pure. */
import { SqlError } from "effect/sql"
import { Overloaded } from "./Overloaded.ts"

const outages = new Set([
  "ConnectionError",
  "LockTimeoutError",
  "DeadlockError",
  "SerializationError",
  "StatementTimeoutError"
])

export const isOutage = (defect: unknown): boolean =>
  defect instanceof Overloaded ||
  (SqlError.isSqlError(defect) && (outages.has(defect.reason._tag) || isOutOfReach(defect.reason.cause)))

/**
 * SQLSTATE classes 08 (connection), 53 (out of disk, memory, connections), 57P (shutting down, starting up), 58, and
 * 25006 (read only: a standby, during a failover).
 */
const isOutOfReach = (cause: unknown): boolean =>
  typeof cause === "object" &&
  cause !== null &&
  (("code" in cause && /^(?:08|53|57P|58|25006)/.test(String(cause.code))) ||
    ("cause" in cause && isOutOfReach(cause.cause)))
