/** The connection pool of a PostgreSQL server, and one sentence for each reason why the server cannot be used. */
import { PgClient } from "@effect/sql-pg"
import { Data, Duration, Effect, Layer, Option, Predicate, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/** The start fails with it, because waiting does not help: the configuration or the server must change. */
export class DatabaseRefused extends Data.TaggedError("DatabaseRefused")<{
  readonly message: string
  /** The error code of PostgreSQL or of the system, if one was the reason. */
  readonly code?: string
}> {}

/** In bytes. Attachments are returned as one row, in hexadecimal. */
const maxMessageSize = 64 * 1024 * 1024
/** `server_version_num` of the oldest release that is tested. */
const oldestVersion = 150_000

const firstPause = Duration.millis(500)
const longestPause = Duration.seconds(15)

/** The error code of PostgreSQL or of the system. */
const codeOf = ({ reason }: SqlError.SqlError): Option.Option<string> =>
  Predicate.hasProperty(reason.cause, "code") && Predicate.isString(reason.cause.code)
    ? Option.some(reason.cause.code)
    : Option.none()

/** The message of the driver if there is no code. */
const words = ({ reason }: SqlError.SqlError): string => reason.message?.replace(/^PgConnection: /, "") ?? reason._tag

/** The code, or the message of the driver. */
const detail = (error: SqlError.SqlError): string => Option.getOrElse(codeOf(error), () => words(error))

/**
 * Whether a retry can help: for errors of the system, a peer that does not answer or disconnects, and SQLSTATE classes
 * 53 (insufficient resources) and 57P (starting up, shutting down). The driver also reports an unusable URL as a
 * connection error; a retry does not help there.
 */
const passes = (error: SqlError.SqlError): boolean => {
  if (Option.contains(codeOf(error), refusedByPooler)) return false
  if (error.reason._tag !== "ConnectionError") return Option.exists(codeOf(error), (code) => /^(?:53|57P)/.test(code))
  return Option.isSome(codeOf(error)) || /timed out|closed|ended/i.test(words(error))
}

/** How a pooler such as PgBouncer answers settings of a session that it cannot keep. */
export const refusedByPooler = "08P01"

const refusals: { readonly [sqlState: string]: string } = {
  "28000": "does not allow this user to connect",
  "28P01": "does not accept this user and password",
  "3D000": "does not have this database; create it, or correct the URL",
  [refusedByPooler]: "is a pooler: it refuses the settings of our sessions"
}

/** Why the database at `place` cannot be used, in one sentence. */
export const refusal = (place: string, error: SqlError.SqlError) => {
  const code = detail(error)
  return new DatabaseRefused({ message: `${place} ${refusals[code] ?? "cannot be used"} (${code}).`, code })
}

const noAnswer = (place: string, error: SqlError.SqlError) => `${place} does not answer (${detail(error)}).`

/** The server cannot be used now, but may be later. */
class Unready extends Data.TaggedError("Unready")<{ readonly message: string }> {}

/** The version of a server that can be written to. */
const serverVersion = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, place: string) {
  const [row] = yield* sql`
    select current_setting('server_version_num')::int as version, pg_is_in_recovery() as standby`.pipe(
    Effect.mapError((error) =>
      passes(error) ? new Unready({ message: noAnswer(place, error) }) : refusal(place, error)
    )
  )
  if (row?.["standby"] === true)
    return yield* new Unready({ message: `${place} is a standby, and cannot be written to.` })
  return Number(row?.["version"])
})

const awaited = (sql: SqlClient.SqlClient, place: string, pause = firstPause): Effect.Effect<number, DatabaseRefused> =>
  Effect.catchTag(serverVersion(sql, place), "Unready", ({ message }) =>
    Effect.logWarning(`${message} Trying again in ${Duration.format(pause)}.`).pipe(
      Effect.andThen(Effect.sleep(pause)),
      Effect.andThen(Effect.suspend(() => awaited(sql, place, Duration.min(Duration.times(pause, 2), longestPause))))
    )
  )

const tried = (sql: SqlClient.SqlClient, place: string): Effect.Effect<number, DatabaseRefused> =>
  Effect.catchTag(serverVersion(sql, place), "Unready", ({ message }) => new DatabaseRefused({ message }))

const newEnough = (place: string, version: number) =>
  version >= oldestVersion
    ? Effect.void
    : new DatabaseRefused({
        message: `${place} is PostgreSQL ${Math.floor(version / 10_000)}; 15 or newer is required.`
      })

/** Checks that the database at `place` answers at once, can be written to, and is new enough. */
export const answers = (place: string): Effect.Effect<void, DatabaseRefused, SqlClient.SqlClient> =>
  SqlClient.SqlClient.use((sql) => Effect.flatMap(tried(sql, place), (version) => newEnough(place, version)))

/** The same, but waits with growing pauses while the server is unavailable or a standby. */
export const answersInTime = (place: string): Effect.Effect<void, DatabaseRefused, SqlClient.SqlClient> =>
  SqlClient.SqlClient.use((sql) => Effect.flatMap(awaited(sql, place), (version) => newEnough(place, version)))

/** The URL without login and options, for messages. */
export const withoutLogin = (text: string): string => {
  const url = URL.parse(text)
  return url === null ? "(not a URL)" : `${url.protocol}//${url.host}${url.pathname === "/" ? "" : url.pathname}`
}

/** The settings that every session needs. Compiling a statement takes longer than running any statement of ours. */
export const sessionSettings = (schema: string) => ({ search_path: schema, jit: "off" })

export interface Options {
  readonly url: Redacted.Redacted<string>
  readonly maxConnections: number
  /**
   * The settings of each session, sent when it begins. Undefined behind a pooler in transaction mode, where the role of
   * the database has them (`Pooler.ts`) and statements are not prepared by name.
   */
  readonly settings: Readonly<Record<string, string>> | undefined
}

export const layer = ({
  maxConnections,
  settings,
  url
}: Options): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, DatabaseRefused> =>
  PgClient.layer({
    url,
    maxConnections,
    maxMessageSize,
    applicationName: "posthorn",
    ...(settings === undefined ? { prepare: false } : { startupParameters: settings })
  }).pipe(Layer.catchTag("SqlError", (error) => Layer.effectContext(refusal(withoutLogin(Redacted.value(url)), error))))
