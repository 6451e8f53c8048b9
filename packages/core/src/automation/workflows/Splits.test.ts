import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
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
