/** Goals of campaigns: which events count, for which mail, and what they bring. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../../../testing/Databases.ts"
import { servicesOn } from "../../../testing/Services.ts"
import { wireOver } from "../../../testing/TestClient.ts"
import { dispatch } from "../../workflows/ExecutionsFixture.ts"
import { sendingProject, work } from "../CampaignsFixture.ts"

const goal = { eventName: "paid", attribution: "SENT", revenue: { path: "order.total", currencyPath: "currency" } }

const hours = (n: number) => TestClock.adjust(`${n} hours`)

/** Every waiting mail of the campaign leaves now. */
const leave = Effect.fnUntraced(function* (campaign: string) {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDate(yield* DateTime.now)
  yield* work
  yield* sql`
    update emails set status = 'SENT', sent_at = ${now}, updated_at = ${now}, provider = 'GMAIL'
    where campaign_id = ${campaign}::uuid and status = 'PENDING'`
  yield* work
})

const setUp = Effect.fnUntraced(function* (contacts: number) {
  const sql = yield* SqlClient.SqlClient
  const fresh = yield* sendingProject(contacts)
  const { ask, project } = fresh
  yield* ask("POST", "/webhooks", { url: "https://hooks.example.com/a", events: ["*"] })
  /** A campaign whose mail leaves now. */
  const sent = Effect.fnUntraced(function* (more: object = {}, others: object = {}) {
    const id = yield* fresh.create({ goal: { ...goal, ...more }, ...others })
    yield* ask("POST", `/campaigns/${id}/send`, {})
    yield* leave(id)
    return id
  })
  const buy = Effect.fnUntraced(function* (n: number, total: unknown, more: object = {}) {
    const data = { order: { total }, currency: "eur", ...more }
    const { status } = yield* fresh.track({ email: `c-${n}@example.com`, event: "paid", data })
    assert.strictEqual(status, 200)
    yield* dispatch
  })
  /** A person or a machine clicks or opens now. */
  const hit = Effect.fnUntraced(function* (campaign: string, n: number, kind: string, verdict: string) {
    yield* sql`
      insert into email_hits (project_id, email_id, at, id, kind, url, verdict, ordinal)
      select project_id, id, ${DateTime.toDate(yield* DateTime.now)}::timestamptz, gen_random_uuid(), ${kind}, 'https://a.test', ${verdict}, 1
      from emails where campaign_id = ${campaign}::uuid and to_email = ${`c-${n}@example.com`}`
  })
  const figures = Effect.fnUntraced(function* (id: string) {
    const { convertedCount, conversionEvents, revenue, conversionRate } = yield* fresh.stats(id)
    return { convertedCount, conversionEvents, revenue, conversionRate }
  })
  const recorded = Effect.map(
    sql<{ readonly data: { readonly campaignId: string; readonly revenue: unknown } }>`
      select data from events where project_id = ${project} and name = 'campaign.converted' order by created_at, id`,
    (rows) => rows.map(({ data }) => data)
  )
  return { ...fresh, sent, buy, hit, figures, recorded }
})

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`Goals of campaigns on ${name}`, (it) => {
    it.effect("count events of recipients once, with their revenue, until the window is over", () =>
      Effect.gen(function* () {
        const { ask, buy, figures, sent, recorded } = yield* setUp(4)
        const none = { convertedCount: 0, conversionEvents: 0, revenue: [], conversionRate: 0 }
        yield* buy(1, 5)
        yield* hours(1)
        const id = yield* sent({ windowHours: 24 })
        assert.deepStrictEqual(yield* figures(id), none)
        yield* hours(1)
        yield* buy(1, 10.5)
        yield* buy(1, "4.25")
        yield* buy(2, -1)
        yield* buy(3, 7, { currency: "USD" })
        assert.deepStrictEqual(yield* figures(id), {
          convertedCount: 3,
          conversionEvents: 4,
          conversionRate: 75,
          revenue: [
            { currency: "EUR", amount: 14.75 },
            { currency: "USD", amount: 7 }
          ]
        })
        const hooks = yield* recorded
        assert.strictEqual(hooks.length, 4)
        assert.sameDeepMembers(
          hooks.map(({ campaignId, revenue }) => ({ campaignId, revenue })),
          [
            { campaignId: id, revenue: { amount: 10.5, currency: "EUR" } },
            { campaignId: id, revenue: { amount: 4.25, currency: "EUR" } },
            { campaignId: id, revenue: null },
            { campaignId: id, revenue: { amount: 7, currency: "USD" } }
          ]
        )
        // A later event of a contact brings revenue to an hour in which no contact converts for the first time.
        yield* hours(1)
        yield* buy(3, 0.25)
        const rowsBy = (query: string) =>
          Effect.map(ask("GET", `/campaigns/${id}/report?${query}`), ({ body }) =>
            body.data.rows.map(
              (_: { converted: number; revenue: ReadonlyArray<{ amount: number; currency: string }> }) => [
                _.converted,
                ..._.revenue.map(({ amount, currency }) => `${amount} ${currency}`)
              ]
            )
          )
        const byHour = [[0], [3, "14.75 EUR", "7 USD"], [0, "0.25 EUR"]]
        assert.deepStrictEqual(yield* rowsBy("by=hour"), byHour)
        assert.deepStrictEqual(yield* rowsBy("by=hour&variant=A"), byHour)
        assert.deepStrictEqual(yield* rowsBy("by=provider"), [[3, "15 EUR", "7 USD"]])
        assert.deepStrictEqual(yield* rowsBy("by=provider&variant=B"), [])

        // The event is in use until the goal ends.
        const usage = yield* ask("GET", "/events/paid/usage")
        assert.strictEqual(usage.body.usedInCampaigns[0].id, id)
        assert.strictEqual((yield* ask("DELETE", "/events/paid")).status, 409)
        yield* hours(24)
        yield* buy(4, 1)
        assert.strictEqual((yield* figures(id)).conversionEvents, 5)
        assert.strictEqual((yield* ask("DELETE", "/events/paid")).status, 200)
        assert.strictEqual((yield* figures(id)).conversionEvents, 5)
        assert.strictEqual((yield* ask("DELETE", `/campaigns/${id}`)).status, 204)
      })
    )

    it.effect("count an event for the mail that a person touched last, and never for machines", () =>
      Effect.gen(function* () {
        const { ask, buy, figures, hit, project, sent } = yield* setUp(3)
        const sql = yield* SqlClient.SqlClient
        const first = yield* sent({ attribution: "CLICKED" })
        yield* hours(1)
        const second = yield* sent({
          attribution: "CLICKED",
          where: [{ path: "shop", operator: "equals", value: "a" }]
        })
        yield* hit(first, 1, "click", "machine")
        yield* buy(1, 1, { shop: "a" })
        assert.strictEqual((yield* figures(first)).conversionEvents, 0)
        yield* hit(second, 1, "click", "human")
        yield* hours(1)
        yield* hit(first, 1, "click", "human")
        yield* hours(1)
        yield* buy(1, 20, { shop: "a" })
        assert.strictEqual((yield* figures(first)).conversionEvents, 1)
        assert.strictEqual((yield* figures(second)).conversionEvents, 0)
        yield* hit(second, 1, "click", "human")
        yield* hours(1)
        yield* buy(1, 30, { shop: "b" })
        yield* buy(1, 40, { shop: "a" })
        assert.deepStrictEqual((yield* figures(first)).revenue, [{ currency: "EUR", amount: 50 }])
        assert.deepStrictEqual((yield* figures(second)).revenue, [{ currency: "EUR", amount: 40 }])

        // The data of the person: exported, merged, erased. The sums stay.
        const contacts = yield* sql<{ readonly id: string; readonly email: string }>`
          select id, email from contacts where project_id = ${project} order by email`
        const [ada = "", bob = ""] = contacts.map(({ id }) => id)
        const exported = yield* ask("GET", `/contacts/${ada}/export`)
        assert.deepStrictEqual(
          exported.body.conversions.map((_: { campaignId: string }) => _.campaignId).toSorted(),
          [first, second].toSorted()
        )
        const merged = yield* ask("POST", `/contacts/${bob}/merge`, { contactId: ada })
        assert.include([200, 202], merged.status, JSON.stringify(merged.body))
        const owned = yield* sql`select 1 from conversions where project_id = ${project} and contact_id = ${bob}::uuid`
        assert.strictEqual(owned.length, 2)
        assert.strictEqual((yield* ask("POST", `/contacts/${bob}/erase`)).status, 200)
        assert.strictEqual((yield* figures(first)).convertedCount, 1)
      })
    )

    it.effect("are checked with full paths, and decide an experiment", () =>
      Effect.gen(function* () {
        const { ask, buy, draft, sent } = yield* setUp(40)
        for (const [wrong, field] of [
          [{ windowHours: 1 }, "goal.eventName"],
          [{ eventName: "paid", windowHours: 2_161 }, "goal.windowHours"],
          [{ eventName: "paid", attribution: "SEEN" }, "goal.attribution"],
          [{ eventName: "paid", revenue: { path: "a" } }, "goal.revenue.currency"],
          [
            { eventName: "paid", where: [{ path: "a", operator: "equals", valueFrom: "event.b" }] },
            "goal.where.0.valueFrom"
          ]
        ] as const) {
          const { status, body } = yield* ask("POST", "/campaigns", { ...draft, goal: wrong })
          assert.deepStrictEqual([status, body.error.errors[0].field], [422, field], JSON.stringify(body))
        }
        const variants = [{ key: "A" }, { key: "B", subject: "Other" }]
        const experiment = { variants, testShare: 1, metric: "GOAL", waitHours: 2 }
        const missing = yield* ask("POST", "/campaigns", { ...draft, experiment })
        assert.strictEqual(missing.body.error.errors[0].field, "goal")
        const id = yield* sent({}, { experiment })
        yield* hours(1)
        const rows = yield* ask("GET", `/campaigns/${id}/recipients?variant=B&limit=100`)
        const [one] = rows.body.data
        yield* buy(Number(/\d+/.exec(one.email)?.[0]), 3)
        yield* buy(Number(/\d+/.exec(one.email)?.[0]), -1)
        const figures = (yield* ask("GET", `/campaigns/${id}/experiment`)).body.data
        assert.deepStrictEqual(
          figures.variants.map((_: { key: string; successes: number }) => `${_.key} ${_.successes}`),
          ["A 0", "B 1"]
        )
        const report = (yield* ask("GET", `/campaigns/${id}/report?by=variant`)).body.data.rows
        assert.deepStrictEqual(
          report.map((_: { key: string; converted: number; conversionEvents: number; revenue: unknown }) => [
            _.key,
            _.converted,
            _.conversionEvents,
            _.revenue
          ]),
          [
            ["A", 0, 0, []],
            ["B", 1, 2, [{ currency: "EUR", amount: 3 }]]
          ]
        )
      })
    )
  })
}
