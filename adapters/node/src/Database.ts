/** The database of this process: PostgreSQL, or the embedded database in the data folder. */
import type { FolderInUse } from "@posthorn/pglite"
import * as Embedded from "@posthorn/platform-node/Embedded"
import type { PackageMissing } from "@posthorn/platform-node/OptionalPackage"
import * as Postgres from "@posthorn/platform-node/postgres/Postgres"
import * as NotifyWakeups from "@posthorn/platform-node/wakeups/NotifyWakeups"
import { Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import type { Config } from "./Config.ts"

/** `postgresql` with its host, or `embedded`, for people and for readiness lines. */
export const describe = ({ databaseUrl }: Pick<Config, "databaseUrl">): string =>
  databaseUrl === undefined ? "embedded" : Postgres.withoutLogin(Redacted.value(databaseUrl))

const maxConnections = 16
/** The schema that holds the tables. */
export const schema = "posthorn"

const postgres = (url: Redacted.Redacted<string>, answers: typeof Postgres.answers) =>
  Layer.mergeAll(
    Layer.effectDiscard(answers(Postgres.withoutLogin(Redacted.value(url)))),
    NotifyWakeups.layer(schema)
  ).pipe(Layer.provideMerge(Postgres.layer({ url, schema, maxConnections })))

type Wanted = Pick<Config, "databaseUrl" | "dataDir">
type Found = Layer.Layer<SqlClient.SqlClient, FolderInUse | PackageMissing | Postgres.DatabaseRefused>

/** Ready when the layer is built: the server answers, or the folder is locked for this process. */
export const layer = ({ databaseUrl, dataDir }: Wanted): Found =>
  databaseUrl === undefined ? Embedded.layer({ folder: dataDir }) : postgres(databaseUrl, Postgres.answersInTime)

/** The same, but fails at once if the server does not answer. */
export const layerNow = ({ databaseUrl, dataDir }: Wanted): Found =>
  databaseUrl === undefined ? Embedded.layer({ folder: dataDir }) : postgres(databaseUrl, Postgres.answers)
