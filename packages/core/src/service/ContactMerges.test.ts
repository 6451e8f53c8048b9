/** Two contacts that are one person become one contact. */
import { assert, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { DateTime, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { freshProject, type TestProject } from "../audience/segments/SegmentsFixture.ts"
import { sendingProject } from "../automation/campaigns/CampaignsFixture.ts"
import * as CampaignWork from "../automation/campaigns/CampaignWork.ts"
import { Domains } from "../mail/domains/Domains.ts"
import { Failpoint } from "../platform/Failpoint.ts"
import { PublicLinks } from "../platform/links/PublicLinks.ts"
import { databases } from "../testing/Databases.ts"
import { servicesOn } from "../testing/Services.ts"
import { send, wireOver } from "../testing/TestClient.ts"
import * as ContactMerges from "./ContactMerges.ts"

const people = Effect.gen(function* () {
  const mine = yield* freshProject
  const add = (body: object) =>
    Effect.map(mine.ask("POST", "/contacts", body), ({ body }) => ContactId.make(body.id as string))
  const a = yield* add({ email: "a@example.com", externalId: "A", data: { plan: "pro", home: { zip: 1 } } })
  const b = yield* add({ email: "b@example.com", externalId: "B", data: { plan: "free", city: "Paris" } })
  return { mine, a, b }
})

const merge = ({ ask }: TestProject, id: string, body: object) => ask("POST", `/contacts/${id}/merge`, body)

const rowsOf = (mine: TestProject, table: string, columns: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql`select ${sql.literal(columns)} from ${sql(table)} where project_id = ${mine.project} order by 1, 2`
  )

/** All rows that a merge may touch, as text. */
const everything = (mine: TestProject) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.forEach(
      [
        "contacts",
        "contact_aliases",
        "contact_merges",
        "emails",
        "events",
        "segment_members",
        "segments",
        "workflow_executions",
        "audit_log"
      ],
      (table) =>
        sql`select to_jsonb(record)::text as text from ${sql(table)} as record
            where project_id = ${mine.project} order by 1`
    )
  )

const queueMail = (mine: TestProject, to: string) =>
  Effect.gen(function* () {
    const domain = `m${mine.project.slice(-12)}.test`
    yield* Effect.ignore(Domains.use((domains) => domains.add(mine.project, { domain })))
    const answer = yield* mine.ask("POST", "/v1/send", { to, from: `hi@${domain}`, subject: "Hi", body: "<p>Hi</p>" })
    return answer.body.data.emails[0].email as string
  })

/** A workflow with a delay, which the event starts, and an execution of each contact. */
const startWorkflow = (mine: TestProject, emails: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { body: workflow } = yield* mine.ask("POST", "/workflows", { name: "Flow", eventName: "go" })
    const { body: full } = yield* mine.ask("GET", `/workflows/${workflow.id}`)
    const trigger = full.steps.find(({ type }: { type: string }) => type === "TRIGGER")
    const { body: delay } = yield* mine.ask("POST", `/workflows/${workflow.id}/steps`, {
      type: "DELAY",
      name: "Wait",
      position: { x: 0, y: 0 },
      config: { amount: 7, unit: "days" }
    })
    yield* mine.ask("POST", `/workflows/${workflow.id}/transitions`, { fromStepId: trigger.id, toStepId: delay.id })
    yield* mine.ask("PATCH", `/workflows/${workflow.id}`, { enabled: true, allowReentry: true })
    for (const email of emails) {
      const { body } = yield* mine.ask("GET", `/contacts?email=${email}`)
      const started = yield* mine.ask("POST", `/workflows/${workflow.id}/executions`, { contactId: body.data[0].id })
      assert.isBelow(started.status, 300, JSON.stringify(started.body))
    }
    return workflow.id as string
  })

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`A merge on ${name}`, (it) => {
    it.effect("moves what belongs to the contact that goes, and answers with the one that stays", () =>
      Effect.gen(function* () {
        const { mine, a, b } = yield* people
        yield* mine.track({ email: "b@example.com", event: "visit", data: { seen: 1 } })
        yield* mine.track({ email: "a@example.com", event: "visit" })
        const { body: list } = yield* mine.ask("POST", "/segments", {
          name: "List",
          type: "STATIC",
          trackMembership: true
        })
        const { body: shared } = yield* mine.ask("POST", "/segments", { name: "Both", type: "STATIC" })
        yield* mine.ask("POST", `/segments/${list.id}/members`, { emails: ["b@example.com"] })
        yield* mine.ask("POST", `/segments/${shared.id}/members`, { emails: ["a@example.com", "b@example.com"] })
        const own = yield* queueMail(mine, "a@example.com")
        const mail = yield* queueMail(mine, "b@example.com")
        const workflow = yield* startWorkflow(mine, ["a@example.com", "b@example.com"])
        const before = yield* everything(mine)
        const counted = yield* merge(mine, a, { email: "b@example.com", dryRun: true })
        assert.strictEqual(counted.status, 200, JSON.stringify(counted.body))
        assert.strictEqual(counted.body.contact.data.plan, "pro")
        assert.deepStrictEqual(yield* everything(mine), before)

        const { body, status } = yield* merge(mine, a, { contactId: b })
        assert.strictEqual(status, 200, JSON.stringify(body))
        assert.deepStrictEqual(body.merged, counted.body.merged)
        assert.deepInclude(body.merged, { emails: 1, executions: 1, memberships: 1 })
        assert.deepInclude(body.contact, {
          id: a,
          email: "a@example.com",
          externalId: "A",
          subscribed: true,
          data: { seen: 1, plan: "pro", city: "Paris", home: { zip: 1 } }
        })
        const { body: list2 } = yield* mine.ask("GET", "/contacts")
        assert.strictEqual(list2.total, 1)
        const { body: visits } = yield* mine.ask("GET", "/events?eventName=visit")
        assert.deepStrictEqual(
          visits.data.map(({ contactId }: { contactId: string }) => contactId),
          [a, a]
        )
        assert.deepStrictEqual(yield* rowsOf(mine, "emails", "to_email, contact_id, status"), [
          { to_email: "a@example.com", contact_id: a, status: "PENDING" },
          { to_email: "a@example.com", contact_id: a, status: "PENDING" }
        ])
        assert.notStrictEqual(own, mail)
        const { body: runs } = yield* mine.ask("GET", `/workflows/${workflow}/executions`)
        assert.deepStrictEqual(
          runs.data
            .map(({ contactId, status, exitReason }: { [name: string]: string }) => [contactId, status, exitReason])
            .sort(),
          [
            [a, "CANCELLED", "contact_merged"],
            [a, runs.data.find(({ status }: { status: string }) => status !== "CANCELLED").status, null]
          ]
        )
        for (const segment of [list.id, shared.id]) {
          const { body: members } = yield* mine.ask("GET", `/segments/${segment}/contacts`)
          assert.deepStrictEqual(
            members.data.map(({ id }: { id: string }) => id),
            [a]
          )
        }
        const { body: entries } = yield* mine.ask("GET", `/events/contact/${a}`)
        const names = entries.data.map(({ name }: { name: string }) => name)
        assert.include(names, "contact.merged")
        assert.strictEqual(names.filter((each: string) => each === "segment.list.entry").length, 2)
        const summary = entries.data.find(({ name }: { name: string }) => name === "contact.merged")
        assert.deepInclude(summary, { source: "system", data: { mergedContactId: b } })

        const gone = yield* mine.ask("GET", `/contacts/${b}`)
        assert.deepStrictEqual([gone.status, gone.body.error.details.mergedInto], [404, a])
        const byOldId = yield* mine.ask("POST", "/contacts", { externalId: "B" })
        assert.strictEqual(byOldId.body.id, a)
        const audit = yield* rowsOf(mine, "audit_log", "action, details")
        assert.deepInclude(
          audit.map(({ action, details }) => ({ action, details })),
          { action: "contact.merged", details: { contactId: a, mergedContactId: b } }
        )
      })
    )

    it.effect("keeps the stricter consent, the earlier creation and the later snooze; a free id is taken over", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { body: b } = yield* mine.ask("POST", "/contacts", {
          email: "b@example.com",
          externalId: "B",
          subscribed: false
        })
        const { body: a } = yield* mine.ask("POST", "/contacts", { email: "a@example.com" })
        const topics: Array<string> = []
        for (const key of ["news", "tips", "jobs"]) {
          const topic = { name: key, key, defaultSubscription: "unsubscribed" }
          topics.push((yield* mine.ask("POST", "/topics", topic)).body.id)
        }
        const [news, tips, jobs] = topics
        yield* SqlClient.SqlClient.use((sql) =>
          Effect.all([
            sql`update contacts set topics_on = ${[news, tips]}::uuid[], created_at = '2026-02-01', snoozed_until = '2027-01-05'
                where id = ${a.id} and project_id = ${mine.project}`,
            sql`update contacts set topics_on = ${[jobs]}::uuid[], topics_off = ${[news]}::uuid[], created_at = '2026-01-01', snoozed_until = '2027-01-06'
                where id = ${b.id} and project_id = ${mine.project}`
          ])
        )
        const { body } = yield* merge(mine, a.id, { externalId: "B" })
        assert.deepInclude(body.contact, {
          id: a.id,
          externalId: "B",
          subscribed: false,
          createdAt: "2026-01-01T00:00:00.000Z",
          snoozedUntil: "2027-01-06T00:00:00.000Z"
        })
        assert.deepStrictEqual(yield* rowsOf(mine, "contacts", "topics_on, topics_off"), [
          { topics_on: [tips], topics_off: [news] }
        ])
        const { body: events } = yield* mine.ask("GET", `/events/contact/${a.id}`)
        const left = events.data.find(({ name }: { name: string }) => name === "contact.unsubscribed")
        assert.deepStrictEqual(left.data, { reason: "merge" })
        const topic = events.data.filter(({ name }: { name: string }) => name.startsWith("topic."))
        assert.deepStrictEqual(
          topic.map(({ name, data }: { name: string; data: object }) => [name, data]),
          [["topic.news.unsubscribed", { topicId: news, topicKey: "news", reason: "merge" }]]
        )
        const { body: records } = yield* mine.ask("GET", `/contacts/${a.id}/consents`)
        const merging = records.data.filter(({ source }: { source: string }) => source === "merge")
        for (const { actor } of merging) assert.deepStrictEqual(actor, { type: "key" })
        assert.sameDeepMembers(
          records.data.map(({ action, source, topic }: { action: string; source: string; topic: { key: string } }) => [
            action,
            source,
            topic?.key
          ]),
          [
            ["granted", "api", undefined],
            ["merged", "merge", undefined],
            ["withdrawn", "merge", undefined],
            ["withdrawn", "merge", "news"]
          ]
        )
      })
    )

    it.effect(
      "the links in mail of the contact that is gone act on the one that stays, also after a second merge",
      () =>
        Effect.gen(function* () {
          const { mine, a, b } = yield* people
          const { body: c } = yield* mine.ask("POST", "/contacts", { email: "c@example.com" })
          const token = yield* PublicLinks.use((links) =>
            links.token("unsubscribe", { project: mine.project, contact: b, email: null })
          )
          yield* merge(mine, a, { contactId: b })
          yield* merge(mine, c.id, { contactId: a })
          const page = yield* send("POST", `/unsubscribe/${token}`, "confirm=1", {
            "content-type": "application/x-www-form-urlencoded"
          })
          assert.strictEqual(page.status, 200)
          const { body } = yield* mine.ask("GET", `/contacts/${c.id}`)
          assert.strictEqual(body.subscribed, false)
          assert.strictEqual((yield* mine.ask("GET", `/contacts/${b}`)).body.error.details.mergedInto, c.id)
          yield* mine.ask("POST", `/contacts/${c.id}/erase`)
          const late = yield* send("GET", `/unsubscribe/${token}`)
          assert.strictEqual(late.status, 200)
          assert.notInclude(late.body, "c@example.com")
        })
    )

    it.effect("waiting mail of a campaign is cancelled where the contact that stays has its own", () =>
      Effect.gen(function* () {
        const { mine, a, b } = yield* people
        const [campaign, other] = ["0192bbbb-0000-7000-8000-000000000001", "0192bbbb-0000-7000-8000-000000000002"]
        const ids = [
          yield* queueMail(mine, "a@example.com"),
          yield* queueMail(mine, "b@example.com"),
          yield* queueMail(mine, "b@example.com"),
          yield* queueMail(mine, "b@example.com")
        ]
        yield* SqlClient.SqlClient.use((sql) =>
          Effect.all([
            sql`update emails set campaign_id = ${campaign} where id = any(${ids.slice(0, 2)}::uuid[])`,
            sql`update emails set campaign_id = ${other} where id = ${ids[2] ?? ""}`,
            sql`update emails set status = 'SENT' where id = ${ids[3] ?? ""}`
          ])
        )
        yield* merge(mine, a, { contactId: b })
        const found = yield* SqlClient.SqlClient.use(
          (sql) => sql`select to_email, status, contact_id from emails where project_id = ${mine.project} order by id`
        )
        assert.deepStrictEqual(found, [
          { to_email: "a@example.com", status: "PENDING", contact_id: a },
          { to_email: "b@example.com", status: "CANCELLED", contact_id: a },
          { to_email: "a@example.com", status: "PENDING", contact_id: a },
          { to_email: "b@example.com", status: "SENT", contact_id: a }
        ])
      })
    )

    it.effect("a fixed audience that names the contact that is gone reaches the one that stays, once", () =>
      Effect.gen(function* () {
        const mine = yield* sendingProject(7)
        const campaign = yield* mine.create()
        assert.strictEqual((yield* mine.ask("POST", `/campaigns/${campaign}/send`)).status, 200)
        const { body } = yield* mine.ask("GET", "/contacts?sort=email&dir=asc")
        const [c1, c2, c3, c4, c5, c6, c7] = body.data.map(({ id }: { id: string }) => id)
        const add = (email: string) => Effect.map(mine.ask("POST", "/contacts", { email }), ({ body }) => body.id)
        const [x, y] = [yield* add("x@example.com"), yield* add("y@example.com")]
        // Another recipient stays, somebody else stays, somebody else stays for two, and a recipient stays twice over.
        for (const [stays, gone] of [
          [c1, c2],
          [x, c3],
          [y, c4],
          [y, c5],
          [c6, c7],
          [c6, x]
        ]) {
          assert.strictEqual((yield* merge(mine, stays, { contactId: gone })).status, 200)
        }
        yield* CampaignWork.make.pipe(
          Effect.flatMap(({ expand }) => Effect.flatMap(DateTime.now, expand)),
          Effect.repeat({ while: (made) => made > 0 })
        )
        const mails = yield* SqlClient.SqlClient.use(
          (sql) => sql`
            select to_email as "to", status, contact_id = ${c6} as "isTwice", error_message as message from emails
            where campaign_id = ${campaign} order by 1, 2`
        )
        const merged = "The contact was merged into another recipient."
        assert.deepStrictEqual(
          mails.map(({ to, status, message }) => [to, status, message]),
          [
            ["c-1@example.com", "CANCELLED", merged],
            ["c-1@example.com", "PENDING", null],
            ["c-6@example.com", "CANCELLED", merged],
            ["c-6@example.com", "CANCELLED", merged],
            ["c-6@example.com", "PENDING", null],
            ["y@example.com", "CANCELLED", merged],
            ["y@example.com", "PENDING", null]
          ]
        )
      })
    )

    it.effect("refuses itself, nobody, too many names and data that is too large, and changes nothing", () =>
      Effect.gen(function* () {
        const { mine, a, b } = yield* people
        const text = "x".repeat(40_000)
        yield* mine.ask("PATCH", `/contacts/${a}`, { data: { one: text } })
        yield* mine.ask("PATCH", `/contacts/${b}`, { data: { two: text } })
        const before = yield* everything(mine)
        const summary = (body: object, id: string = a) =>
          Effect.map(merge(mine, id, body), ({ body, status }) => {
            const [fault] = body.error.errors ?? []
            return fault ? `${status} ${fault.field} ${fault.code}` : `${status} ${body.error.code}`
          })
        assert.strictEqual(yield* summary({ contactId: a }), "422 contactId custom")
        assert.strictEqual(yield* summary({ externalId: "A" }), "422 externalId custom")
        assert.strictEqual(yield* summary({}), "422 contactId required")
        assert.strictEqual(yield* summary({ email: "b@example.com", externalId: "B" }), "422 email custom")
        assert.strictEqual(yield* summary({ email: "nobody@example.com" }), "404 CONTACT_NOT_FOUND")
        assert.strictEqual(yield* summary({ contactId: mine.project }), "404 CONTACT_NOT_FOUND")
        assert.strictEqual(yield* summary({ contactId: b }, mine.project), "404 CONTACT_NOT_FOUND")
        assert.strictEqual(yield* summary({ contactId: b }), "422 data too_big")
        const theirs = yield* people
        assert.strictEqual(yield* summary({ contactId: theirs.b }), "404 CONTACT_NOT_FOUND")
        assert.deepStrictEqual(yield* everything(mine), before)
      })
    )

    it.effect("with onConflict, an upsert of two contacts merges them first", () =>
      Effect.gen(function* () {
        const { mine, a, b } = yield* people
        const both = { externalId: "A", email: "b@example.com", data: { last: true } }
        assert.strictEqual((yield* mine.ask("POST", "/contacts", both)).status, 409)
        const { body, status } = yield* mine.ask("POST", "/contacts", { ...both, onConflict: "merge" })
        assert.deepStrictEqual([status, body.id, body.email], [200, a, "b@example.com"])
        assert.deepInclude(body.data, { last: true, city: "Paris" })
        assert.strictEqual((yield* mine.ask("GET", `/contacts/${b}`)).body.error.details.mergedInto, a)
      })
    )

    it.effect("killed at any step, it leaves everything as it was", () =>
      Effect.gen(function* () {
        const { mine, a, b } = yield* people
        yield* mine.track({ email: "b@example.com", event: "visit" })
        const { body: list } = yield* mine.ask("POST", "/segments", { name: "List", type: "STATIC" })
        yield* mine.ask("POST", `/segments/${list.id}/members`, { emails: ["b@example.com"] })
        yield* queueMail(mine, "b@example.com")
        yield* startWorkflow(mine, ["b@example.com"])
        const before = yield* everything(mine)
        const merges = yield* ContactMerges.make
        let steps = 0
        yield* merges
          .merge(mine.project, a, { contactId: b, dryRun: true })
          .pipe(Effect.provideService(Failpoint, (at) => Effect.sync(() => at === "after_merge_step" && steps++)))
        assert.strictEqual(steps, 8)
        for (let kill = 1; kill <= steps; kill++) {
          let reached = 0
          const killed = yield* Effect.exit(
            merges
              .merge(mine.project, a, { contactId: b })
              .pipe(
                Effect.provideService(Failpoint, (at) =>
                  at === "after_merge_step" && ++reached === kill ? Effect.interrupt : Effect.void
                )
              )
          )
          assert.isTrue(Exit.isFailure(killed), `step ${kill}`)
          assert.deepStrictEqual(yield* everything(mine), before, `step ${kill}`)
        }
        assert.strictEqual((yield* merge(mine, a, { contactId: b })).status, 200)
      })
    )

    it.effect("two merges of one pair in both directions leave one contact", () =>
      Effect.gen(function* () {
        const { mine, a, b } = yield* people
        yield* mine.track({ email: "b@example.com", event: "visit" })
        const answers = yield* Effect.all([merge(mine, a, { contactId: b }), merge(mine, b, { contactId: a })], {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, 404])
        assert.strictEqual((yield* mine.ask("GET", "/contacts")).body.total, 1)
        assert.lengthOf((yield* mine.ask("GET", "/events?eventName=visit")).body.data, 1)
      })
    )
  })
}
