import { assert, layer } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Failpoint, type Window } from "../../platform/Failpoint.ts"
import { databases } from "../../testing/Databases.ts"
import { waiting } from "../../testing/LockWaits.ts"
import { Outside } from "../../testing/SafeFetchMemory.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { build, dispatch, draw, executionsOf, work } from "./ExecutionsFixture.ts"
import * as DueExecutions from "./run/DueExecutions.ts"
import * as WebhookCalls from "./run/WebhookCalls.ts"
import { workflowProject } from "./WorkflowsFixture.ts"

/** Stops at this failpoint, as if the process were killed. */
const killedAt = (window: Window) =>
  Effect.provideService(Failpoint, (reached: Window) => (reached === window ? Effect.interrupt : Effect.void))

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `A worker that dies, on ${name}`,
    (it) => {
      it.effect("leaves one effect for each run of a step", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const template = yield* fresh.template()
          const { id } = yield* build(fresh, {
            event: "go",
            steps: {
              mail: { type: "SEND_EMAIL", templateId: template.id, to: "leave" },
              leave: { type: "UPDATE_CONTACT", config: { subscriptionAction: "unsubscribe" }, to: "rest" },
              rest: { type: "DELAY", config: { amount: 1, unit: "hours" }, to: "set" },
              set: { type: "UPDATE_CONTACT", config: { updates: { done: true } } }
            }
          })
          const turns = yield* DueExecutions.make
          const sql = yield* SqlClient.SqlClient
          const effects = Effect.map(
            sql`
              select (select count(*)::int from emails where project_id = ${fresh.project}) as mails,
                     (select count(*)::int from events where project_id = ${fresh.project}
                        and name = 'contact.unsubscribed') as events`,
            ([row]) => row
          )
          yield* fresh.track({ email: "ada@example.com", event: "go" })
          yield* dispatch
          for (let n = 0; n < 2; n++) {
            yield* Effect.exit(killedAt("before_step_commit")(turns.take))
            assert.deepStrictEqual(yield* effects, { mails: 0, events: 0 })
            assert.deepStrictEqual((yield* executionsOf(fresh.project, id))[0]?.path, [])
          }
          yield* Effect.exit(killedAt("after_step_commit")(turns.take))
          assert.deepStrictEqual(yield* effects, { mails: 1, events: 1 })
          yield* work
          assert.deepStrictEqual(yield* effects, { mails: 1, events: 1 })
          // During a delay no process works on the execution: it is a row.
          yield* TestClock.adjust(Duration.hours(1))
          yield* Effect.exit(killedAt("before_step_commit")(turns.take))
          yield* work
          assert.deepStrictEqual((yield* executionsOf(fresh.project, id))[0]?.path, [
            "mail COMPLETED",
            "leave COMPLETED",
            "rest COMPLETED",
            "set COMPLETED"
          ])
          assert.deepStrictEqual(yield* effects, { mails: 1, events: 1 })
        })
      )

      it.effect("makes a WEBHOOK send again with the same id after its lease, and not before", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const outside = yield* Outside
          const url = `https://hooks.example.com/${fresh.project}`
          yield* outside.answer(url, "ok")
          const { id } = yield* draw(fresh.project, {
            event: "go",
            steps: { call: { type: "WEBHOOK", config: { url } } }
          })
          const calls = yield* WebhookCalls.make
          const turns = yield* DueExecutions.make
          yield* fresh.track({ email: "ada@example.com", event: "go" })
          yield* dispatch
          yield* turns.take
          const [first] = yield* calls.begin(10, [])
          if (first === undefined) return assert.fail("nothing was begun")
          yield* Effect.exit(killedAt("after_webhook_answer")(calls.make(first)))
          assert.deepStrictEqual((yield* executionsOf(fresh.project, id))[0]?.path, ["call RUNNING"])
          assert.isEmpty(yield* calls.begin(10, []))
          const sql = yield* SqlClient.SqlClient
          yield* sql`update workflow_executions set lease_until = clock_timestamp() - interval '1 second' where workflow_id = ${id}`
          const [second] = yield* calls.begin(10, [])
          if (second === undefined) return assert.fail("nothing was begun")
          // The first worker was only slow: its result is ignored.
          yield* calls.make(first)
          assert.deepStrictEqual((yield* executionsOf(fresh.project, id))[0]?.path, ["call RUNNING"])
          yield* calls.make(second)
          assert.deepStrictEqual((yield* executionsOf(fresh.project, id))[0]?.path, ["call COMPLETED"])
          const ids = (yield* outside.requests).filter((request) => request.url === url)
          assert.lengthOf(ids, 3)
          assert.lengthOf(new Set(ids.map(({ headers }) => headers?.["webhook-id"])), 1)
        })
      )

      it.effect("a cancelled execution stores the result of its running request, and no step follows", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const outside = yield* Outside
          const url = `https://hooks.example.com/${fresh.project}`
          yield* outside.answer(url, "ok")
          const { id } = yield* draw(fresh.project, {
            event: "go",
            steps: { call: { type: "WEBHOOK", config: { url }, to: "out" }, out: { type: "EXIT" } }
          })
          const calls = yield* WebhookCalls.make
          const turns = yield* DueExecutions.make
          for (const email of ["ada@example.com", "bob@example.com"]) yield* fresh.track({ email, event: "go" })
          yield* dispatch
          yield* turns.take
          const [ada, bob] = yield* calls.begin(10, [])
          if (ada === undefined || bob === undefined) return assert.fail("nothing was begun")
          const cancelled = yield* fresh.ask("POST", `/workflows/${id}/executions/cancel-all`)
          assert.deepStrictEqual(cancelled.body, { cancelled: 2 })
          const counted = Effect.map(fresh.ask("GET", `/workflows/${id}/report`), ({ body }) => {
            const { entered, waiting, completed, skipped, left } = body.steps[1]
            return { entered, waiting, completed, skipped, left }
          })
          assert.deepStrictEqual(yield* counted, { entered: 2, waiting: 0, completed: 0, skipped: 0, left: 2 })
          yield* calls.make(ada)
          // The worker of the other execution has died.
          const sql = yield* SqlClient.SqlClient
          yield* sql`update workflow_executions set lease_until = clock_timestamp() - interval '1 second' where workflow_id = ${id}`
          assert.isEmpty(yield* calls.begin(10, []))
          const found = (yield* executionsOf(fresh.project, id)).map(({ status, path }) => `${status} ${path}`)
          assert.deepStrictEqual(found.sort(), ["CANCELLED call COMPLETED", "CANCELLED call SKIPPED"])
          assert.deepStrictEqual(yield* counted, { entered: 2, waiting: 0, completed: 1, skipped: 1, left: 2 })
          yield* work
          assert.lengthOf(
            (yield* outside.requests).filter((request) => request.url === url),
            1
          )
        })
      )

      // PGlite has one connection, so transactions cannot wait for each other.
      if (name !== "PGlite")
        it.effect("a contact is deleted while a worker runs its execution, whichever of the two is retried", () =>
          Effect.gen(function* () {
            const fresh = yield* workflowProject
            const sql = yield* SqlClient.SqlClient
            const turns = yield* DueExecutions.make
            const { id } = yield* build(fresh, {
              event: "go",
              steps: { set: { type: "UPDATE_CONTACT", config: { updates: { done: true } } } }
            })
            const contact = (yield* fresh.track({ email: "ada@example.com", event: "go" })).body.data.contact
            yield* dispatch
            // A fiber forked within a transaction would be part of it.
            const held = yield* Deferred.make<void>()
            const asked = yield* Deferred.make<void>()
            const deleted = yield* Effect.forkChild(
              Effect.andThen(Deferred.await(held), fresh.ask("DELETE", `/contacts/${contact}`))
            )
            const taken = yield* Effect.forkChild(Effect.andThen(Deferred.await(asked), turns.take))
            // The deletion locks the contact first, the worker the execution.
            yield* Effect.gen(function* () {
              yield* sql`select from contacts where id = ${contact} for update`
              yield* Deferred.succeed(held, undefined)
              yield* waiting(1)
              yield* Deferred.succeed(asked, undefined)
              yield* waiting(2)
            }).pipe(sql.withTransaction)
            assert.strictEqual((yield* Fiber.join(deleted)).status, 204)
            yield* Fiber.join(taken)
            assert.isEmpty(yield* executionsOf(fresh.project, id))
          })
        )

      if (name !== "PGlite")
        it.effect("a start by a call waits for the deletion of the contact, and then finds none", () =>
          Effect.gen(function* () {
            const fresh = yield* workflowProject
            const sql = yield* SqlClient.SqlClient
            const { id } = yield* build(fresh, {
              event: "go",
              steps: { rest: { type: "DELAY", config: { amount: 1, unit: "hours" } } }
            })
            const contactId = (yield* fresh.track({ email: "ada@example.com", event: "come" })).body.data.contact
            const held = yield* Deferred.make<void>()
            const started = yield* Effect.forkChild(
              Effect.andThen(
                Deferred.await(held),
                fresh.outcome("POST", `/workflows/${id}/executions`, { contactId: String(contactId) })
              )
            )
            yield* Effect.gen(function* () {
              yield* sql`delete from contacts where id = ${contactId}`
              yield* Deferred.succeed(held, undefined)
              yield* waiting(1)
            }).pipe(sql.withTransaction)
            assert.strictEqual(yield* Fiber.join(started), "404 CONTACT_NOT_FOUND")
          })
        )

      it.effect("simultaneous workers share the work, and each execution runs in one of them", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const template = yield* fresh.template()
          const { id } = yield* build(fresh, {
            event: "go",
            steps: { mail: { type: "SEND_EMAIL", templateId: template.id } }
          })
          yield* Effect.forEach(Array.from({ length: 20 }), (_, n) =>
            fresh.track({ email: `c${n}@example.com`, event: "go" })
          )
          yield* dispatch
          const turns = yield* DueExecutions.make
          yield* Effect.forEach([1, 2, 3, 4], () => Effect.repeat(turns.take, { until: (more) => !more }), {
            concurrency: "unbounded"
          })
          const found = yield* executionsOf(fresh.project, id)
          assert.lengthOf(
            found.filter(({ status }) => status === "COMPLETED"),
            20
          )
          const sql = yield* SqlClient.SqlClient
          const [row] = yield* sql`select count(*)::int as mails from emails where project_id = ${fresh.project}`
          assert.deepStrictEqual(row, { mails: 20 })
        })
      )
    }
  )
}
