/** Whether this process is alive, and whether it can work. */
import type { Checks } from "@posthorn/contract/service/ServiceApi"
import { Clock, Context, Duration, Effect, Layer, Option, Ref } from "effect"
import { SqlClient } from "effect/sql"
import { ObjectStorage } from "../content/uploads/ObjectStorage.ts"
import { cachedFor } from "../platform/Elapsed.ts"
import { isStillFull, tryToWrite } from "../platform/http/FullDisk.ts"
import type { Mailer } from "../platform/Mailer.ts"
import * as Migrations from "../platform/migrations/index.ts"
import { EventLoop, isLate } from "./EventLoop.ts"

type Check = Checks["database"]

/** A service: hosts and HTTP handlers call it, and a process has one state. */
export class ServiceStatus extends Context.Service<
  ServiceStatus,
  {
    /** Time since the start. Does no I/O. */
    readonly uptime: Effect.Effect<Duration.Duration>
    /** Checks everything that this process needs. Returns within a few seconds, even if a check hangs. */
    readonly checks: Effect.Effect<Checks>
    /** What remained of migrations at the last checks. */
    readonly unfinished: Effect.Effect<ReadonlyArray<Migrations.UnfinishedStep>>
    /** True after `drain`: the process ends soon and should get no more work. */
    readonly isDraining: Effect.Effect<boolean>
    readonly drain: Effect.Effect<void>
  }
>()("@posthorn/core/service/ServiceStatus") {}

export interface Options {
  /** Whether this process runs the loops. Then one of the workers must have a heartbeat. */
  readonly expectsWorkers: boolean
  /** The last state that the mailer of the loops knows. Undefined without loops. */
  readonly mailer: Mailer["Service"]["state"] | undefined
}

export const Options = Context.Reference<Options>("@posthorn/core/service/ServiceStatus/Options", {
  defaultValue: () => ({ expectsWorkers: false, mailer: undefined })
})

const checkTimeout = Duration.seconds(3)
/** Requests have no rate limit, so the database is queried at most once a second. */
const freshFor = Duration.seconds(1)
/** The provider of the object storage may charge for requests. */
const storageFreshFor = Duration.seconds(10)

const okIf = (isOk: boolean): Check => (isOk ? "ok" : "failed")

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { expectsWorkers, mailer } = yield* Options
  const startedAt = yield* Clock.monotonicTimeNanos
  const draining = yield* Ref.make(false)
  const migrated = yield* Ref.make(false)
  const unfinished = yield* Ref.make<ReadonlyArray<Migrations.UnfinishedStep>>([])

  /** A check that fails, dies or takes too long has failed. */
  const attempt = (check: Effect.Effect<Check, unknown>) =>
    check.pipe(
      Effect.timeoutOption(checkTimeout),
      Effect.map(Option.getOrElse((): Check => "failed")),
      Effect.catchCause((cause) => Effect.as(Effect.logDebug("A readiness check failed", cause), "failed" as const))
    )

  const database = attempt(
    Effect.andThen(
      sql`select 1`,
      Effect.map(isStillFull(Effect.provideService(tryToWrite, SqlClient.SqlClient, sql)), (isFull) => okIf(!isFull))
    )
  )

  /** A complete schema stays complete. If a newer version migrates it, this process continues. */
  const migrations = attempt(
    Effect.gen(function* () {
      if (yield* Ref.get(migrated)) return "ok"
      const found = yield* Effect.provideService(Migrations.status, SqlClient.SqlClient, sql)
      yield* Ref.set(unfinished, found.unfinished)
      yield* Ref.set(migrated, found.missing.length + found.unfinished.length === 0)
      return okIf(found.missing.length === 0)
    })
  )

  /**
   * A lease ends 30 seconds after its last heartbeat. So a lease that ended less than 30 seconds ago had a heartbeat in
   * the last 60 seconds.
   */
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

  /** A delayed event loop still works. Taking the process out of service would only move its load to others. */
  const eventLoop = Effect.map(
    yield* EventLoop,
    Option.match({ onNone: () => "skipped" as const, onSome: (delay) => (isLate(delay) ? "degraded" : "ok") })
  )

  const mail = (mailer ?? Effect.succeed("unknown" as const)).pipe(
    Effect.map((state): Check => (state === "unknown" ? "skipped" : state))
  )

  const checks = yield* cachedFor(freshFor)(
    Effect.all(
      {
        database,
        migrations,
        storage,
        workers: expectsWorkers ? workers : Effect.succeed("skipped" as const),
        mailer: mail,
        eventLoop
      },
      { concurrency: "unbounded" }
    )
  )

  return ServiceStatus.of({
    uptime: Effect.map(Clock.monotonicTimeNanos, (now) => Duration.nanos(now - startedAt)),
    checks,
    unfinished: Ref.get(unfinished),
    isDraining: Ref.get(draining),
    drain: Ref.set(draining, true)
  })
})

export const layer: Layer.Layer<ServiceStatus, never, SqlClient.SqlClient> = Layer.effect(ServiceStatus, make)
