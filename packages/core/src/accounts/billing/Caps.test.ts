import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { seed } from "../../audience/segments/SegmentsFixture.ts"
import { work } from "../../automation/campaigns/CampaignsFixture.ts"
import * as CampaignWork from "../../automation/campaigns/CampaignWork.ts"
import { Domains } from "../../mail/domains/Domains.ts"
import * as Inbound from "../../mail/receivers/Inbound.ts"
import * as OwnProjects from "../../service/projects/OwnProjects.ts"
import { addMember, browse, emailsTo, newProject, person, settled } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { sendDue } from "../../testing/SendDue.ts"
import { servicesOn } from "../../testing/Services.ts"
import { send, wireOver } from "../../testing/TestClient.ts"
import { Billing } from "./Billing.ts"
import { sendWarnings } from "./Warnings.ts"

/** In the middle of a month. */
const now = Date.UTC(2026, 2, 15, 12)
let domains = 0

/** A project with members, a verified sender, and this many contacts. */
const shop = Effect.fnUntraced(function* (contacts = 0, at = now) {
  yield* TestClock.setTime(at)
  const owner = yield* person("owner")
  const { id, secret } = yield* newProject(owner.cookie)
  const project = ProjectId.make(id)
  const domain = `capped${++domains}.test`
  yield* Effect.orDie(Domains.use((service) => service.add(project, { domain })))
  if (contacts > 0) yield* seed(project, "c", contacts, {})
  const ask = (method: string, path: string, body?: unknown) =>
    send(method, path, body, { authorization: `Bearer ${secret}` })
  const from = `shop@${domain}`
  const letter = { from, subject: "Hello", body: "<p>Hello</p>" }
  const mail = (to: string | ReadonlyArray<string>) => ask("POST", "/v1/send", { to, ...letter })
  const path = `/users/@me/projects/${id}`
  const cap = (limits: object) => settled(browse(owner.cookie, "PUT", `${path}/billing-limits`, limits))
  const limits = Effect.map(browse(owner.cookie, "GET", `${path}/billing-limits`), ({ body }) => body)
  const consumption = Effect.map(browse(owner.cookie, "GET", `${path}/billing-consumption`), ({ body }) => body)
  const campaign = Effect.map(
    ask("POST", "/campaigns", { name: "News", subject: "News", body: "<p>Hi</p>", from, audienceType: "ALL" }),
    ({ body }) => String(body.data.id)
  )
  return { owner, project, ask, letter, mail, path, cap, limits, consumption, campaign }
})

const code = ({ status, body }: { readonly status: number; readonly body: { error?: { code: string } } }) =>
  `${status} ${body.error?.code ?? "ok"}`
const refused = "402 BILLING_LIMIT_EXCEEDED"

const people = (count: number) => Array.from({ length: count }, (_, n) => `person-${n}@example.com`)

/** Gives all emails of the project this status. */
const end = (project: ProjectId, status: string) =>
  SqlClient.SqlClient.use((sql) => sql`update emails set status = ${status} where project_id = ${project}`)

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "90 seconds" })(`Caps on ${name}`, (it) => {
    it.effect("without a cap, mail is counted and not limited", () =>
      Effect.gen(function* () {
        const { mail, limits, consumption } = yield* shop()
        yield* mail(["a@example.com", "b@example.com"])
        const open = { limit: null, usage: 0, percentage: 0, isWarning: false, isBlocked: false }
        assert.deepStrictEqual(yield* limits, {
          workflows: open,
          campaigns: open,
          transactional: { ...open, usage: 2 },
          inbound: open,
          currency: null
        })
        assert.deepStrictEqual(yield* consumption, {
          period: { start: "2026-03-01T00:00:00.000Z", end: "2026-04-01T00:00:00.000Z" },
          usage: {
            total: 2,
            records: [
              { category: "campaigns", count: 0 },
              { category: "transactional", count: 2 },
              { category: "workflows", count: 0 },
              { category: "inbound", count: 0 }
            ]
          },
          credits: { balance: 0, hasCredits: false, creditAmount: 0, currency: null },
          upcomingInvoice: null
        })
      })
    )

    it.effect("a send may reach the cap; one that would exceed it is refused as a whole", () =>
      Effect.gen(function* () {
        const { ask, mail, cap, limits } = yield* shop()
        yield* mail("before@example.com")
        assert.strictEqual((yield* cap({ transactional: 4 })).body.transactional.percentage, 25)
        assert.strictEqual(code(yield* mail(people(4))), refused)
        assert.strictEqual((yield* ask("GET", "/contacts")).body.total, 1)
        assert.strictEqual(code(yield* mail(people(3))), "200 ok")
        const { status, body } = yield* mail("one-more@example.com")
        assert.deepStrictEqual(
          [status, body.error.details],
          [402, { category: "transactional", limit: 4, used: 4, requested: 1, resetsAt: "2026-04-01T00:00:00.000Z" }]
        )
        assert.deepInclude((yield* limits).transactional, {
          usage: 4,
          percentage: 100,
          isWarning: true,
          isBlocked: true
        })
      })
    )

    it.effect("a batch fills the cap in the order of its items; an atomic one is refused as a whole", () =>
      Effect.gen(function* () {
        const { ask, cap, limits, letter } = yield* shop()
        yield* cap({ transactional: 10 })
        const emails = Array.from({ length: 12 }, (_, n) => ({ to: `item-${n}@example.com` }))
        const atomic = yield* ask("POST", "/v1/batch", { emails, defaults: letter })
        assert.strictEqual(atomic.status, 402)
        assert.notProperty(atomic.body.error.details, "index")
        assert.strictEqual((yield* limits).transactional.usage, 0)
        const { body } = yield* ask("POST", "/v1/batch", { emails, defaults: letter, atomic: false })
        assert.deepInclude(body.data, { accepted: 10, refused: 2 })
        assert.deepStrictEqual(
          body.data.results.flatMap(({ index, error }: { index: number; error?: { code: string } }) =>
            error ? [`${index} ${error.code}`] : []
          ),
          ["10 BILLING_LIMIT_EXCEEDED", "11 BILLING_LIMIT_EXCEEDED"]
        )
        assert.strictEqual((yield* limits).transactional.usage, 10)
      })
    )

    it.effect("twenty concurrent sends never exceed the cap", () =>
      Effect.gen(function* () {
        const { mail, cap, limits } = yield* shop()
        yield* cap({ transactional: 13 })
        const answers = yield* Effect.forEach(people(20), mail, { concurrency: "unbounded" })
        const codes = answers.map(code).sort()
        assert.deepStrictEqual(codes, [
          ...Array.from({ length: 13 }, () => "200 ok"),
          ...Array.from({ length: 7 }, () => refused)
        ])
        assert.strictEqual((yield* limits).transactional.usage, 13)
      })
    )

    it.effect("suppressed mail is not counted, and cancelled mail no longer counts", () =>
      Effect.gen(function* () {
        const { ask, mail, cap, limits } = yield* shop()
        yield* ask("POST", "/suppressions", { email: "gone@example.com" })
        yield* cap({ transactional: 2 })
        const { body } = yield* mail(["gone@example.com", "a@example.com"])
        assert.strictEqual(body.data.emails[0].status, "SUPPRESSED")
        assert.strictEqual(code(yield* mail("b@example.com")), "200 ok")
        assert.strictEqual(code(yield* mail("c@example.com")), refused)
        yield* ask("POST", `/emails/${body.data.emails[1].email}/cancel`)
        assert.strictEqual((yield* limits).transactional.usage, 1)
        assert.strictEqual(code(yield* mail("c@example.com")), "200 ok")
        assert.strictEqual(code(yield* mail("d@example.com")), refused)
      })
    )

    it.effect("a cap below the usage blocks at once; raising or removing it unblocks", () =>
      Effect.gen(function* () {
        const { mail, cap, limits } = yield* shop()
        yield* mail(people(5))
        const { body } = yield* cap({ transactional: 3, campaigns: 10 })
        assert.deepInclude(body.transactional, { limit: 3, usage: 5, percentage: 166, isBlocked: true })
        assert.strictEqual(code(yield* mail("a@example.com")), refused)
        yield* cap({ transactional: null })
        assert.strictEqual((yield* limits).campaigns.limit, 10)
        assert.strictEqual(code(yield* mail(people(4))), "200 ok")
        yield* cap({ transactional: 10 })
        assert.strictEqual(code(yield* mail(["a@example.com", "b@example.com"])), refused)
        assert.strictEqual(code(yield* mail("a@example.com")), "200 ok")
      })
    )

    it.effect("the next month starts from zero", () =>
      Effect.gen(function* () {
        const { mail, cap, consumption } = yield* shop(0, Date.UTC(2026, 2, 31, 23))
        yield* cap({ transactional: 1 })
        yield* mail("a@example.com")
        assert.strictEqual(code(yield* mail("b@example.com")), refused)
        yield* TestClock.setTime(Date.UTC(2026, 3, 1))
        assert.strictEqual(code(yield* mail("b@example.com")), "200 ok")
        assert.strictEqual(code(yield* mail("c@example.com")), refused)
        const { period, usage } = yield* consumption
        assert.deepStrictEqual([period.start, usage.total], ["2026-04-01T00:00:00.000Z", 1])
      })
    )

    it.effect("a campaign counts its whole audience when it begins", () =>
      Effect.gen(function* () {
        const { ask, cap, campaign, limits } = yield* shop(5)
        yield* cap({ campaigns: 9 })
        const first = yield* campaign
        const second = yield* campaign
        assert.strictEqual(code(yield* ask("POST", `/campaigns/${first}/send`, {})), "200 ok")
        assert.strictEqual((yield* limits).campaigns.usage, 5)
        for (const body of [{}, { scheduledFor: "2026-03-20T00:00:00Z" }]) {
          const refusal = yield* ask("POST", `/campaigns/${second}/send`, body)
          assert.strictEqual(code(refusal), refused)
          assert.deepInclude(refusal.body.error.details, { category: "campaigns", used: 5, requested: 5 })
        }
        assert.strictEqual((yield* ask("GET", `/campaigns/${second}`)).body.data.status, "DRAFT")
        yield* work
        assert.strictEqual((yield* limits).campaigns.usage, 5)
      })
    )

    it.effect("cancelling a campaign gives back its unsent mail, before and after its emails are created", () =>
      Effect.gen(function* () {
        const { ask, cap, campaign, limits } = yield* shop(5)
        yield* cap({ campaigns: 9 })
        const first = yield* campaign
        yield* ask("POST", `/campaigns/${first}/send`, {})
        yield* ask("POST", `/campaigns/${first}/cancel`)
        yield* work
        const second = yield* campaign
        assert.strictEqual(code(yield* ask("POST", `/campaigns/${second}/send`, {})), "200 ok")
        yield* (yield* CampaignWork.make).expand(yield* DateTime.now)
        yield* ask("POST", `/campaigns/${second}/cancel`)
        yield* work
        assert.strictEqual((yield* limits).campaigns.usage, 0)
        assert.strictEqual(code(yield* ask("POST", `/campaigns/${yield* campaign}/send`, {})), "200 ok")
      })
    )

    it.effect("what an experiment, a policy or an end of the time leaves unsent is given back once", () =>
      Effect.gen(function* () {
        const { ask, cap, letter, project } = yield* shop(20)
        const sql = yield* SqlClient.SqlClient
        // A change of the cap would count again.
        yield* cap({ campaigns: 1_000 })
        const create = (more: object) =>
          Effect.map(
            ask("POST", "/campaigns", { ...letter, name: "News", audienceType: "ALL", ...more }),
            ({ status, body }) => {
              assert.strictEqual(status, 201, JSON.stringify(body))
              return String(body.data.id)
            }
          )
        const begin = Effect.fnUntraced(function* (more: object) {
          const id = yield* create(more)
          assert.strictEqual(code(yield* ask("POST", `/campaigns/${id}/send`, {})), "200 ok")
          yield* work
          return id
        })
        /** The counter that a charge is compared with. */
        const isCharged = Effect.fnUntraced(function* (used: number, because: string) {
          const [held] = yield* sql`
            select used - (select count(*)::int from billing_returns as back
                           where back.project_id = held.project_id and back.category = held.category
                             and back.period_start = held.period_start) as used
            from billing_usage as held where project_id = ${project} and category = 'campaigns'`
          assert.deepStrictEqual({ ...held }, { used }, because)
        })
        const left = (id: string) =>
          Effect.map(
            sql<{ readonly n: number }>`
              with sent as (
                update emails set status = 'SENT', sent_at = now()
                where campaign_id = ${id}::uuid and status = 'PENDING' returning id
              )
              select count(*)::int as n from sent`,
            ([row]) => row?.n ?? 0
          )
        const variants = [{ key: "A" }, { key: "B", subject: "Other" }]

        const abandoned = yield* begin({ experiment: { variants, testShare: 0.5, winner: "MANUAL", waitHours: 1 } })
        yield* isCharged(20, "The rest of a test counts from the start on.")
        let used = yield* left(abandoned)
        assert.isTrue(used > 0 && used < 20)
        yield* TestClock.adjust("2 hours")
        yield* work
        yield* TestClock.adjust("8 days")
        yield* work
        const { data } = (yield* ask("GET", `/campaigns/${abandoned}/experiment`)).body
        assert.strictEqual(data.state, "ABANDONED")
        yield* isCharged(used, "abandoned")

        const cancelled = yield* begin({ experiment: { variants, testShare: 0.5, winner: "MANUAL" } })
        used += yield* left(cancelled)
        yield* ask("POST", `/campaigns/${cancelled}/cancel`)
        yield* work
        yield* isCharged(used, "cancelled")

        const expiresAt = DateTime.formatIso(DateTime.add(yield* DateTime.now, { hours: 1 }))
        yield* begin({ delivery: { expiresAt }, experiment: { variants, testShare: 0.5, winner: "MANUAL" } })
        yield* TestClock.adjust("2 hours")
        yield* work
        yield* work
        yield* isCharged(used, "expired")

        // Who is held out gets no mail, and is not charged.
        const heldOut = yield* begin({ holdout: { share: 0.5 }, goal: { eventName: "paid" } })
        const { audienceSize, holdoutSize } = (yield* ask("GET", `/campaigns/${heldOut}`)).body.data
        assert.isAbove(holdoutSize, 0)
        assert.strictEqual(audienceSize, 20 - holdoutSize)
        used += audienceSize
        yield* isCharged(used, "held out")
        yield* left(heldOut)

        yield* ask("PATCH", "/settings/sending", { frequencyCaps: [{ id: "day", limit: 1, amount: 1, unit: "days" }] })
        for (const sends of [20, 0]) {
          const id = yield* begin({})
          yield* sendDue()
          used += sends
          const { sentCount, suppressedCount } = (yield* ask("GET", `/campaigns/${id}/stats`)).body.data
          assert.deepStrictEqual([sentCount, suppressedCount], [sends, 20 - sends])
          yield* isCharged(used, "over the cap of each contact")
        }
      })
    )

    it.effect("the periodic job corrects counters that differ from the mail", () =>
      Effect.gen(function* () {
        const { ask, cap, campaign } = yield* shop(5)
        yield* cap({ campaigns: 9 })
        const first = yield* campaign
        yield* ask("POST", `/campaigns/${first}/send`, {})
        yield* ask("POST", `/campaigns/${first}/cancel`)
        yield* ask("DELETE", `/campaigns/${first}`)
        yield* work
        const again = ask("POST", `/campaigns/${yield* campaign}/send`, {})
        assert.strictEqual(code(yield* again), refused)
        yield* sendWarnings
        assert.strictEqual(code(yield* again), "200 ok")
      })
    )

    it.effect("the periodic job counts the mail of a period again only if the totals of mail say so", () =>
      Effect.gen(function* () {
        const { cap, mail, project } = yield* shop()
        const sql = yield* SqlClient.SqlClient
        const used = sql`select used, drift::int as drift from billing_usage where project_id = ${project}`
        yield* cap({ transactional: 90 })
        yield* mail(people(3))
        yield* sendWarnings
        assert.deepStrictEqual(yield* used, [{ used: 3, drift: 0 }])
        // A wrong counter with the drift that belongs to it: only a count of the mail would find it.
        yield* sql`update billing_usage set used = 50, drift = 47 where project_id = ${project}`
        yield* mail("four@example.com")
        yield* sendWarnings
        assert.deepStrictEqual(yield* used, [{ used: 51, drift: 47 }])
        yield* sql`delete from emails where project_id = ${project} and to_email = 'four@example.com'`
        yield* sendWarnings
        assert.deepStrictEqual(yield* used, [{ used: 3, drift: 47 }])
        yield* sendWarnings
        assert.deepStrictEqual(yield* used, [{ used: 3, drift: 0 }])
      })
    )

    it.effect("a campaign that would exceed the limit when it is due is cancelled, and the members get an email", () =>
      Effect.gen(function* () {
        const { ask, cap, campaign, mail, owner, project } = yield* shop(5)
        const admin = yield* person("admin")
        const member = yield* person("member")
        yield* addMember(owner.cookie, project, admin, "ADMIN")
        yield* addMember(owner.cookie, project, member, "MEMBER")
        const id = yield* campaign
        yield* ask("POST", `/campaigns/${id}/send`, { scheduledFor: "2026-03-16T00:00:00Z" })
        yield* cap({ campaigns: 4 })
        yield* TestClock.setTime(Date.UTC(2026, 2, 16))
        yield* work
        const { data } = (yield* ask("GET", `/campaigns/${id}`)).body
        assert.deepInclude(data, { status: "CANCELLED", statusReason: "BILLING_LIMIT", totalRecipients: 0 })
        assert.strictEqual((yield* ask("GET", `/campaigns/${id}/recipients`)).body.total, 0)
        for (const { email } of [owner, admin]) {
          const received = (yield* emailsTo(email)).at(-1)
          assert.strictEqual(received?.subject, "The campaign News was not sent")
          assert.include(received?.body, "0 of 4")
        }
        assert.notInclude((yield* emailsTo(member.email)).at(-1)?.subject, "was not sent")
        // Other categories do not change.
        assert.strictEqual(code(yield* mail("a@example.com")), "200 ok")
      })
    )

    it.effect("campaign mail that is retried counts again", () =>
      Effect.gen(function* () {
        const { ask, cap, campaign, limits, project } = yield* shop(4)
        const id = yield* campaign
        yield* ask("POST", `/campaigns/${id}/send`, {})
        yield* work
        yield* end(project, "FAILED")
        yield* cap({ campaigns: 7 })
        const retry = ask("POST", `/campaigns/${id}/retry-failed`, {})
        assert.strictEqual(code(yield* retry), refused)
        yield* cap({ campaigns: 8 })
        assert.strictEqual((yield* retry).body.data.retried, 4)
        assert.strictEqual((yield* limits).campaigns.usage, 8)
        yield* end(project, "FAILED")
        assert.strictEqual(code(yield* retry), refused)
      })
    )

    it.effect("inbound mail is counted, and accepted beyond its cap", () =>
      Effect.gen(function* () {
        const { ask, cap, limits, project } = yield* shop()
        yield* cap({ inbound: 1 })
        const [domain] = (yield* ask("GET", `/domains/project/${project}`)).body
        const receive = (id: string) =>
          Effect.flatMap(Inbound.make, (inbound) =>
            Effect.flatMap(DateTime.now, (timestamp) =>
              inbound.receive("neutral", {
                id,
                type: "inbound",
                timestamp,
                mail: { from: "ada@example.com", to: `hello@${domain.domain}` }
              })
            )
          )
        assert.strictEqual(yield* receive(`${project}-1`), "accepted")
        assert.strictEqual(yield* receive(`${project}-1`), "duplicates")
        assert.strictEqual(yield* receive(`${project}-2`), "accepted")
        assert.deepInclude((yield* limits).inbound, { usage: 2, percentage: 200, isBlocked: true })
      })
    )

    it.effect("OWNER and ADMINs are warned near a limit, once for each category and period", () =>
      Effect.gen(function* () {
        const { cap, mail, owner, project } = yield* shop()
        yield* cap({ transactional: 5, campaigns: 100 })
        const warn = sendWarnings
        const warnings = Effect.map(emailsTo(owner.email), (emails) =>
          emails.flatMap(({ subject }) => (subject.includes("% of its") ? [subject] : []))
        )
        yield* mail(people(3))
        yield* warn
        assert.deepStrictEqual(yield* warnings, [])
        yield* mail("four@example.com")
        yield* warn
        yield* warn
        assert.deepStrictEqual(yield* warnings, ["Shop has used 80 % of its transactional mail"])
        // Correct counters stay as they are, since counting again delays the next send.
        const sql = yield* SqlClient.SqlClient
        const held =
          yield* sql`select category, used from billing_usage where project_id = ${project} order by category`
        assert.deepStrictEqual(held, [
          { category: "campaigns", used: 0 },
          { category: "transactional", used: 4 }
        ])
        assert.strictEqual(code(yield* mail("five@example.com")), "200 ok")
        assert.strictEqual(code(yield* mail("six@example.com")), refused)
      })
    )

    it.effect("a reset deletes the mail and keeps its usage", () =>
      Effect.gen(function* () {
        const { cap, limits, mail, owner, path, ask } = yield* shop()
        yield* mail(people(3))
        yield* cap({ transactional: 4 })
        yield* settled(browse(owner.cookie, "POST", `${path}/reset`))
        assert.strictEqual((yield* ask("GET", "/emails")).body.total, 0)
        assert.deepInclude((yield* limits).transactional, { limit: 4, usage: 3 })
        assert.strictEqual(code(yield* mail(people(2))), refused)
        assert.strictEqual(code(yield* mail("a@example.com")), "200 ok")
      })
    )

    it.effect("mail that another process accepts within a second after a reset counts once", () =>
      Effect.gen(function* () {
        const { limits, mail, owner, path, project } = yield* shop()
        yield* mail(people(3))
        const sql = yield* SqlClient.SqlClient
        const reset = yield* Effect.forkChild(browse(owner.cookie, "POST", `${path}/reset`))
        const begun = sql`select 1 from projects where id = ${project} and resetting_since is not null`
        yield* eventually(begun, (found) => found.length > 0)
        yield* sql`
          insert into emails
          select (jsonb_populate_record(mail, jsonb_build_object('id', gen_random_uuid()))).*
          from emails as mail where project_id = ${project}`
        yield* settled(Fiber.join(reset))
        assert.strictEqual((yield* limits).transactional.usage, 6)
        yield* settled(Effect.flatMap(OwnProjects.make, (projects) => projects.wipeAll))
        assert.strictEqual((yield* limits).transactional.usage, 6)
      })
    )

    it.effect("a charge is rolled back with its transaction", () =>
      Effect.gen(function* () {
        const { cap, limits, mail, project } = yield* shop()
        yield* cap({ transactional: 1 })
        const charge = Billing.use((billing) => billing.charge(project, "transactional", 1))
        const sql = yield* SqlClient.SqlClient
        const failed = sql.withTransaction(Effect.andThen(charge, Effect.fail("after")))
        assert.strictEqual(yield* Effect.flip(failed), "after")
        const fiber = yield* Effect.forkChild(mail("a@example.com"))
        assert.strictEqual(code(yield* Fiber.join(fiber)), "200 ok")
        assert.strictEqual((yield* limits).transactional.usage, 1)
      })
    )

    it.effect("a cap is an integer from 1 or null; a MEMBER may read caps but not set them", () =>
      Effect.gen(function* () {
        const { cap, owner, path, project } = yield* shop()
        for (const transactional of [0, -1, 1.5, "5", 1_000_000_001]) {
          const { status, body } = yield* cap({ transactional })
          assert.deepStrictEqual([status, body.error.errors[0].field], [422, "transactional"], String(transactional))
        }
        assert.strictEqual((yield* cap({})).status, 200)
        const member = yield* person("member")
        yield* addMember(owner.cookie, project, member, "MEMBER")
        const outcome = (method: string, end: string) =>
          Effect.map(browse(member.cookie, method, `${path}/${end}`, method === "PUT" ? {} : undefined), code)
        assert.strictEqual(yield* outcome("GET", "billing-limits"), "200 ok")
        assert.strictEqual(yield* outcome("GET", "billing-consumption"), "200 ok")
        assert.strictEqual(yield* outcome("PUT", "billing-limits"), "403 FORBIDDEN")
        assert.strictEqual(yield* outcome("GET", "billing-invoices"), "403 FORBIDDEN")
        assert.strictEqual(yield* outcome("POST", "checkout"), "403 FORBIDDEN")
        assert.strictEqual(yield* outcome("POST", "billing-portal"), "403 FORBIDDEN")
      })
    )

    it.effect(
      "without a payment provider there are no subscriptions, no invoices, and payment events are refused",
      () =>
        Effect.gen(function* () {
          const { owner, path } = yield* shop()
          for (const end of ["checkout", "billing-portal"]) {
            const { status, body } = yield* browse(owner.cookie, "POST", `${path}/${end}`)
            assert.deepStrictEqual([status, body.error.details.resource], [404, "billing"])
          }
          assert.deepStrictEqual((yield* browse(owner.cookie, "GET", `${path}/billing-invoices`)).body, {
            invoices: [],
            hasUnpaidInvoices: false,
            unpaidInvoices: []
          })
          assert.strictEqual(
            code(yield* send("POST", "/webhooks/incoming/payments", { id: "evt", type: "x" })),
            "503 SERVICE_UNAVAILABLE"
          )
        })
    )
  })
}
