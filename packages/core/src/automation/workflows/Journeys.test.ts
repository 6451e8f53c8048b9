/** Goals, exit rules and re-entry, from events to executions. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Failpoint, type Window } from "../../platform/Failpoint.ts"
import { databases } from "../../testing/Databases.ts"
import { Outside } from "../../testing/SafeFetchMemory.ts"
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
import * as WebhookCalls from "./run/WebhookCalls.ts"
import { faultsIn, workflowProject } from "./WorkflowsFixture.ts"

const hours = (count: number) => TestClock.adjust(Duration.hours(count))
const rest: { readonly [name: string]: DrawnStep } = { rest: { type: "DELAY", config: { amount: 30, unit: "days" } } }
const email = "ada@example.com"

const states = ({ project }: WorkflowProject, workflow: string) =>
  Effect.map(Effect.andThen(work, executionsOf(project, workflow)), (found) =>
    found.map(({ status, exitReason }) => (exitReason === null ? status : `${status} ${exitReason}`))
  )

const records = ({ ask }: WorkflowProject, workflow: string) =>
  Effect.map(ask("GET", `/workflows/${workflow}/executions`), ({ body }) => [...body.data].reverse())

const detail = ({ ask }: WorkflowProject, workflow: string, n = 0) =>
  Effect.gen(function* () {
    const { body } = yield* ask("GET", `/workflows/${workflow}/executions`)
    const all = [...body.data].reverse()
    return (yield* ask("GET", `/workflows/${workflow}/executions/${all[n].id}`)).body
  })

const conversions = ({ project }: WorkflowProject) =>
  SqlClient.SqlClient.use(
    (sql) => sql<{ amount: string | null; currency: string | null }>`
      select amount::text, currency from conversions where project_id = ${project} order by created_at, amount`
  )

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `Journeys on ${name}`,
    (it) => {
      it.effect("two orders of one contact run side by side, and each payment ends its own", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const where = [{ path: "orderId", operator: "equals", valueFrom: "event.orderId" }]
          const { id } = yield* build(fresh, {
            event: "order.placed",
            trigger: { entryKey: "orderId" },
            settings: { exitRules: [{ id: "paid", type: "EVENT", eventName: "order.paid", where }] },
            steps: rest
          })
          const tell = (event: string, data: object) => fresh.track({ email, event, data })
          for (const orderId of ["A", 7, "A", { deep: true }, "x".repeat(201)]) yield* tell("order.placed", { orderId })
          yield* work
          const all = yield* records(fresh, id)
          assert.deepStrictEqual(all.map(({ entryKey }) => entryKey).sort(), ["", "7", "A"])
          yield* tell("order.paid", { orderId: 7 })
          yield* tell("order.paid", { orderId: "B" })
          yield* work
          const ended = (yield* records(fresh, id)).filter(({ status }) => status !== "WAITING")
          assert.deepStrictEqual(
            ended.map(({ entryKey, status, exitReason, exitRuleId }) => [entryKey, status, exitReason, exitRuleId]),
            [["7", "EXITED", "exit_event", "paid"]]
          )
          // Without re-entry, each order enters once.
          yield* tell("order.placed", { orderId: 7 })
          yield* work
          assert.lengthOf(yield* records(fresh, id), 3)
        })
      )

      it.effect("at most 20 executions of a contact run side by side, started by events or by hand", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const { ask, outcome } = fresh
          const { id } = yield* build(fresh, { event: "order", trigger: { entryKey: "number" }, steps: rest })
          for (let n = 0; n < 19; n++) yield* fresh.track({ email, event: "order", data: { number: n } })
          yield* work
          const contactId = (yield* records(fresh, id))[0].contactId
          const start = (entryKey?: string) =>
            outcome("POST", `/workflows/${id}/executions`, { contactId, ...(entryKey !== undefined && { entryKey }) })
          assert.strictEqual(yield* start("3"), "409 already_running")
          assert.strictEqual(yield* start("by hand"), "201 ok")
          assert.strictEqual(yield* start(), "409 already_running")
          for (const key of ["one", "two"]) yield* fresh.track({ email, event: "order", data: { number: key } })
          yield* work
          assert.lengthOf((yield* executionsOf(fresh.project, id)).map(String), 20)
          const { status, body } = yield* ask("POST", `/workflows/${id}/executions`, {
            contactId,
            entryKey: "x".repeat(201)
          })
          assert.deepStrictEqual([status, faultsIn(body)], [422, ["entryKey too_big"]])
        })
      )

      it.effect("a contact enters again only so many hours after its last start, and only with re-entry", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const { ask, outcome, track } = fresh
          const refused = yield* workflowProject
          const { id: other } = yield* refused.workflow()
          const answer = yield* refused.ask("PATCH", `/workflows/${other}`, { reentryAfterHours: 24 })
          assert.deepStrictEqual([answer.status, faultsIn(answer.body)], [422, ["reentryAfterHours custom"]])
          const { id } = yield* build(fresh, {
            event: "visit",
            settings: { allowReentry: true, reentryAfterHours: 24 },
            steps: { out: { type: "EXIT" } }
          })
          const off = yield* ask("PATCH", `/workflows/${id}`, { allowReentry: false })
          assert.deepStrictEqual(faultsIn(off.body), ["reentryAfterHours custom"])
          const count = Effect.map(Effect.andThen(work, executionsOf(fresh.project, id)), ({ length }) => length)
          const visit = Effect.andThen(track({ email, event: "visit" }), count)
          assert.strictEqual(yield* visit, 1)
          yield* hours(23)
          assert.strictEqual(yield* visit, 1)
          const contactId = (yield* records(fresh, id))[0].contactId
          assert.strictEqual(
            yield* outcome("POST", `/workflows/${id}/executions`, { contactId }),
            "409 reentry_not_allowed"
          )
          yield* hours(1)
          assert.strictEqual(yield* visit, 2)
          yield* ask("PATCH", `/workflows/${id}`, { reentryAfterHours: null })
          assert.strictEqual(yield* visit, 3)
        })
      )

      it.effect("an event that reaches the goal converts an execution once, and ends it if it is live", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const { ask } = fresh
          yield* ask("POST", "/webhooks", { url: "https://hooks.example.com/a", events: ["*"] })
          const goal = {
            eventName: "paid",
            where: [{ path: "total", operator: "notEquals", value: 5 }],
            windowHours: 48,
            revenue: { path: "total", currencyPath: "currency" }
          }
          const { id } = yield* build(fresh, { event: "go", settings: { goal }, steps: rest })
          const { body: workflow } = yield* ask("GET", `/workflows/${id}`)
          assert.deepStrictEqual(workflow.goal, goal)
          const tell = (event: string, data: object = {}) => fresh.track({ email, event, data })
          yield* tell("go")
          assert.deepStrictEqual(yield* states(fresh, id), ["WAITING"])
          yield* tell("paid", { total: 5 })
          assert.deepStrictEqual(yield* states(fresh, id), ["WAITING"])
          yield* tell("paid", { total: "49.90", currency: "eur" })
          yield* TestClock.adjust("1 millis")
          yield* tell("paid", { total: 100, currency: "eur" })
          assert.deepStrictEqual(yield* states(fresh, id), ["EXITED goal"])
          const ended = yield* detail(fresh, id)
          assert.deepStrictEqual([ended.converted, ended.exitRuleId], [true, null])
          assert.deepInclude(ended.stepExecutions[0], { status: "SKIPPED", output: { reason: "goal" } })
          assert.deepStrictEqual(yield* conversions(fresh), [{ amount: "49.9000", currency: "EUR" }])
          const sql = yield* SqlClient.SqlClient
          const recorded = yield* sql<{ data: { revenue: object; executionId: string } }>`
            select data from events where project_id = ${fresh.project} and name = 'workflow.execution.converted'`
          assert.deepStrictEqual(
            recorded.map(({ data }) => [data.executionId, data.revenue]),
            [[ended.id, { amount: 49.9, currency: "EUR" }]]
          )
        })
      )

      it.effect("an execution that has ended converts too, within the window and not after it", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const settings = { goal: { eventName: "paid", windowHours: 48, exit: false } }
          const { id } = yield* build(fresh, { event: "go", settings, steps: { out: { type: "EXIT" } } })
          for (const email of ["ada@example.com", "bob@example.com"]) {
            yield* fresh.track({ email, event: "paid" })
            yield* fresh.track({ email, event: "go" })
          }
          yield* work
          yield* hours(48)
          yield* fresh.track({ email: "ada@example.com", event: "paid" })
          yield* work
          yield* TestClock.adjust(Duration.millis(1))
          yield* fresh.track({ email: "bob@example.com", event: "paid" })
          yield* work
          const all = yield* records(fresh, id)
          assert.deepStrictEqual(
            all.map(({ contact, converted, exitReason }) => [contact.email, converted, exitReason]).sort(),
            [
              ["ada@example.com", true, "exit_step"],
              ["bob@example.com", false, "exit_step"]
            ]
          )
        })
      )

      it.effect(
        "an execution that a goal ends, ends no earlier than the step that began before the event had its lock",
        () =>
          Effect.gen(function* () {
            const fresh = yield* workflowProject
            const { id } = yield* build(fresh, {
              event: "go",
              settings: { goal: { eventName: "paid" } },
              steps: rest
            })
            yield* fresh.track({ email, event: "go" })
            assert.deepStrictEqual(yield* states(fresh, id), ["WAITING"])
            yield* fresh.track({ email, event: "paid" })
            const sql = yield* SqlClient.SqlClient
            // As if the worker had begun the step a second after the dispatcher read its clock.
            yield* sql`
              update workflow_executions set updated_at = updated_at + interval '1 second' where workflow_id = ${id}`
            yield* sql`
              update workflow_step_executions set started_at = started_at + interval '1 second' where workflow_id = ${id}`
            assert.deepStrictEqual(yield* states(fresh, id), ["EXITED goal"])
            const found = yield* sql`
              select execution.converted, bool_and(visit.started_at <= execution.completed_at) as "isInOrder"
              from workflow_executions as execution
              join workflow_step_executions as visit on visit.execution_id = execution.id
              where execution.workflow_id = ${id} group by execution.id, execution.converted`
            assert.deepStrictEqual(found, [{ converted: true, isInOrder: true }])
          })
      )

      it.effect("with `exit: false` a goal converts, and exit rules still act", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const goal = { eventName: "paid", exit: false }
          const { id } = yield* build(fresh, {
            event: "go",
            settings: {
              goal,
              exitRules: [
                { id: "big", type: "EVENT", eventName: "paid", where: [{ path: "n", operator: "equals", value: 2 }] }
              ]
            },
            steps: rest
          })
          yield* fresh.track({ email, event: "go" })
          yield* fresh.track({ email, event: "paid", data: { n: 1 } })
          assert.deepStrictEqual(yield* states(fresh, id), ["WAITING"])
          assert.isTrue((yield* detail(fresh, id)).converted)
          yield* fresh.track({ email, event: "paid", data: { n: 2 } })
          assert.deepStrictEqual(yield* states(fresh, id), ["EXITED exit_event"])
          assert.lengthOf(yield* conversions(fresh), 1)
        })
      )

      it.effect("an event that fits goal and wait ends the execution, whoever sees the event first", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const { id } = yield* build(fresh, {
            event: "go",
            settings: { goal: { eventName: "paid" } },
            steps: {
              wait: { type: "WAIT_FOR_EVENT", config: { eventName: "paid", timeout: 60 }, to: { event: "out" } },
              out: { type: "EXIT" }
            }
          })
          const turns = yield* DueExecutions.make
          for (const email of ["ada@example.com", "bob@example.com"]) yield* fresh.track({ email, event: "go" })
          assert.deepStrictEqual(yield* states(fresh, id), ["WAITING", "WAITING"])
          yield* fresh.track({ email: "ada@example.com", event: "paid" })
          assert.deepStrictEqual(yield* states(fresh, id), ["EXITED goal", "WAITING"])
          // The worker sees the event before it is dispatched, and even after the timeout of the wait.
          yield* fresh.track({ email: "bob@example.com", event: "paid" })
          yield* TestClock.adjust("60 seconds")
          yield* turns.take
          assert.strictEqual((yield* executionsOf(fresh.project, id))[1]?.status, "WAITING")
          assert.deepStrictEqual(yield* states(fresh, id), ["EXITED goal", "EXITED goal"])
          assert.lengthOf(yield* conversions(fresh), 2)
        })
      )

      it.effect("the event that starts an execution never ends it, and events take effect one after the other", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const { id } = yield* build(fresh, {
            event: "cart",
            settings: {
              allowReentry: true,
              goal: { eventName: "cart" },
              exitRules: [{ id: "paid", type: "EVENT", eventName: "paid" }]
            },
            steps: rest
          })
          // In one batch: the second cart is blocked and reaches the goal, the third enters again, the payment ends it.
          const track = (email: string, event: string) =>
            Effect.andThen(fresh.track({ email, event }), TestClock.adjust("1 millis"))
          for (const event of ["cart", "cart", "cart", "paid"]) yield* track(email, event)
          yield* track("bob@example.com", "paid")
          yield* track("bob@example.com", "cart")
          yield* dispatch
          assert.deepStrictEqual(yield* states(fresh, id), ["EXITED goal", "EXITED exit_event", "WAITING"])
        })
      )

      it.effect("a process that dies while it dispatches the event leaves one conversion", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const { id } = yield* build(fresh, { event: "go", settings: { goal: { eventName: "paid" } }, steps: rest })
          yield* fresh.track({ email, event: "go" })
          yield* work
          yield* fresh.track({ email, event: "paid" })
          const killed = Effect.provideService(Failpoint, (reached: Window) =>
            reached === "after_goals" ? Effect.interrupt : Effect.void
          )
          for (let n = 0; n < 2; n++) {
            assert.isTrue(Exit.isFailure(yield* Effect.exit(killed(dispatch))))
            assert.lengthOf(yield* conversions(fresh), 0)
            assert.strictEqual((yield* executionsOf(fresh.project, id))[0]?.status, "WAITING")
          }
          assert.deepStrictEqual(yield* states(fresh, id), ["EXITED goal"])
          yield* dispatchAgain(fresh.project)
          const sql = yield* SqlClient.SqlClient
          assert.deepStrictEqual(yield* states(fresh, id), ["EXITED goal"])
          assert.lengthOf(yield* conversions(fresh), 1)
          const [sum] = yield* sql`select conversions from conversion_totals where project_id = ${fresh.project}`
          assert.deepStrictEqual(sum, { conversions: 1 })
        })
      )

      it.effect("one event brings its money once: to the execution whose mail was sent last", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const { id: templateId } = yield* fresh.template()
          const goal = { eventName: "paid", revenue: { path: "total", currency: "EUR" } }
          const mail: { readonly [name: string]: DrawnStep } = {
            mail: { type: "SEND_EMAIL", templateId, to: "rest" },
            ...rest
          }
          const ids: Array<string> = []
          for (const steps of [mail, mail, rest]) {
            ids.push((yield* build(fresh, { event: "go", settings: { goal }, steps })).id)
          }
          yield* fresh.track({ email, event: "go" })
          yield* work
          const sql = yield* SqlClient.SqlClient
          for (const [n, workflow] of ids.entries()) {
            const sent = DateTime.toDate(DateTime.add(yield* DateTime.now, { seconds: 10 - n }))
            yield* sql`update emails set status = 'SENT', sent_at = ${sent} where workflow_id = ${workflow}`
          }
          yield* hours(1)
          yield* fresh.track({ email, event: "paid", data: { total: 12.5 } })
          yield* work
          const found = yield* sql`
            select amount::text from conversions where project_id = ${fresh.project}
            order by array_position(${ids}::uuid[], owner_id)`
          assert.deepStrictEqual(found, [{ amount: "12.5000" }, { amount: null }, { amount: null }])
        })
      )

      it.effect(
        "a contact that leaves a segment, unsubscribes or leaves a topic leaves the workflow, by the first rule",
        () =>
          Effect.gen(function* () {
            const fresh = yield* workflowProject
            const { ask } = fresh
            const { body: segment } = yield* ask("POST", "/segments", {
              name: "Press",
              type: "STATIC",
              trackMembership: true
            })
            const { body: topic } = yield* ask("POST", "/topics", { name: "News", defaultSubscription: "subscribed" })
            const { id } = yield* build(fresh, {
              event: "go",
              settings: {
                exitRules: [
                  { id: "press", type: "LEFT_SEGMENT", segmentId: segment.id },
                  { id: "off", type: "UNSUBSCRIBED" },
                  { id: "news", type: "TOPIC_OFF", topicId: topic.id ?? topic.data?.id }
                ]
              },
              steps: rest
            })
            const people = ["a", "b", "c", "d"].map((person) => `${person}@example.com`)
            yield* ask("POST", `/segments/${segment.id}/members`, { emails: people.slice(0, 1), createMissing: true })
            for (const email of people) yield* fresh.track({ email, event: "go" })
            yield* work
            const idOf = (email: string) =>
              Effect.map(ask("GET", `/contacts?search=${email}`), ({ body }) => String(body.data[0].id))
            yield* ask("DELETE", `/segments/${segment.id}/members`, { emails: people.slice(0, 1) })
            yield* ask("PATCH", `/contacts/${yield* idOf("b@example.com")}`, { subscribed: false })
            yield* ask("POST", "/contacts", { email: "c@example.com", topics: { news: "unsubscribed" } })
            // Callers cannot feign it.
            yield* fresh.track({ email: "d@example.com", event: "topic.news.unsubscribed" })
            assert.deepStrictEqual(yield* states(fresh, id), [
              "EXITED left_segment",
              "EXITED unsubscribed",
              "EXITED topic_off",
              "WAITING"
            ])
          })
      )

      it.effect("an exit cancels mail that no try has begun, and keeps the answer of a running request", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const outside = yield* Outside
          const url = `https://hooks.example.com/${fresh.project}`
          yield* outside.answer(url, "ok")
          const { id: templateId } = yield* fresh.template()
          const { id } = yield* build(fresh, {
            event: "go",
            settings: { exitRules: [{ id: "stop", type: "EVENT", eventName: "stop" }] },
            steps: {
              first: { type: "SEND_EMAIL", templateId, to: "second" },
              second: { type: "SEND_EMAIL", templateId, to: "call" },
              call: { type: "WEBHOOK", config: { url }, to: "out" },
              out: { type: "EXIT" }
            }
          })
          const calls = yield* WebhookCalls.make
          const turns = yield* DueExecutions.make
          yield* fresh.track({ email, event: "go" })
          yield* dispatch
          yield* turns.take
          const [begun] = yield* calls.begin(10, [])
          if (begun === undefined) return assert.fail("nothing was begun")
          const sql = yield* SqlClient.SqlClient
          yield* sql`
            update emails set attempts = 1 where project_id = ${fresh.project} and id = (
              select id from emails where project_id = ${fresh.project} order by id limit 1)`
          yield* fresh.track({ email, event: "stop" })
          yield* dispatch
          yield* calls.make(begun)
          assert.deepStrictEqual(yield* states(fresh, id), ["EXITED exit_event"])
          const { stepExecutions } = yield* detail(fresh, id)
          assert.deepStrictEqual(
            stepExecutions.map(({ step, status }: { step: { name: string }; status: string }) => [step.name, status]),
            [
              ["first", "COMPLETED"],
              ["second", "COMPLETED"],
              ["call", "COMPLETED"]
            ]
          )
          const mails = yield* sql`
            select status, error_code from emails where project_id = ${fresh.project} order by id`
          assert.deepStrictEqual(mails, [
            { status: "PENDING", error_code: null },
            { status: "CANCELLED", error_code: "execution_exited" }
          ])
        })
      )

      it.effect("faults of goals and exit rules have full paths; unknown segments and topics prevent enabling", () =>
        Effect.gen(function* () {
          const { ask, workflow, step, enable } = yield* workflowProject
          const { id } = yield* workflow({ eventName: "go" })
          yield* step(id, "EXIT")
          const patched = (body: object) =>
            Effect.map(ask("PATCH", `/workflows/${id}`, body), ({ body }) => faultsIn(body).sort())
          assert.deepStrictEqual(yield* patched({ goal: { windowHours: 2_161, verdict: "any", revenue: {} } }), [
            "goal.eventName required",
            "goal.revenue.path required",
            "goal.windowHours too_big"
          ])
          assert.deepStrictEqual(
            yield* patched({ goal: { eventName: "paid", verdict: "any", revenue: { path: "a", currency: "EURO" } } }),
            ["goal.revenue.currency invalid_string"]
          )
          assert.deepStrictEqual(yield* patched({ goal: { eventName: "paid", verdict: "any" } }), [
            "goal.verdict custom"
          ])
          assert.deepStrictEqual(yield* patched({ goal: { eventName: "paid", revenue: { path: "a" } } }), [
            "goal.revenue.currency required"
          ])
          const rule = { id: "a", type: "EVENT", eventName: "paid" }
          assert.deepStrictEqual(
            yield* patched({ exitRules: [{ id: "a b", type: "EVENT", where: [{ path: "a", operator: "equals" }] }] }),
            ["exitRules.0.id invalid_string", "exitRules.0.where.0.value required"]
          )
          assert.deepStrictEqual(
            yield* patched({
              exitRules: [
                { id: "a", type: "EVENT" },
                { id: "b", type: "LEFT_SEGMENT", eventName: "paid" },
                { id: "c", type: "UNSUBSCRIBED", topicId: "news" }
              ]
            }),
            [
              "exitRules.0.eventName required",
              "exitRules.1.eventName custom",
              "exitRules.1.segmentId required",
              "exitRules.2.topicId custom"
            ]
          )
          assert.deepStrictEqual(yield* patched({ exitRules: [rule, rule] }), ["exitRules.1.id custom"])
          assert.deepStrictEqual(
            yield* patched({ exitRules: Array.from({ length: 11 }, (_, n) => ({ ...rule, id: String(n) })) }),
            ["exitRules too_big"]
          )
          const { body: untouched } = yield* ask("GET", `/workflows/${id}`)
          assert.deepStrictEqual([untouched.goal, untouched.exitRules], [null, []])

          const { body: segment } = yield* ask("POST", "/segments", { name: "Press", type: "STATIC" })
          const { body: topic } = yield* ask("POST", "/topics", { name: "News", defaultSubscription: "subscribed" })
          const gone = "019a0000-0000-7000-8000-00000000dead"
          const rules = (segmentId: string, topicId: string) => [
            { id: "a", type: "LEFT_SEGMENT", segmentId },
            { id: "b", type: "TOPIC_OFF", topicId }
          ]
          assert.deepStrictEqual(yield* patched({ exitRules: rules(gone, "nothing") }), [])
          assert.deepStrictEqual(faultsIn((yield* enable(id)).body), [
            "exitRules.0.segmentId custom",
            "exitRules.1.topicId custom"
          ])
          assert.deepStrictEqual(yield* patched({ exitRules: rules(segment.id, "news"), enabled: true }), [])
          const warnings = Effect.map(ask("GET", `/workflows/${id}/validate`), ({ body }) =>
            body.warnings.map(({ field }: { field: string }) => field)
          )
          assert.deepStrictEqual(yield* warnings, ["exitRules.0.segmentId"])
          // A rule never keeps a topic, but it keeps its segment.
          const removed = yield* ask("DELETE", `/topics/${topic.id ?? topic.data?.id}?confirm=true`)
          assert.include([200, 204], removed.status, JSON.stringify(removed.body))
          assert.deepStrictEqual(yield* warnings, ["exitRules.1.topicId", "exitRules.0.segmentId"])
          const kept = yield* ask("DELETE", `/segments/${segment.id}`)
          assert.deepStrictEqual([kept.status, kept.body.error.code], [409, "RESOURCE_IN_USE"])
        })
      )

      it.effect("events of goals, exit rules and trigger conditions are in use; a copy has the same settings", () =>
        Effect.gen(function* () {
          const { ask, workflow, track } = yield* workflowProject
          for (const event of ["paid", "left", "seen"]) yield* track({ email, event })
          const made = yield* workflow({ eventName: "go", name: "All" })
          const condition = { groups: [{ filters: [{ field: "event.seen", operator: "triggered" }] }] }
          const settings = {
            triggerConfig: { eventName: "go", condition },
            goal: { eventName: "paid" },
            exitRules: [{ id: "a", type: "EVENT", eventName: "left" }]
          }
          assert.strictEqual((yield* ask("PATCH", `/workflows/${made.id}`, settings)).status, 200)
          for (const [event, as] of [
            ["paid", "goal"],
            ["left", "exit"],
            ["seen", "condition"]
          ]) {
            const { body } = yield* ask("GET", `/events/${event}/usage`)
            assert.deepStrictEqual(body.usedInWorkflows, [{ id: made.id, name: "All", as: [as] }])
            assert.strictEqual((yield* ask("DELETE", `/events/${event}`)).status, 409)
          }
          const { body: copy } = yield* ask("POST", `/workflows/${made.id}/duplicate`)
          assert.deepStrictEqual(
            [copy.triggerConfig, copy.goal, copy.exitRules],
            [settings.triggerConfig, settings.goal, settings.exitRules]
          )
          yield* ask("PATCH", `/workflows/${made.id}`, { goal: null, exitRules: [] })
          yield* ask("PATCH", `/workflows/${copy.id}`, { goal: null, exitRules: [] })
          assert.strictEqual((yield* ask("DELETE", "/events/paid")).status, 200)
        })
      )

      it.effect(
        "goals and exit rules act as they are when the event comes; deleting the workflow removes all of it",
        () =>
          Effect.gen(function* () {
            const fresh = yield* workflowProject
            const { ask } = fresh
            const { id } = yield* build(fresh, { event: "go", settings: { goal: { eventName: "paid" } }, steps: rest })
            for (const email of ["ada@example.com", "bob@example.com"]) yield* fresh.track({ email, event: "go" })
            yield* work
            yield* fresh.track({ email: "ada@example.com", event: "paid" })
            yield* work
            yield* ask("PATCH", `/workflows/${id}`, { goal: { eventName: "bought" }, enabled: false })
            yield* fresh.track({ email: "bob@example.com", event: "paid" })
            assert.deepStrictEqual(yield* states(fresh, id), ["EXITED goal", "WAITING"])
            yield* fresh.track({ email: "bob@example.com", event: "bought" })
            assert.deepStrictEqual(yield* states(fresh, id), ["EXITED goal", "EXITED goal"])
            assert.strictEqual((yield* ask("DELETE", `/workflows/${id}`)).status, 204)
            const sql = yield* SqlClient.SqlClient
            const [left] = yield* sql`
            select (select count(*)::int from goals where project_id = ${fresh.project}) as goals,
                   (select count(*)::int from conversions where project_id = ${fresh.project}) as conversions,
                   (select count(*)::int from conversion_totals where project_id = ${fresh.project}) as totals`
            assert.deepStrictEqual(left, { goals: 0, conversions: 0, totals: 0 })
          })
      )
    }
  )
}
