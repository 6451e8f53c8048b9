import { assert, layer } from "@effect/vitest"
import type { Warmup } from "@posthorn/contract/mail/domains/Warmup"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { seed } from "../../audience/segments/SegmentsFixture.ts"
import {
  work as campaignWork,
  type SendingProject,
  sendingProject
} from "../../automation/campaigns/CampaignsFixture.ts"
import { work as workflowWork } from "../../automation/workflows/ExecutionsFixture.ts"
import { entriesOf } from "../../platform/audit/AuditLog.ts"
import { MailerError } from "../../platform/Mailer.ts"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { Peer, receipt, Servers } from "../../testing/MailerMemory.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { Domains } from "../domains/Domains.ts"
import * as DeliveryReports from "../sending/DeliveryReports.ts"
import * as EmailSender from "../sending/EmailSender.ts"
import * as Warmups from "./Warmups.ts"

const tick = TestClock.adjust("200 millis")
const day = 86_400_000

const refuse = (code: number, enhancedCode: string) =>
  new MailerError({ reason: "refused", transport: "smtp1", code, enhancedCode, reply: `${code} ${enhancedCode}` })

for (const [name, database] of databases()) {
  const sender = EmailSender.layer.pipe(
    Layer.provide(
      Layer.succeed(EmailSender.Options, { poll: Duration.millis(100), drain: Duration.seconds(5), exclusive: true })
    )
  )
  /** Runs the sender meanwhile. It stands still while the clock moves on by days, which is many polls. */
  const sending = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.scoped(Effect.andThen(Layer.build(sender), Effect.andThen(tick, effect)))

  layer(wireOver(servicesOn(database)), { timeout: "120 seconds", excludeTestServices: false })(
    `A warm-up, on ${name}`,
    (it) => {
      /** The project, its domain and plan, and what reached the mail server. */
      const warming = Effect.fnUntraced(function* (contacts: number, plan?: object, query = "") {
        const sql = yield* SqlClient.SqlClient
        const peer = yield* Peer
        yield* peer.answer(() => Effect.succeed(receipt))
        const project = yield* sendingProject(contacts)
        const { ask, domain } = project
        const [{ id }] = (yield* Domains.use((domains) =>
          domains.list(project.project, project.project)
        )) as unknown as [{ readonly id: string }]
        const path = `/domains/${id}/warmup`
        const set = (more: object, and = query) => ask("PUT", `${path}${and}`, more)
        if (plan !== undefined) {
          const { body, status } = yield* set(plan)
          assert.strictEqual(status, 200, JSON.stringify(body))
        }
        const record = Effect.map(ask("GET", `${path}${query}`), ({ body }) => body as Warmup)
        const start = Effect.gen(function* () {
          const campaign = yield* project.create()
          assert.strictEqual((yield* ask("POST", `/campaigns/${campaign}/send`)).status, 200)
          yield* campaignWork
          return campaign
        })
        const left = Effect.map(
          sql<{ readonly n: number }>`
          select count(*)::int as n from emails where project_id = ${project.project} and sent_at is not null`,
          ([row]) => row?.n ?? 0
        )
        /** Waits until so many mails have left and nothing more leaves. */
        const leaves = Effect.fnUntraced(function* (wanted: number) {
          yield* eventually(Effect.andThen(tick, left), (n) => n >= wanted)
          for (let n = 0; n < 5; n++) yield* Effect.andThen(tick, TestClock.withLive(Effect.sleep(20)))
          assert.strictEqual(yield* left, wanted)
        }, sending)
        const post = Effect.fnUntraced(function* (to: string, more: object = {}) {
          const mail = { from: `news@${domain}`, subject: "Hello", body: "<p>Hi</p>", to, ...more }
          const { body, status } = yield* ask("POST", "/v1/send", mail)
          assert.strictEqual(status, 200, JSON.stringify(body))
          return String(body.data.emails[0].email)
        })
        const statusOf = (email: string) =>
          Effect.map(ask("GET", `/emails/${email}`), ({ body }) => String(body.status))
        const until = (email: string, status: string) =>
          sending(eventually(Effect.andThen(tick, statusOf(email)), (found) => found === status))
        const looks = (isWanted: (found: Warmup) => boolean) =>
          sending(eventually(Effect.andThen(tick, record), isWanted))
        return { ...project, sql, peer, id, path, set, record, start, left, leaves, looks, post, until }
      })

      /** Goes to the time of the next UTC day. */
      const nextDay = Effect.fnUntraced(function* (time = "00:00:01") {
        const now = DateTime.toEpochMillis(yield* DateTime.now)
        const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number)
        yield* TestClock.setTime((Math.floor(now / day) + 1) * day + ((hours * 60 + minutes) * 60 + seconds) * 1000)
      })
      const advance = Effect.flatMap(Warmups.make, (warmups) => warmups.advance)

      const eventsOf = (project: string, event: string) =>
        SqlClient.SqlClient.use(
          (sql) => sql<{ readonly data: { readonly [field: string]: unknown } }>`
          select data from events where project_id = ${project} and name = ${event} order by id`
        ).pipe(Effect.map((found) => found.map(({ data }) => data)))

      const owner = Effect.fnUntraced(function* ({ project }: Pick<SendingProject, "project">) {
        const sql = yield* SqlClient.SqlClient
        const email = `owner-${project}@acme.test`
        yield* sql`
        insert into users (id, email, email_verified, created_at, updated_at)
        values (${project}, ${email}, true, now(), now())`
        yield* sql`insert into members (project_id, user_id, role, created_at) values (${project}, ${project}, 'OWNER', now())`
        return Effect.map(
          sql<{ readonly subject: string }>`select subject from system_mails where recipient = ${email} order by id`,
          (mails) => mails.map(({ subject }) => subject)
        )
      })

      it.effect("a campaign leaves by the caps of its days, without a mail that is rewritten, and then at once", () =>
        Effect.gen(function* () {
          yield* nextDay()
          const fresh = yield* warming(40, { preset: "CUSTOM", caps: [4, 8] })
          const { ask, id, leaves, path, post, project, record, sql, start, until } = fresh
          const subjects = yield* owner(fresh)
          const campaign = yield* start
          // The first mail of the day leaves at its beginning.
          yield* leaves(1)
          assert.deepInclude(yield* record, {
            status: "ACTIVE",
            step: 1,
            cap: 4,
            sentToday: 1,
            freeNow: 0,
            waiting: 39,
            days: [],
            transport: null,
            preset: "CUSTOM",
            caps: [4, 8],
            hours: null,
            transactional: "EXEMPT"
          })
          const held = sql`
          select ctid::text as place, xmin::text as version from emails
          where campaign_id = ${campaign}::uuid and status = 'PENDING' order by id`
          const before = yield* held
          const [waiting] =
            yield* sql`select id from emails where campaign_id = ${campaign}::uuid and status = 'PENDING' limit 1`
          const mail = (yield* ask("GET", `/emails/${waiting?.["id"]}`)).body
          assert.strictEqual(mail.hold?.reason, "WARMUP")
          const entries: ReadonlyArray<{ readonly type: string; readonly detail?: string }> = mail.timeline
          assert.deepStrictEqual(
            entries.map(({ detail, type }) => [type, detail]),
            [
              ["accepted", undefined],
              ["held", `WARMUP until ${mail.hold.until}`]
            ]
          )
          const [mailing] = yield* sql`select held_until from mailings where campaign_id = ${campaign}::uuid`
          assert.isNotNull(mailing?.["held_until"])
          // Mail that somebody waits for passes.
          yield* until(yield* post("ada@example.com"), "SENT")
          assert.deepStrictEqual(yield* held, before)
          const now = DateTime.toEpochMillis(yield* DateTime.now)
          yield* TestClock.setTime(Math.floor(now / day) * day + day - 60_000)
          yield* leaves(5)
          assert.deepInclude(yield* record, { sentToday: 4, freeNow: 0, waiting: 36 })

          yield* nextDay("23:58:00")
          yield* leaves(13)
          const second = yield* record
          assert.deepInclude(second, { step: 2, cap: 8, sentToday: 8, waiting: 28 })
          const figures = { bounced: 0, complained: 0, deferred: 0, result: "clean" }
          assert.deepStrictEqual(
            second.days.map(({ date: _, ...rest }) => rest),
            [{ step: 1, cap: 4, sent: 4, ...figures }]
          )

          yield* nextDay()
          yield* leaves(41)
          const over = yield* record
          assert.deepInclude(over, { status: "COMPLETED", cap: null, freeNow: null, waiting: 0 })
          assert.strictEqual(over.completesOn, over.days.at(-1)?.date)
          assert.deepStrictEqual(yield* subjects, [])
          yield* advance
          yield* advance
          assert.lengthOf(yield* subjects, 1)
          assert.match((yield* subjects)[0] ?? "", /^The warm-up of a domain is completed$/)
          const [completed, ...others] = yield* eventsOf(project, "domain.warmup_completed")
          assert.deepInclude(completed, { domainId: id, transport: null, step: 2 })
          assert.deepStrictEqual(others, [])
          assert.strictEqual((yield* ask("POST", `${path}/pause`)).body.status, "COMPLETED")
          assert.strictEqual((yield* ask("POST", `${path}/resume`)).body.status, "COMPLETED")
        })
      )

      it.effect(
        "single marketing mail and workflow mail wait with the campaigns, before them, and each gets its place",
        () =>
          Effect.gen(function* () {
            yield* nextDay()
            const fresh = yield* warming(0, { preset: "CUSTOM", caps: [4, 100] })
            const { ask, domain, leaves, post, project, record, sql, start } = fresh
            const template = (yield* ask("POST", "/templates", {
              ...{ name: "News", subject: "News", body: "<p>Hi</p>", type: "MARKETING", from: `news@${domain}` }
            })).body
            yield* seed(project, "c", 10)
            const workflow = (yield* ask("POST", "/workflows", { name: "Go", eventName: "go" })).body
            const step = yield* ask("POST", `/workflows/${workflow.id}/steps`, {
              ...{ type: "SEND_EMAIL", name: "mail", templateId: template.id }
            })
            assert.strictEqual(step.status, 201, JSON.stringify(step.body))
            assert.strictEqual((yield* ask("PATCH", `/workflows/${workflow.id}`, { enabled: true })).status, 200)
            const sent: Array<string> = []
            sent.push(yield* post("c-1@example.com", { template: template.id }))
            yield* leaves(1)
            const campaign = yield* start
            for (let n = 2; n < 5; n++) sent.push(yield* post(`c-${n}@example.com`, { template: template.id }))
            yield* fresh.track({ email: "c-5@example.com", event: "go" })
            yield* workflowWork
            const waiting = sql<{ readonly due: string; readonly source: string }>`
          select to_char(due_at at time zone 'UTC', 'HH24:MI') as due, source_type as source from emails
          where project_id = ${project} and status = 'PENDING' and lane = 1 order by due_at, created_at`
            yield* fresh.looks(({ freeNow, waiting: n }) => n === 14 && freeNow === 0)
            assert.deepStrictEqual(
              (yield* waiting).map(({ due, source }) => `${due} ${source}`),
              ["06:00 TRANSACTIONAL", "12:00 TRANSACTIONAL", "18:00 TRANSACTIONAL", "00:00 WORKFLOW"]
            )
            const now = DateTime.toEpochMillis(yield* DateTime.now)
            yield* TestClock.setTime(Math.floor(now / day) * day + day - 60_000)
            yield* leaves(4)
            // The lane of single mail goes first, so no mail of the campaign has left.
            assert.deepInclude(yield* fresh.stats(campaign), { sentCount: 0, pendingCount: 10 })
            yield* nextDay("12:00:00")
            yield* leaves(15)
            assert.deepInclude(yield* record, { step: 2, waiting: 0, sentToday: 11 })
          })
      )

      it.effect("what bounces pauses the plan at once, until the day after it is resumed", () =>
        Effect.gen(function* () {
          yield* nextDay("12:00:00")
          const fresh = yield* warming(150, { preset: "CUSTOM", caps: [110] })
          const { ask, leaves, path, peer, post, project, record, sql, start, until } = fresh
          const subjects = yield* owner(fresh)
          yield* peer.answer((message) =>
            message.to.some(({ address }) => /^c-\d*[1-5]@/.test(address))
              ? Effect.fail(refuse(550, "5.1.1"))
              : Effect.succeed(receipt)
          )
          yield* start
          const paused = yield* fresh.looks(({ status }) => status === "PAUSED")
          assert.isAtLeast(paused.today.bounced, 5)
          assert.deepInclude(paused, { freeNow: 0, completesOn: null, step: 1 })
          // 56 of the cap are free at noon.
          assert.isAtLeast(paused.sentToday, 50)
          assert.isAtMost(paused.sentToday, 56)
          const after = yield* record
          assert.isAbove(after.waiting, 90)
          const [event, ...others] = yield* eventsOf(project, "domain.warmup_paused")
          assert.deepInclude(event, { reason: "bounceRate", step: 1, transport: null })
          assert.deepStrictEqual(others, [])
          yield* advance
          assert.match((yield* subjects).join(), /^The warm-up of a domain is paused$/)
          const entries = yield* entriesOf(sql, project, 10)
          assert.deepInclude(
            entries.find(({ action }) => action === "warmup.paused"),
            { actor: "service" }
          )
          // Nothing bulk leaves, whatever the day. Transactional mail does.
          yield* peer.answer(() => Effect.succeed(receipt))
          const before = yield* fresh.left
          yield* nextDay("23:00:00")
          yield* leaves(before)
          yield* until(yield* post("ada@example.com"), "SENT")
          const resumed = (yield* ask("POST", `${path}/resume`)).body as Warmup
          assert.deepInclude(resumed, { status: "ACTIVE", step: 1, freeNow: 0 })
          assert.strictEqual((yield* ask("POST", `${path}/resume`)).body.status, "ACTIVE")
          yield* leaves(before + 1)
          yield* nextDay("23:58:00")
          yield* leaves(before + 1 + after.waiting)
          const { days } = yield* record
          assert.deepStrictEqual(
            days.map(({ result, step }) => `${step} ${result}`),
            ["1 paused", "1 paused"]
          )
        })
      )

      it.effect("complaints and deferrals of a report count on the day, once for each mail", () =>
        Effect.gen(function* () {
          yield* nextDay("12:00:00")
          const { leaves, record, sql, project, start } = yield* warming(60, { preset: "CUSTOM", caps: [120] })
          yield* start
          yield* leaves(60)
          const mails = yield* sql<{ readonly id: string }>`select id from emails where project_id = ${project} limit 4`
          const reports = yield* DeliveryReports.make
          const at = yield* DateTime.now
          for (const [n, mail] of mails.entries()) {
            const email = EmailId.make(mail.id)
            const receipt = (id: string) => ({ kind: "test", id: `${email} ${id}` })
            for (const detail of ["4.4.1 busy", "4.4.1 still busy"]) {
              assert.strictEqual(
                yield* reports.report(email, { kind: "deferred", at, detail }, receipt(detail)),
                "applied"
              )
            }
            const complaint = { kind: "complained", at, feedbackType: "abuse" } as const
            if (n < 2) yield* reports.report(email, complaint, receipt("complaint"))
          }
          assert.deepStrictEqual((yield* record).today, { bounced: 0, complained: 2, deferred: 4 })
          yield* nextDay()
          assert.deepInclude((yield* record).days[0], { sent: 60, complained: 2, deferred: 4, result: "held" })
          assert.deepStrictEqual((yield* record).today, { bounced: 0, complained: 0, deferred: 0 })
        })
      )

      it.effect("a mail that is deferred is tried again while the others wait, and counts once", () =>
        Effect.gen(function* () {
          yield* nextDay()
          const { leaves, looks, peer, record, start } = yield* warming(10, { preset: "CUSTOM", caps: [2] })
          yield* peer.answer((_, attempt) =>
            attempt === 1 ? Effect.fail(refuse(451, "4.7.1")) : Effect.succeed(receipt)
          )
          yield* start
          yield* looks(({ today }) => today.deferred === 1)
          assert.deepInclude(yield* record, { sentToday: 1, freeNow: 0 })
          yield* TestClock.adjust("30 minutes")
          yield* leaves(1)
          assert.deepInclude(yield* record, { sentToday: 1, waiting: 9 })
        })
      )

      it.effect("the waiting mail goes at once when the plan is removed, and hours hold what comes before them", () =>
        Effect.gen(function* () {
          yield* nextDay("07:00:00")
          const hours = { from: "08:00", to: "10:00" }
          const fresh = yield* warming(6, { preset: "CUSTOM", caps: [4], hours })
          const { ask, domain, leaves, path, post, project, sql, start } = fresh
          const template = (yield* ask("POST", "/templates", {
            ...{ name: "News", subject: "News", body: "<p>Hi</p>", type: "HEADLESS", from: `news@${domain}` }
          })).body
          yield* start
          yield* post("c-1@example.com", { template: template.id })
          yield* fresh.looks(({ waiting }) => waiting === 7)
          yield* leaves(0)
          yield* TestClock.adjust("61 minutes")
          yield* leaves(1)
          yield* post("c-2@example.com", { template: template.id })
          yield* TestClock.adjust("2 hours")
          yield* leaves(4)
          yield* post("c-3@example.com", { template: template.id })
          yield* fresh.looks(({ waiting }) => waiting === 5)
          assert.strictEqual((yield* ask("DELETE", path)).status, 204)
          yield* leaves(9)
          assert.strictEqual((yield* ask("GET", path)).status, 404)
          const [state] = yield* sql`select warms_up from projects where id = ${project}`
          assert.deepStrictEqual(state, { warms_up: false })
        })
      )

      it.effect("COUNT counts transactional mail and never holds it; other plans that fit are tighter", () =>
        Effect.gen(function* () {
          yield* nextDay("12:00:00")
          const { ask, leaves, path, post, record, set, start } = yield* warming(5, {
            preset: "CUSTOM",
            caps: [4],
            transactional: "COUNT"
          })
          for (let n = 0; n < 5; n++) yield* post(`t${n}@example.com`)
          yield* leaves(5)
          assert.deepInclude(yield* record, { sentToday: 5, freeNow: 0 })
          yield* start
          yield* leaves(5)
          // A day with more room, but a plan of the transport that is tried first is tighter.
          assert.strictEqual((yield* set({ preset: "CUSTOM", caps: [100] })).status, 200)
          const tight = yield* set({ preset: "CUSTOM", caps: [4] }, "?transport=smtp1")
          assert.deepInclude(tight.body, { transport: "smtp1", freeNow: 3, sentToday: 0 })
          yield* leaves(8)
          assert.deepInclude(yield* record, { sentToday: 8 })
          // A plan of a transport that is not the first one does not apply.
          assert.strictEqual((yield* ask("DELETE", `${path}?transport=smtp1`)).status, 204)
          yield* set({ preset: "CUSTOM", caps: [1] }, "?transport=smtp2")
          yield* leaves(10)
        })
      )

      it.effect("a plan of a transport of the project limits what is tried there first", () =>
        Effect.gen(function* () {
          yield* nextDay("12:00:00")
          const fresh = yield* warming(9)
          const { ask, create, domain, leaves, path, set, sql, project } = fresh
          const host = `smtp.${domain}.example`
          const made = (yield* ask("POST", "/transports", { name: "relay", host, port: 587 })).body
          assert.isString(made.id, JSON.stringify(made))
          const routed = yield* ask("PUT", "/transports/routes", {
            routes: [
              { senderDomain: null, type: null, sourceType: null, transportIds: [made.id], fallbackToServer: true }
            ]
          })
          assert.strictEqual(routed.status, 200, JSON.stringify(routed.body))
          yield* TestClock.adjust("1100 millis")
          const plan = yield* set({ preset: "CUSTOM", caps: [4] }, `?transport=${made.id}`)
          assert.strictEqual(plan.status, 200, JSON.stringify(plan.body))
          const campaign = yield* create()
          yield* ask("POST", `/campaigns/${campaign}/send`)
          yield* campaignWork
          yield* leaves(3)
          assert.lengthOf(yield* (yield* Servers).accepted(host), 3)
          const own = (yield* ask("GET", `${path}?transport=${made.id}`)).body
          assert.deepInclude(own, { transport: made.id, sentToday: 3, freeNow: 0, waiting: 6 })
          assert.strictEqual((yield* ask("GET", path)).status, 404)
          const [mailing] = yield* sql`select held_until from mailings where project_id = ${project}`
          assert.isNotNull(mailing?.["held_until"])
          assert.strictEqual((yield* ask("DELETE", `${path}?transport=${made.id}`)).status, 204)
          yield* leaves(9)
        })
      )

      it.effect("days of a disabled project are unused, and a deleted domain takes its plan along", () =>
        Effect.gen(function* () {
          yield* nextDay()
          const { ask, id, leaves, path, project, record, sql, start } = yield* warming(30, { preset: "STANDARD" })
          assert.deepInclude(yield* record, { step: 1, cap: 50, caps: null })
          yield* sql`update projects set disabled_reason = 'MANUAL' where id = ${project}`
          for (let n = 0; n < 3; n++) {
            yield* nextDay()
            yield* advance
          }
          const { days } = yield* record
          assert.deepStrictEqual(
            days.map(({ result, step }) => `${step} ${result}`),
            ["1 unused", "1 unused", "1 unused"]
          )
          yield* sql`update projects set disabled_reason = null where id = ${project}`
          // The state of a project is known for a while.
          yield* TestClock.adjust("1 minute")
          yield* start
          yield* leaves(1)
          yield* sql`delete from campaigns where project_id = ${project}`
          yield* sql`delete from mailings where project_id = ${project}`
          yield* sql`delete from emails where project_id = ${project}`
          assert.strictEqual((yield* ask("DELETE", `/domains/${id}`)).status, 204)
          assert.strictEqual((yield* ask("GET", path)).status, 404)
          assert.deepStrictEqual(
            yield* sql`
            select warms_up, (select count(*)::int from warmups where project_id = ${project}) as plans,
                   (select count(*)::int from warmup_days where project_id = ${project}) as days
            from projects where id = ${project}`,
            [{ warms_up: false, plans: 0, days: 0 }]
          )
        })
      )
    }
  )
}
