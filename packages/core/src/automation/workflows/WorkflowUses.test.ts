import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { workflowProject } from "./WorkflowsFixture.ts"

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`What workflows use on ${name}`, (it) => {
    it.effect("an event that a trigger, a wait or a condition uses is not deleted", () =>
      Effect.gen(function* () {
        const { ask, workflow, step, track } = yield* workflowProject
        yield* track({ email: "a@example.com", event: "paid" })
        const all = yield* workflow({ name: "All", eventName: "paid" })
        yield* step(all.id, "WAIT_FOR_EVENT")
        yield* step(all.id, "CONDITION", { config: { field: "event.paid", operator: "triggered" } })
        const other = yield* workflow({ name: "Other", eventName: "left" })
        yield* step(other.id, "CONDITION", { config: { field: "event.paid", operator: "equals", value: 1 } })
        const { body } = yield* ask("GET", "/events/paid/usage")
        const used = [{ id: all.id, name: "All", as: ["trigger", "wait", "condition"] }]
        assert.deepStrictEqual([body.usedInWorkflows, body.canDelete], [used, false])
        const refused = yield* ask("DELETE", "/events/paid")
        assert.deepStrictEqual([refused.status, refused.body.error.details.workflows], [409, used])
        yield* ask("DELETE", `/workflows/${all.id}`)
        assert.strictEqual((yield* ask("DELETE", "/events/paid")).status, 200)
      })
    )

    it.effect("a field is used by conditions and updates, also by a path below it", () =>
      Effect.gen(function* () {
        const { ask, workflow, step } = yield* workflowProject
        const asks = yield* workflow({ name: "Asks" })
        yield* step(asks.id, "CONDITION", { config: { field: "contact.data.address.city", operator: "exists" } })
        const writes = yield* workflow({ name: "Writes" })
        yield* step(writes.id, "UPDATE_CONTACT", { config: { updates: { address: null } } })
        const { body } = yield* ask("GET", "/contacts/fields/data.address/usage")
        assert.deepStrictEqual(body.usedInWorkflows, [
          { id: asks.id, name: "Asks" },
          { id: writes.id, name: "Writes" }
        ])
        const refused = yield* ask("DELETE", "/contacts/fields/data.address")
        assert.deepStrictEqual([refused.status, refused.body.error.code], [409, "RESOURCE_IN_USE"])
      })
    )

    it.effect("a segment that a condition or a schedule uses is not deleted", () =>
      Effect.gen(function* () {
        const { ask, workflow, step } = yield* workflowProject
        const { body: segment } = yield* ask("POST", "/segments", { name: "Press", type: "STATIC" })
        const asks = yield* workflow({ name: "Asks" })
        const question = { field: `segment.${segment.id.toUpperCase()}`, operator: "memberOfSegment" }
        const condition = yield* step(asks.id, "CONDITION", { config: question })
        const runs = yield* workflow({ name: "Runs" })
        const schedule = { triggerType: "SCHEDULE", triggerConfig: { schedule: "0 9 * * *", segmentId: segment.id } }
        assert.strictEqual((yield* ask("PATCH", `/workflows/${runs.id}`, schedule)).status, 200)
        const refused = yield* ask("DELETE", `/segments/${segment.id}`)
        assert.deepStrictEqual(refused.body.error.details.workflows, [
          { id: asks.id, name: "Asks" },
          { id: runs.id, name: "Runs" }
        ])
        yield* ask("PATCH", `/workflows/${runs.id}`, { triggerType: "MANUAL" })
        yield* ask("PATCH", `/workflows/${asks.id}/steps/${condition.id}`, {
          config: { field: "email", operator: "contains", value: "a" }
        })
        assert.strictEqual((yield* ask("DELETE", `/segments/${segment.id}`)).status, 204)
      })
    )

    it.effect("a template and its domain are not deleted while a step uses them", () =>
      Effect.gen(function* () {
        const { ask, project, domain, workflow, step, template } = yield* workflowProject
        const { id: templateId } = yield* template()
        const { id } = yield* workflow()
        const mail = yield* step(id, "SEND_EMAIL", { templateId })
        const { body } = yield* ask("GET", `/templates/${templateId}/usage`)
        const user = { workflowId: id, workflowName: "Welcome", stepId: mail.id, stepName: "Send email" }
        assert.deepStrictEqual([body.workflowSteps, body.canDelete], [[user], false])
        const refused = yield* ask("DELETE", `/templates/${templateId}`)
        assert.deepStrictEqual(refused.body.error.details, { workflows: [{ id, name: "Welcome", stepId: mail.id }] })
        const domains: ReadonlyArray<{ id: string; domain: string }> = (yield* ask(
          "GET",
          `/domains/project/${project}`
        )).body
        const found = domains.find((each) => each.domain === domain)
        const kept = yield* ask("DELETE", `/domains/${found?.id}`)
        assert.deepStrictEqual(
          [kept.status, kept.body.error.details.workflowSteps],
          [409, [{ id: mail.id, name: "Send email" }]]
        )
        yield* ask("DELETE", `/workflows/${id}/steps/${mail.id}`)
        assert.strictEqual((yield* ask("DELETE", `/templates/${templateId}`)).status, 204)
      })
    )

    it.effect("lists the fields for conditions: of contacts, and data keys of events of a name", () =>
      Effect.gen(function* () {
        const { ask, track } = yield* workflowProject
        yield* track({
          email: "a@example.com",
          event: "paid",
          data: { plan: "pro", amount: { value: 5, persistent: false } }
        })
        yield* track({
          email: "a@example.com",
          event: "left",
          data: { at: { value: "2026-03-01", persistent: false } }
        })
        const { status, body } = yield* ask("GET", "/workflows/fields?eventName=paid")
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(body.fields, [
          "contact.createdAt",
          "contact.data.plan",
          "contact.email",
          "contact.externalId",
          "contact.locale",
          "contact.origin.source",
          "contact.snoozedUntil",
          "contact.subscribed",
          "contact.subscription",
          "contact.timezone",
          "contact.updatedAt",
          "event.amount",
          "event.plan"
        ])
        assert.deepStrictEqual(
          [body.count, body.typedFields[1], body.typedFields[11]],
          [
            13,
            { field: "contact.data.plan", type: "string", category: "Custom Data" },
            { field: "event.amount", type: "number", category: "Event Data" }
          ]
        )
        const all = (yield* ask("GET", "/workflows/fields")).body
        assert.deepInclude(all.typedFields, { field: "event.at", type: "date", category: "Event Data" })
      })
    )

    it.effect("the setup state of a project reports an enabled workflow", () =>
      Effect.gen(function* () {
        const { ask, project, workflow, step, enable } = yield* workflowProject
        const state = Effect.map(
          ask("GET", `/projects/${project}/setup-state`),
          ({ body }) => body.data.hasEnabledWorkflow
        )
        const { id } = yield* workflow()
        yield* step(id, "EXIT")
        assert.isFalse(yield* state)
        yield* enable(id)
        assert.isTrue(yield* state)
      })
    )
  })
}
