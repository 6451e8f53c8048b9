/** Deletes an endpoint while another transaction works on its deliveries. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../testing/Databases.ts"
import { somebodyWaits } from "../testing/LockWaits.ts"
import { servicesOn } from "../testing/Services.ts"
import { wireOver } from "../testing/TestClient.ts"
import { listening } from "./WebhooksFixture.ts"

// PGlite has one connection, so no other transaction can hold a lock.
for (const [name, database] of databases().filter(([name]) => name === "PostgreSQL")) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`Deletion of an endpoint on ${name}`, (it) => {
    it.effect("is retried after a deadlock with a transaction on its deliveries, and then responds as usual", () =>
      Effect.gen(function* () {
        const { ask, hook } = yield* listening()
        const sql = yield* SqlClient.SqlClient
        yield* ask("POST", `${hook.path}/test`)
        const isHeld = yield* Deferred.make<void>()
        const meets = yield* Deferred.make<void>()
        const working = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.gen(function* () {
              // The other transaction detects the deadlock and rolls back.
              yield* sql`set local deadlock_timeout = '1h'`
              yield* sql`select 1 from webhook_deliveries where endpoint_id = ${hook.id} for update`
              yield* Deferred.succeed(isHeld, undefined)
              yield* Deferred.await(meets)
              return yield* sql`update webhook_endpoints set failing_since = null where id = ${hook.id} returning id`
            })
          )
        )
        yield* Deferred.await(isHeld)
        const deletion = yield* Effect.forkChild(ask("DELETE", hook.path))
        yield* somebodyWaits
        yield* Deferred.succeed(meets, undefined)
        assert.lengthOf(yield* Fiber.join(working), 1)
        assert.strictEqual((yield* Fiber.join(deletion)).status, 204)
        assert.strictEqual((yield* ask("GET", hook.path)).status, 404)
        assert.deepStrictEqual(yield* sql`select 1 from webhook_deliveries where endpoint_id = ${hook.id}`, [])
      })
    )
  })
}
