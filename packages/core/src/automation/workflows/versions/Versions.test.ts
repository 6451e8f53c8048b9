/** Versions of workflows: drafts, publishing, what executions follow, comparing and restoring. */
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Failpoint } from "../../../platform/Failpoint.ts"
import * as JobRunner from "../../../platform/jobs/JobRunner.ts"
import { databases } from "../../../testing/Databases.ts"
import { eventually } from "../../../testing/Eventually.ts"
import { servicesOn } from "../../../testing/Services.ts"
import { wireOver } from "../../../testing/TestClient.ts"
import { build, type Drawing, executionsOf, work } from "../ExecutionsFixture.ts"
import { wholeWorkflow } from "../report/StepMoves.ts"
import { drawn, faultsIn, nowhere, workflowProject } from "../WorkflowsFixture.ts"
import * as WorkflowVersions from "./WorkflowVersions.ts"

const days = (amount: number) => ({ type: "DELAY", config: { amount, unit: "days" } }) as const
const set = (updates: object) => ({ type: "UPDATE_CONTACT", config: { updates } }) as const

/** A workflow that `go` starts, and calls about it. */
const versioned = Effect.fnUntraced(function* (drawing: Omit<Drawing, "event">, versioning = "PUBLISHED") {
  const fresh = yield* workflowProject
  const { id, steps } = yield* build(fresh, { event: "go", allowReentry: true, ...drawing })
  const path = `/workflows/${id}`
  const patch = (body: object) => fresh.ask("PATCH", path, body)
  if (versioning === "PUBLISHED") {
    const answer = yield* patch({ versioning })
    assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
  }
  const idOf = (name: string) => steps.get(name) ?? nowhere
  const read = Effect.map(fresh.ask("GET", path), ({ body }) => body)
  const state = Effect.map(read, ({ publishedVersion, draft }) => [publishedVersion, draft?.changed ?? null])
  const publish = (body: object = {}) => fresh.ask("POST", `${path}/publish`, body)
  const edit = (name: string, body: object) => fresh.ask("PATCH", `${path}/steps/${idOf(name)}`, body)
  const start = (email: string, event = "go") => fresh.track({ email, event })
  const paths = Effect.map(executionsOf(fresh.project, id), (all) =>
    all.map(({ email, status, path }) => `${email.split("@")[0]} ${status}: ${path.join(", ")}`)
  )
  const reason = (answer: { readonly status: number; readonly body: { error: { details?: { reason: string } } } }) =>
    `${answer.status} ${answer.body.error.details?.reason ?? ""}`
  return { ...fresh, id, path, patch, idOf, read, state, publish, edit, start, paths, reason }
})

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds", excludeTestServices: false })(
    `Versions of workflows on ${name}`,
    (it) => {
      it.effect("a draft touches nothing that runs, and executions stay on the version with which they started", () =>
        Effect.gen(function* () {
          const flow = yield* versioned({ steps: { wait: { ...days(1), to: "old" }, old: set({ seen: "old" }) } })
          assert.deepStrictEqual(yield* flow.state, [1, false])
          yield* flow.start("ada@example.com")
          yield* work
          // Deleted while an execution is at it: the draft alone is edited.
          assert.strictEqual((yield* flow.ask("DELETE", `${flow.path}/steps/${flow.idOf("wait")}`)).status, 204)
          const added = yield* flow.ask("POST", `${flow.path}/steps`, {
            type: "UPDATE_CONTACT",
            name: "new",
            config: { updates: { seen: "new" } },
            autoConnect: false
          })
          assert.strictEqual(added.status, 201, JSON.stringify(added.body))
          const changedConfig = yield* flow.edit("old", { config: { updates: { seen: "renewed" } }, name: "renewed" })
          assert.strictEqual(changedConfig.status, 200)
          assert.deepStrictEqual(yield* flow.state, [1, true])
          const draft = yield* flow.read
          assert.strictEqual(draft._count.steps, 3)
          assert.isString(draft.draft.changedAt)
          // The graph is not connected: refused with all faults, and nothing is published.
          const invalid = yield* flow.publish()
          assert.strictEqual(invalid.status, 422, JSON.stringify(invalid.body))
          const connect = (from: string, to: string) =>
            flow.ask("POST", `${flow.path}/transitions`, { fromStepId: from, toStepId: to })
          yield* connect(flow.idOf("TRIGGER"), added.body.id)
          yield* connect(added.body.id, flow.idOf("old"))
          yield* flow.start("bea@example.com")
          yield* work
          const stale = yield* flow.publish({ expectedVersion: 7 })
          assert.strictEqual(flow.reason(stale), "409 version_changed")
          const published = yield* flow.publish({ note: "No wait.", expectedVersion: 1 })
          assert.deepStrictEqual(
            [published.status, published.body.publishedVersion],
            [200, 2],
            JSON.stringify(published.body)
          )
          assert.deepStrictEqual(yield* flow.state, [2, false])
          assert.strictEqual(flow.reason(yield* flow.publish()), "409 no_draft")
          yield* flow.start("cid@example.com")
          yield* work
          yield* TestClock.adjust(Duration.days(1))
          yield* work
          assert.deepStrictEqual(yield* flow.paths, [
            "ada COMPLETED: wait COMPLETED, old COMPLETED",
            "bea COMPLETED: wait COMPLETED, old COMPLETED",
            "cid COMPLETED: new COMPLETED, renewed COMPLETED"
          ])
          const page = yield* flow.ask("GET", `${flow.path}/executions?version=1`)
          assert.deepStrictEqual([page.body.total, page.body.data[0].version], [2, 1])
          const list = yield* flow.ask("GET", `${flow.path}/versions`)
          assert.deepStrictEqual(
            list.body.data.map((each: Record<string, unknown>) => [
              each["version"],
              each["note"],
              each["steps"],
              each["liveExecutions"],
              each["executions"]
            ]),
            [
              [2, "No wait.", 3, 0, 1],
              [1, null, 3, 0, 2]
            ]
          )
          assert.deepStrictEqual(list.body.data[0].publishedBy, { kind: "KEY", userId: null })
          const sql = yield* SqlClient.SqlClient
          const recorded = yield* sql`
            select data ->> 'version' as version, data ->> 'note' as note from events
            where project_id = ${flow.project} and name = 'workflow.published' order by 1`
          assert.deepStrictEqual(recorded, [
            { version: "1", note: null },
            { version: "2", note: "No wait." }
          ])
          const actions = yield* sql`
            select action from audit_log where project_id = ${flow.project} and action like 'workflow.%' order by id`
          assert.deepStrictEqual(
            actions.map(({ action }) => action),
            ["workflow.enabled", "workflow.versioning_changed", "workflow.published", "workflow.published"]
          )
        })
      )

      it.effect("trigger, goal, exit rules and re-entry belong to the version; name and enabled act at once", () =>
        Effect.gen(function* () {
          const flow = yield* versioned({
            settings: { exitRules: [{ id: "stop", type: "EVENT", eventName: "stop" }] },
            steps: { wait: days(30) }
          })
          yield* flow.start("ada@example.com")
          yield* work
          const edited = yield* flow.patch({
            name: "Renamed",
            eventName: "begin",
            allowReentry: false,
            goal: { eventName: "bought" },
            exitRules: [{ id: "halt", type: "EVENT", eventName: "halt" }]
          })
          assert.strictEqual(edited.status, 200, JSON.stringify(edited.body))
          assert.deepInclude(edited.body, {
            name: "Renamed",
            triggerConfig: { eventName: "begin" },
            allowReentry: false
          })
          const { body: listed } = yield* flow.ask("GET", "/workflows")
          assert.deepStrictEqual(listed.data[0].triggerConfig, { eventName: "go" })
          yield* flow.start("bea@example.com", "begin")
          yield* flow.start("bea@example.com")
          yield* work
          assert.deepStrictEqual(yield* flow.paths, ["ada WAITING: wait SCHEDULED", "bea WAITING: wait SCHEDULED"])
          assert.strictEqual((yield* flow.publish()).status, 200)
          yield* flow.start("cid@example.com", "begin")
          yield* flow.start("dan@example.com")
          yield* work
          for (const email of ["ada@example.com", "cid@example.com"]) yield* flow.track({ email, event: "halt" })
          yield* flow.track({ email: "bea@example.com", event: "bought" })
          yield* work
          assert.deepStrictEqual(yield* flow.paths, [
            "ada WAITING: wait SCHEDULED",
            "bea WAITING: wait SCHEDULED",
            "cid EXITED: wait SKIPPED"
          ])
          yield* flow.track({ email: "ada@example.com", event: "stop" })
          yield* work
          const ends = Effect.map(executionsOf(flow.project, flow.id), (all) => all.map(({ exitReason }) => exitReason))
          assert.deepStrictEqual(yield* ends, ["exit_event", null, "exit_event"])
          assert.strictEqual((yield* flow.patch({ enabled: false })).body.enabled, false)
          const cancelled = yield* flow.ask("POST", `${flow.path}/executions/cancel-all`)
          assert.strictEqual(cancelled.body.cancelled, 1)
          assert.strictEqual((yield* flow.paths)[1], "bea CANCELLED: wait SKIPPED")
        })
      )

      it.effect(
        "enabling a workflow without a version publishes its draft, and a disabled one its published version",
        () =>
          Effect.gen(function* () {
            const fresh = yield* workflowProject
            const { id } = yield* fresh.workflow({ eventName: "go" })
            const path = `/workflows/${id}`
            const patch = (body: object) => fresh.ask("PATCH", path, body)
            const draft = yield* patch({ versioning: "PUBLISHED" })
            assert.deepInclude(draft.body, { versioning: "PUBLISHED", publishedVersion: null, enabled: false })
            assert.strictEqual(draft.body.draft.changed, true)
            const invalid = yield* patch({ enabled: true })
            assert.deepStrictEqual([invalid.status, faultsIn(invalid.body)], [422, ["steps custom"]])
            const { id: step } = yield* fresh.step(id, "DELAY", { name: "wait" })
            const enabled = yield* patch({ enabled: true })
            assert.deepInclude(enabled.body, { publishedVersion: 1, enabled: true }, JSON.stringify(enabled.body))
            assert.strictEqual(drawn(enabled.body), "Trigger: go~>wait")
            yield* patch({ enabled: false })
            yield* fresh.ask("DELETE", `${path}/steps/${step}`)
            // What is enabled is the published version, whatever the draft is.
            const again = yield* patch({ enabled: true })
            assert.deepStrictEqual(
              [again.status, again.body.publishedVersion, again.body.draft.changed],
              [200, 1, true]
            )
            const validity = yield* fresh.ask("GET", `${path}/validate`)
            assert.strictEqual(validity.body.valid, false)
            assert.strictEqual((yield* fresh.ask("DELETE", `${path}/draft`)).status, 204)
            assert.strictEqual((yield* fresh.read(id)).draft.changed, false)
            const copy = yield* fresh.ask("POST", `${path}/duplicate`)
            assert.deepInclude(copy.body, { versioning: "PUBLISHED", publishedVersion: null, enabled: false })
            assert.strictEqual((yield* fresh.ask("GET", `/workflows/${copy.body.id}/versions`)).body.total, 0)
            assert.strictEqual((yield* fresh.ask("DELETE", path)).status, 204)
            const sql = yield* SqlClient.SqlClient
            assert.deepStrictEqual(yield* sql`select 1 from workflow_versions where project_id = ${fresh.project}`, [])
          })
      )

      it.effect(
        "to PUBLISHED pins what runs, and back to LIVE needs an unchanged draft and lets it follow the graph",
        () =>
          Effect.gen(function* () {
            const flow = yield* versioned({ steps: { wait: { ...days(2), to: "last" }, last: set({ a: 1 }) } }, "LIVE")
            assert.strictEqual(flow.reason(yield* flow.publish()), "409 not_versioned")
            assert.strictEqual(flow.reason(yield* flow.ask("DELETE", `${flow.path}/draft`)), "409 not_versioned")
            yield* flow.start("ada@example.com")
            yield* work
            yield* flow.patch({ versioning: "PUBLISHED" })
            yield* flow.edit("last", { name: "second" })
            assert.strictEqual((yield* flow.publish()).status, 200)
            yield* flow.start("bea@example.com")
            yield* work
            yield* flow.edit("last", { name: "third" })
            assert.strictEqual(flow.reason(yield* flow.patch({ versioning: "LIVE" })), "409 draft_changed")
            yield* flow.ask("DELETE", `${flow.path}/draft`)
            const live = yield* flow.patch({ versioning: "LIVE" })
            assert.deepInclude(live.body, { versioning: "LIVE", publishedVersion: null, draft: null })
            const used = yield* flow.ask("DELETE", `${flow.path}/steps/${flow.idOf("wait")}`)
            assert.deepStrictEqual([used.status, used.body.error.details.activeExecutions], [409, 1])
            yield* flow.edit("last", { name: "now" })
            yield* TestClock.adjust(Duration.days(2))
            yield* work
            assert.deepStrictEqual(yield* flow.paths, [
              "ada COMPLETED: wait COMPLETED, last COMPLETED",
              "bea COMPLETED: wait COMPLETED, now COMPLETED"
            ])
          })
      )

      it.effect(
        "the versioning of a workflow with many executions changes at once; a job that dies pins each once",
        () =>
          Effect.gen(function* () {
            const flow = yield* versioned({ steps: { wait: { ...days(2), to: "last" }, last: set({ a: 1 }) } }, "LIVE")
            const sql = yield* SqlClient.SqlClient
            const count = 1_300
            yield* sql`
            with made as (
              insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
              select gen_random_uuid(), ${flow.project}::uuid, n || '@example.com', true, '{}', now(), now()
              from generate_series(1, ${count}::int) as n returning id
            )
            insert into workflow_executions (project_id, id, workflow_id, version, contact_id, nth, status, source,
              chain, context, current_step_id, step_execution_id, current_since, due_at, started_at, created_at, updated_at)
            select ${flow.project}::uuid, gen_random_uuid(), ${flow.id}::uuid, 1, id, 1, 'RUNNING', 'MANUAL', 0, '{}',
                   ${flow.idOf("wait")}::uuid, gen_random_uuid(), '2020-01-01', '2099-01-01', '2020-01-01', '1970-01-01', '2020-01-01'
            from made`
            yield* sql`
            insert into workflow_step_deltas (project_id, workflow_id, version, step_id, branch, day, entered)
            select ${flow.project}::uuid, ${flow.id}::uuid, 1, step, '', '2020-01-01', ${count}::int
            from (values (${wholeWorkflow}::uuid), (${flow.idOf("wait")}::uuid)) as of (step)`
            const pinned = Effect.map(
              sql<{ readonly n: number }>`
              select count(*)::int as n from workflow_executions where project_id = ${flow.project} and pinned`,
              ([row]) => row?.n ?? 0
            )
            const counts = Effect.map(flow.ask("GET", `${flow.path}/versions`), ({ body }) =>
              body.data.map(
                ({
                  version,
                  liveExecutions,
                  executions
                }: {
                  version: number
                  liveExecutions: number
                  executions: number
                }) => [version, liveExecutions, executions]
              )
            )
            let reached = 0
            let deaths = 0
            const deadly = Layer.build(JobRunner.layer(WorkflowVersions.jobs)).pipe(
              Effect.provideService(Failpoint, () =>
                Effect.suspend(() =>
                  ++reached % 3 === 0 ? Effect.void : ++deaths % 2 === 0 ? Effect.interrupt : Effect.die("killed")
                )
              )
            )
            const until = (wanted: number) =>
              Effect.scoped(
                Effect.andThen(
                  deadly,
                  eventually(
                    Effect.andThen(
                      TestClock.adjust("1 second"),
                      sql<{ readonly open: number; readonly pinned: number }>`
                      select (select count(*)::int from jobs where project_id = ${flow.project} and finished_at is null) as open,
                             (select count(*)::int from workflow_executions
                              where project_id = ${flow.project} and pinned) as pinned`
                    ),
                    ([row]) => row?.open === 0 && row.pinned === wanted
                  )
                )
              )

            assert.strictEqual((yield* flow.patch({ versioning: "PUBLISHED" })).status, 200)
            assert.isTrue((yield* pinned) < count)
            // Until all are pinned, they follow the graph, so nothing else is published.
            yield* flow.edit("last", { name: "second" })
            for (const refused of [
              yield* flow.publish(),
              yield* flow.patch({ versioning: "LIVE" }),
              yield* flow.ask("POST", `${flow.path}/migrations`, { toVersion: 1, fromVersions: "ALL" })
            ]) {
              assert.strictEqual(flow.reason(refused), "409 migration_running")
            }
            yield* flow.ask("DELETE", `${flow.path}/draft`)
            yield* until(count)
            assert.isAbove(deaths, 1)
            assert.deepStrictEqual(yield* counts, [[1, count, count]])
            assert.deepStrictEqual(
              yield* sql`select distinct version from workflow_executions where project_id = ${flow.project}`,
              [{ version: 1 }]
            )

            assert.strictEqual((yield* flow.patch({ versioning: "LIVE" })).status, 200)
            assert.isTrue((yield* pinned) > 0)
            // Executions that are about to follow the graph keep their step.
            const used = yield* flow.ask("DELETE", `${flow.path}/steps/${flow.idOf("wait")}`)
            assert.deepStrictEqual([used.status, used.body.error.details.activeExecutions], [409, count])
            assert.strictEqual(flow.reason(yield* flow.patch({ versioning: "PUBLISHED" })), "409 migration_running")
            yield* until(0)
            const [released] = yield* sql`select released_version from workflows where id = ${flow.id}`
            assert.deepStrictEqual(released, { released_version: null })
            assert.deepStrictEqual(yield* counts, [[1, count, count]])

            // Those that start later are counted with their version, also after their contact is deleted.
            assert.strictEqual((yield* flow.patch({ versioning: "PUBLISHED" })).status, 200)
            yield* until(count)
            yield* flow.edit("last", { name: "third" })
            assert.strictEqual((yield* flow.publish()).status, 200)
            yield* flow.start("ada@example.com")
            yield* flow.start("bea@example.com")
            yield* work
            assert.deepStrictEqual(yield* counts, [
              [2, 2, 2],
              [1, count, count]
            ])
            const [ada] = (yield* flow.ask("GET", "/contacts?email=ada@example.com")).body.data
            assert.strictEqual((yield* flow.ask("DELETE", `/contacts/${ada.id}`)).status, 204)
            assert.deepStrictEqual((yield* counts)[0], [2, 1, 2])
          })
      )

      it.effect("a workflow that is edited live has a history; edits of one caller within 10 minutes are one", () =>
        Effect.gen(function* () {
          const flow = yield* versioned({ steps: { wait: { ...days(1), to: "last" }, last: set({ a: 1 }) } }, "LIVE")
          const numbers = Effect.map(flow.ask("GET", `${flow.path}/versions`), ({ body }) =>
            body.data.map((each: { version: number; steps: number }) => `${each.version}: ${each.steps}`).join(", ")
          )
          assert.strictEqual(yield* numbers, "1: 3")
          yield* flow.edit("wait", { config: { amount: 2, unit: "days" } })
          yield* TestClock.adjust(Duration.minutes(9))
          yield* flow.edit("wait", { config: { amount: 3, unit: "days" } })
          assert.strictEqual(yield* numbers, "2: 3, 1: 3")
          yield* TestClock.adjust(Duration.minutes(1))
          yield* flow.start("ada@example.com")
          yield* work
          const removed = yield* flow.ask("DELETE", `${flow.path}/steps/${flow.idOf("last")}`)
          assert.strictEqual(removed.status, 204, JSON.stringify(removed.body))
          yield* flow.patch({ goal: { eventName: "paid" } })
          assert.strictEqual(yield* numbers, "3: 2, 2: 3, 1: 3")
          const diff = yield* flow.ask("GET", `${flow.path}/versions/1/diff?with=2`)
          assert.deepStrictEqual(diff.body, {
            steps: {
              added: [],
              removed: [],
              changed: [{ id: flow.idOf("wait"), name: "wait", fields: [{ path: "config.amount", from: 1, to: 3 }] }],
              moved: []
            },
            transitions: { added: [], removed: [] },
            settings: []
          })
          const toDraft = yield* flow.ask("GET", `${flow.path}/versions/2/diff`)
          assert.deepStrictEqual(toDraft.body.steps.removed, [
            { id: flow.idOf("last"), name: "last", type: "UPDATE_CONTACT" }
          ])
          assert.deepStrictEqual(toDraft.body.transitions.removed, [
            { fromStepId: flow.idOf("wait"), toStepId: flow.idOf("last"), branch: null }
          ])
          assert.deepStrictEqual(toDraft.body.settings, [{ path: "goal", from: null, to: { eventName: "paid" } }])
          // The removed step returns under its id, while an execution is on its way.
          const restored = yield* flow.ask("POST", `${flow.path}/versions/1/restore`)
          assert.strictEqual(restored.status, 200, JSON.stringify(restored.body))
          assert.strictEqual(drawn(restored.body), "Trigger: go>wait wait>last")
          assert.deepStrictEqual(
            restored.body.steps.map(({ id }: { id: string }) => id).sort(),
            [...["TRIGGER", "wait", "last"].map(flow.idOf)].sort()
          )
          assert.isNull(restored.body.goal)
          const sql = yield* SqlClient.SqlClient
          assert.deepStrictEqual(
            yield* sql`
              select details ->> 'workflowId' as workflow, details ->> 'version' as version from audit_log
              where project_id = ${flow.project} and action = 'workflow.restored'`,
            [{ workflow: flow.id, version: "1" }]
          )
          const version = yield* flow.ask("GET", `${flow.path}/versions/3`)
          assert.deepInclude(version.body, { version: 3, triggerType: "EVENT", goal: { eventName: "paid" } })
          assert.strictEqual(version.body.steps.length, 2)
          for (const n of ["9", "0", "x", "-1", "1.5"]) {
            for (const more of ["", "/diff"]) {
              const missing = yield* flow.ask("GET", `${flow.path}/versions/${n}${more}`)
              assert.deepStrictEqual([missing.status, missing.body.error.details.resource], [404, "workflow_version"])
            }
          }
          assert.strictEqual((yield* flow.ask("GET", `${flow.path}/versions/1/diff?with=9`)).status, 404)
          assert.strictEqual((yield* flow.ask("GET", `/workflows/${nowhere}/versions`)).status, 404)
          // A step that would go has a live execution.
          const added = yield* flow.ask("POST", `${flow.path}/steps`, {
            type: "DELAY",
            config: { amount: 1, unit: "days" }
          })
          yield* TestClock.adjust(Duration.days(3))
          yield* work
          const used = yield* flow.ask("POST", `${flow.path}/versions/1/restore`)
          assert.deepStrictEqual(
            [used.status, used.body.error.details],
            [409, { steps: [{ stepId: added.body.id, activeExecutions: 1 }] }]
          )
        })
      )

      it.effect("the last 100 versions are kept, and older ones while executions are on them", () =>
        Effect.gen(function* () {
          const flow = yield* versioned({ steps: { wait: { ...days(1), to: "last" }, last: set({ a: 1 }) } })
          const sql = yield* SqlClient.SqlClient
          yield* flow.start("ada@example.com")
          yield* work
          /** Versions that nothing runs on, up to this number. */
          const fill = (first: number, last: number) => sql`
            insert into workflow_versions (project_id, workflow_id, version, published, edited, note, author, trigger_type,
              trigger_config, event_name, refers_to, allow_reentry, reentry_after_hours, goal, exit_rules, steps,
              transitions, created_at, updated_at)
            select project_id, workflow_id, n, published, edited, note, author, trigger_type, trigger_config, event_name,
                   refers_to, allow_reentry, reentry_after_hours, goal, exit_rules, steps, transitions, created_at, updated_at
            from workflow_versions cross join generate_series(${first}::int, ${last}::int) as n
            where workflow_id = ${flow.id} and version = 1`
          const kept = Effect.map(
            sql<{ readonly version: number }>`
              select version from workflow_versions where workflow_id = ${flow.id} and version > 0 order by version`,
            (rows) => rows.map(({ version }) => version)
          )
          yield* fill(2, 102)
          yield* flow.edit("last", { name: "later" })
          assert.strictEqual((yield* flow.publish()).body.publishedVersion, 103)
          assert.deepStrictEqual(yield* kept, [1, ...Array.from({ length: 100 }, (_, n) => n + 4)])
          const listed = yield* flow.ask("GET", `${flow.path}/versions?pageSize=100`)
          assert.strictEqual(listed.body.total, 101)
          yield* TestClock.adjust(Duration.days(1))
          yield* work
          yield* flow.edit("last", { name: "latest" })
          assert.strictEqual((yield* flow.publish()).body.publishedVersion, 104)
          assert.deepStrictEqual(
            yield* kept,
            Array.from({ length: 100 }, (_, n) => n + 5)
          )
        })
      )

      it.effect("restoring a version writes the draft, and test runs take a version or the draft", () =>
        Effect.gen(function* () {
          const flow = yield* versioned({ steps: { wait: { ...days(1), to: "last" }, last: set({ a: 1 }) } })
          yield* flow.ask("DELETE", `${flow.path}/steps/${flow.idOf("wait")}?splice=true`)
          assert.strictEqual((yield* flow.publish()).status, 200)
          yield* flow.edit("last", { name: "later" })
          const restored = yield* flow.ask("POST", `${flow.path}/versions/1/restore`)
          assert.deepStrictEqual([restored.status, drawn(restored.body)], [200, "Trigger: go>wait wait>last"])
          assert.deepStrictEqual(yield* flow.state, [2, true])
          const run = (version?: number | string) =>
            Effect.map(
              flow.ask("POST", `${flow.path}/test-runs`, {
                contact: { email: "ada@example.com" },
                ...(version !== undefined && { version })
              }),
              ({ status, body }) =>
                status === 200
                  ? body.visits.map(({ name }: { name: string }) => name).join(", ")
                  : `${status} ${body.error.details.resource}`
            )
          assert.deepStrictEqual(
            [yield* run(), yield* run("draft"), yield* run(2), yield* run(1), yield* run(3), yield* run(0)],
            ["wait, last", "wait, last", "last", "wait, last", "404 workflow_version", "404 workflow_version"]
          )
          const back = yield* flow.ask("POST", `${flow.path}/versions/2/restore`)
          assert.strictEqual(back.body.draft.changed, false)
        })
      )

      it.effect("what the draft, the published version and versions of live executions use is not deleted", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const one = yield* fresh.template()
          const two = yield* fresh.template({ name: "Other" })
          const three = yield* fresh.template({ name: "Third" })
          const flow = yield* build(fresh, {
            event: "go",
            steps: { wait: { ...days(1), to: "mail" }, mail: { type: "SEND_EMAIL", templateId: one.id } }
          })
          const path = `/workflows/${flow.id}`
          const use = (template: { readonly id: string }) =>
            fresh.ask("PATCH", `${path}/steps/${flow.steps.get("mail")}`, { templateId: template.id })
          yield* fresh.ask("PATCH", path, { versioning: "PUBLISHED" })
          yield* fresh.track({ email: "ada@example.com", event: "go" })
          yield* work
          yield* use(two)
          yield* fresh.ask("POST", `${path}/publish`)
          yield* use(three)
          const remove = (template: { readonly id: string }) =>
            Effect.map(fresh.ask("DELETE", `/templates/${template.id}`), ({ status }) => status)
          for (const template of [one, two, three]) assert.strictEqual(yield* remove(template), 409)
          yield* TestClock.adjust(Duration.days(1))
          yield* work
          // The execution of version 1 has ended, and the draft is dropped.
          yield* fresh.ask("DELETE", `${path}/draft`)
          const sql = yield* SqlClient.SqlClient
          yield* sql`delete from emails where project_id = ${fresh.project}`
          assert.deepStrictEqual([yield* remove(one), yield* remove(two), yield* remove(three)], [204, 409, 204])
        })
      )

      it.effect("segments and topics that any used version names are not deleted, and others are", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const made = Effect.fnUntraced(function* (path: string, body: object) {
            const answer = yield* fresh.ask("POST", path, body)
            assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
            return String(answer.body.id)
          })
          const segment = (name: string) => made("/segments", { name, type: "STATIC" })
          const topic = (key: string) => made("/topics", { key, name: key, defaultSubscription: "subscribed" })
          /** The segments and the topic that version `n` names: in the trigger, a step, and an exit rule. */
          const named = Effect.fnUntraced(function* (n: number) {
            return {
              start: yield* segment(`start ${n}`),
              step: yield* segment(`step ${n}`),
              exit: yield* segment(`exit ${n}`),
              topic: yield* topic(`topic-${n}`)
            }
          })
          type Named = Effect.Success<ReturnType<typeof named>>
          const versions = [yield* named(1), yield* named(2), yield* named(3)]
          const [one, two, three] = versions as [Named, Named, Named]
          const isIn = (id: string) => ({
            groups: [{ filters: [{ field: `segment.${id}`, operator: "memberOfSegment" }] }]
          })
          const asks = ({ step }: Named) => ({ field: `segment.${step}`, operator: "memberOfSegment" })
          const settingsOf = ({ start, exit }: Named) => ({
            triggerConfig: { eventName: "go", condition: isIn(start) },
            exitRules: [{ id: "left", type: "LEFT_SEGMENT", segmentId: exit }]
          })
          const template = yield* fresh.template({ type: "MARKETING" })
          const flow = yield* build(fresh, {
            event: "go",
            allowReentry: true,
            steps: {
              wait: { ...days(1), to: "ask" },
              ask: { type: "CONDITION", config: asks(one), to: { yes: "mail", no: "mail" } },
              mail: { type: "SEND_EMAIL", templateId: template.id, config: { topicId: one.topic } }
            }
          })
          const path = `/workflows/${flow.id}`
          const edit = Effect.fnUntraced(function* (to: Named) {
            const answers = [
              yield* fresh.ask("PATCH", path, settingsOf(to)),
              yield* fresh.ask("PATCH", `${path}/steps/${flow.steps.get("ask")}`, { config: asks(to) }),
              yield* fresh.ask("PATCH", `${path}/steps/${flow.steps.get("mail")}`, { config: { topicId: to.topic } })
            ]
            for (const { status, body } of answers) assert.strictEqual(status, 200, JSON.stringify(body))
          })
          yield* edit(one)
          yield* fresh.ask("PATCH", path, { versioning: "PUBLISHED" })
          const { body: ada } = yield* fresh.ask("POST", "/contacts", { email: "ada@example.com", subscribed: true })
          yield* fresh.ask("POST", `/segments/${one.start}/members`, { emails: ["ada@example.com"] })
          yield* fresh.track({ email: "ada@example.com", event: "go" })
          yield* work
          assert.lengthOf(yield* executionsOf(fresh.project, flow.id), 1, ada.id)
          yield* edit(two)
          assert.strictEqual((yield* fresh.ask("POST", `${path}/publish`)).status, 200)
          yield* edit(three)

          const paths = ({ start, step, exit, topic }: Named) => [
            ...[start, step, exit].map((id) => `/segments/${id}`),
            `/topics/${topic}`
          ]
          const remove = (of: Named) =>
            Effect.forEach(paths(of), (each) => Effect.map(fresh.ask("DELETE", each), ({ status }) => status))
          // A topic that only an exit rule names may go; these are named by a step.
          for (const each of versions) assert.deepStrictEqual(yield* remove(each), [409, 409, 409, 409])
          const refused = yield* fresh.ask("DELETE", `/segments/${one.exit}`)
          assert.deepStrictEqual(refused.body.error.details.workflows, [{ id: flow.id, name: "Welcome" }])

          yield* TestClock.adjust(Duration.days(1))
          yield* work
          assert.strictEqual((yield* fresh.ask("DELETE", `${path}/draft`)).status, 204)
          const sql = yield* SqlClient.SqlClient
          yield* sql`delete from emails where project_id = ${fresh.project}`
          const gone = [204, 204, 204, 204]
          assert.deepStrictEqual(yield* Effect.forEach([one, two, three], remove), [gone, [409, 409, 409, 409], gone])
          // A version is restored with what it names; what is gone is a fault of the draft, and is not published.
          const restored = yield* fresh.ask("POST", `${path}/versions/1/restore`)
          assert.strictEqual(restored.status, 200, JSON.stringify(restored.body))
          const validity = yield* fresh.ask("GET", `${path}/validate`)
          assert.strictEqual(validity.body.valid, false)
          assert.strictEqual((yield* fresh.ask("POST", `${path}/publish`)).status, 422)
        })
      )
    }
  )
}
