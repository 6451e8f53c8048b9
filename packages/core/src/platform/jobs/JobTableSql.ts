/** The rows of periodic jobs. Due times use the clock of the service; leases use the clock of the database. */
import { DateTime, Duration, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"

/** A holder that does not renew its lease for this time counts as dead. */
const lease = Duration.seconds(30)
const maxError = 1_000

const JobRow = Schema.Struct({
  name: Schema.String,
  dueAt: Schema.DateTimeUtcFromDate,
  held: Schema.Boolean,
  lastSuccessAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
type JobRow = typeof JobRow.Type
const rows = Schema.decodeUnknownEffect(Schema.Array(JobRow))
const names = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ name: Schema.String })))

/** `owner` identifies one run. A write counts only while the row still carries it. */
export const jobTable = (sql: SqlClient.SqlClient) => {
  const until = sql`clock_timestamp() + make_interval(secs => ${Duration.toSeconds(lease)})`
  const own = (name: string, owner: string) => sql`name = ${name} and owner = ${owner}::uuid`
  const counted = Effect.map((found: ReadonlyArray<unknown>) => found.length > 0)

  return {
    /** All jobs that have run, by name. */
    look: sql`
      select name, due_at as "dueAt", owner is not null and lease_until > clock_timestamp() as held,
             last_success_at as "lastSuccessAt"
      from periodic_jobs`.pipe(
      Effect.flatMap(rows),
      Effect.map((found): ReadonlyMap<string, JobRow> => new Map(found.map((row) => [row.name, row]))),
      Effect.orDie
    ),
    /** A new job is due at once. False when the job is due neither now nor at `due`, or another process runs it. */
    claim: (name: string, owner: string, now: DateTime.Utc, due = now) =>
      sql`
        insert into periodic_jobs as job (name, due_at, owner, lease_until)
        values (${name}, ${DateTime.toDate(now)}, ${owner}, ${until})
        on conflict (name) do update set owner = excluded.owner, lease_until = excluded.lease_until
        where (job.due_at <= excluded.due_at or job.due_at = ${DateTime.toDate(due)}) and (job.owner is null or job.lease_until <= clock_timestamp())
        returning name`.pipe(Effect.flatMap(names), counted, Effect.orDie),
    /** False when another process has taken over the run. */
    renew: (name: string, owner: string) =>
      sql`update periodic_jobs set lease_until = ${until} where ${own(name, owner)} returning name`.pipe(
        counted,
        Effect.orDie
      ),
    succeed: (name: string, owner: string, now: DateTime.Utc, due: DateTime.Utc) =>
      sql`
        update periodic_jobs set owner = null, lease_until = null, due_at = ${DateTime.toDate(due)},
               last_success_at = ${DateTime.toDate(now)}, last_error = null
        where ${own(name, owner)}`.pipe(Effect.asVoid, Effect.orDie),
    fail: (name: string, owner: string, error: string, due: DateTime.Utc) =>
      sql`
        update periodic_jobs set owner = null, lease_until = null, due_at = ${DateTime.toDate(due)},
               last_error = ${error.replaceAll("\0", "\uFFFD").slice(0, maxError)}
        where ${own(name, owner)}`.pipe(Effect.asVoid, Effect.orDie),
    /** The job stays due. Another process may take it at once. */
    giveBack: (name: string, owner: string) =>
      sql`update periodic_jobs set owner = null, lease_until = null where ${own(name, owner)}`.pipe(
        Effect.asVoid,
        Effect.orDie
      )
  }
}
