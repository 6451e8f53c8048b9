/** Migrations of live executions between versions. */
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Failpoint } from "../../../platform/Failpoint.ts"
import * as JobRunner from "../../../platform/jobs/JobRunner.ts"
import { databases } from "../../../testing/Databases.ts"
import { eventually } from "../../../testing/Eventually.ts"
import { Outside } from "../../../testing/SafeFetchMemory.ts"
import { servicesOn } from "../../../testing/Services.ts"
import { wireOver } from "../../../testing/TestClient.ts"
import { build, type Drawing, dispatch, executionsOf, work } from "../ExecutionsFixture.ts"
import * as DueExecutions from "../run/DueExecutions.ts"
import * as WebhookCalls from "../run/WebhookCalls.ts"
import { faultsIn, nowhere, workflowProject } from "../WorkflowsFixture.ts"
import * as WorkflowVersions from "./WorkflowVersions.ts"

const days = (amount: number) => ({ type: "DELAY", config: { amount, unit: "days" } }) as const
const set = (updates: object) => ({ type: "UPDATE_CONTACT", config: { updates } }) as const

const running = Layer.build(JobRunner.layer(WorkflowVersions.jobs))

/** A published workflow that `go` starts, and calls about it. */
const published = Effect.fnUntraced(function* (steps: Drawing["steps"]) {
  const fresh = yield* workflowProject
  const flow = yield* build(fresh, { event: "go", steps })
  const path = `/workflows/${flow.id}`
  yield* fresh.ask("PATCH", path, { versioning: "PUBLISHED" })
  const idOf = (name: string) => flow.steps.get(name) ?? nowhere
  const publish = Effect.flatMap(fresh.ask("POST", `${path}/publish`), ({ status, body }) =>
    status === 200 ? Effect.void : Effect.die(new Error(JSON.stringify(body)))
  )
  const migrate = (body: object) => fresh.ask("POST", `${path}/migrations`, body)
  /** The record of the job after it has ended. Jobs run until the scope closes. */
  const ended = (id: string) =>
    eventually(
      Effect.andThen(
        TestClock.adjust("1 second"),
        Effect.map(fresh.ask("GET", `${path}/migrations/${id}`), ({ body }) => body)
      ),
      ({ finishedAt }) => finishedAt !== null
    )
  const paths = Effect.map(executionsOf(fresh.project, flow.id), (all) =>
    all.map(({ email, status, path: visits }) => `${email.split("@")[0]} ${status}: ${visits.join(", ")}`)
  )
  const versions = Effect.map(
    SqlClient.SqlClient.use(
      (sql) => sql<{ version: number; executions: number }>`
        select version, count(*)::int as executions from workflow_executions
        where project_id = ${fresh.project} group by 1 order by 1`
    ),
    (rows) => Object.fromEntries(rows.map(({ version, executions }) => [version, executions]))
  )
  return { ...fresh, id: flow.id, path, idOf, publish, migrate, ended, paths, versions }
})

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds", excludeTestServices: false })(
    `Migrations of executions on ${name}`,
    (it) => {
      it.effect("a step maps to itself, or to another one, and executions at others stay or end", () =>
        Effect.gen(function* () {
          const flow = yield* published({
            first: { ...days(2), to: "second" },
            second: { ...days(2), to: "third" },
            third: { ...days(2), to: "last" },
            last: set({ done: "old" })
          })
          const start = (email: string) => Effect.andThen(flow.track({ email, event: "go" }), work)
          yield* start("c@example.com")
          yield* TestClock.adjust(Duration.days(2))
          yield* work
          yield* start("b@example.com")
          yield* TestClock.adjust(Duration.days(2))
          yield* work
          yield* start("a@example.com")
          assert.deepStrictEqual(yield* flow.paths, [
            "a WAITING: first SCHEDULED",
            "b WAITING: first COMPLETED, second SCHEDULED",
            "c WAITING: first COMPLETED, second COMPLETED, third SCHEDULED"
          ])
          // Version 2 has other config of the first step, and neither the second nor the third.
          for (const step of ["second", "third"]) {
            yield* flow.ask("DELETE", `${flow.path}/steps/${flow.idOf(step)}?splice=true`)
          }
          yield* flow.ask("PATCH", `${flow.path}/steps/${flow.idOf("first")}`, {
            config: { amount: 9, unit: "days" }
          })
          yield* flow.ask("PATCH", `${flow.path}/steps/${flow.idOf("last")}`, { name: "final" })
          yield* flow.publish
          const at = (step: string) =>
            Effect.map(
              flow.ask("GET", `${flow.path}/executions?currentStepId=${flow.idOf(step)}`),
              ({ body }) => body.total
            )
          assert.deepStrictEqual([yield* at("first"), yield* at("second"), yield* at("last")], [1, 1, 0])
          const mapping = { [flow.idOf("third")]: flow.idOf("last") }
          const order = { toVersion: 2, fromVersions: "ALL", mapping }
          const plan = yield* flow.migrate({ ...order, dryRun: true })
          assert.strictEqual(plan.status, 200, JSON.stringify(plan.body))
          assert.deepStrictEqual(
            plan.body.steps.map((each: Record<string, unknown>) => [
              each["stepId"],
              each["executions"],
              each["toStepId"],
              each["action"]
            ]),
            [
              [flow.idOf("first"), 1, flow.idOf("first"), "MOVE"],
              [flow.idOf("second"), 1, null, "STAY"],
              [flow.idOf("third"), 1, flow.idOf("last"), "MOVE"]
            ].sort()
          )
          assert.strictEqual(plan.body.total, 3)
          const queued = yield* flow.migrate(order)
          assert.deepStrictEqual([queued.status, queued.body.message], [202, "3 executions queued."])
          const second = yield* flow.migrate(order)
          assert.deepStrictEqual([second.status, second.body.error.details.reason], [409, "migration_running"])
          const job = yield* Effect.scoped(Effect.andThen(running, flow.ended(queued.body.jobId)))
          assert.deepStrictEqual(
            [job.state, job.progress, job.result],
            ["completed", 100, { moved: 2, stayed: 1, exited: 0, failed: 0 }]
          )
          const sql = yield* SqlClient.SqlClient
          assert.deepStrictEqual(
            yield* sql`
              select details ->> 'workflowId' as workflow, details ->> 'toVersion' as version from audit_log
              where project_id = ${flow.project} and action = 'workflow.migrated'`,
            [{ workflow: flow.id, version: "2" }]
          )
          yield* work
          assert.deepStrictEqual(yield* flow.paths, [
            "a WAITING: first SCHEDULED",
            "b WAITING: first COMPLETED, second SCHEDULED",
            "c COMPLETED: first COMPLETED, second COMPLETED, third SKIPPED, final COMPLETED"
          ])
          assert.deepStrictEqual(yield* flow.versions, { 1: 1, 2: 2 })
          const end = yield* flow.migrate({ ...order, unmapped: "EXIT" })
          const ended = yield* Effect.scoped(Effect.andThen(running, flow.ended(end.body.jobId)))
          assert.deepStrictEqual(ended.result, { moved: 0, stayed: 0, exited: 1, failed: 0 })
          const [, exited] = yield* executionsOf(flow.project, flow.id)
          assert.deepInclude(exited, { status: "EXITED", exitReason: "migrated" })
          // A wait that has begun keeps its instant.
          yield* TestClock.adjust(Duration.days(2))
          yield* work
          assert.strictEqual((yield* flow.paths)[0], "a COMPLETED: first COMPLETED, final COMPLETED")
          const { body: visits } = yield* flow.ask("GET", `${flow.path}/executions?version=2`)
          const { body: detail } = yield* flow.ask("GET", `${flow.path}/executions/${visits.data.at(-1).id}`)
          assert.deepStrictEqual(
            detail.stepExecutions.map((each: { output: { reason?: string } | null }) => each.output?.reason ?? ""),
            ["", "", "migrated", ""]
          )
        })
      )

      it.effect("a job that dies again and again moves each execution once", () =>
        Effect.gen(function* () {
          const flow = yield* published({ first: { ...days(2), to: "last" }, last: set({ done: "old" }) })
          const sql = yield* SqlClient.SqlClient
          const count = 2_300
          yield* sql`
            with made as (
              insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
              select gen_random_uuid(), ${flow.project}::uuid, n || '@example.com', true, '{}', now(), now()
              from generate_series(1, ${count}::int) as n returning id
            )
            insert into workflow_executions (project_id, id, workflow_id, version, pinned, contact_id, nth, status, source,
              chain, context, current_step_id, step_execution_id, current_since, resume_at, due_at, started_at, created_at, updated_at)
            select ${flow.project}::uuid, gen_random_uuid(), ${flow.id}::uuid, 1, true, id, 1, 'RUNNING', 'MANUAL', 0, '{}',
                   ${flow.idOf("first")}::uuid, gen_random_uuid(), '2020-01-01', null, '2099-01-01', '2020-01-01',
                   '1970-01-01', '2020-01-01'
            from made`
          yield* flow.ask("DELETE", `${flow.path}/steps/${flow.idOf("first")}?splice=true`)
          yield* flow.publish
          const { body } = yield* flow.migrate({
            toVersion: 2,
            fromVersions: [1],
            mapping: { [flow.idOf("first")]: flow.idOf("last") }
          })
          let reached = 0
          let deaths = 0
          // Two of three windows around a step end the run: before its commit, and after it.
          const deadly = Layer.build(JobRunner.layer(WorkflowVersions.jobs)).pipe(
            Effect.provideService(Failpoint, () =>
              Effect.suspend(() => {
                if (++reached % 3 === 0) return Effect.void
                deaths++
                return deaths % 2 === 0 ? Effect.interrupt : Effect.die("killed")
              })
            )
          )
          const job = yield* Effect.scoped(Effect.andThen(deadly, flow.ended(body.jobId)))
          assert.deepStrictEqual([job.state, job.failedReason], ["completed", null])
          assert.isAbove(deaths, 4)
          assert.deepStrictEqual(job.result, { moved: count, stayed: 0, exited: 0, failed: 0 })
          assert.deepStrictEqual(yield* flow.versions, { 2: count })
          const visits = yield* sql`
            select count(*)::int as visits, count(distinct execution_id)::int as executions
            from workflow_step_executions
            where project_id = ${flow.project} and status = 'SKIPPED' and output ->> 'reason' = 'migrated'`
          assert.deepStrictEqual(visits, [{ visits: count, executions: count }])
        })
      )

      it.effect("an execution whose webhook is on its way is moved afterwards", () =>
        Effect.gen(function* () {
          const outside = yield* Outside
          const url = "https://hooks.example.com/migrations"
          yield* outside.answer(url, "ok")
          const flow = yield* published({
            call: { type: "WEBHOOK", config: { url }, to: "wait" },
            wait: { ...days(1), to: "last" },
            last: set({ done: 1 })
          })
          yield* flow.track({ email: "ada@example.com", event: "go" })
          const calls = yield* WebhookCalls.make
          // The step is reached, and its request begins.
          yield* dispatch
          const turns = yield* DueExecutions.make
          while (yield* turns.take);
          const [begun] = yield* calls.begin(1, [])
          assert.isDefined(begun)
          yield* flow.ask("PATCH", `${flow.path}/steps/${flow.idOf("last")}`, { name: "final" })
          yield* flow.publish
          const { body } = yield* flow.migrate({ toVersion: 2, fromVersions: "ALL" })
          yield* Effect.scoped(
            Effect.gen(function* () {
              yield* running
              yield* eventually(
                // On a slow machine the clock must not run past the lease of the request.
                TestClock.withLive(Effect.sleep("50 millis")).pipe(
                  Effect.andThen(TestClock.adjust("200 millis")),
                  Effect.andThen(flow.ask("GET", `${flow.path}/migrations/${body.jobId}`)),
                  Effect.map((answer) => answer.body)
                ),
                ({ state, result }) => state === "active" && result !== null
              )
              assert.deepStrictEqual(yield* flow.versions, { 1: 1 })
              if (begun !== undefined) yield* calls.make(begun)
              const job = yield* flow.ended(body.jobId)
              assert.deepStrictEqual(job.result, { moved: 1, stayed: 0, exited: 0, failed: 0 })
            })
          )
          assert.deepStrictEqual(yield* flow.versions, { 2: 1 })
          yield* work
          yield* TestClock.adjust(Duration.days(1))
          const paths = yield* eventually(
            work.pipe(Effect.andThen(TestClock.adjust("1 second")), Effect.andThen(flow.paths)),
            ([path = ""]) => path.startsWith("ada COMPLETED")
          )
          assert.deepStrictEqual(paths, ["ada COMPLETED: call COMPLETED, wait COMPLETED, final COMPLETED"])
        })
      )

      it.effect("what is missing or faulty is refused", () =>
        Effect.gen(function* () {
          const flow = yield* published({ first: { ...days(2), to: "last" }, last: set({ a: 1 }) })
          const trigger = flow.idOf("TRIGGER")
          const cases: ReadonlyArray<readonly [body: object, status: number, faults: ReadonlyArray<string>]> = [
            [{}, 422, ["fromVersions required", "toVersion required"]],
            [{ toVersion: 0, fromVersions: [] }, 422, ["fromVersions too_small", "toVersion too_small"]],
            [{ toVersion: 2, fromVersions: "ALL" }, 404, []],
            [{ toVersion: 1, fromVersions: [5] }, 404, []],
            [{ toVersion: 1, fromVersions: "ALL", unmapped: "GO" }, 422, ["unmapped invalid_enum_value"]]
          ]
          for (const [body, status, faults] of cases) {
            const answer = yield* flow.migrate(body)
            assert.strictEqual(answer.status, status, JSON.stringify([body, answer.body]))
            if (faults.length > 0) assert.lengthOf(faultsIn(answer.body), faults.length, JSON.stringify(answer.body))
          }
          yield* flow.ask("PATCH", `${flow.path}/steps/${flow.idOf("last")}`, { name: "final" })
          yield* flow.publish
          const mapped = yield* flow.migrate({
            toVersion: 2,
            fromVersions: [1],
            mapping: { [nowhere]: flow.idOf("last"), [flow.idOf("first")]: trigger, [flow.idOf("last")]: nowhere }
          })
          assert.deepStrictEqual(
            [mapped.status, faultsIn(mapped.body).sort()],
            [422, [nowhere, flow.idOf("first"), flow.idOf("last")].map((id) => `mapping.${id} custom`).sort()]
          )
          yield* flow.ask("PATCH", flow.path, { versioning: "LIVE" })
          const live = yield* flow.migrate({ toVersion: 1, fromVersions: "ALL" })
          assert.deepStrictEqual([live.status, live.body.error.details.reason], [409, "not_versioned"])
          for (const id of [nowhere, "x"]) {
            const missing = yield* flow.ask("GET", `${flow.path}/migrations/${id}`)
            assert.deepStrictEqual([missing.status, missing.body.error.details.resource], [404, "workflow_migration"])
          }
        })
      )
    }
  )
}
