/**
 * Runs in a thread beside the event loop, with one connection that repeats one statement.
 *
 * A thread loads its own copy of its imports, so it imports only what it needs.
 */
import { workerData } from "node:worker_threads"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import type { Task } from "./ThreadKeeper.ts"

const { url, schema, worker, leaseSeconds, everyMillis, silenceMillis, moments }: Task = workerData
const [signOfLife, renewedAt] = [0, 1]

const isSilent = () => process.hrtime.bigint() - Atomics.load(moments, signOfLife) > BigInt(silenceMillis) * 1_000_000n

/**
 * Does not renew a lease that has expired, because the worker may have stopped, or another worker may have its mail.
 */
const renew = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const before = process.hrtime.bigint()
  const renewed = yield* sql`
    update workers set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where id = ${worker} and lease_until >= clock_timestamp()
    returning id`
  if (renewed.length > 0) Atomics.store(moments, renewedAt, before)
})

const loop = Effect.gen(function* () {
  while (!isSilent()) {
    // The event loop reports an unavailable database; the thread only tries again.
    const isRenewed = yield* Effect.isSuccess(renew)
    yield* Effect.sleep(isRenewed ? everyMillis : Math.min(everyMillis, 1000))
  }
})

Effect.runFork(
  Effect.provide(
    loop,
    PgClient.layer({
      url: Redacted.make(url),
      maxConnections: 1,
      applicationName: "posthorn lease",
      startupParameters: { search_path: schema }
    })
  )
)
