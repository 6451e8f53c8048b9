import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wire, wireOver } from "../../testing/TestClient.ts"
import { build, type Drawing, executionsOf, work } from "./ExecutionsFixture.ts"
import * as DueExecutions from "./run/DueExecutions.ts"
import { faultsIn, workflowProject } from "./WorkflowsFixture.ts"

const setTime = (text: string) => TestClock.setTime(Date.parse(text))

/** A workflow that `go` starts at an instant, and the path and output of the newest execution. */
const running = Effect.fnUntraced(function* (at: string, steps: Drawing["steps"]) {
  yield* setTime(at)
  const fresh = yield* workflowProject
  const workflow = yield* build(fresh, { event: "go", allowReentry: true, steps })
  const go = (data: object = {}, email = "ada@example.com") => fresh.track({ email, event: "go", data })
  const states = Effect.andThen(work, executionsOf(fresh.project, workflow.id))
  const path = Effect.map(states, (found) => [found.at(-1)?.status, ...(found.at(-1)?.path ?? [])].join(", "))
  const read = Effect.flatMap(states, (found) =>
    Effect.map(
      fresh.ask("GET", `/workflows/${workflow.id}/executions/${found.at(-1)?.id}`),
      ({ body }) => body.stepExecutions[0]
    )
  )
  /** The path at each instant, one after the other. */
  const pathAt = Effect.fnUntraced(function* (instant: string) {
    yield* setTime(instant)
    return yield* path
  })
  return { ...fresh, workflow, go, states, path, pathAt, read }
})

const out = { type: "EXIT" } as const

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `Steps that wait for a time on ${name}`,
    (it) => {
      it.effect("TIME_WINDOW passes within the window, else when it opens in the zone of the contact", () =>
        Effect.gen(function* () {
          const { go, ask, path, pathAt, read } = yield* running("2026-03-28T12:00Z", {
            window: { type: "TIME_WINDOW", config: { from: "02:30", to: "04:00" }, to: "out" },
            out
          })
          yield* ask("POST", "/contacts", { email: "ada@example.com", timezone: "Europe/Berlin" })
          yield* go()
          assert.strictEqual(yield* path, "WAITING, window SCHEDULED")
          // 02:30 is skipped on this day.
          assert.strictEqual((yield* read).scheduledFor, "2026-03-29T01:00:00.000Z")
          assert.strictEqual(yield* pathAt("2026-03-29T00:59:59.999Z"), "WAITING, window SCHEDULED")
          assert.strictEqual(yield* pathAt("2026-03-29T01:00Z"), "EXITED, window COMPLETED, out COMPLETED")
          assert.deepStrictEqual((yield* read).output, { until: "2026-03-29T01:00:00.000Z" })
          yield* go()
          assert.strictEqual(yield* path, "EXITED, window COMPLETED, out COMPLETED")
          assert.deepStrictEqual((yield* read).output, {})
        })
      )

      it.effect("TIME_WINDOW uses the zone of the project for contacts without one, and for all with PROJECT", () =>
        Effect.gen(function* () {
          const hours = { days: ["MON"], from: "22:00", to: "06:00" }
          const { go, ask, path, project, read } = yield* running("2026-11-24T02:00Z", {
            window: { type: "TIME_WINDOW", config: { ...hours, timezone: "PROJECT" }, to: "named" },
            named: { type: "TIME_WINDOW", config: { ...hours, timezone: "Asia/Tokyo" } }
          })
          const sql = yield* SqlClient.SqlClient
          yield* sql`update projects set timezone = 'Europe/Berlin' where id = ${project}`
          yield* TestClock.adjust(Duration.seconds(2))
          yield* ask("POST", "/contacts", { email: "ada@example.com", timezone: "Asia/Tokyo" })
          yield* go()
          // Tuesday, 3 in the morning in Berlin, is the night of Monday. In Tokyo it is 11 o'clock.
          assert.strictEqual(yield* path, "WAITING, window COMPLETED, named SCHEDULED")
          assert.deepStrictEqual((yield* read).output, {})
        })
      )

      it.effect("DELAY until a time waits on both days of a clock change", () =>
        Effect.gen(function* () {
          const at = { time: "02:30", timezone: "Europe/Berlin" }
          const { go, path, pathAt } = yield* running("2026-03-28T12:00Z", {
            spring: { type: "DELAY", config: { until: { weekdays: ["SUN"], ...at } }, to: "autumn" },
            autumn: { type: "DELAY", config: { until: { date: "2026-10-25", ...at } }, to: "past" },
            past: { type: "DELAY", config: { until: { date: "2026-10-24", ...at } }, to: "out" },
            out
          })
          yield* go()
          assert.strictEqual(yield* path, "WAITING, spring SCHEDULED")
          assert.strictEqual(yield* pathAt("2026-03-29T00:59:59.999Z"), "WAITING, spring SCHEDULED")
          assert.strictEqual(yield* pathAt("2026-03-29T01:00Z"), "WAITING, spring COMPLETED, autumn SCHEDULED")
          assert.strictEqual(yield* pathAt("2026-10-25T00:29:59.999Z"), "WAITING, spring COMPLETED, autumn SCHEDULED")
          assert.strictEqual(
            yield* pathAt("2026-10-25T00:30Z"),
            "EXITED, spring COMPLETED, autumn COMPLETED, past COMPLETED, out COMPLETED"
          )
        })
      )

      it.effect("DELAY until a field goes on waiting if the date has moved, and leaves if it is gone", () =>
        Effect.gen(function* () {
          const until = { field: "data.trialEnds", offset: { amount: -3, unit: "days" }, timezone: "Europe/Berlin" }
          const { go, ask, path, pathAt, read, workflow } = yield* running("2026-11-27T12:00Z", {
            wait: { type: "DELAY", config: { until }, to: { "": "due", missing: "none", passed: "late" } },
            due: { type: "EXIT", config: { reason: "due" } },
            none: { type: "EXIT", config: { reason: "none" } },
            late: { type: "EXIT", config: { reason: "late" } }
          })
          const contact = (yield* ask("POST", "/contacts", {
            email: "ada@example.com",
            data: { trialEnds: "2026-12-10" }
          })).body.id
          const move = (trialEnds: string | null) => ask("PATCH", `/contacts/${contact}`, { data: { trialEnds } })
          yield* go()
          assert.strictEqual(yield* path, "WAITING, wait SCHEDULED")
          yield* move("2026-12-12")
          assert.strictEqual(yield* pathAt("2026-12-07T08:00Z"), "WAITING, wait SCHEDULED")
          const visit = yield* read
          assert.deepInclude(visit, { scheduledFor: "2026-12-09T08:00:00.000Z", iteration: 1 })
          // An earlier date is not noticed before the stored time.
          yield* move("2026-12-01")
          assert.strictEqual(yield* pathAt("2026-12-08T08:00Z"), "WAITING, wait SCHEDULED")
          assert.strictEqual(yield* pathAt("2026-12-09T08:00Z"), "EXITED, wait COMPLETED, due COMPLETED")
          assert.deepStrictEqual(
            [(yield* read).id, (yield* read).output],
            [visit.id, { until: "2026-12-09T08:00:00.000Z" }]
          )

          yield* go()
          assert.strictEqual(yield* path, "EXITED, wait COMPLETED passed, late COMPLETED")
          assert.deepStrictEqual((yield* read).output, { until: "2026-11-28T08:00:00.000Z" })
          yield* move("2026-12-24")
          yield* go()
          yield* path
          yield* move(null)
          assert.strictEqual(yield* pathAt("2026-12-21T08:00Z"), "EXITED, wait COMPLETED missing, none COMPLETED")
          assert.deepStrictEqual((yield* read).output, { until: null })

          const usage = yield* ask("GET", "/contacts/fields/data.trialEnds/usage")
          assert.deepStrictEqual(
            usage.body.usedInWorkflows.map(({ id }: { id: string }) => id),
            [workflow.id]
          )
        })
      )

      it.effect("DELAY until a field takes the way on without transitions for its branches, once a year", () =>
        Effect.gen(function* () {
          const { go, ask, path, pathAt } = yield* running("2026-11-27T12:00Z", {
            wait: { type: "DELAY", config: { until: { field: "data.born", anniversary: true } }, to: "out" },
            out
          })
          yield* go()
          assert.strictEqual(yield* path, "EXITED, wait COMPLETED missing, out COMPLETED")
          yield* ask("POST", "/contacts", { email: "ada@example.com", data: { born: "2000-02-29" } })
          yield* go()
          assert.strictEqual(yield* pathAt("2027-02-28T08:59:59.999Z"), "WAITING, wait SCHEDULED")
          assert.strictEqual(yield* pathAt("2027-02-28T09:00Z"), "EXITED, wait COMPLETED, out COMPLETED")
        })
      )

      it.effect(
        "RATE_LIMIT lets one go on each second, whatever the number of workers, and the rest branches off",
        () =>
          Effect.gen(function* () {
            const start = "2026-11-27T12:00:00.000Z"
            const fresh = yield* running(start, {
              limit: {
                type: "RATE_LIMIT",
                config: { limit: 3_600, per: "hour", maxWaitHours: 1 },
                to: { "": "out", exceeded: "over" }
              },
              out,
              over: { type: "EXIT", config: { reason: "over" } }
            })
            const { project, workflow } = fresh
            const sql = yield* SqlClient.SqlClient
            const now = DateTime.toDate(yield* DateTime.now)
            // The last hour of slots is taken but for 250.
            yield* sql`
            insert into workflow_rate_limits (project_id, workflow_id, step_id, next_at)
            values (${project}, ${workflow.id}, ${workflow.steps.get("limit") ?? ""},
                    ${now}::timestamptz + interval '3351 seconds')`
            yield* sql`
            with people as (
              insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
              select gen_random_uuid(), ${project}::uuid, n || '@example.com', true, '{}', ${now}::timestamptz, ${now}::timestamptz
              from generate_series(1, 300) as n returning id
            )
            insert into workflow_executions (project_id, id, workflow_id, contact_id, nth, status, source, chain, context,
              current_step_id, step_execution_id, current_since, due_at, started_at, created_at, updated_at)
            select ${project}::uuid, gen_random_uuid(), ${workflow.id}::uuid, id, 1, 'RUNNING', 'MANUAL', 0, '{}',
                   ${workflow.steps.get("limit") ?? ""}::uuid, gen_random_uuid(), ${now}::timestamptz,
                   ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
            from people`
            const worker = Effect.gen(function* () {
              const due = yield* DueExecutions.make
              while (yield* due.take) yield* Effect.yieldNow
            })
            yield* Effect.all([worker, worker, worker, worker], { concurrency: "unbounded" })
            const waiting = yield* sql`
            select (extract(epoch from resume_at - ${now}::timestamptz))::int as second from workflow_executions
            where project_id = ${project} and status = 'WAITING' order by resume_at`
            assert.deepStrictEqual(
              waiting.map(({ second }) => second),
              Array.from({ length: 250 }, (_, n) => 3_351 + n)
            )
            const over = yield* sql`
            select count(*)::int as n from workflow_executions where project_id = ${project} and exit_reason = 'over'`
            assert.deepStrictEqual(over, [{ n: 50 }])
            yield* TestClock.adjust(Duration.seconds(3_360))
            yield* work
            const gone = yield* sql`
            select count(*)::int as n from workflow_executions
            where project_id = ${project} and status = 'EXITED' and exit_reason <> 'over'`
            assert.deepStrictEqual(gone, [{ n: 10 }])
            const cancelled = yield* fresh.ask("POST", `/workflows/${workflow.id}/executions/cancel-all`)
            assert.strictEqual(cancelled.body.cancelled, 240)
            assert.strictEqual((yield* fresh.ask("DELETE", `/workflows/${workflow.id}`)).status, 204)
            assert.isEmpty(yield* sql`select 1 from workflow_rate_limits where project_id = ${project}`)
          })
      )

      it.effect("RATE_LIMIT that branches counts in each minute", () =>
        Effect.gen(function* () {
          const { go, states, read, path } = yield* running("2026-11-27T12:00:30Z", {
            limit: {
              type: "RATE_LIMIT",
              config: { limit: 2, per: "minute", onExceeded: "BRANCH" },
              to: { "": "out", exceeded: "over" }
            },
            out,
            over: { type: "EXIT", config: { reason: "over" } }
          })
          for (const who of ["a", "b", "c"]) yield* go({}, `${who}@example.com`)
          const reasons = Effect.map(states, (found) => found.map(({ exitReason }) => exitReason).sort())
          assert.deepStrictEqual(yield* reasons, ["exit_step", "exit_step", "over"])
          yield* setTime("2026-11-27T12:00:59.999Z")
          yield* go({}, "d@example.com")
          assert.strictEqual(yield* path, "EXITED, limit COMPLETED exceeded, over COMPLETED")
          assert.deepStrictEqual((yield* read).output, { exceeded: true })
          yield* setTime("2026-11-27T12:01:00Z")
          yield* go({}, "e@example.com")
          assert.strictEqual(yield* path, "EXITED, limit COMPLETED, out COMPLETED")
          assert.deepStrictEqual((yield* read).output, { exceeded: false })
        })
      )
    }
  )
}

layer(wire, { timeout: "60 seconds", excludeTestServices: false })("Cycles of steps that wait", (it) => {
  it.effect.each<readonly [type: string, config: object, isAllowed: boolean]>([
    ["DELAY", { amount: 1, unit: "days" }, true],
    ["DELAY", { until: { weekdays: ["MON"], time: "09:00" } }, true],
    ["DELAY", { until: { date: "2027-01-01", time: "09:00" } }, false],
    ["DELAY", { until: { field: "data.born", anniversary: true } }, false],
    ["TIME_WINDOW", { from: "09:00", to: "17:00" }, false],
    ["RATE_LIMIT", { limit: 1, per: "day" }, false]
  ])("are allowed through a %s with %j: %s", ([type, config, isAllowed]) =>
    Effect.gen(function* () {
      const fresh = yield* workflowProject
      const { id, steps } = yield* build(fresh, {
        event: "go",
        enabled: false,
        steps: {
          wait: { type, config, to: "set" },
          set: { type: "UPDATE_CONTACT", config: { updates: { seen: true } }, to: "wait" }
        }
      })
      const { status, body } = yield* fresh.enable(id)
      assert.deepStrictEqual(
        [status, faultsIn(body)],
        isAllowed ? [200, []] : [422, [`steps.${steps.get("wait")} custom`]]
      )
    })
  )
})
