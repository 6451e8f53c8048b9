import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { build, draw, work } from "../../automation/workflows/ExecutionsFixture.ts"
import { workflowProject } from "../../automation/workflows/WorkflowsFixture.ts"
import { outcome } from "../../testing/TestClient.ts"
import { ask, createActivity, database, start } from "./ActivityFixture.ts"

interface Entry {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly contactId: string | null
  readonly contactEmail: string | null
  readonly metadata: Record<string, unknown>
}

const entries = (query = "") =>
  Effect.map(ask("GET", `/activity?limit=100${query}`), ({ data }) => data as Array<Entry>)

layer(database, { timeout: "120 seconds", excludeTestServices: false })("Activity", (it) => {
  it.effect("lists everything that happened once, newest first, without the text of mails", () =>
    Effect.gen(function* () {
      const { ada, other, tracked, sent, bounced, failed, suppressed, campaign, upcoming, scheduledFor } =
        yield* createActivity
      const all = yield* entries()
      const of = (type: string) => all.filter((entry) => entry.type === type)
      const one = (id: string) => all.find((entry) => entry.id === id)
      const mail = { subject: "Hello", from: "hi@shop.test", fromName: "Shop", toName: null, replyTo: null }
      const about = {
        sourceType: "TRANSACTIONAL",
        campaignId: null,
        campaignName: null,
        workflowId: null,
        workflowName: null
      }
      const toAda = { emailId: sent, to: "ada@example.com", ...mail, ...about }

      assert.deepStrictEqual(one(tracked), {
        id: tracked,
        type: "event.triggered",
        timestamp: "2026-11-20T15:00:02.000Z",
        contactId: ada,
        contactEmail: "ada@example.com",
        metadata: { eventName: "ordered", eventData: { sum: 7 } }
      } as Entry)
      assert.deepStrictEqual(one(`${sent}_sent`)?.metadata, toAda)
      assert.deepInclude(one(`${sent}_sent`), { type: "email.sent", contactId: ada, contactEmail: "ada@example.com" })
      assert.deepStrictEqual(one(`${sent}_delivered`)?.metadata, toAda)
      assert.deepStrictEqual(one(`${sent}_opened`)?.metadata, { ...toAda, totalOpens: 2 })
      assert.deepStrictEqual(one(`${sent}_clicked`)?.metadata, { ...toAda, totalClicks: 1 })
      assert.strictEqual(one(`${sent}_complaint`)?.type, "email.complaint")
      assert.deepInclude(one(`${bounced}_bounced`)?.metadata["error"], { message: "550 5.1.1 no" })
      assert.deepInclude(one(`${failed}_failed`)?.metadata["error"], { code: "rejected" })
      assert.deepInclude(one(`${suppressed}_suppressed`)?.metadata["error"], { code: "suppressed" })
      assert.deepInclude(of("email.received")[0]?.metadata, { from: "ada@example.com", subject: "Where is it?" })
      const reasons = (type: string) => of(type).map(({ metadata }) => metadata["reason"])
      assert.deepStrictEqual(reasons("contact.subscribed"), ["api"])
      assert.deepStrictEqual(reasons("contact.unsubscribed"), ["complaint", "api"])
      const metadata = {
        campaignId: campaign,
        campaignName: "News",
        subject: "Hi",
        totalRecipients: 1,
        audienceType: "FILTERED",
        segmentName: null
      }
      assert.deepStrictEqual(one(`${campaign}_scheduled`)?.metadata, metadata)
      assert.deepStrictEqual(one(`${campaign}_sent`)?.metadata, metadata)
      const ofCampaign = of("email.sent").find(({ metadata }) => metadata["campaignId"] === campaign)
      assert.deepInclude(ofCampaign?.metadata, { campaignName: "News", sourceType: "CAMPAIGN" })
      // Before the campaign started.
      assert.deepStrictEqual(upcoming.activities, [
        {
          id: `${campaign}_scheduled`,
          type: "campaign.scheduled",
          timestamp: scheduledFor,
          contactId: null,
          contactEmail: null,
          metadata: { ...metadata, scheduledFor, startsAt: scheduledFor }
        }
      ])

      const topicStates = ["topic.unsubscribed", "topic.subscribed"].flatMap(of)
      assert.deepStrictEqual(
        topicStates.map(({ contactId, metadata: { topicKey, reason } }) => [contactId, topicKey, reason]),
        [
          [ada, "news", "api"],
          [ada, "news", "double_opt_in"]
        ]
      )
      assert.deepInclude(of("contact.confirmed")[0]?.metadata, { subscribe: false, topics: ["news"], source: "api" })
      assert.deepStrictEqual(of("contact.merged")[0]?.metadata, { mergedContactId: other })
      assert.deepInclude(of("form.submitted")[0]?.metadata, { formKey: "join", topics: [] })

      const times = all.map(({ timestamp }) => timestamp)
      assert.deepStrictEqual(times, [...times].sort().reverse())
      assert.strictEqual(new Set(all.map(({ id }) => id)).size, all.length)
      assert.notInclude(JSON.stringify(all), "secret words")
      const { present, types } = yield* ask("GET", "/activity/types")
      assert.sameMembers(present, [...new Set(all.map(({ type }) => type))])
      assert.deepStrictEqual(
        types.filter((type: string) => !present.includes(type)),
        ["workflow.started", "workflow.completed", "workflow.failed"]
      )
    })
  )

  it.effect("pages of any size give the same list; a cursor is valid for its list only", () =>
    Effect.gen(function* () {
      const all = yield* entries()
      const whole = yield* ask("GET", "/activity")
      assert.deepInclude(whole, { total: all.length, hasMore: false })
      for (const size of [1, 3]) {
        const ids: Array<string> = []
        let page = yield* ask("GET", `/activity?limit=${size}`)
        for (;;) {
          ids.push(...page.data.map(({ id }: Entry) => id))
          if (!page.hasMore) break
          page = yield* ask("GET", `/activity?limit=${size}&cursor=${page.cursor}`)
          assert.strictEqual(page.total, 0)
        }
        assert.deepStrictEqual(
          ids,
          all.map(({ id }) => id)
        )
      }
      const { cursor } = yield* ask("GET", "/activity?limit=1")
      assert.strictEqual(yield* outcome("GET", `/activity?types=email.sent&cursor=${cursor}`), "400 INVALID_CURSOR")
    })
  )

  it.effect("filters by types, contact and dates", () =>
    Effect.gen(function* () {
      const all = yield* entries()
      const types = ["email.opened", "campaign.sent"]
      assert.deepStrictEqual(
        yield* entries(`&types=${types.join(",%20")}`),
        all.filter(({ type }) => types.includes(type))
      )
      const { contactId } = all.find(({ type }) => type === "email.opened") ?? { contactId: null }
      const entriesOfContact = yield* entries(`&contactId=${contactId}`)
      assert.deepStrictEqual(
        entriesOfContact,
        all.filter((entry) => entry.contactId === contactId)
      )
      assert.strictEqual((yield* ask("GET", `/activity?contactId=${contactId}`)).total, entriesOfContact.length)
      assert.deepStrictEqual(yield* entries(`&contactId=${contactId}&types=campaign.sent`), [])
      const until = "2026-11-20T15:00:03Z"
      assert.deepStrictEqual(
        yield* entries(`&endDate=${until}`),
        all.filter(({ timestamp }) => timestamp < "2026-11-20T15:00:03")
      )
      assert.deepStrictEqual(yield* entries("&endDate=2026-11-20&timezone=Asia/Tokyo"), [])
      assert.strictEqual((yield* entries("&endDate=2026-11-21&timezone=Asia/Tokyo")).length, all.length)
      yield* TestClock.setTime(start + 31 * 86_400_000)
      assert.deepStrictEqual(yield* entries(), [])
      assert.strictEqual((yield* entries("&startDate=2026-11-20")).length, all.length)
    })
  )

  it.effect("counts recent entries, and entries of a window", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start + 183_000)
      const { count } = yield* ask("GET", "/activity/recent-count?minutes=3")
      const window = (yield* entries("&startDate=2026-11-20T15:00:03Z&endDate=2026-11-20T15:03:03.001Z")).length
      assert.deepStrictEqual([count, (yield* ask("GET", "/activity/recent-count")).minutes], [window, 5])
      assert.strictEqual((yield* ask("GET", "/activity/recent-count?minutes=999")).minutes, 60)
      const day = "startDate=2026-11-20&endDate=2026-11-21"
      assert.deepStrictEqual(yield* ask("GET", `/activity/stats?${day}`), {
        totalEvents: 1,
        totalEmailsSent: 3,
        totalEmailsDelivered: 1,
        totalEmailsOpened: 1,
        totalEmailsClicked: 1,
        totalEmailsBounced: 1,
        totalComplaints: 1,
        totalWorkflowsStarted: 0,
        openRate: 33.3,
        clickRate: 33.3
      })
      // A window of less than a quarter of an hour that ends before the delivery.
      const sent = (yield* entries("&types=email.delivered"))[0]?.timestamp
      const before = yield* ask("GET", `/activity/stats?startDate=2026-11-20T15:00:02.500Z&endDate=${sent}`)
      assert.deepInclude(before, { totalEvents: 0, totalEmailsSent: 2, totalEmailsDelivered: 0, openRate: 0 })
    })
  )

  it.effect.each([
    "limit=0",
    "types=email.sent,nonsense",
    "contactId=nobody",
    "startDate=yesterday",
    "startDate=2026-02-30",
    "timezone=Mars/Olympus",
    "startDate=2026-11-20&endDate=2026-11-19",
    "startDate=2025-01-01&endDate=2026-11-20"
  ])("a fault in the query is 400: %s", (query) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* outcome("GET", `/activity?${query}`), "400 BAD_REQUEST")
    })
  )

  it.effect("entries of a deleted contact or campaign disappear; totals stay", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start + 600_000)
      const all = yield* entries()
      const campaign = String(all.find(({ type }) => type === "campaign.sent")?.metadata["campaignId"])
      const contact = String(all.find(({ type }) => type === "email.opened")?.contactId)
      yield* ask("DELETE", `/campaigns/${campaign}`)
      const without = all.filter(({ metadata }) => metadata["campaignId"] !== campaign)
      assert.strictEqual(without.length, all.length - 3)
      assert.deepStrictEqual(yield* entries(), without)
      yield* ask("DELETE", `/contacts/${contact}`)
      assert.deepStrictEqual(
        yield* entries(),
        without.filter(({ contactId }) => contactId !== contact)
      )
      const [day] = yield* ask("GET", "/analytics/timeseries?startDate=2026-11-20&endDate=2026-11-20")
      assert.deepInclude(day, { emails: 3, opens: 1, clicks: 1 })
    })
  )

  it.effect("lists starts and ends of executions, and their scheduled steps", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const from = Date.UTC(2027, 2, 1, 12)
      const at = (minutes: number) => new Date(from + minutes * 60_000).toISOString()
      yield* TestClock.setTime(from)
      const fresh = yield* workflowProject
      const { project, track, workflow, template } = fresh
      const read = (path: string) => Effect.map(fresh.ask("GET", path), ({ body }) => body)
      const listed = Effect.map(read("/activity?limit=100"), ({ data }) =>
        (data as Array<Entry>).filter(({ type }) => type.startsWith("workflow."))
      )
      const mail = yield* template()
      const greet = yield* build(fresh, {
        event: "go",
        steps: {
          mail: { type: "SEND_EMAIL", templateId: mail.id, to: "rest" },
          rest: { type: "DELAY", config: { amount: 1, unit: "hours" } }
        }
      })
      const awaiting = yield* build(fresh, {
        event: "go",
        steps: { wait: { type: "WAIT_FOR_EVENT", config: { eventName: "paid" } } }
      })
      const broken = yield* draw(project, {
        event: "go",
        steps: { lost: { type: "SEND_EMAIL", templateId: "019a0000-0000-7000-8000-00000000dead" } }
      })
      const daily = yield* workflow({ name: "Daily", eventName: undefined })
      const exit = yield* fresh.step(daily.id, "EXIT", { autoConnect: false })
      yield* fresh.connect(daily.id, daily.steps[0].id, exit.id)
      const schedule = { schedule: "0 12 * * *", timezone: "UTC", audienceType: "ALL" }
      const scheduled = yield* fresh.ask("PATCH", `/workflows/${daily.id}`, {
        triggerType: "SCHEDULE",
        triggerConfig: schedule,
        enabled: true
      })
      assert.strictEqual(scheduled.body.nextRunAt, at(24 * 60))
      yield* track({ email: "ada@example.com", event: "go" })
      yield* work

      const begun = yield* listed
      const contactId = String(begun[0]?.contactId)
      const ada = { contactId, contactEmail: "ada@example.com" }
      const idIn = (workflow: string) =>
        String(begun.find(({ metadata }) => metadata["workflowId"] === workflow)?.metadata["executionId"])
      const [greeting, waiting, failing] = [idIn(greet.id), idIn(awaiting.id), idIn(broken.id)]
      const entry = (
        id: string,
        suffix: string,
        minutes: number,
        workflow: string,
        status: string,
        reason: string | null
      ) =>
        ({
          id: `${id}_${suffix.replace(/completed|failed/, "ended")}`,
          type: `workflow.${suffix}`,
          timestamp: at(minutes),
          ...ada,
          metadata: {
            workflowId: workflow,
            workflowName: workflow === broken.id ? "Drawn" : "Welcome",
            executionId: id,
            status,
            exitReason: reason
          }
        }) satisfies Entry
      const failed = (yield* read(`/workflows/${broken.id}/executions/${failing}`)) as { exitReason: string | null }
      assert.sameDeepMembers(begun, [
        entry(greeting, "started", 0, greet.id, "WAITING", null),
        entry(waiting, "started", 0, awaiting.id, "WAITING", null),
        entry(failing, "started", 0, broken.id, "FAILED", failed.exitReason),
        entry(failing, "failed", 0, broken.id, "FAILED", failed.exitReason)
      ])

      const step = (id: string, timestamp: string | null, stepName: string, stepType: string) => ({
        id: `${id}_scheduled`,
        type: "workflow.step.scheduled",
        timestamp,
        ...ada,
        metadata: { workflowName: "Welcome", executionId: id, stepName, stepType }
      })
      const upcoming = [
        step(greeting, at(60), "rest", "DELAY"),
        {
          id: `${daily.id}_scheduled`,
          type: "workflow.scheduled",
          timestamp: at(24 * 60),
          contactId: null,
          contactEmail: null,
          metadata: { workflowId: daily.id, workflowName: "Daily" }
        },
        step(waiting, null, "wait", "WAIT_FOR_EVENT")
      ]
      assert.deepStrictEqual((yield* read("/activity/upcoming")).activities, upcoming)
      assert.deepStrictEqual((yield* read("/activity/upcoming?limit=2")).activities, upcoming.slice(0, 2))
      yield* fresh.ask("PATCH", `/workflows/${daily.id}`, { enabled: false })

      yield* sql`update emails set status = 'SENT', sent_at = ${at(0)} where project_id = ${project}`
      const [sent] = (yield* read("/activity?types=email.sent")).data as Array<Entry>
      assert.deepInclude(sent?.metadata, { workflowId: greet.id, workflowName: "Welcome", sourceType: "WORKFLOW" })

      yield* TestClock.setTime(from + 61 * 60_000)
      yield* work
      yield* fresh.ask("DELETE", `/workflows/${awaiting.id}/executions/${waiting}`)
      const types = "types=workflow.completed"
      assert.sameDeepMembers((yield* read(`/activity?${types}`)).data, [
        entry(greeting, "completed", 61, greet.id, "COMPLETED", null),
        entry(waiting, "completed", 61, awaiting.id, "CANCELLED", "cancelled_by_user")
      ])
      assert.strictEqual((yield* read(`/activity?${types}&contactId=${contactId}`)).total, 2)
      assert.deepStrictEqual((yield* read("/activity/upcoming")).activities, [])
      assert.includeMembers((yield* read("/activity/types")).present, [
        "workflow.started",
        "workflow.completed",
        "workflow.failed"
      ])
      assert.strictEqual((yield* read("/activity/stats")).totalWorkflowsStarted, 3)
      assert.strictEqual((yield* read(`/activity/stats?startDate=${at(1)}`)).totalWorkflowsStarted, 0)

      yield* fresh.ask("DELETE", `/contacts/${contactId}`)
      assert.deepStrictEqual(yield* listed, [])
    })
  )
})
