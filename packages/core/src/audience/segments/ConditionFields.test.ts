/** The fields of contacts that conditions can ask about, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { workflowProject } from "../../automation/workflows/WorkflowsFixture.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { filter, freshProject, type TestProject } from "./SegmentsFixture.ts"

const now = DateTime.makeUnsafe(Date.UTC(2026, 10, 20, 12))
const inDays = (days: number) => DateTime.formatIso(DateTime.add(now, { days }))

type Test = readonly [matches: string, field: string, operator: string, value?: unknown, unit?: string]

const table: ReadonlyArray<Test> = [
  ["a", "externalId", "equals", "u-1"],
  ["", "externalId", "equals", "U-1"],
  ["b", "contact.externalId", "startsWith", "U"],
  ["ab", "externalId", "exists"],
  ["cd", "externalId", "notExists"],
  ["b", "externalId", "notEquals", "u-1"],
  ["ab", "externalId", "in", ["u-1", "U-2"]],
  ["c", "snoozedUntil", "exists"],
  ["abd", "snoozedUntil", "notExists"],
  ["c", "snoozedUntil", "greaterThan", "2026-11-24"],
  ["", "snoozedUntil", "lessThan", "2026-11-24"],
  ["c", "snoozedUntil", "equals", "2026-11-25"],
  ["a", "locale", "equals", "de"],
  ["b", "contact.locale", "startsWith", "pt"],
  ["a", "timezone", "equals", "Europe/Berlin"],
  ["bcd", "timezone", "notExists"],
  ["abc", "subscription", "equals", "subscribed"],
  ["", "subscription", "equals", "pending"],
  ["d", "subscription", "notIn", ["subscribed", "pending"]],
  ["abc", "origin.source", "equals", "api"],
  ["d", "origin.source", "in", ["track", "form"]],
  ["abc", "origin.source", "notEquals", "track"],
  ["a", "topic.news", "equals", "subscribed"],
  ["b", "topic.news", "equals", "unsubscribed"],
  ["cd", "topic.news", "equals", "unset"],
  ["acd", "contact.topic.news", "notEquals", "unsubscribed"],
  ["ab", "topic.news", "in", ["subscribed", "unsubscribed"]],
  ["a", "topic.news.takes", "equals", true],
  ["bcd", "topic.news.takes", "equals", false],
  // A contact without a state has the default of the topic, and a snooze counts.
  ["ab", "topic.offers.takes", "equals", true],
  ["bcd", "contact.topic.offers", "equals", "unset"]
]

const faults = (body: { readonly error: { readonly errors: ReadonlyArray<{ field: string; code: string }> } }) =>
  body.error.errors.map(({ field, code }) => `${code} ${field}`).join(", ")

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`Fields in conditions on ${name}`, (it) => {
    /** Four contacts, and the topics `news` (taken on request) and `offers` (taken by default). */
    const people = Effect.fnUntraced(function* ({ ask, project, track }: TestProject) {
      yield* TestClock.setTime(now.epochMilliseconds)
      const topic = (key: string, defaultSubscription: string) =>
        Effect.map(ask("POST", "/topics", { name: key, key, defaultSubscription }), ({ body }) => body.id as string)
      const news = yield* topic("news", "unsubscribed")
      const offers = yield* topic("offers", "subscribed")
      const upsert = (body: object) => Effect.map(ask("POST", "/contacts", body), (answer) => answer.body.id)
      const data = { locale: "de", timezone: "Europe/Berlin" }
      const a = yield* upsert({ email: "a@example.com", externalId: "u-1", data })
      const b = yield* upsert({ email: "b@example.com", externalId: "U-2", locale: "pt-BR" })
      const c = yield* upsert({ email: "c@example.com" })
      yield* ask("PATCH", `/contacts/${c}`, { snoozedUntil: inDays(5) })
      yield* track({ email: "d@example.com", event: "seen", subscribed: false })
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        update contacts set topics_on = ${[news, offers]}::uuid[] where project_id = ${project} and id = ${a}`
      yield* sql`update contacts set topics_off = ${[news]}::uuid[] where project_id = ${project} and id = ${b}`
      return { a, b, c }
    })

    it.effect("find their contacts as a segment, as a selection and as a count", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { ask } = mine
        yield* people(mine)
        for (const [matches, ...test] of table) {
          const condition = filter(...test)
          const made = yield* ask("POST", "/segments", { name: "Some", condition })
          assert.strictEqual(made.status, 201, JSON.stringify([test, made.body]))
          const { body } = yield* ask("GET", `/segments/${made.body.id}/contacts?pageSize=100`)
          const found = body.data.map(({ email }: { email: string }) => email[0]).sort()
          assert.deepStrictEqual(
            [found.join(""), made.body.memberCount],
            [matches, matches.length],
            JSON.stringify(test)
          )
        }
      })
    )

    it.effect("a topic must exist when a segment, a campaign or a step is saved", () =>
      Effect.gen(function* () {
        const mine = yield* workflowProject
        const { ask, domain } = mine
        yield* people(mine)
        const field = "topic.gone.takes"
        const condition = {
          groups: [
            {
              filters: [{ field: "topic.news", operator: "equals", value: "unset" }],
              conditions: filter(field, "equals", true)
            }
          ]
        }
        const at = "groups.0.conditions.groups.0.filters.0.field"
        const segment = yield* ask("POST", "/segments", { name: "Gone", condition })
        assert.deepStrictEqual([segment.status, faults(segment.body)], [422, `custom condition.${at}`])
        const { body: kept } = yield* ask("POST", "/segments", {
          name: "News",
          condition: filter("topic.news", "equals", "unset")
        })
        const changed = yield* ask("PATCH", `/segments/${kept.id}`, { condition })
        assert.deepStrictEqual([changed.status, faults(changed.body)], [422, `custom condition.${at}`])
        const campaign = yield* ask("POST", "/campaigns", {
          name: "Gone",
          subject: "Hi",
          body: "<p>Hi</p>",
          from: `a@${domain}`,
          audienceType: "FILTERED",
          audienceCondition: condition
        })
        assert.deepStrictEqual([campaign.status, faults(campaign.body)], [422, `custom audienceCondition.${at}`])
        const flow = yield* mine.workflow()
        const step = (config: object) => ask("POST", `/workflows/${flow.id}/steps`, { type: "CONDITION", config })
        const refused = yield* step({ condition })
        assert.deepStrictEqual([refused.status, faults(refused.body)], [422, `custom config.condition.${at}`])
        const simple = yield* step({ field, operator: "equals", value: true })
        assert.deepStrictEqual([simple.status, faults(simple.body)], [422, "custom config.field"])
        assert.strictEqual((yield* step({ field: "topic.news", operator: "equals", value: "unset" })).status, 201)
        // A name of an event that no caller has tracked yet.
        assert.strictEqual((yield* step({ field: "topic.gone.subscribed", operator: "triggered" })).status, 201)
        const refusedTopic = yield* ask("DELETE", "/topics/news")
        assert.strictEqual(refusedTopic.status, 409)
        const other = yield* freshProject
        const foreign = yield* other.ask("POST", "/segments", {
          name: "Other",
          condition: filter("topic.news", "equals", "unset")
        })
        assert.strictEqual(foreign.status, 422)
      })
    )

    it.effect("are listed with their coverage, their values and their uses", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { ask } = mine
        yield* people(mine)
        yield* ask("PATCH", "/topics/offers", { archived: true })
        const { body } = yield* ask("GET", "/contacts/fields")
        const listed = Object.fromEntries(
          body.fields.map(({ field, type, coverage }: { [key: string]: string }) => [field, `${type} ${coverage}`])
        )
        assert.deepInclude(listed, {
          externalId: "string 50",
          locale: "string 50",
          "origin.source": "string 100",
          snoozedUntil: "date 25",
          subscription: "string 100",
          timezone: "string 25",
          "topic.news": "string 100",
          "topic.news.takes": "boolean 100"
        })
        assert.notProperty(listed, "topic.offers")
        const { body: inSteps } = yield* ask("GET", "/workflows/fields")
        for (const [field, type] of [
          ["contact.topic.news", "string"],
          ["contact.topic.news.takes", "boolean"],
          ["contact.snoozedUntil", "date"]
        ]) {
          assert.deepInclude(inSteps.typedFields, { field, type, category: "Contact Fields" })
        }
        const values = (field: string) =>
          Effect.map(ask("GET", `/contacts/fields/${field}/values`), ({ body }) => body.values)
        assert.deepStrictEqual(yield* values("topic.news"), ["subscribed", "unsubscribed", "unset"])
        assert.deepStrictEqual(yield* values("topic.news.takes"), [false, true])
        assert.deepStrictEqual(yield* values("subscription"), ["subscribed", "unsubscribed", "pending"])
        assert.deepStrictEqual(yield* values("locale"), ["de", "pt-BR"])
        assert.deepStrictEqual(yield* values("externalId"), [])
        const used = ["externalId", "snoozedUntil", "subscription", "origin.source", "topic.news"]
        const tests = [
          filter("externalId", "exists"),
          filter("snoozedUntil", "exists"),
          filter("subscription", "equals", "pending"),
          filter("origin.source", "equals", "form"),
          filter("topic.news.takes", "equals", true)
        ]
        for (const [n, condition] of tests.entries())
          yield* ask("POST", "/segments", { name: `Uses ${used[n]}`, condition })
        for (const field of used) {
          const { body } = yield* ask("GET", `/contacts/fields/${field}/usage`)
          const names = body.usedInSegments.map((segment: { name: string }) => segment.name)
          assert.include(names, `Uses ${field}`)
          assert.isFalse(body.canDelete)
        }
        const refused = yield* ask("DELETE", "/contacts/fields/topic.news")
        assert.deepStrictEqual([refused.status, faults(refused.body)], [422, "custom field"])
      })
    )

    it.effect("events count by the time at which they happened", () =>
      Effect.gen(function* () {
        const { ask, track } = yield* freshProject
        yield* TestClock.setTime(now.epochMilliseconds)
        for (const [email, days] of [
          ["old@example.com", 8],
          ["new@example.com", 6]
        ] as const) {
          yield* track({ email, event: "bought", occurredAt: inDays(-days), data: { amount: 90 } })
        }
        const where = [{ path: "amount", operator: "greaterThan", value: 50 }]
        const found = Effect.fnUntraced(function* (test: object) {
          const condition = { groups: [{ filters: [{ field: "event.bought", unit: "days", ...test }] }] }
          const { body } = yield* ask("POST", "/segments", { name: "Bought", condition })
          return body.memberCount
        })
        assert.strictEqual(yield* found({ operator: "triggeredWithin", value: 7, where }), 1)
        assert.strictEqual(yield* found({ operator: "triggeredOlderThan", value: 7, where }), 1)
        assert.strictEqual(yield* found({ operator: "triggeredWithin", value: 9, where }), 2)
      })
    )
  })
}
