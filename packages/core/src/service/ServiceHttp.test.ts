import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { outcome, send, wire } from "../testing/Wire.ts"
import { ServiceStatus } from "./ServiceStatus.ts"

layer(wire)("the endpoints about the service itself", (it) => {
  it.effect("say that the process lives, since when, and in which version", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("90 seconds")
      const { body, status } = yield* send("GET", "/health", undefined, { authorization: "" })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, { status: "ok", time: "1970-01-01T00:01:30.000Z", uptime: 90, version: "0.0.0" })
    })
  )

  it.effect("say that it can work, without details", () =>
    Effect.gen(function* () {
      const { body, status } = yield* send("GET", "/ready", undefined, { authorization: "" })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        status: "ready",
        checks: { database: "ok", migrations: "ok", storage: "skipped", workers: "skipped", mailer: "skipped" }
      })
    })
  )

  it.effect("say that it cannot once it is about to end, while it still lives", () =>
    Effect.gen(function* () {
      yield* (yield* ServiceStatus).drain
      const { body, status } = yield* send("GET", "/ready")
      assert.strictEqual(status, 503)
      assert.include(body, { status: "not_ready" })
      assert.strictEqual(yield* outcome("GET", "/health"), "200 ok")
    })
  )
})

layer(wire)("without its tables", (it) => {
  it.effect("a service is not ready, and lives", () =>
    Effect.gen(function* () {
      yield* SqlClient.SqlClient.use((sql) => sql`drop schema posthorn cascade`)
      const { body, status } = yield* send("GET", "/ready")
      assert.strictEqual(status, 503)
      assert.include(body.checks, { database: "ok", migrations: "failed" })
      assert.strictEqual(yield* outcome("GET", "/health"), "200 ok")
    })
  )
})
