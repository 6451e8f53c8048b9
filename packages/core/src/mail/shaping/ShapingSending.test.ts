import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Metric } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { sendingProject, work } from "../../automation/campaigns/CampaignsFixture.ts"
import { Mailer, MailerError } from "../../platform/Mailer.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import { databases } from "../../testing/Databases.ts"
import { Peer, receipt, Servers } from "../../testing/MailerMemory.ts"
import { makeWorker, sendDue } from "../../testing/SendDue.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { maxProviders } from "../recipients/ProviderList.ts"
import * as RecipientDomains from "../recipients/RecipientDomains.ts"
import type { MailDestination } from "../recipients/RecipientProviders.ts"
import { type AttemptResult, type ClaimedEmail, DeliveryQueue } from "../sending/DeliveryQueue.ts"
import * as ProviderSettings from "./ProviderSettings.ts"
import * as Shaping from "./Shaping.ts"
import * as ShapingJobs from "./ShapingJobs.ts"
import * as ShapingSql from "./ShapingSql.ts"
import { installation } from "./ShapingState.ts"

const noon = DateTime.toEpochMillis(DateTime.makeUnsafe("2026-11-27T12:00:00Z"))

const refuse = (reply: string) =>
  new MailerError({
    reason: "refused",
    transport: "smtp1",
    code: Number(reply.slice(0, 3)),
    enhancedCode: /[45]\.\d+\.\d+/.exec(reply)?.[0],
    reply
  })

const gmailLimit = "421 4.7.28 [192.0.2.1] Our system has detected an unusual rate of mail to ada@gmail.com"
const yahooLimit = "421 4.7.0 [TSS04] Messages temporarily deferred"

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds", excludeTestServices: false })(
    `Shaping by provider, on ${name}`,
    (it) => {
      /** A project with mail of a campaign to these domains, and the replies of their providers. */
      const world = Effect.fnUntraced(function* (domains: ReadonlyArray<string>) {
        yield* TestClock.setTime(noon)
        const sql = yield* SqlClient.SqlClient
        const peer = yield* Peer
        yield* sql`truncate shaping, shaping_log, mailbox_providers, workers, emails, mailings, campaign_audiences, recipient_domains cascade`
        yield* RecipientDomains.storeKnown
        const replies = new Map<string, string>()
        const tried: Array<string> = []
        yield* peer.answer(({ to }) =>
          Effect.suspend(() => {
            const [, domain = ""] = (to[0]?.address ?? "").split("@")
            tried.push(domain)
            const reply = replies.get(domain)
            return reply === undefined ? Effect.succeed({ ...receipt, transport: "smtp1" }) : Effect.fail(refuse(reply))
          })
        )
        const campaignOf = Effect.fnUntraced(function* (given: ReadonlyArray<string>) {
          const project = yield* sendingProject(0)
          for (const [n, domain] of given.entries()) {
            yield* sql`
              insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
              values (${randomUUID()}, ${project.project}, ${`c${n}@${domain}`}, true, '{}', now(), now())`
          }
          const campaign = yield* project.create()
          assert.strictEqual((yield* project.ask("POST", `/campaigns/${campaign}/send`)).status, 200)
          yield* work
          return { ...project, campaign }
        })
        const project = yield* campaignOf(domains)
        const state = Effect.map(ShapingSql.readAll(sql), ([row]) => row)
        const count = (domain: string) => tried.filter((each) => each === domain).length
        const eventsOf = (event: string) =>
          Effect.map(
            sql<{ readonly data: { readonly [field: string]: unknown } }>`
              select data from events where project_id = ${project.project} and name = ${event} order by id`,
            (rows) => rows.map(({ data }) => data)
          )
        return { ...project, sql, replies, tried, count, state, campaignOf, eventsOf }
      })
      const times = (count: number, domain: string) => Array.from({ length: count }, () => domain)

      it.effect("a provider that asks for less mail is slowed once, alone, and recovers", () =>
        Effect.gen(function* () {
          const { campaign, count, eventsOf, project, replies, sql, state } = yield* world([
            ...times(12, "gmail.com"),
            ...times(12, "example.com")
          ])
          const [mailing] = yield* sql`select queues from mailings where project_id = ${project}`
          assert.deepStrictEqual(mailing, { queues: [0, 1] })
          replies.set("gmail.com", gmailLimit)
          yield* sendDue(4, 6)
          assert.strictEqual(count("example.com"), 12)
          assert.deepInclude(yield* state, {
            key: "GMAIL",
            transport: "smtp1",
            project: installation,
            queue: 1,
            status: "SLOWED",
            level: 1,
            maxConnections: 1,
            until: noon + 600_000
          })
          const [slowed, ...more] = yield* eventsOf("deliverability.provider_slowed")
          assert.deepInclude(slowed, {
            provider: "GMAIL",
            exchange: null,
            transport: "smtp1",
            state: "SLOWED",
            level: 1
          })
          assert.deepInclude(slowed?.["reason"], {
            code: 421,
            enhancedCode: "4.7.28",
            reply: "421 4.7.28 ... Our system has detected an unusual rate of mail to ..."
          })
          assert.deepStrictEqual(more, [])

          replies.clear()
          yield* TestClock.setTime(noon + 599_000)
          yield* ShapingJobs.advance
          assert.strictEqual((yield* state)?.level, 1)
          yield* TestClock.setTime(noon + 600_000)
          yield* ShapingJobs.advance
          assert.isUndefined(yield* state)
          assert.deepStrictEqual(yield* eventsOf("deliverability.provider_recovered"), [
            { provider: "GMAIL", exchange: null, transport: "smtp1" }
          ])
          assert.deepStrictEqual(yield* sql`select status, level from shaping_log order by at`, [
            { status: "SLOWED", level: 1 },
            { status: "NORMAL", level: 0 }
          ])
          // The log is kept for 30 days.
          const logged = Effect.map(sql`select 1 from shaping_log`, ({ length }) => length)
          yield* TestClock.setTime(noon + 30 * 86_400_000)
          yield* ShapingJobs.sweep
          assert.strictEqual(yield* logged, 2)
          yield* TestClock.setTime(noon + 30 * 86_400_000 + 1)
          yield* ShapingJobs.sweep
          assert.strictEqual(yield* logged, 1)

          yield* TestClock.setTime(noon + 3_600_000)
          yield* sendDue(2, 50)
          const [left] = yield* sql`
            select count(*)::int as n from emails where campaign_id = ${campaign}::uuid and sent_at is null`
          assert.deepStrictEqual(left, { n: 0 })
        })
      )

      it.effect("a relay that is slow itself, a full mailbox and a test mail slow no provider", () =>
        Effect.gen(function* () {
          const { replies, state } = yield* world([...times(2, "gmail.com"), "example.com"])
          replies.set("gmail.com", "421 4.3.2 Too many connections from you")
          replies.set("example.com", "452 4.2.2 Mailbox full")
          yield* sendDue(1, 10)
          assert.isUndefined(yield* state)
        })
      )

      it.effect("a suspended provider gets transactional mail only, then one mail a minute, and five end it", () =>
        Effect.gen(function* () {
          const { ask, count, domain, replies, state } = yield* world([
            ...times(20, "yahoo.com"),
            ...times(4, "example.com")
          ])
          replies.set("yahoo.com", yahooLimit)
          yield* sendDue(1, 4)
          const refused = count("yahoo.com")
          assert.isAtMost(refused, 4)
          assert.strictEqual(count("example.com"), 4)
          assert.deepInclude(yield* state, { status: "SUSPENDED", level: 3, until: noon + 2 * 3_600_000 })

          replies.clear()
          const password = { from: `hi@${domain}`, to: "ada@yahoo.com", subject: "Reset", body: "<p>Reset</p>" }
          assert.strictEqual((yield* ask("POST", "/v1/send", password)).status, 200)
          yield* TestClock.setTime(noon + 3_600_000)
          yield* sendDue(3, 10)
          assert.strictEqual(count("yahoo.com"), refused + 1)

          yield* TestClock.setTime(noon + 2 * 3_600_000)
          yield* ShapingJobs.advance
          assert.deepInclude(yield* state, { status: "PROBING", ratePerMinute: 1 })
          const drain = yield* makeWorker(5)
          yield* drain
          for (let n = 1; n <= 5; n++) {
            yield* TestClock.setTime(noon + 2 * 3_600_000 + n * 60_000)
            yield* drain
            assert.strictEqual(count("yahoo.com"), refused + 1 + n)
          }
          assert.deepInclude(yield* state, { status: "SLOWED", level: 3 })
        })
      )

      it.effect("workers share a rate, and a claim shares it between projects", () =>
        Effect.gen(function* () {
          const { campaignOf, project, sql } = yield* world([...times(60, "gmail.com"), "example.com"])
          const other = yield* campaignOf(times(60, "gmail.com"))
          yield* ProviderSettings.set({ provider: "GMAIL", ratePerMinute: 600 })
          const queue = yield* DeliveryQueue
          const ids = [randomUUID(), randomUUID(), randomUUID(), randomUUID()].toSorted()
          for (const id of ids) yield* queue.heartbeat(id, Duration.minutes(5))
          const workers = yield* Effect.forEach(ids, (id) => Shaping.make(id))
          for (const each of workers) assert.deepStrictEqual(yield* each.rooms(true), [{ queue: 1, room: 0 }])
          yield* TestClock.setTime(noon + 1_000)
          // 600 a minute are 10 a second, for four workers.
          for (const each of workers) assert.deepStrictEqual(yield* each.rooms(true), [{ queue: 1, room: 2 }])

          const claim = yield* queue.claim(
            ids[0] ?? "",
            50,
            DateTime.makeUnsafe(noon + 1_000),
            Effect.fnUntraced(function* (isShaped) {
              assert.isTrue(isShaped)
              return [{ queue: 1, room: 10 }]
            })
          )
          const byProject = (id: string) => claim.filter((mail) => mail.projectId === id && mail.queue === 1).length
          assert.deepStrictEqual([byProject(project), byProject(other.project)], [5, 5])
          assert.strictEqual(claim.filter((mail) => mail.queue === 0).length, 1)

          // A worker that dies leaves its part to the others.
          yield* queue.retire(ids[3] ?? "")
          yield* TestClock.setTime(noon + 4_000)
          const [first] = workers
          assert.deepStrictEqual(yield* first?.rooms(true) ?? Effect.succeed([]), [{ queue: 1, room: 3 }])
          yield* sql`truncate mailbox_providers`
        })
      )

      it.effect("every worker keeps to a changed limit of an operator within 10 seconds", () =>
        Effect.gen(function* () {
          yield* world(["example.com"])
          const queue = yield* DeliveryQueue
          const ids = [randomUUID(), randomUUID()]
          for (const id of ids) yield* queue.heartbeat(id, Duration.minutes(5))
          const workers = yield* Effect.forEach(ids, (id) => Shaping.make(id))
          const rooms = Effect.forEach(workers, (each) => each.rooms(true))
          assert.deepStrictEqual(yield* rooms, [[], []])
          yield* TestClock.setTime(noon + 3_000)
          yield* ProviderSettings.set({ provider: "GMAIL", maxConnections: 8 })
          yield* TestClock.setTime(noon + 13_000)
          // Four connections each, of which one is for transactional mail.
          assert.deepStrictEqual(yield* rooms, [[{ queue: 1, room: 3 }], [{ queue: 1, room: 3 }]])
          yield* ProviderSettings.set({ provider: "GMAIL", maxConnections: 4 })
          yield* TestClock.setTime(noon + 23_000)
          assert.deepStrictEqual(yield* rooms, [[{ queue: 1, room: 1 }], [{ queue: 1, room: 1 }]])
          yield* ProviderSettings.reset("GMAIL")
          yield* TestClock.setTime(noon + 33_000)
          assert.deepStrictEqual(yield* rooms, [[], []])
        })
      )

      it.effect("a worker tells the others at once that a provider asks for less", () =>
        Effect.gen(function* () {
          const { project } = yield* world(["example.com"])
          const queue = yield* DeliveryQueue
          const ids = [randomUUID(), randomUUID()]
          for (const id of ids) yield* queue.heartbeat(id, Duration.minutes(5))
          const [one, two] = yield* Effect.forEach(ids, (id) => Shaping.make(id))
          assert.isDefined(one)
          assert.isDefined(two)
          const { limits } = yield* Wakeups
          const woken = yield* limits.listen
          const mail = { projectId: project, mode: "LIVE", provider: "GMAIL", urgency: "bulk" } as ClaimedEmail
          const attempt = {
            ...{ outcome: "deferred", code: 421, enhancedCode: "4.7.28", reply: gmailLimit },
            ...{ transport: "smtp1", transportId: null }
          } as AttemptResult
          yield* two.rooms(true)
          yield* one.replied(mail, { key: "GMAIL", provider: "GMAIL" } as MailDestination, attempt)
          // The time of the next poll has not come.
          assert.deepStrictEqual(yield* two.rooms(true), [])
          yield* woken
          yield* two.learn
          assert.strictEqual((yield* two.rooms(true)).length, 1)
        }).pipe(Effect.scoped)
      )

      it.effect("mail whose provider was learnt later waits in the queue of the provider", () =>
        Effect.gen(function* () {
          const { campaign, count, sql } = yield* world([...times(3, "acme.com"), "example.com"])
          const now = new Date(noon)
          yield* sql`
            insert into recipient_domains (domain, provider, exchange, queue, looked_up_at)
            values ('acme.com', 'GMAIL', 'aspmx.l.google.com', 1, ${now})
            on conflict (domain) do update set provider = 'GMAIL', exchange = excluded.exchange, queue = 1, looked_up_at = ${now}`
          yield* ProviderSettings.suspend("GMAIL", Duration.hours(1))
          yield* sendDue(2, 10)
          assert.deepStrictEqual([count("acme.com"), count("example.com")], [0, 1])
          const waiting = yield* sql`
            select queue, status, attempts from emails where campaign_id = ${campaign}::uuid and to_email like '%acme.com'`
          assert.deepStrictEqual(
            waiting.map((row) => ({ ...row })),
            times(3, "").map(() => ({ queue: 1, status: "PENDING", attempts: 0 }))
          )
          assert.isTrue(yield* ProviderSettings.resume("GMAIL"))
          assert.isFalse(yield* ProviderSettings.resume("GMAIL"))
          yield* sendDue(1, 10)
          assert.strictEqual(count("acme.com"), 3)
        })
      )

      it.effect("a connection limit holds for all mail, and bulk mail leaves one place of it free", () =>
        Effect.gen(function* () {
          const { ask, count, domain } = yield* world(times(12, "gmail.com"))
          yield* ProviderSettings.set({ provider: "GMAIL", maxConnections: 3 })
          const most = { bulk: 0, all: 0 }
          const now = { bulk: 0, all: 0 }
          const peer = yield* Peer
          yield* peer.answer(({ subject }) =>
            Effect.gen(function* () {
              const bulk = subject === "Reset" ? 0 : 1
              now.bulk += bulk
              now.all++
              most.bulk = Math.max(most.bulk, now.bulk)
              most.all = Math.max(most.all, now.all)
              yield* TestClock.withLive(Effect.sleep(20))
              now.bulk -= bulk
              now.all--
              return { ...receipt, transport: "smtp1" }
            })
          )
          yield* sendDue(1, 50)
          assert.deepStrictEqual([most, count("gmail.com")], [{ bulk: 2, all: 2 }, 0])
          for (let n = 0; n < 8; n++) {
            const password = { from: `hi@${domain}`, to: `p${n}@gmail.com`, subject: "Reset", body: "<p>Reset</p>" }
            assert.strictEqual((yield* ask("POST", "/v1/send", password)).status, 200)
          }
          yield* sendDue(1, 50)
          assert.deepStrictEqual(most, { bulk: 2, all: 3 })
          assert.lengthOf(
            (yield* peer.accepted).filter(({ from }) => from.address.endsWith(`@${domain}`)),
            20
          )
        })
      )

      it.effect("a mail exchange of no known provider is slowed alone, where mail is delivered to exchanges", () =>
        Effect.gen(function* () {
          const { count, replies, sql, state } = yield* world([
            ...times(6, "slow.example"),
            ...times(3, "other.example")
          ])
          const reply = "421 4.7.0 Too much mail from you"
          replies.set("slow.example", reply)
          // A relay may have meant itself.
          yield* sendDue(1, 2)
          assert.isUndefined(yield* state)
          yield* sql`update emails set due_at = ${new Date(noon)} where status = 'PENDING'`
          const mailer = yield* Mailer
          const drain = yield* makeWorker(2).pipe(Effect.provideService(Mailer, { ...mailer, isExchange: true }))
          yield* drain
          const slowed = yield* state
          assert.deepInclude(slowed, { key: "slow.example", transport: "smtp1", status: "SLOWED", level: 1 })
          assert.isAtLeast(slowed?.queue ?? 0, 1_000)
          assert.strictEqual(count("other.example"), 3)
          const queues = Effect.map(
            sql<{ readonly queue: number }>`
              select queue from recipient_domains where domain = 'slow.example'`,
            (rows) => rows.map(({ queue }) => queue)
          )
          const metric = (name: string) =>
            Effect.map(Metric.snapshot, (all) =>
              all.flatMap(({ id, attributes, state }) => {
                if (id !== name || attributes?.["provider"] !== "slow.example") return []
                return "value" in state ? state.value : "count" in state ? state.count : []
              })
            )
          assert.deepStrictEqual(yield* metric("posthorn_provider_level"), [1])
          assert.deepStrictEqual(yield* metric("posthorn_provider_rate_per_minute"), [Number(slowed?.ratePerMinute)])
          assert.isAbove(Number((yield* metric("posthorn_provider_deferrals_total"))[0]), 0)

          replies.clear()
          yield* TestClock.setTime(noon + 600_000)
          yield* ShapingJobs.advance
          assert.isUndefined(yield* state)
          assert.isTrue((yield* queues).every((queue) => queue === 0))
          yield* sql`update emails set due_at = ${new Date(noon)} where status = 'PENDING'`
          yield* drain
          assert.deepStrictEqual(yield* metric("posthorn_provider_level"), [0])
          const [left] = yield* sql`select count(*)::int as n from emails where status = 'PENDING'`
          assert.deepStrictEqual(left, { n: 0 })
        })
      )

      it.effect("the timeline of a mail has the limit of its provider under which it waited, once", () =>
        Effect.gen(function* () {
          const { ask, campaign, campaignOf } = yield* world(["gmail.com", "example.com"])
          yield* ProviderSettings.suspend("GMAIL", Duration.hours(1))
          const mailTo = Effect.fnUntraced(function* (of: typeof ask, id: string, domain: string) {
            const { body } = yield* of("GET", `/campaigns/${id}/recipients?limit=100`)
            const { emailId } = body.data.find(({ email }: { email: string }) => email.endsWith(domain))
            return (yield* of("GET", `/emails/${emailId}`)).body
          })
          const held = ({ timeline }: { timeline: ReadonlyArray<{ type: string; at: string; detail?: string }> }) =>
            timeline.filter(({ type }) => type === "held").map(({ at, detail }) => `${at} ${detail}`)
          yield* TestClock.setTime(noon + 60_000)
          yield* sendDue(1, 10)
          const until = "2026-11-27T13:00:00.000Z"
          const once = [`2026-11-27T12:00:00.000Z PROVIDER_LIMIT until ${until}`]
          const waiting = yield* mailTo(ask, campaign, "gmail.com")
          assert.deepStrictEqual(waiting.hold, { reason: "PROVIDER_LIMIT", until })
          assert.deepStrictEqual(held(waiting), once)
          assert.deepStrictEqual(held(yield* mailTo(ask, campaign, "example.com")), [])

          yield* TestClock.setTime(noon + 1_800_000)
          yield* ProviderSettings.resume("GMAIL")
          yield* sendDue(1, 10)
          const left = yield* mailTo(ask, campaign, "gmail.com")
          assert.deepInclude(left, { status: "SENT", hold: null })
          assert.deepStrictEqual(held(left), once)
          assert.deepStrictEqual(
            left.timeline.map(({ type }: { type: string }) => type),
            ["accepted", "held", "sent"]
          )
          // Mail that was made later was not held.
          yield* TestClock.setTime(noon + 1_900_000)
          const later = yield* campaignOf(["gmail.com"])
          yield* sendDue(1, 10)
          assert.deepStrictEqual(held(yield* mailTo(later.ask, later.campaign, "gmail.com")), [])
        })
      )

      it.effect("a transport of a project is slowed for that project alone, and its mail takes no other way", () =>
        Effect.gen(function* () {
          const { campaignOf, count, sql, tried } = yield* world(["example.com"])
          yield* sendDue(1, 10)
          tried.length = 0
          const own = yield* sendingProject(0)
          const host = `smtp.${own.domain}.example`
          const relay = (yield* own.ask("POST", "/transports", { name: "relay", host, port: 587, pool: 1 })).body
          const routed = yield* own.ask("PUT", "/transports/routes", {
            routes: [
              { senderDomain: null, type: null, sourceType: null, transportIds: [relay.id], fallbackToServer: true }
            ]
          })
          assert.strictEqual(routed.status, 200, JSON.stringify(routed.body))
          const servers = yield* Servers
          yield* servers.reply(host, gmailLimit)
          for (const [n, domain] of [...times(12, "gmail.com"), ...times(3, "example.com")].entries()) {
            yield* sql`
              insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
              values (${randomUUID()}, ${own.project}, ${`c${n}@${domain}`}, true, '{}', now(), now())`
          }
          const campaign = yield* own.create()
          yield* own.ask("POST", `/campaigns/${campaign}/send`)
          yield* work
          const other = yield* campaignOf(times(6, "gmail.com"))
          yield* TestClock.setTime(noon + 2_000)
          // The reply says less about other providers: their mail waits for its next try.
          yield* sendDue(2, 4)
          assert.strictEqual(count("gmail.com"), 6)
          const rows = yield* ShapingSql.readAll(sql)
          assert.deepStrictEqual(
            rows.map(({ key, transport, project, status, level }) => [key, transport, project, status, level]),
            [["GMAIL", relay.id, own.project, "SLOWED", 1]]
          )
          const untried = Effect.map(
            sql<{ readonly n: number }>`
              select count(*)::int as n from emails
              where campaign_id = ${campaign}::uuid and attempts = 0 and to_email like '%gmail.com'`,
            ([row]) => row?.n ?? 0
          )
          assert.isAbove(yield* untried, 0)

          const seenBy = (project: { readonly ask: typeof own.ask }) =>
            Effect.map(
              project.ask("GET", "/deliverability/providers"),
              ({ body }: { body: ReadonlyArray<{ provider: string; transport: string | null; state: string }> }) =>
                body.filter(({ provider }) => provider === "GMAIL").map(({ state, transport }) => [state, transport])
            )
          assert.deepStrictEqual(yield* seenBy(own), [["SLOWED", relay.id]])
          assert.deepStrictEqual(yield* seenBy(other), [["NORMAL", null]])
          const toldTo = (project: string) => sql`
            select data ->> 'transport' as transport from events
            where project_id = ${project} and name = 'deliverability.provider_slowed'`
          assert.deepStrictEqual(yield* toldTo(own.project), [{ transport: relay.id }])
          assert.deepStrictEqual(yield* toldTo(other.project), [])

          // The server accepts again. Its mail leaves at the pace of the limit, and never by the other transports.
          yield* servers.reply(host, undefined)
          const before = yield* untried
          yield* TestClock.setTime(noon + 3_000)
          yield* sendDue(2, 4)
          assert.isAtLeast(yield* untried, before - 2)
          assert.strictEqual(count("gmail.com"), 6)

          /** What holds a mail of a campaign that was not tried. */
          const heldIn = Effect.fnUntraced(function* (of: typeof own.ask, id: string) {
            const { body } = yield* of("GET", `/campaigns/${id}/recipients?status=PENDING&limit=100`)
            const emails = yield* Effect.forEach(
              body.data as ReadonlyArray<{ readonly emailId: string }>,
              ({ emailId }) => Effect.map(of("GET", `/emails/${emailId}`), ({ body }) => body)
            )
            const found = emails.find(({ attempts, to }) => attempts === 0 && to.endsWith("gmail.com"))
            const entries: ReadonlyArray<{ readonly type: string }> = found?.timeline ?? []
            return [found?.hold?.reason, entries.filter(({ type }) => type === "held").length]
          })
          assert.deepStrictEqual(yield* heldIn(own.ask, campaign), ["PROVIDER_LIMIT", 1])

          // What slows the transports of the installation does not hold mail of the project's own.
          yield* sql`delete from shaping`
          yield* sql`delete from shaping_log`
          yield* ProviderSettings.suspend("GMAIL", Duration.hours(1))
          const late = yield* campaignOf(times(2, "gmail.com"))
          yield* TestClock.setTime(noon + 10_000)
          assert.deepStrictEqual(yield* heldIn(own.ask, campaign), [undefined, 0])
          assert.deepStrictEqual(yield* heldIn(late.ask, late.campaign), ["PROVIDER_LIMIT", 1])
          yield* TestClock.setTime(noon + 8 * 3_600_000)
          yield* ProviderSettings.suspend("GMAIL", Duration.hours(1))
          yield* sendDue(2, 20)
          assert.strictEqual(yield* untried, 0)
          assert.lengthOf(yield* servers.accepted(host), 15)
          assert.strictEqual(count("gmail.com"), 6)
          const [held] = yield* sql`
            select count(*)::int as n from emails where project_id = ${late.project} and attempts = 0`
          assert.deepStrictEqual(held, { n: 2 })
        })
      )

      it.effect("an operator adds, changes and resets providers", () =>
        Effect.gen(function* () {
          const { sql } = yield* world(["example.com"])
          const now = new Date(noon)
          yield* sql`
            insert into recipient_domains (domain, provider, exchange, queue, looked_up_at)
            values ('small.example', 'OTHER', 'mx1.acme.net', 0, ${now})`
          const of = Effect.map(
            sql`select provider, queue from recipient_domains where domain = 'small.example'`,
            ([row]) => ({ ...row })
          )
          const added = yield* ProviderSettings.set({ provider: "ACME", mxSuffixes: [".acme.net"], maxConnections: 2 })
          assert.deepInclude(added, { provider: "ACME", queue: 100, maxConnections: 2, mxSuffixes: [".acme.net"] })
          assert.deepStrictEqual(yield* of, { provider: "ACME", queue: 100 })
          assert.deepInclude(yield* ProviderSettings.set({ provider: "ACME", ratePerMinute: 60 }), {
            maxConnections: 2,
            ratePerMinute: 60
          })
          assert.isUndefined(yield* ProviderSettings.reset("ACME"))
          assert.deepStrictEqual(yield* of, { provider: "OTHER", queue: 0 })
          yield* ProviderSettings.set({ provider: "GMAIL", name: "Google", maxConnections: 3 })
          assert.deepInclude(yield* ProviderSettings.reset("GMAIL"), { name: "Gmail", maxConnections: null })
          for (const wrong of [
            { provider: "OTHER", ratePerMinute: 1 },
            { provider: "acme", ratePerMinute: 1 },
            { provider: "ACME" },
            { provider: "ACME", ratePerMinute: 0 },
            { provider: "ACME", mxSuffixes: ["acme.net"] },
            { provider: "ACME", domains: ["not a domain"] }
          ]) {
            assert.strictEqual((yield* Effect.flip(ProviderSettings.set(wrong))).reason, "invalid")
          }
          assert.strictEqual((yield* Effect.flip(ProviderSettings.reset("NOBODY"))).reason, "unknown")
          // At most 64 of them.
          yield* sql`
            insert into mailbox_providers (provider, queue, updated_at)
            select 'MORE_' || n, 200 + n, ${now} from generate_series(1, ${maxProviders - 21}::int) as n`
          const full = yield* Effect.flip(ProviderSettings.set({ provider: "ACME", ratePerMinute: 1 }))
          assert.strictEqual(full.message, "There are at most 64 providers.")
          assert.deepInclude(yield* ProviderSettings.set({ provider: "MORE_1", ratePerMinute: 1 }), {
            ratePerMinute: 1
          })
          yield* sql`truncate mailbox_providers`
          assert.deepStrictEqual(yield* ProviderSettings.list.pipe(Effect.map((rows) => rows.length)), 21)
          const audit = yield* sql`
            select details ->> 'change' as change from audit_log where action = 'providers.updated' order by at, id`
          assert.includeDeepMembers(
            audit.map((row) => row["change"]),
            ["set", "reset"]
          )
        })
      )
    }
  )
}
