/**
 * The primary dies under load, and its standby takes over, behind a proxy that leads to the primary (fault matrix F8).
 *
 * A synchronous standby has every commit that the primary has confirmed, so nothing is lost. An asynchronous one, here
 * behind a slow network, lacks the last commits: mails that were accepted, and records of mails that were sent.
 */
import { connect, type Socket } from "node:net"
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Random, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as Cluster from "./Cluster.ts"
import * as Installation from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import * as Relay from "./Relay.ts"
import { promising, type Verdict, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  readonly seed: string
  readonly mails: number
  readonly workers: number
  readonly failovers: number
  /** Undefined: the standby is synchronous. Otherwise how late it gets what is written. */
  readonly lagMilliseconds?: number
}

/** Leads to one server. When it leads to another, all connections end. */
const proxy = Effect.gen(function* () {
  let target = 0
  const sockets = new Set<Socket>()
  const port = yield* Relay.listen((near, keep) => {
    const far = keep(connect({ host: "127.0.0.1", port: target }))
    for (const socket of [near, far]) sockets.add(socket.on("close", () => sockets.delete(socket)))
    near.pipe(far).pipe(near)
    near.on("close", () => far.destroy())
    far.on("close", () => near.destroy())
  })
  const lead = (to: number) =>
    Effect.sync(() => {
      target = to
      for (const socket of sockets) socket.destroy()
    })
  return { port, lead }
})

/** A network on which the answers of a server arrive late, until it is cut. What is under way is then lost. */
const slowly = Effect.fnUntraced(function* (target: number, milliseconds: number) {
  const sockets = new Set<Socket>()
  const port = yield* Relay.listen((near, keep) => {
    const far = keep(connect({ host: "127.0.0.1", port: target }))
    for (const socket of [near, far]) sockets.add(socket.on("close", () => sockets.delete(socket)))
    near.pipe(far)
    far.on("data", (chunk) => setTimeout(() => near.destroyed || near.write(chunk), milliseconds))
    near.on("close", () => far.destroy())
    far.on("close", () => setTimeout(() => near.destroy(), milliseconds))
  })
  return {
    port,
    cut: Effect.sync(() => {
      for (const socket of sockets) socket.destroy()
    })
  }
})

const on = <A>(port: number, use: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>) =>
  Effect.orDie(
    Effect.provide(
      SqlClient.SqlClient.use(use),
      PgClient.layer({ url: Redacted.make(`postgres://posthorn@127.0.0.1:${port}/postgres`), maxConnections: 1 })
    )
  )

/** The standbys that stream, and whether the primary waits for them. */
const streaming = (primary: Cluster.Cluster, state: "async" | "sync") =>
  until(
    `a standby that is ${state}`,
    on(
      primary.port,
      (sql) => sql`select 1 from pg_stat_replication where state = 'streaming' and sync_state = ${state}`
    ),
    (rows) => rows.length > 0
  )

/** A server with a scope of its own: closing it is a crash, and removes the files. */
const alone = <A>(make: Effect.Effect<A, never, Scope.Scope>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.fork(yield* Effect.scope)
    return { server: yield* Scope.provide(make, scope), end: Scope.close(scope, Exit.void) }
  })

const isBack = SqlClient.SqlClient.use((sql) => Effect.exit(sql`select 1`))

/** A mail that was accepted this long before the primary died is on an asynchronous standby. */
const settled = 3_000

const flow = Effect.fnUntraced(function* (
  options: Options,
  failOver: Effect.Effect<void, never, Scope.Scope>
): Effect.fn.Return<Verdict, never, Installation.Installation | Scope.Scope | SqlClient.SqlClient> {
  const { api, senders, sink, startWorker } = yield* Installation.Installation
  sink.misbehave(({ stage }) => (stage === "dot" ? { delay: 50 } : undefined))
  const requests = yield* Random.withSeed(Load.plan(senders, options.mails, `mail-${options.seed}`), options.seed)
  yield* Effect.replicateEffect(startWorker(), options.workers)
  const accepted = new Set<string>()
  const safe = new Set<string>()
  const isAsynchronous = options.lagMilliseconds !== undefined
  let longest = 0

  const ends = Effect.gen(function* () {
    for (let failover = 1; failover <= options.failovers; failover++) {
      const enough = (options.mails * failover) / (options.failovers + 1)
      const before = new Set(accepted)
      const from = performance.now()
      yield* until(
        "mails to flow",
        Effect.sync(() => accepted.size),
        (count) => count >= enough
      )
      if (!isAsynchronous || performance.now() - from > settled) for (const id of before) safe.add(id)
      const dies = performance.now()
      yield* failOver
      yield* until("the database", isBack, Exit.isSuccess)
      yield* until("requests to be answered", Load.get(`${api.url}/ready`), ({ status }) => status === 200)
      longest = Math.max(longest, performance.now() - dies)
      yield* Ledger.endKeyLeases
    }
  })
  // A synchronous primary without its standby confirms nothing until there is another one.
  const patience = { patience: 60_000 }
  yield* Effect.all([ends, Load.acceptAll(() => api.url, requests, accepted, patience)], { concurrency: "unbounded" })
  yield* until("the end of all mails", Ledger.unfinished, (count) => count === 0)

  const found = yield* verdict(accepted, 0)
  const figures = { "longest outage, ms": Math.round(longest) }
  if (!isAsynchronous) return { ...found, figures }
  const known = new Set((yield* Ledger.entries).map(({ id }) => id))
  const gone = [...accepted].filter((id) => !known.has(id))
  return promising(
    // Copies have no bound.
    { ...found, bound: found.extra, figures: { ...figures, "forgotten mails": gone.length }, violations: [] },
    "A mail that was accepted long before the primary died is lost",
    gone.every((id) => !safe.has(id))
  )
})

/** Uses two servers of its own. Returns the verdict. An asynchronous standby may lose the last commits. */
export const failovers = Effect.fn("Failovers.failovers")(function* (options: Options) {
  const isSynchronous = options.lagMilliseconds === undefined
  const follow = Effect.fnUntraced(function* (primary: Cluster.Cluster) {
    const network =
      options.lagMilliseconds === undefined
        ? { port: primary.port, cut: Effect.void }
        : yield* slowly(primary.port, options.lagMilliseconds)
    const standby = yield* alone(primary.standby({ from: network.port }))
    if (isSynchronous) {
      yield* on(primary.port, (sql) => sql.unsafe("alter system set synchronous_standby_names = '*'").unprepared)
      yield* on(primary.port, (sql) => sql`select pg_reload_conf()`)
    }
    yield* streaming(primary, isSynchronous ? "sync" : "async")
    return { ...standby, cut: network.cut }
  })

  let primary: { readonly server: Cluster.Cluster; readonly end: Effect.Effect<void> } = yield* alone(Cluster.make)
  const url = yield* primary.server.database("failovers")
  const { lead, port } = yield* proxy
  yield* lead(primary.server.port)
  let standby = yield* follow(primary.server)

  /** The order matters: nothing reaches the old primary once the standby is promoted. */
  const failOver = Effect.gen(function* () {
    yield* standby.cut
    yield* primary.end
    yield* lead(standby.server.port)
    yield* standby.server.promote
    primary = standby
    standby = yield* follow(primary.server)
  })
  return yield* flow(options, failOver).pipe(
    Effect.provide(Installation.layer({ databaseUrl: Relay.urlThrough(url, port), projects: 2 }))
  )
})
