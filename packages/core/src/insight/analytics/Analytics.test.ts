import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { countRows, type SendingProject, sendingProject, work } from "../../automation/campaigns/CampaignsFixture.ts"
import { wire } from "../../testing/TestClient.ts"
import { updateTotals } from "./Totals.ts"

/** A mail with these timestamps in its columns. */
const mail = Effect.fnUntraced(function* ({ project }: SendingProject, values: Record<string, string | number>) {
  const sql = yield* SqlClient.SqlClient
  const id = randomUUID()
  yield* sql`
    insert into emails (id, project_id, contact_id, to_email, from_email, type, source_type, tracking, status, lane,
                        due_at, ladder_since, created_at, updated_at)
    values (${id}, ${project}::uuid, ${randomUUID()}::uuid, 'a@example.com', 'b@shop.example', 'MARKETING', 'CAMPAIGN',
            true, 'SENDING', 1, now(), now(), now(), now())`
  const changes = JSON.stringify(values)
  const columns = sql.literal(Object.keys(values).join(", "))
  yield* sql`
    update emails set (${columns}, updated_at) = (
      select ${columns}, now() from jsonb_populate_record(null::emails, ${changes}::text::jsonb)) where id = ${id}`
})

/** A campaign sent to the contacts of the project, with the given numbers of opens, clicks and bounces. */
const campaign = Effect.fnUntraced(function* (project: SendingProject, opens: number, clicks: number, bounces: number) {
  const sql = yield* SqlClient.SqlClient
  const id = yield* project.create({ name: `${opens} opens` })
  yield* project.ask("POST", `/campaigns/${id}/send`)
  yield* work
  yield* sql`
    update emails set status = 'SENT', sent_at = ${new Date(yield* Clock.currentTimeMillis)},
      delivered_at = case when n > ${bounces} then now() end, bounced_at = case when n <= ${bounces} then now() end,
      opens = (n > 4 - ${opens})::int, clicks = (n > 4 - ${clicks})::int
    from (select id as mail, row_number() over () as n from emails where campaign_id = ${id}::uuid) as numbered
    where id = mail`
  yield* work
  return id
})

layer(wire, { timeout: "60 seconds" })("Analytics", (it) => {
  it.effect("the time series has every day of the zone with its counts", () =>
    Effect.gen(function* () {
      const project = yield* sendingProject(0)
      const days = (query: string) =>
        Effect.map(project.ask("GET", `/analytics/timeseries?${query}`), ({ body }) => body)
      // In Berlin the 29th has 23 hours, from 23:00 UTC to 22:00 UTC.
      yield* mail(project, { sent_at: "2026-03-28T22:59:59.999Z", delivered_at: "2026-03-28T23:00:00Z" })
      yield* mail(project, { sent_at: "2026-03-29T21:59:59.999Z", opened_at: "2026-03-29T22:00:00Z", opens: 1 })
      yield* mail(project, { sent_at: "2026-03-29T05:14:00Z", bounced_at: "2026-03-29T05:14:01Z" })
      yield* mail(project, {
        sent_at: "2026-03-29T12:00:00Z",
        opened_at: "2026-03-29T12:00:00Z",
        opens: 2,
        machine_opens: 2,
        clicked_at: "2026-03-29T12:00:01Z",
        clicks: 1,
        machine_clicks: 1,
        complained_at: "2026-03-30T12:00:00Z"
      })
      const none = { emails: 0, delivered: 0, opens: 0, clicks: 0, bounces: 0, complaints: 0 }
      const expected = [
        { date: "2026-03-27", ...none },
        { date: "2026-03-28", ...none, emails: 1 },
        { date: "2026-03-29", ...none, emails: 3, delivered: 1, opens: 1, clicks: 1, bounces: 1 },
        { date: "2026-03-30", ...none, opens: 1, complaints: 1 },
        { date: "2026-03-31", ...none }
      ]
      const berlin = "startDate=2026-03-27&endDate=2026-03-31&timezone=Europe/Berlin"
      assert.deepStrictEqual(yield* days(berlin), expected)
      const [, , sunday] = yield* days(`${berlin}&includeMachine=false`)
      assert.deepStrictEqual(sunday, { ...expected[2], opens: 0, clicks: 0 })
      yield* updateTotals
      assert.deepStrictEqual(yield* days(berlin), expected)
      const kathmandu = yield* days("startDate=2026-03-29&endDate=2026-03-30&timezone=Asia/Kathmandu")
      // Midnight in this zone is 18:15 UTC.
      assert.deepStrictEqual(
        kathmandu.map(({ emails }: { emails: number }) => emails),
        [3, 1]
      )
      // Days use the time zone of the project, unless the query has one.
      yield* SqlClient.SqlClient.use(
        (sql) => sql`update projects set timezone = 'Europe/Berlin' where id = ${project.project}`
      )
      yield* TestClock.setTime(Date.UTC(2026, 2, 31, 22, 30))
      const month = yield* days("")
      assert.deepStrictEqual([month.length, month[0].date, month[29].date], [30, "2026-03-03", "2026-04-01"])
      assert.deepStrictEqual(yield* days("startDate=2026-03-27&endDate=2026-03-31"), expected)
    })
  )

  it.effect("campaigns are ordered by any metric, with an overview of all", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 3, 1))
      const project = yield* sendingProject(4)
      const get = (path: string) => Effect.map(project.ask("GET", `/analytics/${path}`), ({ body }) => body)
      const [loved, clicked] = [yield* campaign(project, 4, 1, 0), yield* campaign(project, 2, 2, 1)]
      yield* TestClock.adjust("2 days")
      const unread = yield* campaign(project, 0, 0, 2)
      yield* project.create()
      const top = (query: string) =>
        Effect.map(get(`top-campaigns?${query}`), (found) => found.map(({ id }: { id: string }) => id))
      assert.deepStrictEqual(yield* top(""), [loved, clicked, unread])
      assert.deepStrictEqual(yield* top("metric=clicked"), [clicked, loved, unread])
      assert.deepStrictEqual(yield* top("metric=clickRate&limit=1"), [clicked])
      assert.deepStrictEqual(yield* top("metric=bounced"), [unread, clicked, loved])
      assert.deepStrictEqual(yield* top("startDate=2026-04-02"), [unread])
      assert.deepStrictEqual(yield* top("metric=openRate&endDate=2026-04-02"), [loved, clicked])
      const figures = {
        id: clicked,
        name: "2 opens",
        subject: project.draft.subject,
        sentCount: 4,
        deliveredCount: 3,
        openedCount: 2,
        clickedCount: 2,
        bouncedCount: 1,
        openRate: 50,
        clickRate: 50
      }
      assert.deepStrictEqual((yield* get("top-campaigns"))[1], figures)
      const counted = yield* countRows(clicked)
      assert.include(counted, { sentCount: 4, openedCount: 2, clickedCount: 2, bouncedCount: 1 })
      const overview = yield* get("campaign-stats?limit=2")
      assert.deepStrictEqual(
        overview.campaigns.map(({ id }: { id: string }) => id),
        [unread, clicked]
      )
      assert.deepStrictEqual(
        { ...overview, campaigns: [] },
        {
          total: 4,
          active: 1,
          completed: 3,
          averageOpenRate: 50,
          averageClickRate: 25,
          byStatus: { DRAFT: 1, SCHEDULED: 0, SENDING: 0, SENT: 3, CANCELLED: 0 },
          campaigns: []
        }
      )
      assert.include(yield* get("campaign-stats?endDate=2026-04-02"), { total: 2, averageOpenRate: 75 })
      assert.strictEqual((yield* get("campaign-stats?startDate=2027-01-01")).averageOpenRate, 0)
    })
  )

  it.effect("tracked events are ordered by frequency, with their trend, from totals or from rows", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 3, 10))
      const project = yield* sendingProject(0)
      const track = (event: string) => project.track({ email: "ada@example.com", event })
      const top = (query = "") => Effect.map(project.ask("GET", `/analytics/top-events?${query}`), ({ body }) => body)
      for (const event of ["ordered", "ordered", "seen"]) yield* track(event)
      yield* TestClock.adjust("10 days")
      for (const event of ["seen", "seen", "seen", "ordered", "new"]) yield* track(event)
      yield* project.ask("POST", "/contacts", { email: "ada@example.com", subscribed: false })
      const week = "startDate=2026-04-14T00:00:00Z"
      const before = "startDate=2026-04-16"
      const expected = [
        { name: "seen", count: 3, trend: 100 },
        { name: "new", count: 1, trend: 100 },
        { name: "ordered", count: 1, trend: 100 }
      ]
      assert.deepStrictEqual(yield* top(before), expected)
      assert.deepStrictEqual(yield* top(`${before}&limit=1`), expected.slice(0, 1))
      const trends = [
        { name: "seen", count: 3, trend: 200 },
        { name: "new", count: 1, trend: 100 },
        { name: "ordered", count: 1, trend: -50 }
      ]
      assert.deepStrictEqual(yield* top(week), trends)
      for (const later of ["1 minute", "20 minutes"] as const) {
        yield* TestClock.adjust(later)
        yield* updateTotals
        assert.deepStrictEqual(yield* top("startDate=2026-04-14T00:00:00Z&endDate=2026-04-20T00:10:00Z"), trends)
        assert.strictEqual(
          (yield* project.ask("GET", "/activity/stats?endDate=2026-04-20T00:10:00Z")).body.totalEvents,
          8
        )
      }
      const counted = yield* SqlClient.SqlClient.use(
        (sql) => sql`select 1 from event_totals where project_id = ${project.project}`
      )
      assert.strictEqual(counted.length, 5)
      yield* project.ask("DELETE", "/events/seen")
      assert.deepStrictEqual(yield* top(`${week}&endDate=2026-04-20T00:10:00Z`), trends.slice(1))
    })
  )

  it.effect.each([
    "timeseries?startDate=2026-02-01&endDate=2026-01-01",
    "timeseries?startDate=2020-01-01",
    "timeseries?timezone=Nowhere",
    "timeseries?includeMachine=maybe",
    "top-campaigns?metric=loved",
    "top-campaigns?limit=0",
    "campaign-stats?startDate=soon",
    "top-events?startDate=2026-02-01&endDate=2026-01-01"
  ])("a fault in the query is 400: %s", (path) =>
    Effect.gen(function* () {
      const project = yield* sendingProject(0)
      assert.strictEqual(yield* project.outcome("GET", `/analytics/${path}`), "400 BAD_REQUEST")
    })
  )
})
