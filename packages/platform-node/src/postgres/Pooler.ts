/**
 * A pooler in transaction mode, such as PgBouncer: each transaction may run on another connection to the server. So no
 * setting of a session can be sent when a connection begins; the role has the settings in this database instead.
 */
import { Effect, Schedule, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { DatabaseRefused, refusal, sessionSettings } from "./Postgres.ts"

/** A setting that a pooler does not pass on, and PostgreSQL keeps for the session. */
const mark = "posthorn.direct"

/** The settings of a session that must not go through a pooler. */
export const directSettings = (schema: string) => ({ ...sessionSettings(schema), [mark]: "on" })

/** A URL with its name for messages. */
interface Place {
  readonly sql: SqlClient.SqlClient
  /** What leads there: the name of a variable and the URL without its login. */
  readonly place: string
}

const Session = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({
      role: Schema.String,
      database: Schema.String,
      path: Schema.String,
      jit: Schema.String,
      cluster: Schema.String,
      marked: Schema.Boolean
    })
  ])
)

const session = ({ place, sql }: Place) =>
  sql`
    select session_user::text as role, current_database()::text as database, current_setting('search_path') as path,
           current_setting('jit') as jit, coalesce(current_setting(${mark}, true), '') = 'on' as marked,
           (select system_identifier::text from pg_control_system()) as cluster`.pipe(
    Effect.flatMap((rows) => Effect.orDie(Session(rows))),
    Effect.map(([row]) => row),
    Effect.mapError((error: SqlError.SqlError) => refusal(place, error))
  )

/** Fails if a pooler is between us and PostgreSQL. The session must have `directSettings`. */
export const isDirect = (direct: Place): Effect.Effect<void, DatabaseRefused> =>
  Effect.flatMap(session(direct), ({ marked }) =>
    marked
      ? Effect.void
      : new DatabaseRefused({ message: `${direct.place} is a pooler; it must be PostgreSQL itself.` })
  )

const statements = (role: string, database: string, schema: string) =>
  Object.entries(sessionSettings(schema)).map(
    ([setting, value]) => `ALTER ROLE ${role} IN DATABASE ${database} SET ${setting} = ${value};`
  )

const Kept = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({
      role: Schema.String,
      database: Schema.String,
      path: Schema.NullOr(Schema.String),
      jit: Schema.NullOr(Schema.String)
    })
  ])
)

/** Ends the sessions that the pooler keeps from before: a session has the settings of the role that it began with. */
const endEarlier = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, role: string) {
  const idle = sql`
    select pid from pg_stat_activity
    where usename = ${role} and datname = current_database() and state = 'idle' and pid <> pg_backend_pid()
      and backend_start < now()`
  const ended = yield* sql`select pid, pg_terminate_backend(pid) from (${idle}) as earlier`
  const pids = ended.map(({ pid }) => Number(pid))
  if (pids.length === 0) return
  yield* Effect.repeat(sql`select 1 from pg_stat_activity where pid = any(${pids}::int[])`, {
    schedule: Schedule.spaced("50 millis").pipe(Schedule.upTo({ duration: "5 seconds" })),
    until: (rows) => rows.length === 0
  })
})

/**
 * Gives the role its settings in this database, unless it has them, and ends its idle sessions without them. The role
 * is that of the pooled URL. Refuses to replace another search path: then the role is that of another application too.
 */
export const prepare = (
  direct: Place,
  { role, schema }: { readonly role: string; readonly schema: string }
): Effect.Effect<void, DatabaseRefused> => {
  const { place, sql } = direct
  const kept = (setting: string) => sql`
    (select substr(entry, strpos(entry, '=') + 1) from pg_db_role_setting, unnest(setconfig) as entry
     where setrole = roles.oid and setdatabase = (select oid from pg_database where datname = current_database())
       and entry like ${`${setting}=%`})`
  return sql
    .withTransaction(
      Effect.gen(function* () {
        yield* sql`select pg_advisory_xact_lock(hashtextextended(${`posthorn:${schema}`}, 0))`
        const rows = yield* sql`
          select quote_ident(rolname) as role, quote_ident(current_database()) as database,
                 ${kept("search_path")} as path, ${kept("jit")} as jit
          from pg_roles as roles where rolname = ${role}`
        if (rows.length === 0) return false
        const [found] = yield* Effect.orDie(Kept(rows))
        if (found.path !== null && found.path !== schema) {
          return yield* new DatabaseRefused({
            message: `The role ${found.role} has the search_path ${found.path} in the database ${found.database}: behind a pooler, Posthorn needs a role of its own.`
          })
        }
        if (found.path !== null && found.jit === "off") return false
        for (const statement of statements(found.role, found.database, schema)) yield* sql.unsafe(statement)
        return true
      })
    )
    .pipe(
      Effect.flatMap((isChanged) => (isChanged ? endEarlier(sql, role) : Effect.void)),
      Effect.catchTag("SqlError", (error) =>
        error.reason._tag === "AuthorizationError"
          ? new DatabaseRefused({
              message: `${place} may not change the role of the pooled connections. As an administrator run: ${statements(role, "<database>", schema).join(" ")}`
            })
          : Effect.fail(refusal(place, error))
      )
    )
}

/** Fails unless both lead to the same database, and pooled sessions have their settings. */
export const fits = Effect.fnUntraced(function* (
  pooled: Place,
  direct: Place,
  schema: string
): Effect.fn.Return<void, DatabaseRefused> {
  const [near, far] = [yield* session(pooled), yield* session(direct)]
  if (near.cluster !== far.cluster || near.database !== far.database) {
    return yield* new DatabaseRefused({ message: `${pooled.place} and ${direct.place} are different databases.` })
  }
  if (near.path === schema && near.jit === "off") return
  return yield* new DatabaseRefused({
    message: `${pooled.place} has sessions without our settings. 'posthorn migrate' gives them to the role of the URL; otherwise run: ${statements(near.role, near.database, schema).join(" ")} Then have the pooler connect anew (PgBouncer: RECONNECT).`
  })
})
