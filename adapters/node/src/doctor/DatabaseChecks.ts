/** The database: does it answer, has it the schema of this program, does its clock agree with ours. */

import { stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import * as Migrations from "@posthorn/core/migrations/index"
import { holderOf } from "@posthorn/pglite"
import { DateTime, Duration, Effect, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Config } from "../Config.ts"
import { withoutLogin } from "../config/Addresses.ts"
import * as Database from "../Database.ts"
import { type Finding, failed, ok, skipped, warning } from "./Finding.ts"

const patience = "10 seconds"

/** More than this between the two clocks, and what is due is due at the wrong time. */
const tolerance = Duration.seconds(5)

const Time = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ now: Schema.DateTimeUtcFromDate, version: Schema.String })])
)

const migrations = Effect.map(Migrations.status, ({ applied, missing, unknown }): Finding => {
  if (unknown.length > 0) {
    return failed(
      "migrations",
      `The database is newer than this program: ${unknown.join(", ")}.`,
      "Start a newer version of Posthorn."
    )
  }
  return missing.length > 0
    ? warning(
        "migrations",
        `${missing.length} are missing, from ${missing[0]} on.`,
        "Run 'posthorn migrate'; a start without --no-migrate does it too."
      )
    : ok("migrations", `All ${applied.length} are there.`)
})

/** The database told its time at some moment between the two of ours. */
const clock = (asked: DateTime.Utc, told: DateTime.Utc, answered: DateTime.Utc): Finding => {
  const at = DateTime.toEpochMillis(told)
  const skew = Duration.millis(Math.max(0, DateTime.toEpochMillis(asked) - at, at - DateTime.toEpochMillis(answered)))
  return Duration.isGreaterThan(skew, tolerance)
    ? failed(
        "clock",
        `This machine and the database are ${Duration.format(skew)} apart.`,
        "Keep both on time with NTP, for example with chrony."
      )
    : ok("clock", "This machine and the database agree.")
}

/** On a server only: the embedded database has no such extension, and is not made for audiences that need it. */
const search = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [row] = yield* sql`
    select to_regclass('contacts') is null or to_regclass('contacts_search') is not null as fine`
  return row?.["fine"] === true
    ? ok("search", "The search of contacts has its index.")
    : warning(
        "search",
        "The search of contacts reads every address of a project: the database user could not create the extension pg_trgm.",
        `Let an administrator run: create extension if not exists pg_trgm; create index contacts_search on ${Database.schema}.contacts using gin (email gin_trgm_ops);`
      )
})

const look = Effect.fnUntraced(function* (isEmbedded: boolean) {
  const sql = yield* SqlClient.SqlClient
  const asked = yield* DateTime.now
  const rows = yield* sql`select clock_timestamp() as now, current_setting('server_version') as version`
  const [{ now, version }] = yield* Time(rows)
  return [
    ok("database", `PostgreSQL ${version} answers.`),
    yield* migrations,
    ...(isEmbedded ? [] : [yield* search(sql)]),
    clock(asked, now, yield* DateTime.now)
  ]
})

const hasDatabase = (dataDir: string) => Effect.isSuccess(Effect.tryPromise(() => stat(join(dataDir, "database"))))

const fixes = {
  embedded: "Choose another folder with POSTHORN_DATA_DIR, or restore this one from a backup.",
  served: "Check POSTHORN_DATABASE_URL, and that the server runs and can be reached from here."
}

export const databaseChecks = Effect.fn("Doctor.database")(function* (config: Config) {
  const { databaseUrl, dataDir } = config
  const holder = databaseUrl === undefined ? yield* holderOf(resolve(dataDir)) : undefined
  if (holder !== undefined) {
    return [
      skipped(
        "database",
        `Process ${holder} runs on ${dataDir}; its /ready tells how it is. Stop it to look at the database itself.`
      )
    ]
  }
  if (databaseUrl === undefined && !(yield* hasDatabase(dataDir))) {
    return [skipped("database", `There is none in ${dataDir} yet; the first start makes it.`)]
  }
  const place =
    databaseUrl === undefined ? `The embedded database in ${dataDir}` : withoutLogin(Redacted.value(databaseUrl))
  const fix = databaseUrl === undefined ? fixes.embedded : fixes.served
  return yield* look(databaseUrl === undefined).pipe(
    Effect.provide(Database.layerNow(config)),
    Effect.timeoutOption(patience),
    Effect.map(Option.getOrElse(() => [failed("database", `${place} does not answer.`, fix)])),
    Effect.catchTag(["DatabaseRefused", "FolderInUse"], (error) =>
      Effect.succeed([failed("database", error.message, fix)])
    ),
    Effect.catchCause((cause) =>
      Effect.as(Effect.logDebug("The database could not be looked at", cause), [
        failed("database", `${place} cannot be used.`, fix)
      ])
    )
  )
})
