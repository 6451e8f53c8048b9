/** Which events start workflows and end waits: by their data, by who caused them, and by a condition on the contact. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import {
  build,
  type DrawnStep,
  dispatch,
  dispatchAgain,
  executionsOf,
  type WorkflowProject,
  work
} from "./ExecutionsFixture.ts"
import * as DueExecutions from "./run/DueExecutions.ts"
import { faultsIn, workflowProject } from "./WorkflowsFixture.ts"

const pass = (seconds: number) => TestClock.adjust(Duration.seconds(seconds))
const out: { readonly [name: string]: DrawnStep } = { out: { type: "EXIT" } }
const atLeast = (amount: number) => [{ path: "amount", operator: "greaterThanOrEqual", value: amount }]

/** Records an event of the service. */
const happened = Effect.fnUntraced(function* ({ project }: WorkflowProject, email: string, name: string, data: object) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into events (id, project_id, contact_id, name, source, data, created_at)
    select gen_random_uuid(), project_id, id, ${name}::text, 'system', ${JSON.stringify(data)}::text::jsonb,
           ${DateTime.toDate(yield* DateTime.now)}::timestamptz
    from contacts where project_id = ${project} and email = ${email}`
})

const waiting = Effect.fnUntraced(function* (config: object) {
  const fresh = yield* workflowProject
  const { id } = yield* build(fresh, {
    event: "go",
    steps: {
      wait: {
        type: "WAIT_FOR_EVENT",
        config: { eventName: "paid", timeout: 3_600, ...config },
        to: { event: "thank", timeout: "remind" }
      },
      thank: { type: "EXIT", config: { reason: "paid" } },
      remind: { type: "EXIT", config: { reason: "late" } }
    }
  })
  const email = "ada@example.com"
  return {
    ...fresh,
    id,
    email,
    tell: (event: string, data?: object) => fresh.track({ email, event, ...(data && { data }) }),
    state: Effect.map(
      Effect.andThen(work, executionsOf(fresh.project, id)),
      ([found]) => found?.exitReason ?? found?.status
    )
  }
})

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `Events that count on ${name}`,
    (it) => {
      it.effect("a trigger asks about the data of the event and about the contact, once for each event", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const { ask, project, track } = fresh
          const { id } = yield* build(fresh, {
            event: "order",
            trigger: {
              where: [...atLeast(50), { path: "shop.country", operator: "equals", value: "DE" }],
              condition: {
                groups: [
                  { filters: [{ field: "data.plan", operator: "equals", value: "pro" }] },
                  { filters: [{ field: "event.order", operator: "triggered", value: { atLeast: 2 } }] }
                ]
              }
            },
            steps: out
          })
          const order = (email: string, amount: number, country = "DE") =>
            Effect.andThen(track({ email, event: "order", data: { amount, shop: { country } } }), work)
          const started = Effect.map(executionsOf(project, id), (found) => found.map(({ email }) => email))
          for (const email of ["ada@example.com", "bob@example.com"]) {
            yield* ask("POST", "/contacts", { email, data: { plan: email.startsWith("ada") ? "pro" : "free" } })
          }
          yield* order("ada@example.com", 80)
          assert.deepStrictEqual(yield* started, [])
          yield* order("ada@example.com", 20)
          yield* order("ada@example.com", 80, "FR")
          yield* order("bob@example.com", 80)
          yield* order("bob@example.com", 80)
          assert.deepStrictEqual(yield* started, [])
          // The second event of the contact counts, and with it the condition holds.
          yield* order("ada@example.com", 50)
          assert.deepStrictEqual(yield* started, ["ada@example.com"])
          // What an event meant was decided when it happened.
          const { body } = yield* ask("GET", "/contacts?search=bob")
          yield* ask("PATCH", `/contacts/${body.data[0].id}`, { data: { plan: "pro" } })
          yield* dispatchAgain(project)
          yield* work
          assert.deepStrictEqual(yield* started, ["ada@example.com"])
          // A call starts the contact that it names.
          const { status } = yield* ask("POST", `/workflows/${id}/executions`, { contactId: body.data[0].id })
          assert.strictEqual(status, 201)
        })
      )

      it.effect("clicks of a scanner neither start nor resume unless the verdict says so; those of a person do", () =>
        Effect.gen(function* () {
          const started = (event: object) =>
            Effect.gen(function* () {
              const fresh = yield* workflowProject
              const { id } = yield* build(fresh, {
                event: "email.click",
                allowReentry: true,
                trigger: event,
                steps: out
              })
              yield* fresh.ask("POST", "/contacts", { email: "ada@example.com" })
              const counts: Array<number> = []
              for (const verdict of ["machine", "human"]) {
                yield* happened(fresh, "ada@example.com", "email.click", { verdict })
                yield* work
                counts.push((yield* executionsOf(fresh.project, id)).length)
              }
              return counts
            })
          assert.deepStrictEqual(yield* started({}), [0, 1])
          assert.deepStrictEqual(yield* started({ verdict: "machine" }), [1, 1])
          assert.deepStrictEqual(yield* started({ verdict: "any" }), [1, 2])
          const where = [{ path: "verdict", operator: "in", value: ["machine", "human"] }]
          assert.deepStrictEqual(yield* started({ where }), [1, 2])

          const wait = yield* waiting({ eventName: "email.click" })
          yield* wait.tell("go")
          assert.strictEqual(yield* wait.state, "WAITING")
          yield* happened(wait, wait.email, "email.click", { verdict: "machine" })
          assert.strictEqual(yield* wait.state, "WAITING")
          yield* happened(wait, wait.email, "email.click", { verdict: "human" })
          assert.strictEqual(yield* wait.state, "paid")
        })
      )

      it.effect("a wait passes over events whose data does not fit, and times out after them", () =>
        Effect.gen(function* () {
          const fits = yield* waiting({ where: atLeast(50) })
          yield* fits.tell("go")
          assert.strictEqual(yield* fits.state, "WAITING")
          yield* fits.tell("paid", { amount: 20 })
          assert.strictEqual(yield* fits.state, "WAITING")
          yield* pass(600)
          yield* fits.tell("paid", { amount: 30 })
          yield* fits.tell("paid", { amount: 80 })
          assert.strictEqual(yield* fits.state, "paid")

          const late = yield* waiting({ where: atLeast(50) })
          yield* late.tell("go")
          assert.strictEqual(yield* late.state, "WAITING")
          yield* late.tell("paid", { amount: 20 })
          yield* pass(3_600)
          assert.strictEqual(yield* late.state, "late")
        })
      )

      it.effect("a wait finds an event that fits and was stored in time, however late it is dispatched", () =>
        Effect.gen(function* () {
          const { tell, state, project, id } = yield* waiting({ where: atLeast(50) })
          const turns = yield* DueExecutions.make
          yield* tell("go")
          assert.strictEqual(yield* state, "WAITING")
          yield* tell("paid", { amount: 20 })
          assert.strictEqual(yield* state, "WAITING")
          yield* pass(3_599)
          yield* tell("paid", { amount: 80 })
          yield* pass(3_600)
          while (yield* turns.take);
          assert.strictEqual((yield* executionsOf(project, id))[0]?.exitReason, "paid")
          yield* dispatch
        })
      )

      it.effect("a wait compares with variables of its execution; without the variable nothing fits", () =>
        Effect.gen(function* () {
          const where = [{ path: "orderId", operator: "equals", valueFrom: "event.order.id" }]
          const { ask, project, id } = yield* waiting({ where })
          const contacts = ["ada", "bob", "eve"].map((person) => `${person}@example.com`)
          const contexts = [{ order: { id: 1 } }, { order: { id: 2 } }, { order: {} }]
          for (const [n, email] of contacts.entries()) {
            const { body } = yield* ask("POST", "/contacts", { email })
            const start = { contactId: body.id ?? body.data?.id, context: contexts[n] }
            assert.strictEqual((yield* ask("POST", `/workflows/${id}/executions`, start)).status, 201)
          }
          const states = Effect.map(Effect.andThen(work, executionsOf(project, id)), (found) =>
            found.map(({ exitReason, status }) => exitReason ?? status)
          )
          assert.deepStrictEqual(yield* states, ["WAITING", "WAITING", "WAITING"])
          const sql = yield* SqlClient.SqlClient
          yield* sql`
            insert into events (id, project_id, contact_id, name, source, data, created_at)
            select gen_random_uuid(), project_id, id, 'paid', 'tracked', '{"orderId": 2}',
                   ${DateTime.toDate(yield* DateTime.now)}::timestamptz
            from contacts where project_id = ${project}`
          assert.deepStrictEqual(yield* states, ["WAITING", "paid", "WAITING"])
        })
      )

      it.effect("`where` and `verdict` of null are as if they were absent", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const { id } = yield* build(fresh, {
            event: "go",
            trigger: { where: null, verdict: null },
            steps: {
              wait: {
                type: "WAIT_FOR_EVENT",
                config: { eventName: "paid", timeout: 3_600, where: null, verdict: null },
                to: { event: "out", timeout: "out" }
              },
              ...out
            }
          })
          for (const event of ["go", "paid"]) {
            yield* fresh.track({ email: "ada@example.com", event })
            yield* work
          }
          assert.deepStrictEqual(
            (yield* executionsOf(fresh.project, id)).map(({ status }) => status),
            ["EXITED"]
          )
        })
      )

      it.effect("faults of triggers and waits have full paths, whether the workflow is enabled or not", () =>
        Effect.gen(function* () {
          const { ask, workflow } = yield* workflowProject
          const { id } = yield* workflow({ eventName: "order" })
          const patched = (triggerConfig: object) =>
            Effect.map(ask("PATCH", `/workflows/${id}`, { triggerConfig }), ({ body }) => faultsIn(body))
          const waits = (config: object) =>
            Effect.map(
              ask("POST", `/workflows/${id}/steps`, {
                type: "WAIT_FOR_EVENT",
                config: { eventName: "paid", ...config }
              }),
              ({ body }) => faultsIn(body)
            )
          const entry = { path: "amount", operator: "equals", value: 1 }
          const from = { path: "amount", operator: "equals", valueFrom: "event.amount" }
          const named = { eventName: "order" }
          assert.deepStrictEqual(
            yield* patched({
              ...named,
              where: [
                { ...entry, path: "" },
                { ...entry, operator: "triggered" }
              ]
            }),
            ["triggerConfig.where.0.path required", "triggerConfig.where.1.operator custom"]
          )
          assert.deepStrictEqual(yield* patched({ ...named, where: Array(11).fill(entry) }), [
            "triggerConfig.where too_big"
          ])
          assert.deepStrictEqual(yield* patched({ ...named, where: [from] }), [
            "triggerConfig.where.0.valueFrom custom"
          ])
          assert.deepStrictEqual(yield* patched({ ...named, verdict: "any" }), ["triggerConfig.verdict custom"])
          assert.deepStrictEqual(yield* patched({ eventName: "email.open", verdict: "robot" }), [
            "triggerConfig.verdict invalid_enum"
          ])
          assert.deepStrictEqual(yield* patched({ ...named, entryKey: "k".repeat(101) }), [
            "triggerConfig.entryKey too_big"
          ])
          assert.deepStrictEqual(
            yield* patched({ ...named, condition: { groups: [{ filters: [{ field: "email", operator: "is" }] }] } }),
            ["triggerConfig.condition.groups.0.filters.0.operator invalid_enum"]
          )
          assert.deepStrictEqual(yield* waits({ where: [{ ...from, value: 1 }] }), ["config.where.0.valueFrom custom"])
          assert.deepStrictEqual(yield* waits({ where: [{ ...from, valueFrom: "data.amount" }] }), [
            "config.where.0.valueFrom custom"
          ])
          assert.deepStrictEqual(yield* waits({ where: [{ ...from, operator: "exists" }] }), [
            "config.where.0.valueFrom custom"
          ])
          assert.deepStrictEqual(yield* waits({ where: [{ ...from, operator: "within" }] }), [
            "config.where.0.unit required"
          ])
          assert.deepStrictEqual(yield* waits({ verdict: "human" }), ["config.verdict custom"])
          const { body } = yield* ask("GET", `/workflows/${id}`)
          assert.deepStrictEqual([body.triggerConfig, body.steps.length], [named, 1])
        })
      )
    }
  )
}
