/**
 * An API process that stops in the middle of a request, and continues when another one has taken its Idempotency-Key.
 */
import { assert } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { installation, live } from "./OnPostgres.ts"
import { until } from "./Waiting.ts"

live(
  "a request that wakes up after its Idempotency-Key was taken over accepts nothing",
  () =>
    Effect.gen(function* () {
      const { api, senders, startApi } = yield* Installation
      const sql = yield* SqlClient.SqlClient
      const [project] = senders
      const request = { project, key: "once", body: Load.mailTo(project, ["once@example.com"]) }
      const frozen = yield* startApi()

      // The request has its key and waits for a table that this transaction has locked.
      const release = yield* Deferred.make<void>()
      const holding = yield* Effect.forkChild(
        sql.withTransaction(Effect.andThen(sql`lock table domains in access exclusive mode`, Deferred.await(release)))
      )
      const first = yield* Effect.forkChild(Load.post(frozen.url, request))
      yield* until(
        "the request to wait",
        sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        (waiting) => waiting.length > 0
      )
      frozen.signal("SIGSTOP")
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(holding)
      yield* Ledger.endKeyLeases
      const second = yield* Load.post(api.url, request)
      assert.strictEqual(second.status, 200)

      frozen.signal("SIGCONT")
      assert.strictEqual((yield* Fiber.join(first)).status, 409)
      const ids = (yield* Ledger.entries).map(({ id }) => id)
      assert.deepStrictEqual(ids, yield* Load.mailsOf(second))
    }).pipe(Effect.provide(installation({ projects: 1 }))),
  120_000
)
