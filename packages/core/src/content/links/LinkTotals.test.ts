import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { type SendingProject, sendingProject, work } from "../../automation/campaigns/CampaignsFixture.ts"
import { updateTotals } from "../../insight/analytics/Totals.ts"
import { Engagement, type Hit } from "../../mail/tracking/Engagement.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"

const start = Date.UTC(2026, 10, 20, 15)
const written = [
  "https://shop.example/",
  "https://shop.example/item?id=7&u={{id}}",
  "https://shop.example/item?id=7&u={{id}}&again=1"
]
const body = [...written, "{{anywhere}}"].map((href, n) => `<a href="${href}">Link ${n}</a>`).join(" ")

/** An address of the link for a recipient, and of none. */
const addressOf = (link: number, who: number) =>
  [written[0], `https://shop.example/item?id=7&u=${who}`, `https://shop.example/item?id=7&u=${who}&again=1`][link] ??
  `https://elsewhere.example/${who}`
/** The number of the link, from the address alone. */
const linkOf = (address: string) =>
  address.includes("elsewhere") ? 3 : address.includes("again") ? 2 : address.includes("item") ? 1 : 0

interface MailRow {
  readonly id: string
  readonly campaign_id: string | null
  readonly workflow_step_id: string | null
  readonly status: string
  readonly opens: number
  readonly clicks: number
  readonly machine_opens: number
  readonly machine_clicks: number
  readonly delivered_at: Date | null
  readonly bounced_at: Date | null
  readonly complained_at: Date | null
}
interface HitRow {
  readonly email_id: string
  readonly url: string
  readonly verdict: string
}

const isSent = new Set(["SENT", "DELIVERED", "OPENED", "CLICKED", "BOUNCED", "COMPLAINED"])

const resultsOf = (mails: ReadonlyArray<MailRow>) => {
  const count = (matches: (mail: MailRow) => boolean) => mails.filter(matches).length
  return {
    sent: count(({ status }) => isSent.has(status)),
    delivered: count((mail) => mail.delivered_at !== null),
    opened: count(({ opens }) => opens > 0),
    clicked: count(({ clicks }) => clicks > 0),
    bounced: count((mail) => mail.bounced_at !== null),
    complained: count((mail) => mail.complained_at !== null),
    failed: count(({ status }) => status === "FAILED"),
    machineOpened: count(({ opens, machine_opens }) => machine_opens > 0 && machine_opens === opens),
    machineClicked: count(({ clicks, machine_clicks }) => machine_clicks > 0 && machine_clicks === clicks)
  }
}

const clicksOf = (hits: ReadonlyArray<HitRow>) =>
  [0, 1, 2, 3].map((link) => {
    const own = hits.filter(({ url }) => linkOf(url) === link)
    return {
      clicks: own.length,
      uniqueClicks: new Set(own.map(({ email_id }) => email_id)).size,
      machineClicks: own.filter(({ verdict }) => verdict === "machine").length,
      humanClicked: new Set(own.filter(({ verdict }) => verdict === "human").map(({ email_id }) => email_id)).size
    }
  })

const shownClicks = (answer: {
  links: ReadonlyArray<Record<string, unknown>>
  others: Record<string, unknown>
}): ReadonlyArray<unknown> => [
  ...answer.links.map(({ clicks, uniqueClicks, machineClicks, humanClicked }) => ({
    ...{ clicks, uniqueClicks, machineClicks, humanClicked }
  })),
  answer.others
]

/** A campaign and a workflow that send the same template. */
const stage = Effect.gen(function* () {
  yield* TestClock.setTime(start)
  const sql = yield* SqlClient.SqlClient
  const on = yield* sendingProject(6)
  const made = (path: string, input: object) => Effect.map(on.ask("POST", path, input), (answer) => answer.body)
  const template = yield* made("/templates", { name: "News", subject: "News", body, from: `news@${on.domain}` })
  const workflow = yield* made("/workflows", { name: "Welcome", eventName: "signed_up" })
  const step = yield* made(`/workflows/${workflow.id}/steps`, {
    type: "SEND_EMAIL",
    templateId: template.id,
    name: "Send it"
  })
  const campaign = yield* on.create({ templateId: template.id, body })
  yield* on.ask("POST", `/campaigns/${campaign}/send`)
  yield* work
  // Mail of the step, a test mail, and mail from nothing.
  yield* sql`
    insert into emails (id, project_id, contact_id, to_email, from_email, type, source_type, tracking, status, lane,
                        due_at, ladder_since, created_at, updated_at, template_id, workflow_step_id, test)
    select gen_random_uuid(), project_id, contact_id, to_email, from_email, type, 'WORKFLOW', true, 'PENDING', 1,
           now(), now(), now(), now(), case when n < 6 then template_id end, case when n < 5 then ${step.id}::uuid end,
           n = 5
    from (select *, row_number() over (order by id) as n from emails where campaign_id = ${campaign}::uuid) as mail`
  yield* sql`update emails set status = 'SENT', sent_at = ${new Date(start)} where project_id = ${on.project}`
  return { ...on, template: String(template.id), workflow: String(workflow.id), step: String(step.id), campaign }
})
const rows = Effect.fnUntraced(function* ({ project }: SendingProject, id?: string) {
  const sql = yield* SqlClient.SqlClient
  const which = id === undefined ? sql`true` : sql`emails.id = ${id}::uuid`
  const mails = yield* sql`select * from emails where project_id = ${project} and not test and ${which}`
  const hits = yield* sql`
    select email_id, url, email_hits.verdict from email_hits join emails on emails.id = email_id
    where emails.project_id = ${project} and email_hits.kind = 'click' and not test and ${which}`
  return { mails: mails as unknown as ReadonlyArray<MailRow>, hits: hits as unknown as ReadonlyArray<HitRow> }
})

const Action = Schema.Struct({
  kind: Schema.Literals(["hits", "hits", "hits", "hits", "result", "rollUp", "delete", "erase", "later"]),
  n: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))
})

/** Hits in an action of `hits`. */
const batch = 40

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "300 seconds" })(`Clicks by link on ${name}`, (it) => {
    it.effect.prop(
      "and results equal counted hits and mails, after any hits, results, corrections, deletions and erasures",
      [Schema.Array(Action).check(Schema.isMinLength(40), Schema.isMaxLength(80))],
      ([actions]) =>
        Effect.gen(function* () {
          const on = yield* stage
          const sql = yield* SqlClient.SqlClient
          const engagement = yield* Engagement
          /** What is deleted, but counted. */
          const gone: { mails: Array<MailRow>; hits: Array<HitRow> } = { mails: [], hits: [] }
          const all = Effect.map(
            sql`select id, contact_id from emails where project_id = ${on.project} order by id`,
            (found) => found.map((row) => ({ id: String(row["id"]), contact: row["contact_id"] as string | null }))
          )

          const perform = Effect.fnUntraced(function* ({ kind, n }: typeof Action.Type) {
            const mails = yield* all
            const one = mails[n % mails.length]
            if (one === undefined) return
            switch (kind) {
              case "hits": {
                let seed = n
                const next = (limit: number) => {
                  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
                  return Math.floor(seed / 65_536) % limit
                }
                const now = yield* DateTime.now
                const hits = Array.from({ length: batch }, (): Hit => {
                  const isClick = next(4) > 0
                  const email = mails[next(mails.length)]?.id ?? one.id
                  return {
                    project: on.project,
                    email: EmailId.make(email),
                    kind: isClick ? "click" : "open",
                    link: isClick ? 1 + next(5) : null,
                    url: isClick ? (addressOf(next(4), next(3)) ?? null) : null,
                    // Close together, so that repeats and bursts occur, within a batch and after it.
                    at: DateTime.add(now, { milliseconds: next(6_000) - 3_000 }),
                    isMachine: next(5) === 0
                  }
                })
                return yield* engagement.apply(hits)
              }
              case "result": {
                const change = [
                  sql`delivered_at = now()`,
                  sql`status = 'BOUNCED', bounced_at = now()`,
                  sql`status = 'COMPLAINED', complained_at = now()`,
                  sql`status = 'FAILED', failed_at = now()`,
                  sql`status = 'PENDING'`,
                  sql`status = 'SENT'`
                ][n % 6]
                return void (yield* sql`update emails set ${change ?? sql`status = 'SENT'`} where id = ${one.id}::uuid`)
              }
              case "rollUp":
                return yield* updateTotals
              case "later":
                return yield* TestClock.adjust(`${n % 90} seconds`)
              case "delete": {
                if (n % 3 > 0 || mails.length < 4) return
                const { mails: lost, hits } = yield* rows(on, one.id)
                gone.mails.push(...lost)
                gone.hits.push(...hits)
                yield* sql`delete from email_hits where email_id = ${one.id}::uuid`
                return void (yield* sql`delete from emails where id = ${one.id}::uuid`)
              }
              case "erase": {
                if (n % 4 > 0 || one.contact === null) return
                const { hits } = yield* rows(on)
                yield* on.ask("POST", `/contacts/${ContactId.make(one.contact)}/erase`)
                const left = (yield* rows(on)).hits.map(({ email_id }) => email_id)
                gone.hits.push(...hits.filter(({ email_id }) => !left.includes(email_id)))
              }
            }
          })

          const owners = yield* Effect.map(rows(on), ({ mails }) => new Map(mails.map((mail) => [mail.id, mail])))
          const agree = Effect.fnUntraced(function* (after: string) {
            const found = yield* rows(on)
            const mails = [...found.mails, ...gone.mails]
            const hits = [...found.hits, ...gone.hits]
            const get = (path: string) => Effect.map(on.ask("GET", path), (answer) => answer.body)
            const ofOwner = (matches: (mail: MailRow) => boolean) => ({
              mails: mails.filter(matches),
              hits: hits.filter(({ email_id }) => {
                const mail = owners.get(email_id)
                return mail !== undefined && matches(mail)
              })
            })
            const step = ofOwner((mail) => mail.workflow_step_id === on.step)
            const campaign = ofOwner((mail) => mail.campaign_id === on.campaign)
            const template = ofOwner((mail) => (mail as unknown as { template_id: unknown }).template_id !== null)
            const path = `/workflows/${on.workflow}/steps/${on.step}`
            assert.deepStrictEqual<unknown>(shownClicks(yield* get(`${path}/links`)), clicksOf(step.hits), after)
            assert.deepInclude(yield* get(`${path}/stats`), resultsOf(step.mails), after)
            const ofCampaign = (yield* get(`/campaigns/${on.campaign}/links`)).data
            assert.deepStrictEqual<unknown>(shownClicks(ofCampaign), clicksOf(campaign.hits), after)
            const ofTemplate = yield* get(`/templates/${on.template}/links`)
            assert.deepStrictEqual<unknown>(shownClicks(ofTemplate), clicksOf(template.hits), after)
            assert.deepInclude(yield* get(`/templates/${on.template}/stats`), resultsOf(template.mails), after)
          })

          for (const [index, action] of actions.entries()) {
            yield* perform(action)
            if (index % 8 === 0) yield* agree(`after ${index}: ${action.kind} ${action.n}`)
          }
          yield* agree("in the end")
          yield* updateTotals
          yield* agree("added up")
        }),
      { timeout: 280_000, arbitrary: { runs: 10 } }
    )

    it.effect("list the links as written, and clicked links of earlier texts", () =>
      Effect.gen(function* () {
        const on = yield* stage
        const sql = yield* SqlClient.SqlClient
        const get = (path: string) => Effect.map(on.ask("GET", path), (answer) => answer.body)
        const [mail] = yield* sql`select id from emails where campaign_id = ${on.campaign}::uuid order by id`
        const click = (url: string, second: number) =>
          Engagement.use((engagement) =>
            engagement.apply([
              {
                project: on.project,
                email: EmailId.make(String(mail?.["id"])),
                kind: "click",
                link: 1,
                url,
                at: DateTime.makeUnsafe(start + (100 + second) * 1_000),
                isMachine: false
              }
            ])
          )
        yield* click(addressOf(1, 4711) ?? "", 0)
        const none = { clicks: 0, uniqueClicks: 0, machineClicks: 0, humanClicked: 0 }
        const once = { clicks: 1, uniqueClicks: 1, machineClicks: 0, humanClicked: 1 }
        const links = written.map((url, n) => ({
          url,
          text: `Link ${n}`,
          position: n + 1,
          ...(n === 1 ? once : none)
        }))
        const campaign = yield* get(`/campaigns/${on.campaign}/links`)
        assert.deepStrictEqual(campaign, { success: true, data: { links, others: none } })
        const path = `/templates/${on.template}`
        yield* on.ask("PATCH", path, { body: '<a href="https://shop.example/new">New</a>' })
        // The text has changed, the mail has not.
        yield* click(addressOf(2, 4711) ?? "", 10)
        assert.deepStrictEqual(yield* get(`${path}/links`), {
          links: [
            { url: "https://shop.example/new", text: "New", position: 1, ...none, live: true },
            { ...links[1], position: 2, live: false },
            { ...links[2], ...once, position: 3, live: false }
          ],
          others: none
        })
        // The campaign keeps its text.
        const after = (yield* get(`/campaigns/${on.campaign}/links`)).data
        assert.deepStrictEqual([after.links[2]?.clicks, after.others], [1, none])
        const { since, ...results } = yield* get(`${path}/stats`)
        assert.strictEqual(since, "2026-11-20T15:00:00.000Z")
        assert.deepStrictEqual(results, {
          ...{ sent: 10, delivered: 0, opened: 0, clicked: 1, bounced: 0, complained: 0, failed: 0 },
          ...{ machineOpened: 0, machineClicked: 0, openRate: 0, clickRate: 10, bounceRate: 0 }
        })
      })
    )

    it.effect("count by the variant of the mail of a campaign", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const sql = yield* SqlClient.SqlClient
        const on = yield* sendingProject(40)
        const linked = (names: string) =>
          [...names].map((n) => `<a href="https://shop.example/${n}">${n}</a>`).join(" ")
        const campaign = yield* on.create({
          body: linked("ax"),
          experiment: { variants: [{ key: "A" }, { key: "B", body: linked("bx") }], testShare: 1 }
        })
        yield* on.ask("POST", `/campaigns/${campaign}/send`)
        yield* work
        yield* sql`update emails set status = 'SENT', sent_at = ${new Date(start)} where project_id = ${on.project}`
        const click = Effect.fnUntraced(function* (variant: string, nth: number, link: string, isMachine: boolean) {
          const mails = yield* sql<{ readonly id: string }>`
            select id from emails where campaign_id = ${campaign}::uuid and variant = ${variant} order by id`
          yield* Engagement.use((engagement) =>
            engagement.apply([
              {
                project: on.project,
                email: EmailId.make(mails[nth]?.id ?? ""),
                kind: "click",
                link: 1,
                url: `https://shop.example/${link}`,
                at: DateTime.makeUnsafe(start + 100_000),
                isMachine
              }
            ])
          )
        })
        yield* click("A", 0, "a", false)
        yield* click("A", 1, "x", true)
        yield* click("B", 0, "b", false)
        yield* click("B", 1, "b", true)
        yield* click("B", 2, "x", false)
        const shown = Effect.fnUntraced(function* (query: string) {
          const { status, body } = yield* on.ask("GET", `/campaigns/${campaign}/links${query}`)
          assert.strictEqual(status, 200)
          return body.data.links.map(
            (_: { text: string; clicks: number; uniqueClicks: number; machineClicks: number; humanClicked: number }) =>
              `${_.text} ${_.clicks} ${_.uniqueClicks} ${_.machineClicks} ${_.humanClicked}`
          )
        })
        const expected = {
          "": ["a 1 1 0 1", "x 2 2 1 1", "b 2 2 1 1"],
          "?variant=A": ["a 1 1 0 1", "x 1 1 1 0"],
          "?variant=B": ["b 2 2 1 1", "x 1 1 0 1"],
          "?variant=C": []
        }
        for (const [query, links] of Object.entries(expected)) assert.deepStrictEqual(yield* shown(query), links, query)
        yield* updateTotals
        for (const [query, links] of Object.entries(expected)) assert.deepStrictEqual(yield* shown(query), links, query)
        assert.strictEqual((yield* on.ask("GET", `/campaigns/${campaign}/links?variant=Z`)).status, 400)
      })
    )

    it.effect("belong to the version and the language of the mail", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const on = yield* sendingProject(0)
        const post = (input: object) => Effect.map(on.ask("POST", "/templates", input), (answer) => answer.body)
        const from = `news@${on.domain}`
        const translations = { de: { subject: "Neues", body: '<a href="https://shop.example/de">Kaufen</a>' } }
        const old = '<a href="https://shop.example/old?u={{id}}">Old</a>'
        const template = yield* post({
          name: "News",
          subject: "News",
          body: old,
          from,
          type: "TRANSACTIONAL",
          translations
        })
        const path = `/templates/${template.id}`
        const sent = (yield* on.ask("POST", "/v1/send", { to: "ada@example.com", template: template.id })).body.data
        // Changed before the first click.
        yield* on.ask("PATCH", path, { body: '<a href="https://shop.example/{{page}}">New</a>' })
        const click = (url: string, second: number) =>
          Engagement.use((engagement) =>
            engagement.apply([
              {
                project: on.project,
                email: EmailId.make(sent.emails[0].email),
                kind: "click",
                link: 1,
                url,
                at: DateTime.makeUnsafe(start + (100 + second) * 1_000),
                isMachine: false
              }
            ])
          )
        yield* click("https://shop.example/old?u=7", 0)
        yield* click("https://shop.example/de", 10)
        const { links, others } = (yield* on.ask("GET", `${path}/links`)).body
        assert.deepStrictEqual(
          links.map(({ url, clicks, live }: Record<string, unknown>) => [url, clicks, live]),
          [
            ["https://shop.example/{{page}}", 0, true],
            ["https://shop.example/de", 1, true],
            ["https://shop.example/old?u={{id}}", 1, false]
          ]
        )
        assert.strictEqual(others.clicks, 0)
      })
    )

    it.effect("are deleted with their owner, including late ones, and never include another project", () =>
      Effect.gen(function* () {
        const on = yield* stage
        const other = yield* sendingProject(0)
        const sql = yield* SqlClient.SqlClient
        const left = Effect.map(
          sql`
            select owner_id from link_totals where project_id = ${on.project} union all
            select owner_id from link_deltas where project_id = ${on.project} union all
            select owner_id from result_totals where project_id = ${on.project} union all
            select owner_id from result_deltas where project_id = ${on.project} union all
            select source_id from source_links where project_id = ${on.project}`,
          (found) => new Set(found.map((row) => String(row["owner_id"])))
        )
        const paths = [
          `/templates/${on.template}/links`,
          `/templates/${on.template}/stats`,
          `/campaigns/${on.campaign}/links`,
          `/campaigns/${on.campaign}/providers`,
          `/workflows/${on.workflow}/steps/${on.step}/links`,
          `/workflows/${on.workflow}/steps/${on.step}/stats`
        ]
        for (const path of paths) {
          assert.match(yield* other.outcome("GET", path), /^404 /, path)
          assert.strictEqual((yield* on.ask("GET", path)).status, 200, path)
        }
        const trigger = (yield* on.ask("GET", `/workflows/${on.workflow}`)).body.steps[0].id
        for (const step of [trigger, randomUUID(), "nonsense"])
          for (const what of ["links", "stats"])
            assert.strictEqual(
              yield* on.outcome("GET", `/workflows/${on.workflow}/steps/${step}/${what}`),
              "404 STEP_NOT_FOUND"
            )
        yield* updateTotals
        assert.isTrue((yield* left).has(on.step))
        yield* on.ask("DELETE", `/workflows/${on.workflow}`)
        assert.isFalse((yield* left).has(on.step))
        assert.isTrue((yield* left).has(on.template))
        yield* on.ask("DELETE", `/templates/${on.template}`)
        yield* sql`update emails set status = 'DELIVERED', delivered_at = now() where project_id = ${on.project}`
        yield* updateTotals
        yield* sql`update emails set status = 'SENT', delivered_at = null where project_id = ${on.project}`
        yield* updateTotals
        assert.isFalse((yield* left).has(on.template))
        yield* on.ask("POST", `/campaigns/${on.campaign}/cancel`)
        yield* sql`update campaigns set status = 'SENT' where id = ${on.campaign}::uuid`
        yield* on.ask("DELETE", `/campaigns/${on.campaign}`)
        assert.deepStrictEqual([...(yield* left)], [])
      })
    )
  })
}
