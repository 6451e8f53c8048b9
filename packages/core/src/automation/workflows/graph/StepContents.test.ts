import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { wire } from "../../../testing/TestClient.ts"
import { faultsIn, nowhere, workflowProject } from "../WorkflowsFixture.ts"

const bigText = "x".repeat(70_000)
const headers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, "a"]))
const branch = (id: unknown) => ({ id, operator: "exists" })
const multi = (branches: unknown, field: unknown = "data.plan") => ({ mode: "multi", field, branches })
const webhook = (more: object) => ({ url: "https://hooks.example.com/x", ...more })

layer(wire, { timeout: "60 seconds" })("The config of a step", (it) => {
  it.effect.each<readonly [type: string, config: object, kept?: object]>([
    ["SEND_EMAIL", {}],
    ["SEND_EMAIL", { recipient: { type: "CUSTOM", customEmail: "{{data.boss}}" } }],
    ["SEND_EMAIL", { recipient: null, subject: "x" }, {}],
    ["DELAY", { amount: 0.5, unit: "hours" }],
    ["DELAY", { amount: 365, unit: "days" }],
    ["WAIT_FOR_EVENT", { eventName: "email.open" }],
    ["WAIT_FOR_EVENT", { eventName: "a", timeout: null }, { eventName: "a" }],
    ["CONDITION", { field: "contact.email", operator: "endsWith", value: "@example.com" }],
    [
      "CONDITION",
      { field: "event.amount", operator: "greaterThan", value: 5, colour: "red" },
      { field: "event.amount", operator: "greaterThan", value: 5 }
    ],
    ["CONDITION", { field: "event.paid", operator: "triggeredWithin", value: 2, unit: "days" }],
    ["CONDITION", { condition: { groups: [{ filters: [{ field: "workflow.a", operator: "exists" }] }] } }],
    ["CONDITION", multi([{ id: "a", name: "A", operator: "equals", value: 1 }, branch("b")])],
    ["CONDITION", { mode: "multi", branches: [{ id: "a", condition: { groups: [] } }] }],
    ["WEBHOOK", { url: "https://hooks.example.com/{{data.path}}" }],
    ["WEBHOOK", { url: "{{data.url}}", method: "PUT", body: null, timeoutSeconds: 30, continueOnError: true }],
    ["WEBHOOK", webhook({ headers: { "X-Key": "{{data.key}}" }, body: { a: ["{{data.a}}", 1] } })],
    ["UPDATE_CONTACT", { updates: { plan: "{{event.plan}}", old: null } }],
    ["UPDATE_CONTACT", { subscriptionAction: "unsubscribe" }],
    ["EXIT", {}],
    ["EXIT", { reason: " done " }, { reason: "done" }]
  ])("of a %s may be %j", ([type, config, kept]) =>
    Effect.gen(function* () {
      const { ask, workflow } = yield* workflowProject
      const { id } = yield* workflow()
      const { status, body } = yield* ask("POST", `/workflows/${id}/steps`, { type, config })
      assert.deepStrictEqual([status, body.config], [201, kept ?? config], JSON.stringify(body))
    })
  )

  it.effect.each<readonly [type: string, config: object, faults: ReadonlyArray<string>]>([
    ["SEND_EMAIL", { templateId: "x" }, ["config.templateId invalid_string"]],
    ["SEND_EMAIL", { recipient: { type: "BOSS" } }, ["config.recipient.type invalid_enum"]],
    ["SEND_EMAIL", { recipient: { type: "CUSTOM" } }, ["config.recipient.customEmail required"]],
    [
      "SEND_EMAIL",
      { recipient: { type: "CUSTOM", customEmail: "{{" } },
      ["config.recipient.customEmail template_syntax"]
    ],
    ["DELAY", {}, ["config.amount required", "config.unit required"]],
    ["DELAY", { amount: 0, unit: "days" }, ["config.amount too_small"]],
    ["DELAY", { amount: "1", unit: "days" }, ["config.amount invalid_type"]],
    ["DELAY", { amount: 366, unit: "days" }, ["config.amount too_big"]],
    ["DELAY", { amount: 1, unit: "months" }, ["config.unit invalid_enum"]],
    ["WAIT_FOR_EVENT", {}, ["config.eventName required"]],
    ["WAIT_FOR_EVENT", { eventName: "a", timeout: 0 }, ["config.timeout too_small"]],
    ["WAIT_FOR_EVENT", { eventName: "a", timeout: 31_536_001 }, ["config.timeout too_big"]],
    ["CONDITION", {}, ["config.field required", "config.operator required"]],
    ["CONDITION", { field: "plan", operator: "equals", value: 1 }, ["config.field custom"]],
    ["CONDITION", { field: "data.a", operator: "within", value: 1 }, ["config.unit required"]],
    ["CONDITION", { mode: "some" }, ["config.mode invalid_enum"]],
    [
      "CONDITION",
      { condition: { groups: [{ filters: [{ field: "data.a" }] }] } },
      ["config.condition.groups.0.filters.0.operator required"]
    ],
    ["CONDITION", { field: `segment.${nowhere}`, operator: "memberOfSegment" }, ["config.field custom"]],
    [
      "CONDITION",
      {
        mode: "multi",
        branches: [
          {
            id: "a",
            condition: { groups: [{ filters: [{ field: `segment.${nowhere}`, operator: "memberOfSegment" }] }] }
          }
        ]
      },
      ["config.branches.0.condition.groups.0.filters.0.field custom"]
    ],
    ["CONDITION", { mode: "multi" }, ["config.branches required"]],
    ["CONDITION", multi("a"), ["config.branches invalid_type"]],
    ["CONDITION", multi([]), ["config.branches too_small"]],
    ["CONDITION", multi(Array.from({ length: 21 }, (_, n) => branch(`b${n}`))), ["config.branches too_big"]],
    ["CONDITION", multi([branch("a"), branch("a")]), ["config.branches.1.id custom"]],
    ["CONDITION", multi([branch("default")]), ["config.branches.0.id custom"]],
    ["CONDITION", multi([branch("a b")]), ["config.branches.0.id invalid_string"]],
    ["CONDITION", multi([branch(undefined), 5]), ["config.branches.0.id required", "config.branches.1 invalid_type"]],
    ["CONDITION", multi([branch("a"), branch("b")], null), ["config.field required"]],
    ["WEBHOOK", {}, ["config.url required"]],
    ["WEBHOOK", webhook({ url: "ftp://example.com/" }), ["config.url custom"]],
    ["WEBHOOK", webhook({ url: "http://169.254.169.254/" }), ["config.url custom"]],
    ["WEBHOOK", webhook({ url: "https://user@example.com/" }), ["config.url custom"]],
    ["WEBHOOK", webhook({ url: "javascript:{{a}}" }), ["config.url custom"]],
    ["WEBHOOK", webhook({ url: `https://example.com/${"x".repeat(2048)}` }), ["config.url too_big"]],
    ["WEBHOOK", webhook({ url: "https://example.com/{{#if}}" }), ["config.url template_syntax"]],
    ["WEBHOOK", webhook({ method: "TRACE" }), ["config.method invalid_enum"]],
    ["WEBHOOK", webhook({ headers: headers(21) }), ["config.headers too_big"]],
    ["WEBHOOK", webhook({ headers: { "a b": "x" } }), ["config.headers.a b invalid_string"]],
    ["WEBHOOK", webhook({ headers: { Host: "x" } }), ["config.headers.Host custom"]],
    ["WEBHOOK", webhook({ headers: { "Webhook-Id": "x" } }), ["config.headers.Webhook-Id custom"]],
    ["WEBHOOK", webhook({ headers: { a: "x\r\ny" } }), ["config.headers.a invalid_string"]],
    ["WEBHOOK", webhook({ headers: { a: "x".repeat(999) } }), ["config.headers.a too_big"]],
    ["WEBHOOK", webhook({ body: bigText }), ["config.body too_big"]],
    ["WEBHOOK", webhook({ body: { a: "{{" } }), ["config.body.a template_syntax"]],
    ["WEBHOOK", webhook({ timeoutSeconds: 31 }), ["config.timeoutSeconds too_big"]],
    ["WEBHOOK", webhook({ continueOnError: "no" }), ["config.continueOnError invalid_type"]],
    ["UPDATE_CONTACT", {}, ["config.updates required"]],
    ["UPDATE_CONTACT", { updates: { id: 1, a: "" }, subscriptionAction: "none" }, ["config.updates required"]],
    ["UPDATE_CONTACT", { updates: { __proto: 1, constructor: 1 } }, ["config.updates.constructor custom"]],
    ["UPDATE_CONTACT", { updates: { a: bigText } }, ["config.updates too_big"]],
    ["UPDATE_CONTACT", { updates: { a: "{{" } }, ["config.updates.a template_syntax"]],
    ["UPDATE_CONTACT", { subscriptionAction: "maybe" }, ["config.subscriptionAction invalid_enum"]],
    ["EXIT", { reason: "x".repeat(201) }, ["config.reason too_big"]]
  ])("of a %s may not be %j", ([type, config, faults]) =>
    Effect.gen(function* () {
      const { ask, workflow } = yield* workflowProject
      const { id } = yield* workflow()
      const { status, body } = yield* ask("POST", `/workflows/${id}/steps`, { type, config })
      assert.deepStrictEqual([status, faultsIn(body)], [422, faults])
    })
  )
})
