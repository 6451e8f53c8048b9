/** One installation for fault tests: a database, an SMTP peer, projects, and servers that start and stop. */
import { PgClient } from "@effect/sql-pg"
import type { Window } from "@posthorn/core/platform/Failpoint"
import * as Migrations from "@posthorn/core/platform/migrations/index"
import { type Sink, startSink } from "@posthorn/mailer-smtp/testing"
import { Array, Context, Effect, Layer, Redacted, Schema, type Scope, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import * as Seed from "../Seed.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"
import * as Program from "./Program.ts"
import { until } from "./Waiting.ts"

export interface Worker extends Program.Program {
  /** The id of its row in the table of workers. */
  readonly id: string
}

/** The window at which a process dies, or blocks for this many seconds. */
export type Failure = Window | `${Window}:${number}`

interface ServerOptions {
  /** Default: that of the installation. */
  readonly databaseUrl?: string
  readonly failAt?: Failure
  readonly hasMovableClock?: boolean
  /** Added to the settings of all servers, or replaces them. */
  readonly environment?: Program.Environment
}

export interface WorkerOptions extends ServerOptions {
  /** Default: to the sink, with `concurrency` connections. */
  readonly smtpUrl?: string
  readonly concurrency?: number
}

export type ApiOptions = ServerOptions

/** A service, because each fault runs on an installation of its own. */
export class Installation extends Context.Service<
  Installation,
  {
    /** The peer and the record of deliveries: every listed message was delivered. */
    readonly sink: Sink
    readonly senders: Array.NonEmptyReadonlyArray<Seed.Sender>
    /** The server that clients call; it has no worker. */
    readonly api: Program.Program
    /** The URL of the sink, or of a proxy in front of it on another port. */
    readonly smtpUrl: (options?: {
      readonly concurrency?: number
      readonly port?: number
      /** Default: none. */
      readonly tls?: "required"
    }) => string
    readonly databaseUrl: string
    /** Starts another server. It dies at a window if one is given. */
    readonly startApi: (options?: ApiOptions) => Effect.Effect<Program.Program, never, Scope.Scope>
    readonly startWorker: (options?: WorkerOptions) => Effect.Effect<Worker, never, Scope.Scope>
  }
>()("@posthorn/bench/chaos/Installation") {}

export interface Options {
  /** The database of the installation; it is migrated if necessary. */
  readonly databaseUrl: string
  /** At least one. */
  readonly projects: number
  /** The URL of a module that all servers load before they start. */
  readonly preload?: string
}

/** Emails that a worker sends concurrently, unless a test sets another number. */
export const usualConcurrency = 10

const Ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))

const make = Effect.fnUntraced(function* ({ databaseUrl, preload, projects }: Options) {
  const sql = yield* SqlClient.SqlClient
  const folder = yield* temporaryFolder("chaos")
  const sink = yield* Effect.acquireRelease(
    Effect.promise(() => startSink({ keepContent: false })),
    (sink) => Effect.promise(() => sink.close())
  )
  yield* Migrations.migrate
  const senders = yield* Effect.provide(Seed.senders(projects), Seed.core(Layer.succeed(SqlClient.SqlClient, sql)))
  if (!Array.isArrayNonEmpty(senders)) return yield* Effect.die(new Error("An installation has at least one project"))

  const environment = {
    POSTHORN_DATABASE_URL: databaseUrl,
    POSTHORN_DATA_DIR: folder,
    POSTHORN_SECRET: Seed.secret,
    POSTHORN_PUBLIC_URL: "https://posthorn.example",
    // The sink sends no delivery reports, so workers do not wait for them.
    POSTHORN_EVIDENCE_WAIT_SECONDS: "0",
    // The webhook endpoint is on this machine.
    POSTHORN_OUTBOUND_ALLOW: "127.0.0.1",
    // A bounce rate of a tenth would suspend the project.
    POSTHORN_AUTO_SUSPEND: "false"
  }
  const launch = (server: ServerOptions, own: Program.Environment) =>
    Program.launch(
      {
        ...environment,
        ...(server.databaseUrl !== undefined && { POSTHORN_DATABASE_URL: server.databaseUrl }),
        ...(server.failAt !== undefined && { POSTHORN_FAIL_AT: server.failAt }),
        ...own,
        ...server.environment
      },
      { ...server, preload }
    )

  const smtpUrl: Installation["Service"]["smtpUrl"] = (options = {}) => {
    const { concurrency = usualConcurrency, port = sink.port, tls = "none" } = options
    return `smtp://127.0.0.1:${port}?tls=${tls}&pool=${concurrency}`
  }

  const workers = sql`select id from workers`.pipe(
    Effect.flatMap(Ids),
    Effect.map((rows) => rows.map(({ id }) => id)),
    Effect.orDie
  )

  const startApi = (options: ApiOptions = {}) => launch(options, { POSTHORN_ROLE: "api", POSTHORN_PORT: "0" })

  const startWorker = Effect.fnUntraced(function* (
    options: WorkerOptions
  ): Effect.fn.Return<Worker, never, Scope.Scope> {
    const before = yield* workers
    const program = yield* launch(options, {
      POSTHORN_ROLE: "worker",
      POSTHORN_SMTP_URL: options.smtpUrl ?? smtpUrl(options)
    })
    const isNew = (id: string) => !before.includes(id)
    const id = (yield* until("the row of a new worker", workers, (ids) => ids.some(isNew))).find(isNew) ?? ""
    return { ...program, id }
  })
  // A new worker is identified by its new row, so workers start one at a time.
  const turns = yield* Semaphore.make(1)

  return Installation.of({
    sink,
    senders,
    databaseUrl,
    api: yield* startApi(),
    smtpUrl,
    startApi,
    startWorker: (options = {}) => turns.withPermit(startWorker(options))
  })
})

/** With the database, for tests to query. Everything that was started ends with the scope. */
export const layer = (options: Options): Layer.Layer<Installation | SqlClient.SqlClient> =>
  Layer.effect(Installation, make(options)).pipe(
    Layer.provideMerge(
      PgClient.layer({
        url: Redacted.make(options.databaseUrl),
        maxConnections: 4,
        startupParameters: { search_path: "posthorn" }
      })
    ),
    Layer.orDie
  )
