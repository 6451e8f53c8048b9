/** Campaigns to recipients of another campaign, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { filter, seed } from "../../audience/segments/SegmentsFixture.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { campaignIn, sendingProject, work } from "./CampaignsFixture.ts"

const unknownId = "019a0000-0000-7000-8000-00000000dead"

/** A sent campaign to seven contacts that reacted in different ways, and a contact that came later. */
const reacted = Effect.gen(function* () {
  const project = yield* sendingProject(7)
  const id = yield* campaignIn(project, "SENT")
  const react = (n: number, change: string) =>
    SqlClient.SqlClient.use(
      (sql) => sql`
        update emails set ${sql.literal(change)} where campaign_id = ${id}::uuid and to_email = ${`c-${n}@example.com`}`
    )
  yield* react(1, "status = 'OPENED', opens = 2, machine_opens = 1")
  yield* react(2, "status = 'OPENED', opens = 1, machine_opens = 1")
  yield* react(3, "status = 'CLICKED', opens = 1, clicks = 1")
  yield* react(4, "status = 'CLICKED', clicks = 2, machine_clicks = 2")
  yield* react(5, "status = 'BOUNCED'")
  yield* react(6, "status = 'FAILED', sent_at = null")
  yield* SqlClient.SqlClient.use(
    (sql) => sql`
      insert into conversions (project_id, owner, owner_id, contact_id, event_id, occurred_at, created_at)
      select project_id, 'CAMPAIGN', campaign_id, contact_id, gen_random_uuid(), now(), now() from emails
      where campaign_id = ${id}::uuid and to_email = 'c-3@example.com'`
  )
  yield* seed(project.project, "later", 1)
  const followUp = (body: object) => project.ask("POST", `/campaigns/${id}/follow-up`, body)
  const reached = Effect.fnUntraced(function* (campaign: string) {
    yield* project.ask("POST", `/campaigns/${campaign}/send`, {})
    yield* work
    const rows: ReadonlyArray<{ readonly email: string }> = yield* project.recipients(campaign)
    return rows.map(({ email }) => email.replace(/^c-|@example\.com$/g, "")).toSorted()
  })
  return { ...project, id, followUp, reached }
})

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`Follow-ups on ${name}`, (it) => {
    it.effect("go to those to whom the mail left, by what people did with it", () =>
      Effect.gen(function* () {
        const { followUp, reached } = yield* reacted
        for (const [who, expected] of [
          ["ALL", ["1", "2", "3", "4", "5", "7"]],
          ["NOT_OPENED", ["4", "5", "7"]],
          ["OPENED", ["1", "3"]],
          ["CLICKED", ["3"]],
          ["NOT_CLICKED", ["1", "2", "4", "5", "7"]],
          ["NOT_CONVERTED", ["1", "2", "4", "5", "7"]]
        ] as const) {
          const { status, body } = yield* followUp({ who })
          assert.strictEqual(status, 201, JSON.stringify(body))
          assert.strictEqual(body.data.estimatedRecipients, expected.length, who)
          assert.deepStrictEqual(yield* reached(body.data.id), [...expected], who)
        }
      })
    )

    it.effect(
      "are drafts with the texts of the campaign, to all contacts, with a subject and a name of their own",
      () =>
        Effect.gen(function* () {
          const { ask, create, draft, id, followUp, outcome, read } = yield* reacted
          const { body } = yield* followUp({ who: "NOT_OPENED" })
          assert.deepInclude(body.data, {
            name: "Launch (Follow-up)",
            status: "DRAFT",
            subject: draft.subject,
            body: draft.body,
            from: draft.from,
            audienceType: "ALL",
            recipientsOf: { campaignId: id, who: "NOT_OPENED" }
          })
          const named = yield* followUp({ who: "ALL", name: "Again", subject: "Hello {{firstName}}" })
          assert.deepInclude(named.body.data, { name: "Again", subject: "Hello {{firstName}}" })
          const timed = yield* create({ delivery: { expiresAt: "2098-01-01T00:00:00Z", ratePerMinute: 60 } })
          yield* ask("POST", `/campaigns/${timed}/send`)
          const untimed = yield* ask("POST", `/campaigns/${timed}/follow-up`, { who: "ALL" })
          assert.isNull(untimed.body.data.delivery)
          const copy = yield* ask("POST", `/campaigns/${body.data.id}/duplicate`)
          assert.deepStrictEqual(copy.body.data.recipientsOf, body.data.recipientsOf)

          const stored = (yield* ask("GET", "/campaigns")).body.total
          for (const [wrong, expected] of [
            [{}, "422 VALIDATION_ERROR"],
            [{ who: "SOME" }, "422 VALIDATION_ERROR"],
            [{ who: "ALL", subject: "{{#if a}}" }, "422 VALIDATION_ERROR"],
            [{ who: "ALL", name: "x".repeat(201) }, "422 VALIDATION_ERROR"]
          ] as const) {
            assert.strictEqual(yield* outcome("POST", `/campaigns/${id}/follow-up`, wrong), expected)
          }
          const fresh = yield* create()
          assert.strictEqual(
            yield* outcome("POST", `/campaigns/${fresh}/follow-up`, { who: "ALL" }),
            "409 campaign_state"
          )
          yield* ask("POST", `/campaigns/${fresh}/send`, { scheduledFor: "2099-01-01T00:00:00Z" })
          assert.strictEqual(
            yield* outcome("POST", `/campaigns/${fresh}/follow-up`, { who: "ALL" }),
            "409 campaign_state"
          )
          assert.strictEqual(
            yield* outcome("POST", `/campaigns/${unknownId}/follow-up`, { who: "ALL" }),
            "404 CAMPAIGN_NOT_FOUND"
          )
          assert.strictEqual((yield* ask("GET", "/campaigns")).body.total, stored + 1)
          assert.isNull((yield* read(fresh)).recipientsOf)
        })
    )

    it.effect("narrow a condition too, know only campaigns of the project, and outlive the campaign", () =>
      Effect.gen(function* () {
        const { ask, create, draft, id, outcome, reached } = yield* reacted
        const recipientsOf = { campaignId: id, who: "NOT_CLICKED" }
        const first = { audienceType: "FILTERED", audienceCondition: filter("email", "startsWith", "c-1") }
        assert.deepStrictEqual(yield* reached(yield* create({ ...first, recipientsOf })), ["1"])
        const unknown = { ...draft, recipientsOf: { campaignId: unknownId, who: "ALL" } }
        assert.strictEqual(yield* outcome("POST", "/campaigns", unknown), "404 CAMPAIGN_NOT_FOUND")
        const stranger = yield* sendingProject(1)
        assert.strictEqual(
          yield* stranger.outcome("POST", "/campaigns", { ...stranger.draft, recipientsOf }),
          "404 CAMPAIGN_NOT_FOUND"
        )
        const kept = yield* create({ recipientsOf })
        assert.strictEqual((yield* ask("DELETE", `/campaigns/${id}`)).status, 204)
        assert.strictEqual((yield* ask("PUT", `/campaigns/${kept}`, { ...draft, recipientsOf })).status, 200)
        assert.strictEqual(yield* outcome("POST", "/campaigns", { ...draft, recipientsOf }), "404 CAMPAIGN_NOT_FOUND")
        assert.deepStrictEqual(yield* reached(kept), ["1", "2", "4", "5", "7"])
        const cleared = yield* create({ recipientsOf: null })
        assert.isNull((yield* ask("GET", `/campaigns/${cleared}`)).body.data.recipientsOf)
      })
    )
  })
}
