import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { wire } from "../../../testing/TestClient.ts"
import { faultsIn, nowhere, workflowProject } from "../WorkflowsFixture.ts"

const bigText = "x".repeat(70_000)
const headers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, "a"]))
const branch = (id: unknown) => ({ id, operator: "exists" })
const multi = (branches: unknown, field: unknown = "data.plan") => ({ mode: "multi", field, branches })
const webhook = (more: object) => ({ url: "https://hooks.example.com/x", ...more })
const shares = (...given: ReadonlyArray<number>) => ({
  branches: given.map((share, n) => ({ id: `b${n}`, share }))
})

layer(wire, { timeout: "60 seconds" })("The config of a step", (it) => {
  it.effect.each<readonly [type: string, config: object, kept?: object]>([
    ["SEND_EMAIL", {}],
    ["SEND_EMAIL", { recipient: { type: "CUSTOM", customEmail: "{{data.boss}}" } }],
    ["SEND_EMAIL", { recipient: null, subject: "x" }, {}],
    ["DELAY", { amount: 0.5, unit: "hours" }],
    ["DELAY", { amount: 365, unit: "days" }],
    ["DELAY", { until: { weekdays: ["MON", "FRI"], time: "09:30", timezone: "Europe/Berlin" } }],
    [
      "DELAY",
      { until: { date: "2028-02-29", time: "00:00" }, colour: "red" },
      { until: { date: "2028-02-29", time: "00:00" } }
    ],
    ["DELAY", { until: { field: "event.trial.ends", offset: { amount: -365, unit: "weeks" }, anniversary: true } }],
    [
      "SPLIT",
      {
        ...shares(50, 50),
        experiment: {
          metric: "HUMAN_CLICK",
          windowHours: 720,
          minimumPerBranch: 100,
          confidence: 0.99,
          winner: "MANUAL",
          fallback: "FIRST"
        }
      }
    ],
    ["TIME_WINDOW", { from: "22:00", to: "06:00", days: ["SAT"], timezone: "CONTACT" }],
    ["RATE_LIMIT", { limit: 1_000_000, per: "day", onExceeded: "BRANCH", maxWaitHours: 8_760 }],
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
    ["SPLIT", shares(50, 50)],
    [
      "SPLIT",
      { ...shares(0.01, 33.33, 66.66), salt: "holdout", colour: "red" },
      { ...shares(0.01, 33.33, 66.66), salt: "holdout" }
    ],
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
    ["DELAY", { amount: 1, unit: "days", until: { date: "2026-12-24", time: "09:00" } }, ["config.until custom"]],
    ["DELAY", { until: {} }, ["config.until required"]],
    ["DELAY", { until: { weekdays: ["MON"], date: "2026-12-24", time: "09:00" } }, ["config.until.date custom"]],
    ["DELAY", { until: { weekdays: [] } }, ["config.until.weekdays too_small"]],
    ["DELAY", { until: { weekdays: ["MON", "MON"], time: "09:00" } }, ["config.until.weekdays custom"]],
    [
      "DELAY",
      { until: { weekdays: ["MONDAY"], time: "9:00" } },
      ["config.until.weekdays.0 invalid_enum", "config.until.time invalid_string"]
    ],
    [
      "DELAY",
      { until: { date: "2026-02-30", time: "24:00" } },
      ["config.until.date invalid_string", "config.until.time invalid_string"]
    ],
    ["DELAY", { until: { date: "2026-12-24" } }, ["config.until.time required"]],
    ["DELAY", { until: { date: "2026-12-24", time: "09:00", anniversary: true } }, ["config.until.anniversary custom"]],
    ["DELAY", { until: { field: "trialEnds" } }, ["config.until.field invalid_string"]],
    ["DELAY", { until: { field: "data.a", timezone: "Mars/Base" } }, ["config.until.timezone invalid_string"]],
    [
      "DELAY",
      { until: { field: "data.a", offset: { amount: 366, unit: "days" } } },
      ["config.until.offset.amount too_big"]
    ],
    [
      "DELAY",
      { until: { field: "data.a", offset: { amount: 1.5, unit: "months" } } },
      ["config.until.offset.amount invalid_string", "config.until.offset.unit invalid_enum"]
    ],
    ["SPLIT", { ...shares(50, 50), experiment: {} }, ["config.experiment.metric required"]],
    [
      "SPLIT",
      {
        ...shares(50, 50),
        experiment: { metric: "OPENS", windowHours: 721, minimumPerBranch: 99, confidence: 0.5, fallback: "BEST" }
      },
      [
        "config.experiment.metric invalid_enum",
        "config.experiment.windowHours too_big",
        "config.experiment.minimumPerBranch too_small",
        "config.experiment.confidence invalid_enum",
        "config.experiment.fallback invalid_enum"
      ]
    ],
    ["TIME_WINDOW", {}, ["config.from required", "config.to required"]],
    ["TIME_WINDOW", { from: "09:00", to: "09:00" }, ["config.to custom"]],
    ["TIME_WINDOW", { from: "09:00", to: "17:00", days: ["MON", 5] }, ["config.days.1 invalid_type"]],
    ["RATE_LIMIT", {}, ["config.limit required", "config.per required"]],
    ["RATE_LIMIT", { limit: 0, per: "second" }, ["config.limit too_small", "config.per invalid_enum"]],
    [
      "RATE_LIMIT",
      { limit: 1_000_001, per: "day", maxWaitHours: 8_761 },
      ["config.limit too_big", "config.maxWaitHours too_big"]
    ],
    [
      "RATE_LIMIT",
      { limit: 1.5, per: "day", onExceeded: "DROP" },
      ["config.limit invalid_string", "config.onExceeded invalid_enum"]
    ],
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
    ["SPLIT", {}, ["config.branches required"]],
    ["SPLIT", { branches: "a" }, ["config.branches invalid_type"]],
    ["SPLIT", shares(100), ["config.branches too_small"]],
    ["SPLIT", shares(...Array.from({ length: 11 }, () => 9)), ["config.branches too_big"]],
    ["SPLIT", shares(50, 49.99), ["config.branches custom"]],
    ["SPLIT", shares(0, 100), ["config.branches.0.share too_small"]],
    ["SPLIT", shares(100.5, 1), ["config.branches.0.share too_big"]],
    ["SPLIT", shares(33.333, 66.667), ["config.branches.0.share custom", "config.branches.1.share custom"]],
    [
      "SPLIT",
      {
        branches: [
          { id: "a", share: 50 },
          { id: "a", share: 50 }
        ]
      },
      ["config.branches.1.id custom"]
    ],
    [
      "SPLIT",
      { branches: [{ id: "default", share: 50 }, { id: "b c" }] },
      ["config.branches.0.id custom", "config.branches.1.id invalid_string", "config.branches.1.share required"]
    ],
    ["SPLIT", { ...shares(50, 50), salt: "" }, ["config.salt required"]],
    ["SPLIT", { ...shares(50, 50), salt: "x".repeat(101) }, ["config.salt too_big"]],
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
    ["UPDATE_CONTACT", { topics: { news: "pending" } }, ["config.topics.news invalid_enum"]],
    ["UPDATE_CONTACT", { topics: {} }, ["config.topics too_small"]],
    [
      "UPDATE_CONTACT",
      { topics: { news: "unset", tips: "subscribed" } },
      ["config.topics.news custom", "config.topics.tips custom"]
    ],
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
