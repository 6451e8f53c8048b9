import { it as alone, assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Billing } from "../../accounts/billing/Billing.ts"
import { campaignIn, sendingProject } from "../../automation/campaigns/CampaignsFixture.ts"
import { build, work } from "../../automation/workflows/ExecutionsFixture.ts"
import { workflowProject } from "../../automation/workflows/WorkflowsFixture.ts"
import { wireWith } from "../../mail/receivers/ReceiversFixture.ts"
import { databases } from "../../testing/Databases.ts"
import { project, settings } from "../../testing/Services.ts"
import { send } from "../../testing/TestClient.ts"
import { nextNight, retain } from "./Retention.ts"
import { rowsPerStep } from "./RetentionSql.ts"

alone("runs at 03:00 UTC", () => {
  const next = (text: string) => DateTime.formatIso(nextNight(DateTime.makeUnsafe(text)))
  assert.strictEqual(next("2026-03-01T02:59:59Z"), "2026-03-01T03:00:00.000Z")
  assert.strictEqual(next("2026-03-01T03:00:00Z"), "2026-03-02T03:00:00.000Z")
  assert.strictEqual(next("2026-12-31T12:00:00Z"), "2027-01-01T03:00:00.000Z")
})

// In the future, because ids are never older than the current time.
const begin = Date.UTC(2040, 0, 1)
const day = (n: number, more = 0) => begin + n * 86_400_000 + more
const passing = { ...settings, retainEmailsDays: 300, retainEventsDays: 30 }

const count = (table: string) =>
  SqlClient.SqlClient.use((sql) => sql`select 1 from ${sql(table)} where project_id = ${project}`).pipe(
    Effect.map((rows) => rows.length),
    Effect.orDie
  )

for (const [name, database] of databases()) {
  layer(wireWith(database, passing), { timeout: "120 seconds" })(`Retention on ${name}`, (it) => {
    const content = (id: string) => Effect.map(send("GET", `/emails/${id}/content`), ({ body }) => body)

    /** An email with an attachment, accepted now, and with one try. */
    const mailed = Effect.fnUntraced(function* (status: string) {
      const sql = yield* SqlClient.SqlClient
      const attachments = [{ filename: "a.txt", content: "YQ==", contentType: "text/plain" }]
      const mail = { to: "ada@example.com", from: "hi@shop.test", subject: "Hello", body: "<p>Hi</p>", attachments }
      const { body } = yield* send("POST", "/v1/send", mail)
      const id = String(body.data.emails[0].email)
      yield* sql`update emails set status = ${status} where id = ${id}`
      yield* sql`
        insert into email_attempts (project_id, email_id, number, started_at, ended_at, outcome, reply)
        select project_id, id, 1, created_at, created_at, 'accepted', '250 ok' from emails where id = ${id}`
      return id
    })

    it.effect(
      "texts, attachments and replies are deleted 90 days after the last change, records after their own retention",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* TestClock.setTime(begin)
          yield* send("POST", "/domains", { domain: "shop.test" })
          const [settled, opened, waiting] = [yield* mailed("SENT"), yield* mailed("OPENED"), yield* mailed("PENDING")]
          yield* sql`update emails set updated_at = ${new Date(day(80))} where id = ${opened}`
          yield* TestClock.setTime(day(90))
          yield* retain
          for (const id of [settled, opened, waiting]) assert.include((yield* content(id)).html, "Hi")
          assert.strictEqual(yield* count("email_attempts"), 3)
          // Exact to the millisecond. All three are from the same one, and emails of one moment share its attachments.
          yield* sql`update emails set created_at = created_at - interval '1 second' where id = ${settled}`
          yield* TestClock.setTime(day(90, 1))
          yield* retain
          const purgedAt = DateTime.formatIso(DateTime.makeUnsafe(day(90, 1)))
          assert.deepInclude(yield* content(settled), { html: null, text: null, purgedAt })
          for (const id of [opened, waiting]) assert.include((yield* content(id)).html, "Hi")
          assert.deepStrictEqual([yield* count("email_attempts"), yield* count("email_attachments")], [0, 2])
          yield* TestClock.setTime(day(300, 1))
          yield* retain
          const ids = yield* Effect.map(send("GET", "/emails"), ({ body }) =>
            body.data.map(({ id }: { id: string }) => id)
          )
          assert.deepStrictEqual(ids, [waiting])
          assert.deepStrictEqual([yield* count("email_contents"), yield* count("email_attachments")], [1, 1])
        })
    )

    it.effect("events are deleted by age, over several steps; inbound mail keeps its subject", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const make = (events: number, at: number, event: string, data: object) => sql`
          insert into events (id, project_id, name, source, data, created_at)
          select (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7' || substr(gen_random_uuid()::text, 16))::uuid,
                 ${project}::uuid, ${event}::text, 'system', ${JSON.stringify(data)}::text::jsonb, ${new Date(at)}::timestamptz
          from generate_series(1, ${events}::int), lpad(to_hex(${at}::bigint), 12, '0') as hex`
        yield* sql`delete from events`
        yield* make(2 * rowsPerStep + 7, day(400), "old", {})
        yield* make(3, day(400, 1), "young", {})
        yield* TestClock.setTime(day(430, 1))
        yield* retain
        assert.strictEqual(yield* count("events"), 3)
        // Kept longer than its text, as another deployment might set it.
        yield* sql`delete from events`
        yield* make(1, day(430), "email.received", { subject: "Where?", text: "secret", html: "<p>secret</p>" })
        yield* sql`update events set created_at = ${new Date(day(400))}, id = gen_random_uuid()`
        yield* sql`update events set id = 'ffffffff-ffff-7fff-bfff-ffffffffffff'`
        yield* TestClock.setTime(day(490, 1))
        yield* retain
        const [left] = yield* sql`select data from events`
        assert.deepStrictEqual(left, { data: { subject: "Where?", text: null, html: null } })
      })
    )

    it.effect("contexts and outputs of executions are deleted 90 days after their end; the executions stay", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* TestClock.setTime(day(440))
        const fresh = yield* workflowProject
        const rest = { type: "DELAY", config: { amount: 1, unit: "days" } }
        const { id } = yield* build(fresh, { event: "go", allowReentry: true, steps: { rest } })
        const go = Effect.andThen(fresh.track({ email: "ada@example.com", event: "go", data: { plan: "pro" } }), work)
        yield* go
        yield* TestClock.setTime(day(441))
        yield* work
        yield* go
        const path = `/workflows/${id}/executions`
        const kept = Effect.map(
          sql`
            select execution.id from workflow_executions as execution join workflow_step_executions as visit
              on visit.project_id = execution.project_id and execution_id = execution.id
            where execution.project_id = ${fresh.project} and step_type = 'DELAY' and context ->> 'plan' = 'pro'
              and config ->> 'amount' = '1'`,
          (rows) => rows.map(({ id }) => String(id))
        )
        const [live, over] = (yield* fresh.ask("GET", path)).body.data.map((each: { id: string }) => each.id)
        yield* TestClock.setTime(day(531))
        yield* retain
        assert.sameMembers(yield* kept, [live, over])
        yield* TestClock.setTime(day(531, 1))
        yield* retain
        assert.deepStrictEqual(yield* kept, [live])
        const { body } = yield* fresh.ask("GET", `${path}/${over}`)
        assert.deepInclude(body, { status: "COMPLETED", context: {} })
        assert.lengthOf(body.stepExecutions, 1)
        assert.deepInclude(body.stepExecutions[0], { status: "COMPLETED", config: {}, output: null })
      })
    )

    it.effect("the text of a campaign is deleted after its last mail, and its mails show the time", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* TestClock.setTime(day(500))
        const sender = yield* sendingProject(2)
        const id = yield* campaignIn(sender, "SENT")
        yield* sql`
          update emails set frozen = '{"data":{"firstName":"Ada"},"subscribed":true}', updated_at = ${new Date(day(500))}
          where campaign_id = ${id}::uuid`
        const [{ emailId }] = yield* sender.recipients(id)
        const shown = Effect.map(sender.ask("GET", `/emails/${emailId}/content`), ({ body }) => body)
        yield* TestClock.setTime(day(590))
        yield* retain
        assert.include((yield* shown).html, "Hi Ada")
        yield* TestClock.setTime(day(590, 1))
        yield* retain
        const purgedAt = DateTime.formatIso(DateTime.makeUnsafe(day(590, 1)))
        assert.deepInclude(yield* shown, { html: null, text: null, purgedAt })
      })
    )

    it.effect("what counted for frequency caps goes after 30 days, and with its contact", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* TestClock.setTime(begin)
        const contacts = yield* Effect.forEach(["old", "new", "gone"], (name) =>
          Effect.map(send("POST", "/contacts", { email: `${name}-counted@example.com` }), ({ body }) => String(body.id))
        )
        const [old = "", young = "", gone = ""] = contacts
        const counted = (id: string, at: number) => sql`
          insert into contact_frequency (project_id, contact_id, entries, updated_at)
          values (${project}, ${id}, '[]', ${new Date(at)})`
        yield* counted(old, day(0))
        yield* counted(young, day(0, 1))
        yield* counted(gone, day(1))
        yield* sql`delete from contacts where id = ${gone}`
        yield* TestClock.setTime(day(30, 1))
        yield* retain
        const left = yield* sql`select contact_id as id from contact_frequency where project_id = ${project}`
        assert.deepStrictEqual(left, [{ id: young }])
      })
    )

    it.effect("usage of the current period stays after the records of its mail are deleted", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* TestClock.setTime(day(800))
        yield* sql`
          insert into billing_accounts (project_id, customer_id, subscription_id, period_start, period_end, updated_at)
          values (${project}, 'cus_1', 'sub_1', ${new Date(day(800))}, ${new Date(day(1165))}, now())`
        for (const status of ["SENT", "FAILED", "CANCELLED", "PENDING"]) yield* mailed(status)
        const used = Effect.map((yield* Billing).currentUsage(project), ({ usage }) => usage.transactional)
        assert.strictEqual(yield* used, 3)
        const before = yield* count("emails")
        yield* TestClock.setTime(day(1101))
        yield* retain
        assert.strictEqual(yield* count("emails"), before - 3)
        assert.strictEqual(yield* used, 3)
        yield* sql`delete from billing_accounts`
      })
    )
  })
}
