/** Contacts that are deleted or changed while workflows start or run for them. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { DateTime, Deferred, Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Contacts } from "../../audience/contacts/Contacts.ts"
import { seed } from "../../audience/segments/SegmentsFixture.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { databases } from "../../testing/Databases.ts"
import { somebodyWaits } from "../../testing/LockWaits.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { dispatch, draw, executionsOf, work } from "./ExecutionsFixture.ts"
import * as DueExecutions from "./run/DueExecutions.ts"
import * as Firings from "./start/Firings.ts"
import * as Starts from "./start/Starts.ts"
import { workflowProject } from "./WorkflowsFixture.ts"

const ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ContactId })))
const nothing = { out: { type: "EXIT" } }

// PGlite has one connection, so no other transaction can hold a lock.
for (const [name, database] of databases().filter(([name]) => name === "PostgreSQL")) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(
    `Workflows beside other changes on ${name}`,
    (it) => {
      it.effect("a schedule skips contacts that are being deleted, and starts all others", () =>
        Effect.gen(function* () {
          const { project } = yield* workflowProject
          const sql = yield* SqlClient.SqlClient
          const now = DateTime.toDate(yield* DateTime.now)
          yield* seed(project, "c", 1_200)
          const { id } = yield* draw(project, { steps: nothing })
          yield* sql`
          insert into workflow_firings (project_id, workflow_id, scheduled_for, due_at, created_at)
          values (${project}, ${id}, date_trunc('day', now()) + interval '1 day', ${now}, ${now})`
          const deleted = yield* Deferred.make<void>()
          const end = yield* Deferred.make<void>()
          const deletion = yield* Effect.forkChild(
            sql.withTransaction(
              Effect.gen(function* () {
                yield* sql`
                delete from contacts where project_id = ${project} and id in (
                  select id from contacts where project_id = ${project} order by id limit 10)`
                yield* Deferred.succeed(deleted, undefined)
                yield* Deferred.await(end)
              })
            )
          )
          yield* Deferred.await(deleted)
          const { start } = yield* Firings.make
          const starting = yield* Effect.forkChild(start)
          yield* somebodyWaits
          yield* Deferred.succeed(end, undefined)
          yield* Fiber.join(deletion)
          assert.isTrue(yield* Fiber.join(starting))
          assert.isTrue(yield* start)
          assert.isFalse(yield* start)
          const firing = yield* sql`
          select started, blocked, failures, error, due_at from workflow_firings where project_id = ${project}`
          assert.deepStrictEqual(firing, [{ started: 1_190, blocked: 0, failures: 0, error: null, due_at: null }])
          assert.lengthOf(yield* executionsOf(project, id), 1_190)
        })
      )

      it.effect("steps lock contacts in the common order, in any order of their executions", () =>
        Effect.gen(function* () {
          const { project, track } = yield* workflowProject
          const sql = yield* SqlClient.SqlClient
          // Executions of other tests are older.
          yield* work
          const steps = { note: { type: "UPDATE_CONTACT", config: { updates: { noted: true } } } }
          const { id } = yield* draw(project, { event: "go", steps })
          for (const email of ["bob@example.com", "ada@example.com"]) {
            yield* track({ email, event: "go" })
            yield* TestClock.adjust("1 second")
          }
          yield* dispatch
          // A fiber forked within a transaction would be part of it.
          const isHeld = yield* Deferred.make<void>()
          const turn = yield* Effect.forkChild(
            Effect.andThen(
              Deferred.await(isHeld),
              Effect.flatMap(DueExecutions.make, ({ take }) => take)
            )
          )
          yield* sql.withTransaction(
            Effect.gen(function* () {
              const lock = (email: string) =>
                sql`select from contacts where project_id = ${project} and email = ${email} for no key update nowait`
              yield* lock("ada@example.com")
              yield* Deferred.succeed(isHeld, undefined)
              yield* somebodyWaits
              yield* lock("bob@example.com")
            })
          )
          assert.isTrue(yield* Fiber.join(turn))
          assert.deepStrictEqual(
            (yield* executionsOf(project, id)).map(({ status }) => status),
            ["COMPLETED", "COMPLETED"]
          )
        })
      )

      it.effect("the deletion of a field is retried after a deadlock", () =>
        Effect.gen(function* () {
          const { ask, project } = yield* workflowProject
          const sql = yield* SqlClient.SqlClient
          for (const email of ["ada@example.com", "bob@example.com"])
            yield* ask("POST", "/contacts", { email, data: { plan: "pro" } })
          const isHeld = yield* Deferred.make<void>()
          const deletion = yield* Effect.forkChild(
            Effect.andThen(Deferred.await(isHeld), ask("DELETE", "/contacts/fields/plan"))
          )
          yield* sql.withTransaction(
            Effect.gen(function* () {
              const lock = (email: string) =>
                sql`select from contacts where project_id = ${project} and email = ${email} for no key update`
              // The other transaction detects the deadlock and rolls back.
              yield* sql`set local deadlock_timeout = '1min'`
              yield* lock("bob@example.com")
              yield* Deferred.succeed(isHeld, undefined)
              yield* somebodyWaits
              yield* lock("ada@example.com")
            })
          )
          const { body, status } = yield* Fiber.join(deletion)
          assert.deepStrictEqual([status, body], [200, { deletedFrom: 2 }])
        })
      )

      it.effect("an event and the deletion of its contact both succeed, in either order", () =>
        Effect.gen(function* () {
          const { project, track } = yield* workflowProject
          const sql = yield* SqlClient.SqlClient
          const { id } = yield* draw(project, { event: "go", steps: nothing })
          const { body } = yield* track({ email: "ada@example.com", event: "go" })
          const [ada] = yield* ids(yield* sql`select id from contacts where project_id = ${project}`)
          const starts = yield* Starts.make
          const transaction = yield* Transaction
          const contacts = yield* Contacts
          const batch = {
            events: [{ project, id: String(body.data.event) }],
            now: yield* DateTime.now,
            isRepeat: false
          }
          const taken = yield* Deferred.make<void>()
          const dispatching = yield* Effect.forkChild(
            transaction.run(
              Effect.gen(function* () {
                // The lock of the event dispatcher.
                yield* sql`
                select from events where project_id = ${project} and name = 'go' for no key update skip locked`
                if (yield* Deferred.succeed(taken, undefined)) yield* somebodyWaits
                yield* starts.byEvents(batch)
              })
            )
          )
          yield* Deferred.await(taken)
          const deletion = yield* Effect.forkChild(contacts.delete(project, ada?.id ?? ContactId.make(randomUUID())))
          yield* Fiber.join(deletion)
          yield* Fiber.join(dispatching)
          assert.lengthOf(yield* executionsOf(project, id), 0)
          assert.deepStrictEqual(yield* sql`select 1 from contacts where project_id = ${project}`, [])
        })
      )
    }
  )
}
