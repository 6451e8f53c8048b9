/** Whether this process is alive, and whether it can do its work (contract-2 17). */
import type { Checks } from "@posthorn/contract/service/ServiceApi"
import { Clock, Context, Duration, Effect, Layer, Option, Ref } from "effect"
import { SqlClient } from "effect/sql"
import { cachedFor } from "../Elapsed.ts"
import * as Migrations from "../migrations/index.ts"
import type { Mailer } from "../sending/Mailer.ts"
import { ObjectStorage } from "../uploads/ObjectStorage.ts"

type Check = Checks[keyof Checks]

export class ServiceStatus extends Context.Service<
  ServiceStatus,
  {
    /** Time since the start; asks nobody. */
    readonly uptime: Effect.Effect<Duration.Duration>
    /** Looks at everything this process needs; answers within a few seconds, whatever hangs. */
    readonly checks: Effect.Effect<Checks>
    /** True from `drain` on: the process ends soon and is to get no more work. */
    readonly isDraining: Effect.Effect<boolean>
    readonly drain: Effect.Effect<void>
  }
>()("@posthorn/core/service/ServiceStatus") {}

export interface Options {
  /** This process runs the loops, so one of the workers is to have a heartbeat. */
  readonly expectsWorkers: boolean
  /** The last thing that the mailer of the loops knows; nothing where there are none. */
  readonly mailer: Mailer["Service"]["state"] | undefined
}

export const Options = Context.Reference<Options>("@posthorn/core/service/ServiceStatus/Options", {
  defaultValue: () => ({ expectsWorkers: false, mailer: undefined })
})

const patience = Duration.seconds(3)
/** Anybody may ask, and whoever keeps the uploads may count requests. */
const storageFreshFor = Duration.seconds(10)

const okIf = (isOk: boolean): Check => (isOk ? "ok" : "failed")

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { expectsWorkers, mailer } = yield* Options
  const startedAt = yield* Clock.monotonicTimeNanos
  const draining = yield* Ref.make(false)
  const migrated = yield* Ref.make(false)

  /** What fails, dies or takes too long has failed. */
  const attempt = (check: Effect.Effect<Check, unknown>) =>
    check.pipe(
      Effect.timeoutOption(patience),
      Effect.map(Option.getOrElse((): Check => "failed")),
      Effect.catchCause((cause) => Effect.as(Effect.logDebug("A readiness check failed", cause), "failed" as const))
    )

  const database = attempt(Effect.as(sql`select 1`, "ok"))

  /** A schema that was right stays right: a newer program may run meanwhile, and this one goes on. */
  const migrations = attempt(
    Effect.gen(function* () {
      if (yield* Ref.get(migrated)) return "ok"
      const { missing } = yield* Effect.provideService(Migrations.status, SqlClient.SqlClient, sql)
      yield* Ref.set(migrated, missing.length === 0)
      return okIf(missing.length === 0)
    })
  )

  /** A lease ends 30 seconds after its heartbeat, so one that ended up to 30 seconds ago was renewed within 60. */
  const workers = attempt(
    sql`select 1 from workers where lease_until > clock_timestamp() - interval '30 seconds' limit 1`.pipe(
      Effect.map((found) => okIf(found.length > 0))
    )
  )

  const uploads = yield* ObjectStorage
  const storage: Effect.Effect<Check> =
    uploads.kind === "none"
      ? Effect.succeed("skipped")
      : yield* cachedFor(storageFreshFor)(attempt(Effect.as(uploads.check, "ok")))

  const mail = (mailer ?? Effect.succeed("unknown" as const)).pipe(
    Effect.map((state): Check => (state === "unknown" ? "skipped" : state))
  )

  return ServiceStatus.of({
    uptime: Effect.map(Clock.monotonicTimeNanos, (now) => Duration.nanos(now - startedAt)),
    checks: Effect.all(
      {
        database,
        migrations,
        storage,
        workers: expectsWorkers ? workers : Effect.succeed("skipped" as const),
        mailer: mail
      },
      { concurrency: "unbounded" }
    ),
    isDraining: Ref.get(draining),
    drain: Ref.set(draining, true)
  })
})

export const layer: Layer.Layer<ServiceStatus, never, SqlClient.SqlClient> = Layer.effect(ServiceStatus, make)
