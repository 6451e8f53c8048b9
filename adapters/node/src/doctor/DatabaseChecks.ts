/** Checks of the database: whether it answers, has the schema of this program, and agrees with our clock. */

import { stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Migrations from "@posthorn/core/platform/migrations/index"
import * as SecretBox from "@posthorn/core/platform/SecretBox"
import * as SecretRotation from "@posthorn/core/service/secrets/SecretRotation"
import { holderOf } from "@posthorn/pglite"
import * as Postgres from "@posthorn/platform-node/postgres/Postgres"
import * as Replica from "@posthorn/platform-node/postgres/Replica"
import { DateTime, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Config } from "../Config.ts"
import * as Database from "../Database.ts"
import * as SecretFile from "../SecretFile.ts"
import { type Finding, failed, ok, skipped, warning } from "./Finding.ts"

const patience = "10 seconds"

/** With a larger difference between the two clocks, work runs at the wrong time. */
const tolerance = Duration.seconds(5)

const Time = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ now: Schema.DateTimeUtcFromDate, version: Schema.String })])
)

const migrations = Effect.map(Migrations.status, ({ applied, missing, unfinished, unknown }): Finding => {
  if (unknown.length > 0) {
    return failed(
      "migrations",
      `The database is newer than this program: ${unknown.join(", ")}.`,
      "Start a newer version of Posthorn."
    )
  }
  if (missing.length > 0) {
    return warning(
      "migrations",
      `${missing.length} are pending, from ${missing[0]} on.`,
      "Run 'posthorn migrate', or start without --no-migrate."
    )
  }
  const [first] = unfinished
  return ok(
    "migrations",
    first === undefined
      ? `All ${applied.length} are applied.`
      : `All ${applied.length} are applied. ${unfinished.length} steps remain for workers or 'posthorn migrate --finish': ${Migrations.describeUnfinished(first)}.`
  )
})

/** The database returned its time at some moment between our two readings. */
const clock = (asked: DateTime.Utc, told: DateTime.Utc, answered: DateTime.Utc): Finding => {
  const at = DateTime.toEpochMillis(told)
  const skew = Duration.millis(Math.max(0, DateTime.toEpochMillis(asked) - at, at - DateTime.toEpochMillis(answered)))
  return Duration.isGreaterThan(skew, tolerance)
    ? failed(
        "clock",
        `The clocks of this machine and the database differ by ${Duration.format(skew)}.`,
        "Synchronise both with NTP, for example with chrony."
      )
    : ok("clock", "The clocks of this machine and the database agree.")
}

/**
 * Only for a database server. The embedded database has no such extension and is not meant for audiences that need it.
 */
const search = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [row] = yield* sql`
    select to_regclass('contacts') is null or to_regclass('contacts_search') is not null as fine`
  return row?.["fine"] === true
    ? ok("search", "The index for the search of contacts exists.")
    : warning(
        "search",
        "The search of contacts reads every address of a project, because the database user could not create the extension pg_trgm.",
        `Ask an administrator to run: create extension if not exists pg_trgm; create index contacts_search on ${Database.schema}.contacts using gin (email gin_trgm_ops);`
      )
})

const isLoopback = (host: string) => /^(?:127\.[\d.]+|::1|localhost)$/.test(host)

/** No finding if sign-ups are not open for a first account, or if only this machine reaches the server. */
const signups = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { settings, host, publicUrl }: Config) {
  if (settings.signups !== "first" || (isLoopback(host) && publicUrl === undefined)) return []
  const [table] = yield* sql`select to_regclass('users') is not null as there`
  const people = table?.["there"] === true ? yield* sql`select 1 from users limit 1` : []
  return people.length > 0
    ? []
    : [
        warning(
          "sign-ups",
          "There is no account yet, so anyone who can reach the server can create the first one.",
          "Run 'posthorn accounts create', or set POSTHORN_DISABLE_SIGNUPS=true."
        )
      ]
})

/** Whether the encrypted data of the installation can be decrypted, and whether the current secret is enough. */
const secrets = Effect.fnUntraced(function* (config: Config) {
  const counts = yield* SecretRotation.SecretRotation.use(({ status }) => status).pipe(
    Effect.provide(
      SecretRotation.layer.pipe(
        Layer.provide(SecretBox.layer),
        Layer.provide(SecretFile.layer(config)),
        Layer.provide([NodeServices.layer, NodeCrypto.layer])
      )
    )
  )
  const sum = (of: "previous" | "lost") => counts.reduce((total, count) => total + count[of], 0)
  const [previous, lost] = [sum("previous"), sum("lost")]
  if (lost > 0) {
    return failed(
      "secrets",
      `No secret decrypts ${lost} values: ${counts.flatMap((count) => (count.lost > 0 ? [count.what] : [])).join(", ")}.`,
      "Add the secret that encrypted them to POSTHORN_SECRET_PREVIOUS, and run 'posthorn secrets rotate'."
    )
  }
  if (previous > 0) {
    return warning(
      "secrets",
      `${previous} encrypted values need a secret of POSTHORN_SECRET_PREVIOUS.`,
      "Run 'posthorn secrets rotate', or start a worker, which does the same."
    )
  }
  return config.secretPrevious.length === 0
    ? ok("secrets", "POSTHORN_SECRET decrypts all values.")
    : ok("secrets", "Only older links and sessions still need a secret of POSTHORN_SECRET_PREVIOUS.")
})

/** No finding without a replica. */
const replica = Effect.fnUntraced(function* (primary: SqlClient.SqlClient, { databaseRead }: Config) {
  if (databaseRead === undefined) return []
  const { maxAge, url } = databaseRead
  const settings = Postgres.sessionSettings(Database.schema)
  const state = yield* SqlClient.SqlClient.use((sql) => Replica.stateOf(primary, sql)).pipe(
    Effect.provide(Postgres.layer({ url, settings, maxConnections: 1 }))
  )
  const found = Replica.describe(state, `POSTHORN_DATABASE_READ_URL (${Postgres.withoutLogin(Redacted.value(url))})`)
  if (Replica.isFresh(state, maxAge)) return [ok("read replica", found)]
  const fix =
    state._tag === "Age"
      ? "Look at pg_stat_replication on the primary, or raise POSTHORN_DATABASE_READ_MAX_AGE_SECONDS."
      : "Correct POSTHORN_DATABASE_READ_URL, or remove it."
  return [warning("read replica", `${found} The primary answers in its place.`, fix)]
})

const look = Effect.fnUntraced(function* (config: Config) {
  const isEmbedded = config.databaseUrl === undefined
  const sql = yield* SqlClient.SqlClient
  const asked = yield* DateTime.now
  const rows = yield* sql`select clock_timestamp() as now, current_setting('server_version') as version`
  const [{ now, version }] = yield* Time(rows)
  const answered = yield* DateTime.now
  const schema = yield* migrations
  return [
    ok("database", `PostgreSQL ${version} answers.`),
    schema,
    ...(schema.state === "ok" ? [yield* secrets(config)] : []),
    ...(isEmbedded ? [] : [yield* search(sql)]),
    clock(asked, now, answered),
    ...(yield* replica(sql, config)),
    ...(yield* signups(sql, config))
  ]
})

const hasDatabase = (dataDir: string) => Effect.isSuccess(Effect.tryPromise(() => stat(join(dataDir, "database"))))

const fixes = {
  embedded: "Choose another folder with POSTHORN_DATA_DIR, or restore this one from a backup.",
  served: "Check POSTHORN_DATABASE_URL, and that the server runs and this machine can reach it."
}

export const databaseChecks = Effect.fn("Doctor.database")(function* (config: Config) {
  const { databaseUrl, dataDir } = config
  const holder = databaseUrl === undefined ? yield* holderOf(resolve(dataDir)) : undefined
  if (holder !== undefined) {
    return [skipped("database", `Process ${holder} uses ${dataDir}; see its /ready. Stop it to check the database.`)]
  }
  if (databaseUrl === undefined && !(yield* hasDatabase(dataDir))) {
    return [skipped("database", `There is no database in ${dataDir} yet; the first start creates it.`)]
  }
  const place =
    databaseUrl === undefined
      ? `The embedded database in ${dataDir}`
      : Postgres.withoutLogin(Redacted.value(databaseUrl))
  const fix = databaseUrl === undefined ? fixes.embedded : fixes.served
  return yield* look(config).pipe(
    Effect.provide(Database.layerNow(config)),
    Effect.timeoutOption(patience),
    Effect.map(Option.getOrElse(() => [failed("database", `${place} does not answer.`, fix)])),
    Effect.catchTag(["DatabaseRefused", "FolderInUse"], (error) =>
      Effect.succeed([failed("database", error.message, fix)])
    ),
    Effect.catchCause((cause) =>
      Effect.as(Effect.logDebug("The database could not be checked", cause), [
        failed("database", `${place} cannot be used.`, fix)
      ])
    )
  )
})
