/** Experiments of campaigns over HTTP: who is in the test, what decides, and what the rest gets. */
import { assert, layer } from "@effect/vitest"
import { CampaignId } from "@posthorn/contract/automation/campaigns/Campaign"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { seed } from "../../../audience/segments/SegmentsFixture.ts"
import * as EmailSender from "../../../mail/sending/EmailSender.ts"
import { bucket } from "../../../platform/Bucket.ts"
import { databases } from "../../../testing/Databases.ts"
import { eventually } from "../../../testing/Eventually.ts"
import { Peer, receipt } from "../../../testing/MailerMemory.ts"
import { servicesOn } from "../../../testing/Services.ts"
import { wireOver } from "../../../testing/TestClient.ts"
import * as CampaignRunner from "../CampaignRunner.ts"
import { sendingProject, work } from "../CampaignsFixture.ts"
import * as CampaignExperiments from "./CampaignExperiments.ts"

const experiment = {
  variants: [{ key: "A" }, { key: "B", subject: "The other news", preheader: "Look" }],
  testShare: 0.5
}

interface Row {
  readonly id: string
  readonly recipient: string
  readonly status: string
  readonly variant: string | null
  readonly code: string | null
}

const mails = (campaign: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql<Row>`
      select id, recipient_id as recipient, status, variant, error_code as code from emails
      where campaign_id = ${campaign}::uuid and recipient_id is not null order by recipient_id`
  )

/** Every waiting mail leaves. The given number of each variant is clicked by people, and those of A by machines too. */
const leave = (campaign: string, clicks: { readonly [variant: string]: number }) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      with numbered as (
        select id, variant, row_number() over (partition by variant order by id) as n from emails
        where campaign_id = ${campaign}::uuid and status = 'PENDING'
      )
      update emails set status = 'SENT', sent_at = now(),
        clicks = case when n <= (${JSON.stringify(clicks)}::text::jsonb ->> numbered.variant)::int then 2 else 1 end,
        machine_clicks = 1
      from numbered where emails.id = numbered.id`
  )

const hours = (n: number) => TestClock.adjust(`${n} hours`)

/** A campaign whose test has begun. */
const testing = Effect.fnUntraced(function* (contacts: number, more: object = {}, others: object = {}) {
  const project = yield* sendingProject(contacts)
  const id = yield* project.create({ experiment: { ...experiment, ...more }, ...others })
  const path = `/campaigns/${id}/experiment`
  const figures = Effect.map(project.ask("GET", path), ({ body }) => body.data)
  const choose = (variant: string) => project.ask("POST", `${path}/winner`, { variant })
  const begun = yield* project.ask("POST", `/campaigns/${id}/send`, {})
  assert.strictEqual(begun.status, 200, JSON.stringify(begun.body))
  yield* work
  return { ...project, id, path, figures, choose }
})

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`Experiments of campaigns on ${name}`, (it) => {
    it.effect("try the variants on a part, decide once by what people did, and give the rest the winner", () =>
      Effect.gen(function* () {
        const { ask, id, project, figures, choose, stats, read } = yield* testing(900)
        const sql = yield* SqlClient.SqlClient
        // Everybody can compute who is in the test, and which variant it gets.
        const contacts = yield* sql<{
          readonly id: string
        }>`select id from contacts where project_id = ${project} order by id`
        const expected: Array<string> = []
        for (const contact of contacts) {
          if ((yield* bucket(`test:${id}`, contact.id)) >= 0.5) continue
          expected.push(`${contact.id} ${(yield* bucket(`variant:${id}`, contact.id)) < 0.5 ? "A" : "B"}`)
        }
        const made = yield* mails(id)
        assert.deepStrictEqual(
          made.map(({ recipient, variant }) => `${recipient} ${variant}`),
          expected
        )
        assert.isAbove(expected.length, 380)
        const rest = 900 - expected.length
        const before = yield* read(id)
        assert.deepInclude(before, {
          audienceSize: 900,
          totalRecipients: 900,
          experimentState: "TESTING",
          status: "SENDING"
        })
        assert.deepInclude(yield* stats(id), { pendingCount: 900, sentCount: 0 })
        const listed = yield* ask("GET", `/campaigns/${id}/recipients?variant=B&limit=100`)
        assert.isTrue(listed.body.data.every((_: Row) => _.variant === "B"))
        assert.strictEqual(listed.body.total, made.filter(({ variant }) => variant === "B").length)

        yield* leave(id, { A: 10, B: 60 })
        yield* work
        assert.deepInclude(yield* stats(id), { pendingCount: rest, sentCount: expected.length })
        const early = yield* figures
        assert.deepInclude(early, {
          state: "TESTING",
          metric: "HUMAN_CLICK",
          final: false,
          winner: null,
          decidedBy: null
        })
        assert.deepStrictEqual(
          early.variants.map((_: { key: string; successes: number }) => `${_.key} ${_.successes}`),
          ["A 10", "B 60"]
        )
        yield* hours(3.9)
        yield* work
        assert.strictEqual((yield* mails(id)).length, expected.length)

        // Two workers and a person at once.
        yield* hours(0.2)
        const { settle } = yield* CampaignExperiments.make
        const [chosen] = yield* Effect.all(
          [choose("B"), settle(project, CampaignId.make(id)), settle(project, CampaignId.make(id))],
          {
            concurrency: "unbounded"
          }
        )
        assert.strictEqual(chosen.status, 200)
        yield* work
        const decided = yield* figures
        assert.deepInclude(decided, { state: "DECIDED", final: true, winner: "B", significant: true })
        assert.deepStrictEqual(decided.variants, early.variants)
        const after = yield* mails(id)
        const late = after.filter(({ status }) => status === "PENDING")
        assert.deepStrictEqual([after.length, late.length], [900, rest])
        assert.isTrue(late.every(({ variant }) => variant === "B"))
        const recorded = yield* sql<{ readonly data: object }>`
          select data from events where project_id = ${project} and name = 'campaign.experiment_decided'`
        assert.deepStrictEqual(
          recorded.map(({ data }) => data),
          [{ campaignId: id, winner: "B", significant: true }]
        )
        const audited = yield* sql`
          select 1 from audit_log where project_id = ${project} and action = 'experiment.decided'`
        assert.strictEqual(audited.length, 1)

        // The same choice again changes nothing, another one is refused.
        assert.deepStrictEqual((yield* choose("B")).body.data, decided)
        const refused = yield* choose("A")
        assert.deepStrictEqual([refused.status, refused.body.error.details.reason], [409, "experiment_state"])
        assert.strictEqual((yield* choose("C")).body.error.errors[0].field, "variant")
        // What the rest does changes no figure of the decision.
        yield* leave(id, { B: 0 })
        yield* work
        assert.deepStrictEqual(yield* figures, decided)
        assert.deepInclude(yield* read(id), { status: "SENT", totalRecipients: 900, sentCount: 900 })
      })
    )

    it.effect("wait for 90 % of the test, and for a person where nothing is significant", () =>
      Effect.gen(function* () {
        const { ask, id, figures, choose, stats } = yield* testing(60, { fallback: "NONE" })
        const sql = yield* SqlClient.SqlClient
        const tested = (yield* mails(id)).length
        const state = Effect.map(figures, (_) => _.state)
        yield* hours(4.1)
        yield* work
        assert.strictEqual(yield* state, "TESTING")
        yield* leave(id, { A: 1, B: 2 })
        yield* TestClock.adjust("50 seconds")
        yield* work
        assert.strictEqual(yield* state, "TESTING")
        yield* TestClock.adjust("20 seconds")
        yield* work
        assert.strictEqual(yield* state, "WAITING")
        assert.deepInclude(yield* figures, { final: false, significant: false, winner: null })
        // Nobody chooses for 7 days: the rest gets no mail.
        yield* hours(7 * 24 + 0.1)
        yield* work
        assert.strictEqual(yield* state, "ABANDONED")
        const ended = (yield* mails(id)).filter(({ status }) => status === "CANCELLED")
        assert.strictEqual(ended.length, 60 - tested)
        assert.isTrue(ended.every(({ code, variant }) => code === "experiment_abandoned" && variant === null))
        assert.deepInclude(yield* stats(id), { cancelledCount: 60 - tested, pendingCount: 0, sentCount: tested })
        assert.strictEqual((yield* choose("A")).body.error.details.reason, "experiment_state")

        // A test that does not leave is decided after a day more. Without figures, the first of equal ones is the best.
        const stuck = yield* testing(20)
        yield* hours(29)
        yield* work
        assert.deepInclude(yield* stuck.figures, {
          state: "DECIDED",
          winner: "A",
          significant: false,
          detectable: null
        })

        // A person decides at any time while it is open.
        const manual = yield* testing(20, { winner: "MANUAL" })
        const early = yield* manual.choose("B")
        assert.deepInclude(early.body.data, { state: "DECIDED", winner: "B", decidedBy: { kind: "KEY", userId: null } })

        // A cancelled campaign ends its experiment.
        const cancelled = yield* testing(20)
        yield* cancelled.ask("POST", `/campaigns/${cancelled.id}/cancel`)
        yield* work
        assert.strictEqual((yield* cancelled.figures).state, "CANCELLED")
        const rows = yield* mails(cancelled.id)
        assert.deepStrictEqual([rows.length, new Set(rows.map(({ status }) => status)).size], [20, 1])
        assert.strictEqual((yield* cancelled.choose("A")).status, 409)

        // So does one that expires.
        const expiring = yield* sendingProject(20)
        const expiresAt = DateTime.formatIso(DateTime.add(yield* DateTime.now, { hours: 1 }))
        const expired = yield* expiring.create({ experiment, delivery: { expiresAt } })
        yield* expiring.ask("POST", `/campaigns/${expired}/send`, {})
        yield* hours(2)
        yield* work
        yield* work
        assert.strictEqual((yield* expiring.read(expired)).experimentState, "CANCELLED")
        const unsent = yield* mails(expired)
        assert.deepStrictEqual(
          [unsent.length, [...new Set(unsent.map(({ code }) => code))]],
          [20, ["campaign_expired"]]
        )

        // The test leaves at once. The rest is spread from the decision on.
        const spread = yield* testing(30, { winner: "MANUAL" }, { delivery: { spreadHours: 10 } })
        yield* hours(3)
        const decidedAt = yield* DateTime.now
        yield* spread.choose("A")
        yield* work
        const [late] = yield* sql<{ readonly least: Date; readonly most: Date; readonly apart: number }>`
          select min(due_at) as least, max(due_at) as most, count(distinct due_at)::int as apart from emails
          where campaign_id = ${spread.id}::uuid and due_at > ${DateTime.toDate(decidedAt)}::timestamptz - interval '1 hour'`
        assert.isAbove(late?.apart ?? 0, 5)
        assert.isAtLeast(late?.least.getTime() ?? 0, decidedAt.epochMilliseconds)
        assert.isAtMost(late?.most.getTime() ?? 0, decidedAt.epochMilliseconds + 36_000_000)

        // A disabled project decides nothing.
        const held = yield* testing(20)
        yield* sql`update projects set disabled_reason = 'X' where id = ${held.project}`
        yield* hours(60)
        yield* work
        const [row] = yield* sql`select experiment_state as state from campaigns where id = ${held.id}::uuid`
        assert.strictEqual(row?.["state"], "TESTING")
        yield* sql`update projects set disabled_reason = null where id = ${held.project}`
        yield* work
        assert.strictEqual((yield* held.figures).state, "DECIDED")
        assert.strictEqual((yield* ask("GET", `/campaigns/${held.id}/experiment`)).status, 404)
      })
    )

    it.effect("are refused with the paths of their faults, and nothing is stored", () =>
      Effect.gen(function* () {
        const { ask, create, draft, read } = yield* sendingProject(2)
        const other = { key: "B", subject: "Other" }
        const stored = (yield* ask("GET", "/campaigns")).body.total
        for (const [wrong, fields] of [
          [{ variants: [{ key: "A" }], testShare: 0.5 }, ["experiment.variants"]],
          [{ variants: [{ key: "A" }, { key: "C" }], testShare: 0.5 }, ["experiment.variants.1.key"]],
          [{ variants: [{ key: "A", subject: "x" }, other], testShare: 0.5 }, ["experiment.variants.0.subject"]],
          [{ variants: [{ key: "A" }, other], testShare: 0.01 }, ["experiment.testShare"]],
          [{ variants: [{ key: "A" }, other], testShare: 0.555 }, ["experiment.testShare"]],
          [{ variants: [{ key: "A" }, other] }, ["experiment.testShare"]],
          [{ ...experiment, waitHours: 200, confidence: 0.8 }, ["experiment.waitHours", "experiment.confidence"]],
          [
            { variants: [{ key: "A" }, { key: "B", subject: "{{#if}}", body: "{{x" }], testShare: 1 },
            ["experiment.variants.1.subject", "experiment.variants.1.body"]
          ],
          [
            { variants: [{ key: "A" }, { key: "B", from: "a@other.test" }], testShare: 1 },
            ["experiment.variants.1.from"]
          ]
        ] as const) {
          const { status, body } = yield* ask("POST", "/campaigns", { ...draft, experiment: wrong })
          assert.strictEqual(status, 422, JSON.stringify(body))
          assert.deepStrictEqual(
            body.error.errors.map((_: { field: string }) => _.field),
            [...fields],
            JSON.stringify(body)
          )
        }
        assert.strictEqual((yield* ask("GET", "/campaigns")).body.total, stored)

        const local = yield* ask("POST", "/campaigns", { ...draft, experiment, delivery: { localTime: {} } })
        assert.deepStrictEqual([local.status, local.body.error.errors[0].field], [422, "delivery.localTime"])

        const plain = yield* create()
        assert.strictEqual((yield* ask("GET", `/campaigns/${plain}/experiment`)).body.error.code, "RESOURCE_NOT_FOUND")
        assert.strictEqual((yield* ask("POST", `/campaigns/${plain}/experiment/winner`, { variant: "A" })).status, 404)
        assert.strictEqual(
          (yield* ask("POST", `/campaigns/${plain}/test`, { email: "c-1@example.com", variant: "A" })).status,
          422
        )
        const id = yield* create({ experiment })
        assert.deepStrictEqual((yield* read(id)).experiment, {
          ...experiment,
          ...{ metric: "HUMAN_CLICK", waitHours: 4, winner: "AUTOMATIC", confidence: 0.95, fallback: "BEST" }
        })
        const early = yield* ask("POST", `/campaigns/${id}/experiment/winner`, { variant: "A" })
        assert.deepStrictEqual([early.status, early.body.error.details.reason], [409, "experiment_state"])
        assert.deepInclude((yield* ask("GET", `/campaigns/${id}/experiment`)).body.data, {
          state: null,
          decideAt: null
        })
        const copy = yield* ask("POST", `/campaigns/${id}/duplicate`)
        assert.deepStrictEqual(copy.body.data.experiment, (yield* read(id)).experiment)
        const test = yield* ask("POST", `/campaigns/${id}/test`, { email: "c-1@example.com", variant: "B" })
        const sent = yield* ask("GET", `/emails/${test.body.data.email}`)
        assert.deepInclude(sent.body, { subject: "[TEST] The other news", variant: "B", test: true })
      })
    )
  })

  const workers = Layer.mergeAll(EmailSender.layer, CampaignRunner.layer).pipe(
    Layer.provideMerge(wireOver(servicesOn(database))),
    Layer.provide(
      Layer.succeed(EmailSender.Options, { poll: Duration.millis(100), drain: Duration.seconds(5), exclusive: true })
    )
  )
  layer(workers, { timeout: "60 seconds", excludeTestServices: false })(
    `A campaign with variants, on ${name}`,
    (it) => {
      it.effect("sends each contact the texts and the sender of its variant", () =>
        Effect.gen(function* () {
          const context = yield* Effect.context<Layer.Success<typeof workers>>()
          const peer = yield* Peer
          yield* peer.answer(() => Effect.succeed(receipt))
          const project = yield* sendingProject(0)
          const { ask, create, domain, read } = project
          yield* seed(project.project, "v", 24, { firstName: "Ada", locale: "de" })
          yield* ask("POST", "/partials", { name: "greeting", body: "<i>Dear {{firstName}}</i>" })
          const id = yield* create({
            translations: { de: { subject: "Neues", body: "<p>Hallo</p>" } },
            experiment: {
              variants: [
                { key: "A" },
                {
                  key: "B",
                  subject: "For {{firstName}}",
                  body: "{{> greeting}}",
                  from: `team@${domain}`,
                  fromName: "Team",
                  replyTo: "re@example.com"
                },
                { key: "C", preheader: "Look" }
              ],
              testShare: 1
            }
          })
          yield* ask("POST", `/campaigns/${id}/send`, {})
          yield* eventually(
            Effect.andThen(TestClock.adjust("250 millis"), Effect.provideContext(read(id), context)),
            (found) => found.status === "SENT"
          )
          const rows = yield* mails(id)
          const variants = new Map(rows.map(({ id, variant }) => [id, variant]))
          const seen = new Set<string>()
          for (const message of (yield* peer.accepted).filter((_) => _.from.address.endsWith(`@${domain}`))) {
            const variant = variants.get(new Map(message.headers).get("X-Posthorn-Email-Id") ?? "") ?? ""
            seen.add(variant)
            const expected =
              variant === "B"
                ? { subject: "For Ada", from: { address: `team@${domain}`, name: "Team" }, html: "<i>Dear Ada</i>" }
                : { subject: "Neues", from: { address: `news@${domain}`, name: "Example" }, html: "<p>Hallo</p>" }
            assert.strictEqual(message.subject, expected.subject)
            assert.strictEqual(message.from.address, expected.from.address)
            assert.include(message.html ?? "", expected.html)
            assert.strictEqual(message.replyTo?.address, variant === "B" ? "re@example.com" : undefined)
          }
          assert.deepStrictEqual([...seen].toSorted(), ["A", "B", "C"])
          const links = yield* ask("GET", `/campaigns/${id}/links`)
          assert.strictEqual(links.status, 200)
        })
      )
    }
  )
}
