/** Deletes templates and domains while another transaction begins to use them. */
import { assert, layer } from "@effect/vitest"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { TemplateId } from "@posthorn/contract/content/templates/Template"
import { ResourceInUse } from "@posthorn/contract/platform/Errors"
import { Deferred, Effect, Fiber } from "effect"
import * as WorkflowGraphs from "../../automation/workflows/graph/WorkflowGraphs.ts"
import { workflowProject } from "../../automation/workflows/WorkflowsFixture.ts"
import { Domains } from "../../mail/domains/Domains.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { databases } from "../../testing/Databases.ts"
import { somebodyWaits } from "../../testing/LockWaits.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { Templates } from "./Templates.ts"

/** Runs a deletion while the use of something is about to be committed, and returns its result. */
const beside = Effect.fnUntraced(function* <A, E, R, B, E2, R2>(
  use: Effect.Effect<A, E, R>,
  deletion: Effect.Effect<B, E2, R2>
) {
  const transaction = yield* Transaction
  const used = yield* Deferred.make<void>()
  const using = yield* Effect.forkChild(
    transaction.run(Effect.andThen(Effect.tap(use, Deferred.succeed(used, undefined)), somebodyWaits))
  )
  yield* Deferred.await(used)
  const deleted = yield* Effect.exit(deletion)
  yield* Fiber.join(using)
  return yield* deleted
})

// PGlite has one connection, so no other transaction can hold a lock.
for (const [name, database] of databases().filter(([name]) => name === "PostgreSQL")) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`Records that come into use, on ${name}`, (it) => {
    it.effect("a domain is not deleted while a template that uses it is created", () =>
      Effect.gen(function* () {
        const { domain, project } = yield* workflowProject
        const domains = yield* Domains
        const templates = yield* Templates
        const [{ id } = assert.fail()] = yield* domains.list(project, project)
        const made = templates.create(project, { name: "Hello", subject: "Hi", body: "Hi", from: `a@${domain}` })
        const deletion = yield* Effect.flip(beside(made, domains.remove(project, id)))
        assert.instanceOf(deletion, ResourceInUse)
        assert.lengthOf(yield* domains.list(project, project), 1)
      })
    )

    it.effect("a template is not deleted while a step that uses it is created", () =>
      Effect.gen(function* () {
        const { project, template, workflow } = yield* workflowProject
        const { id } = yield* template()
        const templateId = TemplateId.make(id)
        const workflowId = WorkflowId.make((yield* workflow()).id)
        const templates = yield* Templates
        const graphs = yield* WorkflowGraphs.make
        const made = graphs.addStep(project, workflowId, { type: "SEND_EMAIL", templateId })
        const deletion = yield* Effect.flip(beside(made, templates.delete(project, templateId)))
        assert.instanceOf(deletion, ResourceInUse)
        assert.strictEqual((yield* templates.get(project, templateId)).id, templateId)
      })
    )
  })
}
