/** Campaigns that recur: each firing makes one campaign, through outages, races and processes that die. */
import { assert, layer } from "@effect/vitest"
import { CampaignId } from "@posthorn/contract/automation/campaigns/Campaign"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { entriesOf } from "../../platform/audit/AuditLog.ts"
import { Failpoint, type Window } from "../../platform/Failpoint.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { faultsIn } from "../workflows/WorkflowsFixture.ts"
import * as CampaignRecurrences from "./CampaignRecurrences.ts"
import { sendingProject, work } from "./CampaignsFixture.ts"

const setTime = (text: string) => TestClock.setTime(Date.parse(text))
const workAt = (text: string) => Effect.andThen(setTime(text), work)

const killed = Effect.provideService(Failpoint, (reached: Window) =>
  reached === "before_recurrence_commit" ? Effect.interrupt : Effect.void
)

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds", excludeTestServices: false })(
    `Campaigns that recur, on ${name}`,
    (it) => {
      /** A draft with this recurrence, at an instant. */
      const recurring = Effect.fnUntraced(function* (at: string, recurrence: object, more: object = {}) {
        yield* setTime(at)
        const made = yield* sendingProject(2)
        const id = yield* made.create(more)
        const set = (input: object) => made.ask("PUT", `/campaigns/${id}/recurrence`, input)
        const { body, status } = yield* set({ enabled: true, ...recurrence })
        assert.strictEqual(status, 200, JSON.stringify(body))
        const children = Effect.map(
          made.ask("GET", `/campaigns?parentId=${id}&sort=createdAt&dir=asc`),
          ({ body }): ReadonlyArray<{ readonly [field: string]: unknown }> => body.data
        )
        const names = Effect.map(children, (found) => found.map(({ name }) => name))
        const recurrenceOf = Effect.map(made.read(id), ({ recurrence }) => recurrence)
        return { ...made, id, set, children, names, recurrenceOf, first: body.data.recurrence }
      })

      it.effect("make a campaign of the draft as it is then, and start it as a schedule does", () =>
        Effect.gen(function* () {
          const made = yield* recurring("2026-10-20T00:00Z", { schedule: "0 9 * * MON", timezone: "Europe/Berlin" })
          const { ask, children, draft, first, id, names, read, recurrenceOf, stats } = made
          assert.deepStrictEqual(first, {
            schedule: "0 9 * * MON",
            timezone: "Europe/Berlin",
            endsAt: null,
            maxRuns: null,
            enabled: true,
            runs: 0,
            nextAt: "2026-10-26T08:00:00.000Z"
          })
          const upcoming = yield* ask("GET", "/activity/upcoming")
          assert.deepInclude(upcoming.body.activities[0], {
            id: `${id}_recurrence`,
            type: "campaign.recurrence",
            timestamp: "2026-10-26T08:00:00.000Z"
          })
          yield* workAt("2026-10-26T07:59:59Z")
          assert.deepStrictEqual(yield* names, [])
          yield* workAt("2026-10-26T08:00:01Z")
          const [child] = yield* children
          assert.deepInclude(child, { name: "Launch 2026-10-26", parentId: id, status: "SENDING", recurrence: null })
          assert.deepInclude(yield* stats(String(child?.["id"])), { totalRecipients: 2 })
          assert.deepInclude(yield* read(id), { status: "DRAFT", parentId: null })
          assert.deepInclude(yield* recurrenceOf, { runs: 1, nextAt: "2026-11-02T08:00:00.000Z" })
          yield* ask("PUT", `/campaigns/${id}`, { ...draft, name: "Weekly", subject: "Other" })
          yield* workAt("2026-11-02T08:00Z")
          assert.deepStrictEqual(yield* names, ["Launch 2026-10-26", "Weekly 2026-11-02"])
          assert.deepStrictEqual(
            (yield* children).map(({ subject }) => subject),
            [draft.subject, "Other"]
          )
          const sql = yield* SqlClient.SqlClient
          const audit = yield* entriesOf(sql, made.project, 50)
          assert.isTrue(audit.some(({ action }) => action === "recurrence.updated"))

          assert.strictEqual((yield* ask("DELETE", `/campaigns/${id}/recurrence`)).status, 204)
          assert.strictEqual((yield* ask("DELETE", `/campaigns/${id}/recurrence`)).status, 204)
          assert.isNull(yield* recurrenceOf)
          yield* workAt("2026-11-10T00:00Z")
          assert.lengthOf(yield* names, 2)
        })
      )

      it.effect("fire once, although a process dies meanwhile or two fire at once", () =>
        Effect.gen(function* () {
          const { id, names, project, recurrenceOf } = yield* recurring("2026-11-24T12:00Z", { schedule: "0 6 * * *" })
          const { due, fire } = yield* CampaignRecurrences.make
          const campaign = CampaignId.make(id)
          yield* setTime("2026-11-25T06:00Z")
          for (let n = 0; n < 2; n++) {
            yield* Effect.exit(killed(fire(project, campaign)))
            assert.deepStrictEqual(yield* names, [])
            assert.deepInclude(yield* recurrenceOf, { runs: 0, nextAt: "2026-11-25T06:00:00.000Z" })
          }
          assert.strictEqual((yield* due(yield* DateTime.now, []))._tag, "Some")
          yield* Effect.all([fire(project, campaign), fire(project, campaign), fire(project, campaign)], {
            concurrency: "unbounded"
          })
          assert.deepStrictEqual(yield* names, ["Launch 2026-11-25"])
          assert.deepInclude(yield* recurrenceOf, { runs: 1, nextAt: "2026-11-26T06:00:00.000Z" })
          // A draft that was set back would not make the same campaign twice.
          const sql = yield* SqlClient.SqlClient
          yield* sql`
            update campaigns set recurs_at = ${new Date("2026-11-25T06:00Z")},
                   recurrence = recurrence || '{"nextAt": "2026-11-25T06:00:00.000Z"}'
            where id = ${id}::uuid`
          yield* work
          assert.deepStrictEqual(yield* names, ["Launch 2026-11-25"])
          assert.deepInclude(yield* recurrenceOf, { runs: 1, nextAt: "2026-11-26T06:00:00.000Z" })
        })
      )

      it.effect("after an outage the latest of 24 hours fires, once, and a disabled project makes up for it", () =>
        Effect.gen(function* () {
          const { ask, names, id, project, recurrenceOf } = yield* recurring("2026-11-23T12:00Z", {
            schedule: "0 6 * * *",
            maxRuns: 3
          })
          yield* workAt("2026-11-27T12:00Z")
          assert.deepStrictEqual(yield* names, ["Launch 2026-11-27"])
          const sql = yield* SqlClient.SqlClient
          yield* sql`update projects set disabled_reason = 'MANUAL' where id = ${project}`
          yield* workAt("2026-11-28T07:00Z")
          assert.lengthOf(yield* names, 1)
          yield* sql`update projects set disabled_reason = null where id = ${project}`
          yield* workAt("2026-11-28T08:00Z")
          yield* workAt("2026-11-29T06:00Z")
          assert.deepStrictEqual(yield* names, ["Launch 2026-11-27", "Launch 2026-11-28", "Launch 2026-11-29"])
          assert.deepInclude(yield* recurrenceOf, { runs: 3, enabled: true, nextAt: null })
          yield* workAt("2026-11-30T06:00Z")
          assert.lengthOf(yield* names, 3)

          // Weekly, and missed by more than a day.
          const weekly = { schedule: "0 6 * * MON", enabled: true, endsAt: "2026-12-14T06:00:00Z" }
          assert.strictEqual((yield* ask("PUT", `/campaigns/${id}/recurrence`, weekly)).status, 200)
          assert.deepInclude(yield* recurrenceOf, { runs: 3, nextAt: "2026-12-07T06:00:00.000Z" })
          yield* workAt("2026-12-08T06:00:01Z")
          assert.lengthOf(yield* names, 3)
          assert.deepInclude(yield* recurrenceOf, { nextAt: "2026-12-14T06:00:00.000Z" })
          yield* workAt("2026-12-14T06:00:00Z")
          assert.lengthOf(yield* names, 4)
          assert.deepInclude(yield* recurrenceOf, { nextAt: null })
        })
      )

      it.effect("with local time they fire when the first zone has reached the wall clock, and obstacles cancel", () =>
        Effect.gen(function* () {
          const schedule = { schedule: "0 9 * * *", timezone: "Europe/Berlin" }
          const { ask, children, domain, draft, id, recurrenceOf } = yield* recurring("2026-12-22T12:00Z", schedule, {
            delivery: { localTime: { passed: "NEXT_DAY" } }
          })
          // Today's wall clock has begun in the first zones.
          assert.deepInclude(yield* recurrenceOf, { nextAt: "2026-12-23T08:00:00.000Z" })
          yield* workAt("2026-12-22T18:59:59Z")
          assert.lengthOf(yield* children, 0)
          yield* workAt("2026-12-22T19:00Z")
          assert.deepInclude((yield* children)[0], {
            name: "Launch 2026-12-23",
            status: "SENDING",
            scheduledFor: "2026-12-23T08:00:00.000Z",
            startsAt: "2026-12-22T19:00:00.000Z"
          })
          // Without local time it fires at the time itself, and none from the expiry on.
          const expiresAt = "2026-12-25T08:00:00Z"
          yield* ask("PUT", `/campaigns/${id}`, { ...draft, delivery: { expiresAt } })
          assert.deepInclude(yield* recurrenceOf, { nextAt: "2026-12-23T08:00:00.000Z" })
          const sql = yield* SqlClient.SqlClient
          yield* workAt("2026-12-23T08:00:00Z")
          assert.lengthOf(yield* children, 1)
          assert.deepInclude(yield* recurrenceOf, { nextAt: "2026-12-24T08:00:00.000Z" })
          yield* sql`update domains set verified = false where domain = ${domain}`
          yield* workAt("2026-12-24T08:00:00Z")
          assert.deepInclude((yield* children)[1], { status: "CANCELLED", statusReason: "DOMAIN_NOT_VERIFIED" })
          assert.deepInclude(yield* recurrenceOf, { nextAt: null, runs: 2 })
        })
      )

      it.effect("need a draft, a sound schedule and, where the project asks for it, an approval", () =>
        Effect.gen(function* () {
          const { ask, create, id, outcome, set } = yield* recurring("2026-11-24T12:00Z", { schedule: "0 6 * * *" })
          const faults = (input: object) => Effect.map(set(input), ({ body, status }) => [status, ...faultsIn(body)])
          assert.deepStrictEqual(yield* faults({}), [422, "schedule required", "enabled required"])
          assert.deepStrictEqual(
            yield* faults({ schedule: "*/30 * * * *", enabled: true, endsAt: "2026-11-24T12:00:00Z" }),
            [422, "schedule invalid_string", "endsAt custom"]
          )
          assert.deepStrictEqual(yield* faults({ schedule: "0 6 31 2 *", enabled: true }), [
            422,
            "schedule invalid_string"
          ])
          assert.deepStrictEqual(
            yield* faults({ schedule: "0 6 * * *", enabled: true, timezone: "Moon", maxRuns: 0 }),
            [422, "timezone invalid_string", "maxRuns too_small"]
          )
          assert.deepStrictEqual(yield* faults({ schedule: "0 * * * *", enabled: false }), [200])
          const sent = yield* create()
          yield* ask("POST", `/campaigns/${sent}/send`)
          const input = { schedule: "0 6 * * *", enabled: true }
          assert.strictEqual(yield* outcome("PUT", `/campaigns/${sent}/recurrence`, input), "409 campaign_state")
          assert.strictEqual(
            yield* outcome("PUT", `/campaigns/019a9f3c-0000-7000-8000-0000000000d1/recurrence`, input),
            "404 CAMPAIGN_NOT_FOUND"
          )

          yield* ask("PATCH", "/settings/sending", { campaignApproval: "ALL" })
          assert.strictEqual(yield* outcome("PUT", `/campaigns/${id}/recurrence`, input), "409 approval_required")
          assert.deepStrictEqual(yield* faults({ ...input, enabled: false }), [200])
          yield* ask("PATCH", "/settings/sending", { campaignApproval: "OFF" })
          assert.deepStrictEqual(yield* faults(input), [200])
          for (let n = 0; n < 49; n++) {
            assert.strictEqual(yield* outcome("PUT", `/campaigns/${yield* create()}/recurrence`, input), "200 ok")
          }
          const { body } = yield* ask("PUT", `/campaigns/${yield* create()}/recurrence`, input)
          assert.deepStrictEqual(faultsIn(body), ["enabled too_big"])
          assert.deepStrictEqual(yield* faults({ ...input, maxRuns: 5 }), [200])
        })
      )
    }
  )
}
