import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { bucket, partOf } from "../../platform/Bucket.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wire, wireOver } from "../../testing/TestClient.ts"
import { build, executionsOf, work } from "./ExecutionsFixture.ts"
import { faultsIn, workflowProject } from "./WorkflowsFixture.ts"

const branches = [
  { id: "a", name: "Half", share: 50 },
  { id: "b", share: 33.34 },
  { id: "held", share: 16.66 }
]

for (const [name, database] of databases()) {
  // The embedded database takes a minute for 10,000.
  const crowd = name === "PGlite" ? 2_000 : 10_000
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `SPLIT on ${name}`,
    (it) => {
      it.effect("gives each contact the branch of its bucket, on every visit", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const { ask, track } = fresh
          const workflow = yield* build(fresh, {
            event: "go",
            allowReentry: true,
            steps: {
              split: { type: "SPLIT", config: { branches }, to: { a: "out", b: "out" } },
              out: { type: "EXIT" }
            }
          })
          const emails = Array.from({ length: 40 }, (_, n) => `ada${n}@example.com`)
          for (let round = 0; round < 2; round++) {
            for (const email of emails) yield* track({ email, event: "go" })
            yield* work
          }
          const { body } = yield* ask("GET", `/workflows/${workflow.id}/executions?pageSize=100`)
          assert.lengthOf(body.data, 80)
          const salt = `split:${workflow.id}:${workflow.steps.get("split")}`
          const taken = new Set<string>()
          for (const { id, contactId } of body.data) {
            const { status, stepExecutions } = (yield* ask("GET", `/workflows/${workflow.id}/executions/${id}`)).body
            const place = yield* bucket(salt, contactId)
            const branch = partOf(branches, place)?.id ?? ""
            taken.add(branch)
            assert.deepStrictEqual(stepExecutions[0].output, { branch, bucket: place, decidedBy: "share" })
            assert.strictEqual(stepExecutions[0].branch, branch)
            // A branch that leads nowhere is a holdout.
            assert.strictEqual(status, branch === "held" ? "COMPLETED" : "EXITED")
          }
          assert.deepStrictEqual([...taken].sort(), ["a", "b", "held"])
          const [{ contactId }] = body.data
          const exported = yield* ask("GET", `/contacts/${contactId}/export`)
          assert.deepStrictEqual(exported.body.assignments, [
            {
              campaignId: null,
              variant: null,
              heldOut: false,
              workflowId: workflow.id,
              stepId: workflow.steps.get("split"),
              branch: partOf(branches, yield* bucket(salt, contactId))?.id
            }
          ])
        })
      )

      it.effect(`divides ${crowd} contacts by the shares, and alike in other processes and versions`, () =>
        Effect.gen(function* () {
          const { ask, project, ...fresh } = yield* workflowProject
          const sql = yield* SqlClient.SqlClient
          const workflow = yield* build(
            { ask, project, ...fresh },
            {
              event: "go",
              allowReentry: true,
              steps: { split: { type: "SPLIT", config: { branches, salt: "ten thousand" } } }
            }
          )
          const path = `/workflows/${workflow.id}`
          const split = workflow.steps.get("split") ?? ""
          /** The branch of each of the first contacts, which come to the step for the nth time. */
          const visited = Effect.fnUntraced(function* (contacts: number, nth: number) {
            const now = DateTime.toDate(yield* DateTime.now)
            yield* sql`
              with people as (
                select ('019a9f3c-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id, n
                from generate_series(1, ${contacts}::int) as n
              ),
              added as (
                insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
                select id, ${project}::uuid, n || '@example.com', true, '{}', ${now}::timestamptz, ${now}::timestamptz
                from people where ${nth}::int = 1
              )
              insert into workflow_executions (project_id, id, workflow_id, version, pinned, contact_id, nth, status, source,
                chain, context, current_step_id, step_execution_id, current_since, due_at, started_at, created_at, updated_at)
              select ${project}::uuid, gen_random_uuid(), own.id, own.version, own.versioning = 'PUBLISHED', people.id,
                     ${nth}::int, 'RUNNING', 'MANUAL', 0, '{}', ${split}::uuid, gen_random_uuid(), ${now}::timestamptz,
                     ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
              from people join workflows as own on own.project_id = ${project}::uuid and own.id = ${workflow.id}::uuid`
            yield* work
            const rows = yield* sql<{ readonly contact: string; readonly branch: string }>`
              select contact_id as contact, branch from workflow_step_executions as visit
              join workflow_executions as own on own.project_id = visit.project_id and own.id = visit.execution_id
              where visit.project_id = ${project} and visit.step_id = ${split}::uuid and own.nth = ${nth}`
            return new Map(rows.map(({ branch, contact }) => [contact, branch]))
          })
          const taken = yield* visited(crowd, 1)
          assert.strictEqual(taken.size, crowd)
          for (const { id, share } of branches) {
            const part = [...taken.values()].filter((branch) => branch === id).length / crowd
            assert.closeTo(part, share / 100, 0.01, id)
          }
          // A worker of its own, on version 2.
          assert.strictEqual((yield* ask("PATCH", path, { versioning: "PUBLISHED" })).status, 200)
          assert.strictEqual((yield* ask("POST", `${path}/steps`, { type: "EXIT", autoConnect: false })).status, 201)
          assert.strictEqual((yield* ask("POST", `${path}/publish`, {})).body.publishedVersion, 2)
          const again = yield* visited(500, 2)
          assert.strictEqual(again.size, 500)
          for (const [contact, branch] of again) assert.strictEqual(branch, taken.get(contact))
        })
      )

      it.effect("with the same salt agrees with steps of other workflows", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const sql = yield* SqlClient.SqlClient
          const contact = "019a9f3c-0000-7000-8000-000000000001"
          const salt = "019a9f3c-0000-7000-8000-0000000000a1:019a9f3c-0000-7000-8000-0000000000b1"
          yield* sql`
            insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
            values (${contact}, ${fresh.project}, 'eva@example.com', true, '{}', now(), now())`
          const shares = (first: number) => [
            { id: "first", share: first },
            { id: "rest", share: 100 - first }
          ]
          // The bucket of this contact is 0.105118.
          for (const [first, expected] of [
            [10.51, "rest"],
            [10.52, "first"]
          ] as const) {
            const config = { branches: shares(first), salt }
            const workflow = yield* build(fresh, { event: "come", steps: { split: { type: "SPLIT", config } } })
            const started = yield* fresh.ask("POST", `/workflows/${workflow.id}/executions`, { contactId: contact })
            assert.strictEqual(started.status, 201)
            yield* work
            const [found] = yield* executionsOf(fresh.project, workflow.id)
            assert.deepStrictEqual(found?.path, [`split COMPLETED ${expected}`])
          }
        })
      )
    }
  )
}

layer(wire, { timeout: "60 seconds", excludeTestServices: false })("SPLIT in a graph", (it) => {
  it.effect("leads on by its branches only, and a workflow may leave one out", () =>
    Effect.gen(function* () {
      const fresh = yield* workflowProject
      const { ask, connect, step, workflow } = fresh
      const { id, steps } = yield* workflow()
      const split = yield* step(id, "SPLIT", { config: { branches } })
      const out = yield* step(id, "EXIT")
      assert.strictEqual(out.transition.branch, "a")
      assert.strictEqual(steps[0].type, "TRIGGER")
      const none = yield* ask("POST", `/workflows/${id}/transitions`, { fromStepId: split.id, toStepId: out.id })
      assert.deepStrictEqual(faultsIn(none.body), ["branch required"])
      const valid = yield* ask("GET", `/workflows/${id}/validate`)
      assert.deepStrictEqual(valid.body, { valid: true, errors: [], warnings: [] })
      yield* connect(id, split.id, out.id, "b")
      yield* fresh.enable(id)
      const gone = branches.map((branch) => ({ ...branch, id: `${branch.id}2` }))
      const refused = yield* ask("PATCH", `/workflows/${id}/steps/${split.id}`, { config: { branches: gone } })
      assert.strictEqual(refused.status, 422)
      assert.include(faultsIn(refused.body)[0] ?? "", ".branch custom")
    })
  )
})
