/** The database of this process: PostgreSQL, or the embedded one in the data folder (doors 2). */
import { PgClient } from "@effect/sql-pg"
import * as Pglite from "@posthorn/pglite"
import { Data, Duration, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Config } from "./Config.ts"
import { withoutLogin } from "./config/Addresses.ts"
import * as NotifyCarrier from "./nudges/NotifyCarrier.ts"

/** The start stops here: waiting would not help, somebody has to change something. */
export class DatabaseRefused extends Data.TaggedError("DatabaseRefused")<{ readonly message: string }> {}

/** `postgresql` with its host, or `embedded`: for people and readiness lines. */
export const describe = ({ databaseUrl }: Pick<Config, "databaseUrl">): string =>
  databaseUrl === undefined ? "embedded" : withoutLogin(Redacted.value(databaseUrl))

const maxConnections = 16
/** Bytes; attachments come back as one row, in hexadecimal. */
const maxMessageSize = 64 * 1024 * 1024
/** Tables live in a schema of their own. */
export const schema = "posthorn"
/** `server_version_num` of the oldest release that is tested. */
const oldestVersion = 150_000

const firstPause = Duration.millis(500)
const longestPause = Duration.seconds(15)

/** Of the error that PostgreSQL or the system gave. */
const codeOf = ({ reason }: SqlError.SqlError): Option.Option<string> =>
  typeof reason.cause === "object" && reason.cause !== null && "code" in reason.cause
    ? Option.some(String(reason.cause.code))
    : Option.none()

/** What the driver says where there is no code. */
const words = ({ reason }: SqlError.SqlError): string => reason.message?.replace(/^PgConnection: /, "") ?? reason._tag

/** The code, or the driver's words. */
const detail = (error: SqlError.SqlError): string => Option.getOrElse(codeOf(error), () => words(error))

/**
 * Errors of the system, a peer that says nothing or hangs up, and SQLSTATE classes 53 (no room for now) and 57P (starting
 * up, shutting down). The driver calls a URL that it cannot use a connection error too; that one stays.
 */
const passes = (error: SqlError.SqlError): boolean => {
  if (error.reason._tag !== "ConnectionError") return Option.exists(codeOf(error), (code) => /^(?:53|57P)/.test(code))
  return Option.isSome(codeOf(error)) || /timed out|closed|ended/i.test(words(error))
}

const refusals: { readonly [sqlState: string]: string } = {
  "28000": "does not let this user in",
  "28P01": "does not take this user and password",
  "3D000": "does not have this database; create it, or correct the URL"
}

const refusal = (place: string, error: SqlError.SqlError) => {
  const code = detail(error)
  return new DatabaseRefused({ message: `${place} ${refusals[code] ?? "cannot be used"} (${code}).` })
}

const serverVersion = (sql: SqlClient.SqlClient) =>
  Effect.map(sql`select current_setting('server_version_num')::int as version`, ([row]) => Number(row?.["version"]))

const noAnswer = (place: string, error: SqlError.SqlError) => `${place} does not answer (${detail(error)}).`

/** Waits with growing pauses for as long as the server only is not there yet. */
const awaited = (sql: SqlClient.SqlClient, place: string, pause = firstPause): Effect.Effect<number, DatabaseRefused> =>
  Effect.catch(serverVersion(sql), (error) => {
    if (!passes(error)) return Effect.fail(refusal(place, error))
    return Effect.logWarning(`${noAnswer(place, error)} Trying again in ${Duration.format(pause)}.`).pipe(
      Effect.andThen(Effect.sleep(pause)),
      Effect.andThen(Effect.suspend(() => awaited(sql, place, Duration.min(Duration.times(pause, 2), longestPause))))
    )
  })

const tried = (sql: SqlClient.SqlClient, place: string): Effect.Effect<number, DatabaseRefused> =>
  Effect.mapError(serverVersion(sql), (error) =>
    passes(error) ? new DatabaseRefused({ message: noAnswer(place, error) }) : refusal(place, error)
  )

const newEnough = (place: string, version: number) =>
  version >= oldestVersion
    ? Effect.void
    : new DatabaseRefused({ message: `${place} is PostgreSQL ${Math.floor(version / 10_000)}; 15 or newer is needed.` })

const postgres = (url: Redacted.Redacted<string>, version: typeof awaited) => {
  const place = withoutLogin(Redacted.value(url))
  const pool = PgClient.layer({
    url,
    maxConnections,
    maxMessageSize,
    applicationName: "posthorn",
    // To compile a statement takes longer than to run any of ours.
    startupParameters: { search_path: schema, jit: "off" }
  }).pipe(Layer.catchTag("SqlError", (error) => Layer.effectContext(refusal(place, error))))
  const answer = SqlClient.SqlClient.use((sql) =>
    Effect.flatMap(version(sql, place), (found) => newEnough(place, found))
  )
  return Layer.mergeAll(Layer.effectDiscard(answer), NotifyCarrier.layer(schema)).pipe(Layer.provideMerge(pool))
}

const embedded = (folder: string) =>
  Layer.catchTag(Pglite.layer({ folder }), "SqlError", (error) =>
    Layer.effectContext(refusal(`The embedded database in ${folder}`, error))
  )

type Wanted = Pick<Config, "databaseUrl" | "dataDir">
type Found = Layer.Layer<SqlClient.SqlClient, DatabaseRefused | Pglite.FolderInUse>

/** Is there when it is built: the server answers, or the folder is ours alone. */
export const layer = ({ databaseUrl, dataDir }: Wanted): Found =>
  databaseUrl === undefined ? embedded(dataDir) : postgres(databaseUrl, awaited)

/** The same, but a server that does not answer at once is refused. */
export const layerNow = ({ databaseUrl, dataDir }: Wanted): Found =>
  databaseUrl === undefined ? embedded(dataDir) : postgres(databaseUrl, tried)
