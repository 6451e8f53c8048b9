import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { dispatch, draw, executionsOf, work } from "./ExecutionsFixture.ts"
import * as DueExecutions from "./run/DueExecutions.ts"
import { workflowProject } from "./WorkflowsFixture.ts"

const pass = (seconds: number) => TestClock.adjust(Duration.seconds(seconds))

/** The same wait in every test: until `paid`, at most an hour. */
const waiting = Effect.fnUntraced(function* (more: { readonly event?: string; readonly allowReentry?: boolean } = {}) {
  const fresh = yield* workflowProject
  const workflow = yield* draw(fresh.project, {
    event: "go",
    allowReentry: false,
    ...more,
    steps: {
      wait: {
        type: "WAIT_FOR_EVENT",
        config: { eventName: "paid", timeout: 3_600 },
        to: { event: "thank", timeout: "remind" }
      },
      thank: { type: "EXIT", config: { reason: "paid" } },
      remind: { type: "EXIT", config: { reason: "late" } }
    }
  })
  const track = (event: string, data?: object, email = "ada@example.com") =>
    fresh.track({ email, event, ...(data && { data }) })
  const look = executionsOf(fresh.project, workflow.id)
  const reasons = Effect.map(Effect.andThen(work, look), (found) =>
    found.map(({ status, exitReason }) => exitReason ?? status)
  )
  const output = Effect.flatMap(look, (found) =>
    Effect.map(
      fresh.ask("GET", `/workflows/${workflow.id}/executions/${found[0]?.id}`),
      ({ body }) => body.stepExecutions[0].output
    )
  )
  return { ...fresh, workflow, track, look, reasons, output }
})

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `A wait for an event on ${name}`,
    (it) => {
      it.effect("ends with the event, whose data overrides the context", () =>
        Effect.gen(function* () {
          const { track, reasons, output, look } = yield* waiting()
          yield* track("go", { plan: "free", kept: 1 })
          assert.deepStrictEqual(yield* reasons, ["WAITING"])
          yield* pass(10)
          yield* track("paid", { plan: "pro", amount: 5 })
          yield* track("paid", { amount: 6 })
          assert.deepStrictEqual(yield* reasons, ["paid"])
          assert.deepStrictEqual((yield* look)[0]?.context, { plan: "pro", amount: 5, kept: 1 })
          assert.deepInclude(yield* output, {
            outcome: "EVENT",
            eventName: "paid",
            data: { plan: "pro", amount: 5 },
            receivedAt: "1970-01-01T00:00:10.000Z",
            merged: true
          })
        })
      )

      it.effect("stores 16 KB of its output without the largest part; the context has everything", () =>
        Effect.gen(function* () {
          const { track, reasons, output, look } = yield* waiting()
          yield* track("go")
          yield* reasons
          yield* pass(10)
          const much = "x".repeat(8_000)
          yield* track("paid", { one: much, two: much, three: much })
          assert.deepStrictEqual(yield* reasons, ["paid"])
          const { data, truncated, eventName } = yield* output
          assert.deepStrictEqual([data, truncated, eventName], [undefined, true, "paid"])
          assert.deepStrictEqual((yield* look)[0]?.context, { one: much, two: much, three: much })
        })
      )

      it.effect("ends at its timeout and not before; events of others and of other names do not count", () =>
        Effect.gen(function* () {
          const { track, reasons, output } = yield* waiting()
          yield* track("paid")
          yield* pass(1)
          yield* track("go")
          assert.deepStrictEqual(yield* reasons, ["WAITING"])
          yield* pass(3_599)
          yield* track("Paid")
          yield* track("paid", {}, "bob@example.com")
          assert.deepStrictEqual(yield* reasons, ["WAITING"])
          yield* pass(1)
          assert.deepStrictEqual(yield* reasons, ["late"])
          assert.deepStrictEqual(yield* output, { outcome: "TIMEOUT", eventName: "paid" })
          yield* track("paid")
          assert.deepStrictEqual(yield* reasons, ["late"])
        })
      )

      it.effect("(1) finds an event that was stored between the step and its record", () =>
        Effect.gen(function* () {
          const { track, look } = yield* waiting()
          const turns = yield* DueExecutions.make
          yield* track("go")
          yield* dispatch
          // The first transaction stores the wait. The event is dispatched before its commit, so it wakes no execution.
          yield* track("paid")
          yield* dispatch
          yield* turns.take
          assert.strictEqual((yield* look)[0]?.status, "WAITING")
          yield* turns.take
          assert.strictEqual((yield* look)[0]?.exitReason, "paid")
        })
      )

      it.effect("(2, 3) an event stored in time wins over the timeout, however late it is dispatched", () =>
        Effect.gen(function* () {
          const { track, look, reasons } = yield* waiting()
          const turns = yield* DueExecutions.make
          yield* track("go")
          yield* reasons
          yield* pass(3_600)
          yield* track("paid")
          yield* pass(3_600)
          while (yield* turns.take);
          assert.strictEqual((yield* look)[0]?.exitReason, "paid")
          // Its dispatch changes nothing.
          assert.deepStrictEqual(yield* reasons, ["paid"])
          assert.deepStrictEqual((yield* look)[0]?.path, ["wait COMPLETED event", "thank COMPLETED"])
        })
      )

      it.effect("(2) an event stored after the due time does not end the wait, in either order", () =>
        Effect.gen(function* () {
          const { track, reasons } = yield* waiting()
          yield* track("go")
          yield* reasons
          yield* pass(3_601)
          yield* track("paid")
          assert.deepStrictEqual(yield* reasons, ["late"])
        })
      )

      it.effect("(4) takes the earliest of several, by the time they were stored", () =>
        Effect.gen(function* () {
          const { track, reasons, output } = yield* waiting()
          yield* track("go")
          yield* reasons
          yield* pass(1)
          yield* track("paid", { n: 1 })
          yield* pass(1)
          yield* track("paid", { n: 2 })
          assert.deepStrictEqual(yield* reasons, ["paid"])
          assert.deepInclude(yield* output, { data: { n: 1 } })
        })
      )

      it.effect("(5) one event resumes every execution that waits for it, each once, also in a loop", () =>
        Effect.gen(function* () {
          const { project, track } = yield* workflowProject
          const loop = { type: "WAIT_FOR_EVENT", config: { eventName: "paid" } }
          const one = yield* draw(project, { event: "go", steps: { a: { ...loop, to: "b" }, b: { ...loop, to: "a" } } })
          const other = yield* draw(project, { event: "go", steps: { a: { ...loop, to: "b" }, b: loop } })
          yield* track({ email: "ada@example.com", event: "go" })
          yield* work
          yield* track({ email: "ada@example.com", event: "paid" })
          yield* work
          for (const { id } of [one, other]) {
            assert.deepStrictEqual((yield* executionsOf(project, id))[0]?.path, ["a COMPLETED event", "b WAITING"])
          }
          yield* track({ email: "ada@example.com", event: "paid" })
          yield* work
          assert.deepStrictEqual((yield* executionsOf(project, one.id))[0]?.path, [
            "a COMPLETED event",
            "b COMPLETED event",
            "a WAITING"
          ])
          assert.strictEqual((yield* executionsOf(project, other.id))[0]?.status, "COMPLETED")
        })
      )

      it.effect("(6) is not ended by the event that started the execution", () =>
        Effect.gen(function* () {
          const { track, reasons } = yield* waiting({ event: "paid" })
          yield* track("paid")
          assert.deepStrictEqual(yield* reasons, ["WAITING"])
          yield* track("paid")
          assert.deepStrictEqual(yield* reasons, ["paid"])
        })
      )

      it.effect("(7) an event that resumes an execution does not start another one of its workflow", () =>
        Effect.gen(function* () {
          const { track, reasons, look } = yield* waiting({ event: "paid", allowReentry: true })
          const turns = yield* DueExecutions.make
          yield* track("paid")
          yield* reasons
          yield* track("paid")
          // The worker finds the event, and the execution ends before the event is dispatched.
          const sql = yield* SqlClient.SqlClient
          yield* sql`update workflow_executions set due_at = current_since where wait_event = 'paid'`
          while (yield* turns.take);
          assert.deepStrictEqual(
            (yield* look).map(({ status }) => status),
            ["EXITED"]
          )
          assert.deepStrictEqual(yield* reasons, ["paid"])
          yield* pass(1)
          yield* track("paid")
          assert.deepStrictEqual(yield* reasons, ["paid", "WAITING"])
        })
      )

      it.effect("keeps its context when the event would make it too large", () =>
        Effect.gen(function* () {
          const { track, reasons, output, look } = yield* waiting()
          yield* track("go", { a: { value: "x".repeat(40_000), persistent: false } })
          yield* reasons
          yield* pass(1)
          yield* track("paid", { b: { value: "y".repeat(40_000), persistent: false } })
          assert.deepStrictEqual(yield* reasons, ["paid"])
          assert.deepInclude(yield* output, { outcome: "EVENT", merged: false, truncated: true })
          assert.deepStrictEqual(Object.keys((yield* look)[0]?.context ?? {}), ["a"])
        })
      )

      it.effect("waits for events of the service too", () =>
        Effect.gen(function* () {
          const { project, track } = yield* workflowProject
          const { id } = yield* draw(project, {
            event: "go",
            steps: { wait: { type: "WAIT_FOR_EVENT", config: { eventName: "contact.unsubscribed" } } }
          })
          yield* track({ email: "ada@example.com", event: "go" })
          yield* work
          yield* track({ email: "ada@example.com", event: "x", subscribed: false })
          yield* work
          const [execution] = yield* executionsOf(project, id)
          assert.strictEqual(execution?.status, "COMPLETED")
          assert.deepStrictEqual(execution?.context, { reason: "track" })
        })
      )
    }
  )
}
