import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { sendingProject, work } from "./CampaignsFixture.ts"

/** With these ids, the buckets are 0.244914 (holdout), 0.712116 (test), 0.255948 (variant) and 0.433311 (spread). */
const contact = "019a9f3c-0000-7000-8000-000000000001"
const campaign = "019a9f3c-0000-7000-8000-0000000000d1"

const noon = DateTime.makeUnsafe("2026-12-01T12:00:00Z")

/** A campaign with this id to this contact, whose sending has started. */
const started = Effect.fnUntraced(function* (more: object) {
  yield* TestClock.setTime(noon.epochMilliseconds)
  const project = yield* sendingProject(0)
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    values (${contact}, ${project.project}, 'ada@example.com', true, '{}', now(), now())`
  yield* project.create({ goal: { eventName: "bought" }, ...more })
  yield* sql`update campaigns set id = ${campaign}::uuid where project_id = ${project.project}`
  const { status, body } = yield* project.ask("POST", `/campaigns/${campaign}/send`)
  assert.strictEqual(status, 200, JSON.stringify(body))
  yield* work
  const [mail] = yield* project.recipients(campaign)
  const { audienceSize, holdoutSize } = yield* project.read(campaign)
  return { ask: project.ask, mail, audienceSize, holdoutSize }
})

const experiment = (testShare: number, keys: string) => ({
  experiment: { variants: [...keys].map((key) => ({ key, ...(key !== "A" && { subject: `Of ${key}` }) })), testShare }
})

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `The assignments of a campaign on ${name}`,
    (it) => {
      it.effect("follow from the ids of campaign and contact", () =>
        Effect.gen(function* () {
          const cohort = Effect.fnUntraced(function* (more: object) {
            const { audienceSize, holdoutSize, mail } = yield* started(more)
            return [audienceSize, holdoutSize, mail === undefined ? "no mail" : mail.variant]
          })
          assert.deepStrictEqual(yield* cohort({ holdout: { share: 0.24 } }), [1, 0, null])
          assert.deepStrictEqual(yield* cohort({ holdout: { share: 0.25 } }), [0, 1, "no mail"])
          assert.deepStrictEqual(yield* cohort(experiment(0.71, "AB")), [1, 0, "no mail"])
          assert.deepStrictEqual(yield* cohort(experiment(0.72, "AB")), [1, 0, "A"])
          assert.deepStrictEqual(yield* cohort(experiment(1, "ABC")), [1, 0, "A"])
          assert.deepStrictEqual(yield* cohort(experiment(1, "ABCD")), [1, 0, "B"])
          assert.deepStrictEqual(yield* cohort(experiment(1, "ABCDEFGH")), [1, 0, "C"])
        })
      )

      it.effect("place its mail in a spread", () =>
        Effect.gen(function* () {
          const { ask, mail } = yield* started({ delivery: { spreadHours: 100 } })
          const { body } = yield* ask("GET", `/emails/${mail.emailId}`)
          assert.strictEqual(body.hold.reason, "CAMPAIGN_TIMING")
          const hours = (Date.parse(body.hold.until) - noon.epochMilliseconds) / 3_600_000
          assert.closeTo(hours, 43.3311, 0.0001)
        })
      )
    }
  )
}
