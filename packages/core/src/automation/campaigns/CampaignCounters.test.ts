import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { CampaignId } from "@posthorn/contract/automation/campaigns/Campaign"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { ClaimedEmail, Settlement } from "../../mail/sending/DeliveryQueue.ts"
import { DeliveryQueue } from "../../mail/sending/DeliveryQueue.ts"
import * as DeliveryReports from "../../mail/sending/DeliveryReports.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { dispatch } from "../workflows/ExecutionsFixture.ts"
import { CampaignStore } from "./CampaignStore.ts"
import { countRows, type SendingProject, sendingProject, work } from "./CampaignsFixture.ts"
import * as CampaignWork from "./CampaignWork.ts"

/** Actions on a campaign and its mails. `n` selects the mail. */
const Action = Schema.Struct({
  kind: Schema.Literals([
    "claim",
    "claim",
    "begin",
    "settle",
    "settle",
    "settle",
    "kill",
    "evidence",
    "work",
    "work",
    "rollUp",
    "pause",
    "resume",
    "cancel",
    "retryFailed",
    "retryAll",
    "retryOne",
    "cancelOne",
    "delivered",
    "bounced",
    "complained",
    "open",
    "click",
    "leave",
    "unsubscribe",
    "deleteContact",
    "later",
    "nextHour",
    "nextHour",
    "pay",
    "pay",
    "pay",
    "pay",
    "pay"
  ]),
  n: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 }))
})

const ends: ReadonlyArray<Settlement["status"]> = [
  "SENT",
  "SENT",
  "PENDING",
  "FAILED",
  "AMBIGUOUS",
  "BOUNCED",
  "SUPPRESSED",
  "CANCELLED"
]

/** Null: the try ended without a result. */
const providers = ["GMAIL", "OTHER", null]

const settlement = (mail: ClaimedEmail, at: DateTime.Utc, status: Settlement["status"]): Settlement => ({
  projectId: mail.projectId,
  id: mail.id,
  claim: mail.claim,
  at,
  status,
  dueAt: status === "PENDING" || status === "AMBIGUOUS" ? DateTime.addDuration(at, Duration.seconds(30)) : null,
  attempts: mail.attempts + 1,
  ladderStep: mail.ladderStep,
  breaks: 0,
  ambiguities: mail.ambiguities + (status === "AMBIGUOUS" ? 1 : 0),
  queue: null,
  provider: mail.provider ?? providers[mail.to.charCodeAt(2) % providers.length] ?? null,
  error: status === "FAILED" ? { code: "rejected", message: "No." } : null,
  suppression: status === "SUPPRESSED" ? "MANUAL" : null,
  hold: null,
  attempt: {
    outcome: status === "PENDING" ? "deferred" : "accepted",
    transport: "smtp1",
    transportId: null,
    tls: null,
    remoteHost: null,
    code: null,
    enhancedCode: null,
    reply: null,
    dialogue: null
  },
  event: null
})

const contacts = 6

/** What each course begins with: mail is made, and three of it are taken, of which two are sent. */
const opening: ReadonlyArray<typeof Action.Type> = [
  { kind: "work", n: 0 },
  { kind: "claim", n: 2 },
  { kind: "settle", n: 0 },
  { kind: "settle", n: 0 }
]

/** Actions after which the report of the goal can differ. */
const moves = new Set<(typeof Action.Type)["kind"]>(["pay", "rollUp", "deleteContact", "cancel"])

const goal = {
  ...{ eventName: "paid", attribution: "SENT", windowHours: 500 },
  revenue: { path: "total", currencyPath: "currency" }
}

/** An event that counts for the goal: when it came, the mail that it counts for, and the money of it. */
interface Payment {
  readonly contact: string
  readonly hour: string
  readonly variant: string
  readonly provider: string | null
  readonly currency: string
  readonly amount: number | null
}

/** What the events of a row count for: recipients once, each event, and the money by currency. */
const sumsOf = (payments: ReadonlyArray<Payment & { readonly isFirst: boolean }>) => ({
  converted: payments.filter(({ isFirst }) => isFirst).length,
  conversionEvents: payments.length,
  revenue: ["EUR", "USD"].flatMap((currency) => {
    const paid = payments.filter((payment) => payment.currency === currency && payment.amount !== null)
    return paid.length === 0 ? [] : [{ currency, amount: paid.reduce((sum, { amount }) => sum + (amount ?? 0), 0) }]
  })
})

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "180 seconds" })(`Counters of campaigns on ${name}`, (it) => {
    /** One run: a new project, its campaign, and the mails that its workers have claimed. */
    const stage = Effect.gen(function* () {
      const project = yield* sendingProject(contacts)
      const id = yield* project.create({ goal })
      yield* project.ask("POST", `/campaigns/${id}/send`)
      const emails = yield* SqlClient.SqlClient
      const mailsOf = Effect.map(
        emails`select id, contact_id from emails where campaign_id = ${id}::uuid order by id`,
        (rows) => rows.map((row) => ({ id: String(row["id"]), contact: row["contact_id"] as string | null }))
      )
      const held: Array<{ worker: string; mail: ClaimedEmail }> = []
      const payments: Array<Payment> = []
      return { ...project, id, mailsOf, held, payments }
    })
    type Stage = Effect.Success<typeof stage>

    const perform = Effect.fnUntraced(function* (on: Stage, { kind, n }: typeof Action.Type) {
      const queue = yield* DeliveryQueue
      const sql = yield* SqlClient.SqlClient
      const jobs = yield* CampaignWork.make
      const notices = yield* DeliveryReports.make
      const now = yield* DateTime.now
      const mails = yield* on.mailsOf
      const one = mails[n % Math.max(1, mails.length)]
      const held = on.held[n % Math.max(1, on.held.length)]
      const act = (path: string, body?: unknown) => on.ask("POST", `/campaigns/${on.id}/${path}`, body)
      switch (kind) {
        case "claim": {
          const worker = randomUUID()
          yield* queue.heartbeat(worker, Duration.hours(1))
          const claimed = yield* queue.claim(worker, 1 + (n % 3), now)
          return void on.held.push(...claimed.map((mail) => ({ worker, mail })))
        }
        case "begin": {
          if (held === undefined) return
          const { projectId, id, claim, mailing, attempts } = held.mail
          const mark = { projectId, id, claim, mailing, number: attempts + 1, at: now, frozen: null }
          return void (yield* queue.mark(held.worker, [mark], []))
        }
        case "settle": {
          if (held === undefined) return
          on.held.splice(on.held.indexOf(held), 1)
          const end = ends[n % ends.length] ?? "SENT"
          // An unsent mail has no result.
          const status = held.mail.personal?.data === null ? "CANCELLED" : end
          return void (yield* queue.mark(held.worker, [], [settlement(held.mail, now, status)]))
        }
        case "kill":
          if (held === undefined) return
          // A dead worker may still try to store its result.
          yield* queue.retire(held.worker)
          return void (yield* queue.reclaim(now))
        case "evidence":
          return void (yield* queue.evidenceOver(now))
        case "work": {
          yield* work
          // As if the campaign had three variants.
          return void (yield* sql`
            update emails set variant = chr(65 + get_byte(uuid_send(id), 15) % 3)
            where campaign_id = ${on.id}::uuid and variant is null`)
        }
        case "rollUp":
          return void (yield* jobs.rollUp)
        case "pause":
        case "resume":
          return void (yield* act(kind))
        case "cancel":
          // Rarely, because nothing else changes afterwards.
          return n % 4 === 0 ? void (yield* act("cancel")) : undefined
        case "retryFailed":
          return void (yield* act("retry-failed"))
        case "retryAll":
          return void (yield* act("retry-failed", { includeAmbiguous: true }))
        case "later":
          return yield* TestClock.adjust("40 seconds")
        case "nextHour":
          return yield* TestClock.adjust("1 hour")
        case "pay": {
          const email = `c-${1 + (n % contacts)}@example.com`
          const currency = n % 2 === 0 ? "EUR" : "USD"
          const amount = n % 5 === 0 ? null : n / 4
          const [mail] = yield* sql`
            select contact_id, variant, provider from emails
            where campaign_id = ${on.id}::uuid and sent_at is not null
              and contact_id = (select id from contacts where project_id = ${on.project} and email = ${email})`
          yield* on.track({ email, event: "paid", data: { total: amount ?? "free", currency } })
          yield* dispatch
          if (mail === undefined) return
          on.payments.push({
            ...{
              currency,
              amount,
              contact: String(mail["contact_id"]),
              hour: `${DateTime.formatIso(now).slice(0, 13)}:00:00.000Z`
            },
            variant: String(mail["variant"] ?? "A"),
            provider: mail["provider"] as string | null
          })
          return
        }
      }
      if (one === undefined) return
      const email = EmailId.make(one.id)
      switch (kind) {
        case "retryOne":
          return void (yield* on.ask("POST", `/emails/${one.id}/retry`))
        case "cancelOne":
          return void (yield* on.ask("POST", `/emails/${one.id}/cancel`))
        case "delivered":
          return void (yield* notices.report(email, { kind: "delivered", at: now }, { kind: "test", id: randomUUID() }))
        case "bounced":
          return void (yield* notices.report(
            email,
            { kind: "bounced", at: now, bounceType: "Permanent", diagnostic: "gone", aboutMailbox: true },
            { kind: "test", id: randomUUID() }
          ))
        case "complained":
          return void (yield* notices.report(
            email,
            { kind: "complained", at: now, feedbackType: "abuse" },
            { kind: "test", id: randomUUID() }
          ))
        case "open":
        case "click": {
          const column = sql.literal(kind === "open" ? "opens" : "clicks")
          const machine = sql.literal(kind === "open" ? "machine_opens" : "machine_clicks")
          const isMachine = n % 2
          return void (yield* sql`
            update emails set ${column} = ${column} + 1, ${machine} = ${machine} + ${isMachine}::int
            where id = ${one.id}::uuid and begun_at is not null`)
        }
        case "unsubscribe":
          return void (yield* sql`update emails set unsubscribed_at = now() where id = ${one.id}::uuid`)
        case "leave":
          return one.contact === null
            ? undefined
            : void (yield* on.ask("PATCH", `/contacts/${one.contact}`, { subscribed: n % 2 === 0 }))
        case "deleteContact":
          return one.contact === null || n % 3 > 0
            ? undefined
            : void (yield* on.ask("DELETE", `/contacts/${one.contact}`))
      }
    })

    /** The rows of each report equal the events that the run sent. */
    const agreeOnGoal = Effect.fnUntraced(function* (on: Stage, after: string) {
      const payments = on.payments.map((payment, index) => ({
        ...payment,
        isFirst: on.payments.findIndex(({ contact }) => contact === payment.contact) === index
      }))
      const { convertedCount, conversionEvents, revenue } = yield* on.stats(on.id)
      assert.deepStrictEqual({ converted: convertedCount, conversionEvents, revenue }, sumsOf(payments), after)
      for (const by of ["variant", "hour", "provider"] as const)
        for (const variant of [undefined, "A", "B"]) {
          const narrowed = variant === undefined ? "" : `&variant=${variant}`
          const { body } = yield* on.ask("GET", `/campaigns/${on.id}/report?by=${by}${narrowed}`)
          const found = (body.data.rows as ReadonlyArray<Record<string, unknown>>)
            .map(({ key, converted, conversionEvents, revenue }) => ({ key, converted, conversionEvents, revenue }))
            .filter(({ converted, conversionEvents, revenue }) =>
              [converted, conversionEvents ?? 0, (revenue as ReadonlyArray<unknown>).length].some(
                (count) => count !== 0
              )
            )
          const ofVariant = payments.filter((payment) => variant === undefined || payment.variant === variant)
          const expected = [...Map.groupBy(ofVariant, (payment) => payment[by])]
            .filter(([key]) => key !== null)
            .map(([key, group]) => ({ key, ...sumsOf(group) }))
            .map((row) => (by === "variant" ? row : { ...row, conversionEvents: undefined }))
            .filter((row) => row.conversionEvents !== undefined || row.converted > 0 || row.revenue.length > 0)
          assert.sameDeepMembers(found, expected, `by ${by} of ${variant ?? "all"} ${after}`)
        }
    })

    const agree = Effect.fnUntraced(function* (on: SendingProject, id: string, after: string) {
      const { total = 0, ...rows } = yield* countRows(id)
      const stats = yield* on.stats(id)
      for (const [counter, count] of Object.entries(rows))
        assert.strictEqual(stats[counter], count, `${counter} ${after}`)
      const byProvider = yield* SqlClient.SqlClient.use(
        (sql) => sql`
          select provider,
            (count(*) filter (where status in ('SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED')))::int as sent,
            count(delivered_at)::int as delivered, count(deferred_at)::int as deferred,
            (count(*) filter (where opens > 0))::int as opened, (count(*) filter (where clicks > 0))::int as clicked,
            count(bounced_at)::int as bounced, count(complained_at)::int as complained,
            (count(*) filter (where status = 'FAILED'))::int as failed,
            (count(*) filter (where opens > machine_opens))::int as "humanOpened",
            (count(*) filter (where clicks > machine_clicks))::int as "humanClicked"
          from emails where campaign_id = ${id}::uuid and provider is not null group by provider order by 2 desc, 1`
      )
      const { body } = yield* on.ask("GET", `/campaigns/${id}/providers`)
      const results = body.data.providers.map(
        ({ deliveryRate: _, openRate: __, clickRate: ___, bounceRate: ____, ...counts }: Record<string, number>) =>
          counts
      )
      const isEmpty = ({ provider: _, ...counts }: object & { provider?: unknown }) =>
        Object.values(counts).every((count) => count === 0)
      assert.deepStrictEqual(
        results,
        byProvider.filter((row) => !isEmpty(row)),
        after
      )
      assert.strictEqual(stats.humanOpenedCount, stats.openedCount - stats.machineOpenedCount, after)
      assert.strictEqual(stats.humanClickedCount, stats.clickedCount - stats.machineClickedCount, after)
      const report = (by: string) =>
        Effect.map(
          on.ask("GET", `/campaigns/${id}/report?by=${by}`),
          ({ body }): ReadonlyArray<Record<string, number>> => body.data.rows
        )
      const whole = {
        sent: stats.sentCount,
        delivered: stats.deliveredCount,
        humanOpened: stats.humanOpenedCount,
        humanClicked: stats.humanClickedCount,
        bounced: stats.bouncedCount,
        complained: stats.complainedCount,
        unsubscribed: stats.unsubscribedCount,
        converted: stats.convertedCount
      }
      const summed = (rows: ReadonlyArray<Record<string, number>>) =>
        Object.fromEntries(
          Object.keys(whole).map((name) => [name, rows.reduce((sum, row) => sum + (row[name] ?? 0), 0)])
        )
      const variants = yield* report("variant")
      assert.deepStrictEqual(summed(variants), whole, after)
      const ofVariants = yield* SqlClient.SqlClient.use(
        (sql) => sql`
          select coalesce(variant, 'A') as key,
            (count(*) filter (where status in ('SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED')))::int as sent,
            count(bounced_at)::int as bounced, (count(*) filter (where opens > machine_opens))::int as "humanOpened"
          from emails where campaign_id = ${id}::uuid group by 1 order by 1`
      )
      const hasResult = ({ key: _, ...counts }: Record<string, unknown>) =>
        Object.values(counts).some((count) => count !== 0)
      assert.deepStrictEqual<unknown>(
        variants.map(({ key, sent, bounced, humanOpened }) => ({ key, sent, bounced, humanOpened })).filter(hasResult),
        ofVariants.filter(hasResult),
        after
      )
      for (const by of ["hour", "provider"]) {
        const { body } = yield* on.ask("GET", `/campaigns/${id}/report?by=${by}&variant=B`)
        const ofB = ofVariants.find(({ key }) => key === "B")?.["bounced"] ?? 0
        const known = by === "hour" ? ofB : undefined
        const found = summed(body.data.rows)["bounced"]
        if (known !== undefined) assert.strictEqual<unknown>(found, known, after)
        else assert.isAtMost(found ?? 0, Number(ofB), after)
      }
      assert.deepStrictEqual(summed(yield* report("hour")), whole, after)
      const shown = (yield* report("provider")).map(
        ({ key, sent, delivered, deferred, humanOpened, humanClicked }) => ({
          ...{ provider: key, sent, delivered, deferred, humanOpened, humanClicked }
        })
      )
      assert.sameDeepMembers(
        shown.filter((row) => !isEmpty(row)),
        byProvider
          .map(({ provider, sent, delivered, deferred, humanOpened, humanClicked }) => ({
            ...{ provider, sent, delivered, deferred, humanOpened, humanClicked }
          }))
          .filter((row) => !isEmpty(row)) as typeof shown,
        after
      )
      const campaign = yield* on.read(id)
      for (const counter of ["sentCount", "bouncedCount", "cancelledCount"]) {
        assert.strictEqual(campaign[counter], stats[counter])
      }
      if (stats.totalRecipients > 0) {
        assert.strictEqual(stats.totalRecipients, contacts)
        assert.strictEqual(total, contacts)
        const { pendingCount, sentCount, failedCount, suppressedCount, cancelledCount, ambiguousCount } = stats
        const sum = pendingCount + sentCount + failedCount + suppressedCount + cancelledCount + ambiguousCount
        assert.strictEqual(sum, contacts, after)
      }
      if (campaign.status === "SENT") {
        const waiting = yield* SqlClient.SqlClient.use(
          (sql) => sql`
            select status from emails where campaign_id = ${id}::uuid and lane = 2
              and (status in ('PENDING', 'SENDING') or status = 'AMBIGUOUS' and due_at < 'infinity')`
        )
        assert.deepStrictEqual(waiting, [], `SENT with mails that wait, ${after}`)
      }
    })

    it.effect.prop(
      "equal the counted rows after any actions in any order",
      [Schema.Array(Action).check(Schema.isMinLength(40), Schema.isMaxLength(60))],
      ([actions]) =>
        Effect.gen(function* () {
          const on = yield* stage
          const course = [...opening, ...actions]
          for (const [index, action] of course.entries()) {
            yield* perform(on, action)
            const earlier = course.slice(0, index + 1).map(({ kind, n }) => `${kind} ${n}`)
            const after = `after ${earlier.join(", ")}`
            yield* agree(on, on.id, after)
            if (moves.has(action.kind)) yield* agreeOnGoal(on, after)
          }
          // Finally no mail waits any more.
          yield* on.ask("POST", `/campaigns/${on.id}/resume`)
          const queue = yield* DeliveryQueue
          for (let round = 0; round < 8; round++) {
            for (const { worker } of on.held.splice(0)) yield* queue.retire(worker)
            yield* TestClock.adjust("2 minutes")
            const now = yield* DateTime.now
            yield* queue.reclaim(now)
            yield* TestClock.adjust("2 minutes")
            yield* queue.evidenceOver(yield* DateTime.now)
            const worker = randomUUID()
            yield* queue.heartbeat(worker, Duration.hours(1))
            const mails = yield* queue.claim(worker, 50, yield* DateTime.now)
            yield* queue.mark(
              worker,
              [],
              mails.map((mail) => settlement(mail, now, "SENT"))
            )
            yield* work
          }
          yield* agree(on, on.id, "in the end")

          yield* agreeOnGoal(on, "in the end")
          const campaign = yield* on.read(on.id)
          assert.include(["SENT", "CANCELLED"], campaign.status)
          assert.strictEqual((yield* on.stats(on.id)).pendingCount, 0)
          const store = yield* CampaignStore
          assert.isTrue((yield* store.find(on.project, CampaignId.make(on.id)))._tag === "Some")
        }),
      { timeout: 170_000, arbitrary: { runs: 15 } }
    )
  })
}
