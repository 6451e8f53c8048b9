/** A server whose migrations go on in the background. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { afterAll, beforeAll } from "vitest"
import * as Background from "../platform/migrations/Background.ts"
import * as Migrations from "../platform/migrations/index.ts"
import { backfill, type Migration, transaction } from "../platform/migrations/Steps.ts"
import { send, wire } from "../testing/TestClient.ts"

const marked: Migration = {
  expand: [
    transaction(
      "column",
      SqlClient.SqlClient.use((sql) => sql`alter table contacts add column marked boolean`)
    )
  ],
  background: [backfill("contacts", (sql, rows) => sql`update contacts set marked = true where ${rows}`)]
}
// As if a later version of this program were tested. Other files of the same process must not see it.
beforeAll(() => void Object.assign(Migrations.migrations, { "9000_marked": marked }))
afterAll(() => void Reflect.deleteProperty(Migrations.migrations, "9000_marked"))

/** The body of /ready. Its checks are at most a second old. */
const ready = Effect.gen(function* () {
  yield* TestClock.adjust("2 seconds")
  const { body, status } = yield* send("GET", "/ready", undefined, { authorization: "" })
  return { body, status }
})

layer(wire, { timeout: "60 seconds" })("a server with unfinished migrations", (it) => {
  it.effect("is ready and says what remains, until a worker has finished it", () =>
    Effect.gen(function* () {
      const missing = yield* ready
      assert.strictEqual(missing.status, 503)
      assert.deepNestedInclude(missing.body, { "checks.migrations": "failed" })

      yield* Migrations.migrate
      const unfinished = yield* ready
      assert.strictEqual(unfinished.status, 200)
      assert.deepNestedInclude(unfinished.body, { status: "ready", "checks.migrations": "ok" })
      assert.deepInclude(unfinished.body, {
        unfinishedMigrations: [{ name: "9000_marked: backfill contacts", percent: null, since: null }]
      })
      // Another server starts.
      yield* Effect.scoped(Layer.build(Migrations.layerCheck))

      const remains = Effect.map(Migrations.status, (found) => found.unfinished.length)
      const worker = Effect.gen(function* () {
        yield* Layer.build(Background.layer)
        yield* Effect.repeat(remains, { until: (count) => count === 0 })
      })
      yield* TestClock.withLive(Effect.scoped(worker))
      const finished = yield* ready
      assert.strictEqual(finished.status, 200)
      assert.notProperty(finished.body, "unfinishedMigrations")
    })
  )
})
