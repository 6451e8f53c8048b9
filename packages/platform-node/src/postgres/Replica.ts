/**
 * Reads from a streaming replica while it is fresh, and from the primary otherwise. The age of the replica is that of
 * the newest commit it has replayed, if the primary has written more since; so a quiet primary has a fresh replica.
 */
import { PgClient } from "@effect/sql-pg"
import { ReadSqlClient } from "@posthorn/core/platform/ReadSqlClient"
import { Duration, Effect, Layer, Metric, Redacted, Ref, Schema } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { layer as connections, sessionSettings, withoutLogin } from "./Postgres.ts"

const ageGauge = Metric.gauge("posthorn_replica_age_seconds", {
  description: "Age of the data of the read replica; -1 if it does not answer"
})
const useGauge = Metric.gauge("posthorn_replica_used", { description: "1 while reads use the replica, otherwise 0" })

const every = Duration.seconds(1)
/** A replica that answers later is not used. */
const patience = Duration.seconds(1)

const Written = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ position: Schema.String, now: Schema.Date, identity: Schema.String })])
)
const Replayed = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({ isCurrent: Schema.Boolean, replayedAt: Schema.NullOr(Schema.Date), identity: Schema.String })
  ])
)

/** The same on a primary and its physical replicas. */
const identity = (sql: SqlClient.SqlClient) =>
  sql`(select system_identifier::text from pg_control_system()) || '/' || current_database()`

export type ReplicaState =
  | { readonly _tag: "Age"; readonly age: Duration.Duration }
  | { readonly _tag: "Unreachable" }
  | { readonly _tag: "OtherDatabase" }

/** How old the data of the replica is. Fails if the primary does not answer. */
export const stateOf = Effect.fnUntraced(function* (primary: SqlClient.SqlClient, replica: SqlClient.SqlClient) {
  const [written] = yield* Effect.flatMap(
    primary`select pg_current_wal_lsn()::text as position, clock_timestamp() as now, ${identity(primary)} as identity`,
    Written
  )
  // In recovery, the position is the last one that was replayed.
  const asked = replica`
    select coalesce(pg_last_wal_replay_lsn(), '0/0') >= ${written.position}::pg_lsn as "isCurrent",
           pg_last_xact_replay_timestamp() as "replayedAt", ${identity(replica)} as identity`
  const found = yield* Effect.flatMap(asked, Replayed).pipe(
    Effect.timeout(patience),
    Effect.map(([row]) => row),
    Effect.catchCause((cause) => Effect.as(Effect.logDebug("The read replica does not answer", cause), undefined))
  )
  if (found === undefined) return { _tag: "Unreachable" } satisfies ReplicaState
  if (found.identity !== written.identity) return { _tag: "OtherDatabase" } satisfies ReplicaState
  const behind =
    found.replayedAt === null ? Duration.infinity : Duration.millis(written.now.getTime() - found.replayedAt.getTime())
  return {
    _tag: "Age",
    age: found.isCurrent ? Duration.zero : Duration.max(behind, Duration.zero)
  } satisfies ReplicaState
})

/** In one sentence. */
export const describe = (state: ReplicaState, place: string): string => {
  if (state._tag === "Unreachable") return `${place} does not answer.`
  if (state._tag === "OtherDatabase") return `${place} is not a replica of the primary.`
  return Duration.isFinite(state.age)
    ? `The data of ${place} is ${Duration.format(state.age)} old.`
    : `${place} has not replayed any commit.`
}

export const isFresh = (state: ReplicaState, maxAge: Duration.Duration): boolean =>
  state._tag === "Age" && Duration.isLessThanOrEqualTo(state.age, maxAge)

export interface Options {
  readonly url: Redacted.Redacted<string>
  readonly schema: string
  /** Reads use the primary while the replica is older. */
  readonly maxAge: Duration.Duration
  readonly maxConnections: number
}

/** A replica that does not answer hinders nothing. */
export const layer = ({ url, schema, maxAge, maxConnections }: Options) =>
  Layer.effect(
    ReadSqlClient,
    Effect.gen(function* () {
      const primary = yield* SqlClient.SqlClient
      const opened = yield* Layer.build(connections({ url, settings: sessionSettings(schema), maxConnections }))
      const replica = yield* Effect.provideContext(SqlClient.SqlClient, opened)
      const place = `the read replica ${withoutLogin(Redacted.value(url))}`

      const isUsed = yield* Ref.make<boolean | undefined>(undefined)
      const use = Effect.fnUntraced(function* (state: ReplicaState) {
        const fresh = isFresh(state, maxAge)
        yield* Metric.update(ageGauge, state._tag === "Age" ? Duration.toSeconds(state.age) : -1)
        yield* Metric.update(useGauge, fresh ? 1 : 0)
        const before = yield* Ref.getAndSet(isUsed, fresh)
        if (fresh && before === false) yield* Effect.logInfo(`Counts, exports and statistics use ${place} again.`)
        if (!fresh && before !== false) {
          yield* Effect.logWarning(
            `${describe(state, place)} Counts, exports and statistics use the primary.`.replace(/^t/, "T")
          )
        }
      })
      const look = Effect.matchCauseEffect(stateOf(primary, replica), {
        onSuccess: use,
        onFailure: (cause) => Effect.logDebug("The age of the read replica is unknown", cause)
      })
      yield* look
      yield* Effect.forkScoped(Effect.forever(Effect.delay(look, every)))

      // A replica that has gone away since the last look is unreachable: the first read that meets it finds the primary.
      const away = Effect.andThen(use({ _tag: "Unreachable" }), primary.reserve)
      const acquirer = Effect.flatMap(Ref.get(isUsed), (used) =>
        used === true ? Effect.catch(replica.reserve, () => away) : primary.reserve
      )
      return yield* Effect.provide(
        SqlClient.make({ acquirer, compiler: PgClient.makeCompiler(), driver: "pg", spanAttributes: [] }),
        Reactivity.layer
      )
    })
  )
