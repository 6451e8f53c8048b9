/** The database of this process: PostgreSQL, or the embedded database in the data folder. */
import type { FolderInUse } from "@posthorn/pglite"
import * as Embedded from "@posthorn/platform-node/Embedded"
import type { PackageMissing } from "@posthorn/platform-node/OptionalPackage"
import * as Pooler from "@posthorn/platform-node/postgres/Pooler"
import * as Postgres from "@posthorn/platform-node/postgres/Postgres"
import * as Replica from "@posthorn/platform-node/postgres/Replica"
import type { NatsRefused } from "@posthorn/platform-node/wakeups/NatsWakeups"
import * as NotifyWakeups from "@posthorn/platform-node/wakeups/NotifyWakeups"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { Config } from "./Config.ts"
import { variables } from "./config/Variables.ts"
import * as Edge from "./Edge.ts"

/** `postgresql` with its host, or `embedded`, for people and for readiness lines. */
export const describe = ({ databaseUrl }: Pick<Config, "databaseUrl">): string =>
  databaseUrl === undefined ? "embedded" : Postgres.withoutLogin(Redacted.value(databaseUrl))

/** One that listens for wake-ups, one that migrates, and one that holds its claim meanwhile. */
const directConnections = 3
/** The schema that holds the tables. */
export const schema = "posthorn"

/**
 * The client for work that needs a session of its own or takes long. Without a pooler, it is the other one. A service,
 * because the start and the layers of this process share its connections.
 */
export class DirectSql extends Context.Service<DirectSql, SqlClient.SqlClient>()("@posthorn/node/DirectSql") {}

/** Builds a layer on the direct connection. */
export const directly = <E, R>(
  layer: Layer.Layer<never, E, R>
): Layer.Layer<never, E, DirectSql | Exclude<R, SqlClient.SqlClient>> =>
  Layer.provide(layer, Layer.effect(SqlClient.SqlClient, DirectSql))

type Wanted = Pick<
  Config,
  "databaseConnections" | "databaseDirectUrl" | "databaseRead" | "databaseUrl" | "dataDir" | "nats"
>
type Refused = FolderInUse | NatsRefused | PackageMissing | Postgres.DatabaseRefused
type Found = Layer.Layer<DirectSql | SqlClient.SqlClient, Refused>

const alone = Layer.effect(DirectSql, SqlClient.SqlClient)

/** What wakes the other processes. */
const wakeups = (nats: Config["nats"]) => (nats === undefined ? NotifyWakeups.layer(schema) : Edge.nats(nats))

const postgres = (
  url: Redacted.Redacted<string>,
  { databaseConnections: maxConnections, nats }: Wanted,
  answers: typeof Postgres.answers
) =>
  Layer.mergeAll(alone, Layer.effectDiscard(answers(Postgres.withoutLogin(Redacted.value(url)))), wakeups(nats)).pipe(
    Layer.provideMerge(Postgres.layer({ url, settings: Postgres.sessionSettings(schema), maxConnections })),
    Layer.catchTag("DatabaseRefused", (refused) =>
      Layer.effectContext(
        Effect.fail(
          refused.code === Postgres.refusedByPooler
            ? new Postgres.DatabaseRefused({
                message: `${refused.message} Set ${variables.databaseDirectUrl.name} to the URL of PostgreSQL itself.`
              })
            : refused
        )
      )
    )
  )

const placeOf = ({ name }: { readonly name: string }, url: Redacted.Redacted<string>) =>
  `${name} (${Postgres.withoutLogin(Redacted.value(url))})`

const roleOf = (url: Redacted.Redacted<string>) => decodeURIComponent(URL.parse(Redacted.value(url))?.username ?? "")

type Pair = { readonly pooled: Redacted.Redacted<string>; readonly direct: Redacted.Redacted<string> }

const prepare = (sql: SqlClient.SqlClient, urls: Pair) =>
  Pooler.prepare(
    { sql, place: placeOf(variables.databaseDirectUrl, urls.direct) },
    { role: roleOf(urls.pooled), schema }
  )

/** The direct connection is checked first, and gives the role its settings before the first pooled session begins. */
const pooled = (
  urls: Pair,
  { databaseConnections: maxConnections, nats }: Wanted,
  { answers, prepares }: { readonly answers: typeof Postgres.answers; readonly prepares: boolean }
) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const opened = yield* Layer.build(
        Postgres.layer({
          url: urls.direct,
          settings: Pooler.directSettings(schema),
          maxConnections: directConnections
        })
      )
      const sql = Context.get(opened, SqlClient.SqlClient)
      const direct = { sql, place: placeOf(variables.databaseDirectUrl, urls.direct) }
      yield* Effect.provideContext(answers(direct.place), opened)
      yield* Pooler.isDirect(direct)
      if (prepares) yield* prepare(sql, urls)

      const shared = yield* Layer.build(Postgres.layer({ url: urls.pooled, settings: undefined, maxConnections }))
      const client = Context.get(shared, SqlClient.SqlClient)
      const place = placeOf(variables.databaseUrl, urls.pooled)
      yield* Effect.provideContext(answers(place), shared)
      yield* Pooler.fits({ sql: client, place }, direct, schema)

      const pair = Context.add(opened, SqlClient.SqlClient, client)
      const waking = yield* Effect.provideContext(Layer.build(wakeups(nats)), pair)
      return Context.merge(waking, Context.make(SqlClient.SqlClient, client).pipe(Context.add(DirectSql, sql)))
    })
  )

const layerOf = (
  wanted: Wanted,
  options: { readonly answers: typeof Postgres.answers; readonly prepares: boolean }
): Found => {
  const { databaseDirectUrl, databaseUrl, dataDir } = wanted
  if (databaseUrl === undefined) return Layer.provideMerge(alone, Embedded.layer({ folder: dataDir }))
  if (databaseDirectUrl === undefined) return postgres(databaseUrl, wanted, options.answers)
  return pooled({ pooled: databaseUrl, direct: databaseDirectUrl }, wanted, options)
}

/** Ready when the layer is built: the server answers, or the folder is locked for this process. */
export const layer = (wanted: Wanted): Found => {
  const found = layerOf(wanted, { answers: Postgres.answersInTime, prepares: true })
  const { databaseConnections: maxConnections, databaseRead } = wanted
  return databaseRead === undefined
    ? found
    : Layer.provideMerge(Replica.layer({ ...databaseRead, schema, maxConnections }), found)
}

/** The same, but fails at once if the server does not answer, and changes nothing. It wakes no other process by NATS. */
export const layerNow = (wanted: Wanted): Found =>
  layerOf({ ...wanted, nats: undefined }, { answers: Postgres.answers, prepares: false })

/** For one command: it connects without the pooler. */
export const layerDirect = ({ databaseDirectUrl, ...wanted }: Wanted): Found =>
  layerNow({ ...wanted, databaseDirectUrl: undefined, databaseUrl: databaseDirectUrl ?? wanted.databaseUrl })

/** With a pooler: gives the role of the pooled URL the settings that its sessions need. */
export const preparePooled = ({ databaseDirectUrl, databaseUrl }: Wanted) =>
  databaseUrl === undefined || databaseDirectUrl === undefined
    ? Effect.void
    : SqlClient.SqlClient.use((sql) => prepare(sql, { pooled: databaseUrl, direct: databaseDirectUrl }))
