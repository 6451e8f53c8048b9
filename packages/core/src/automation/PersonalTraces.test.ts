/** What journeys and campaigns keep about a contact: its export has all of it, and no row of it outlives the contact. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../testing/Databases.ts"
import { Peer, receipt } from "../testing/MailerMemory.ts"
import { sendDue } from "../testing/SendDue.ts"
import { servicesOn } from "../testing/Services.ts"
import { wireOver } from "../testing/TestClient.ts"
import { work as campaignWork } from "./campaigns/CampaignsFixture.ts"
import { build, work } from "./workflows/ExecutionsFixture.ts"
import { workflowProject } from "./workflows/WorkflowsFixture.ts"

const revenue = { path: "total", currency: "EUR" }
const settle = Effect.andThen(work, Effect.andThen(campaignWork, Effect.andThen(sendDue(), campaignWork)))
const later = Effect.andThen(TestClock.adjust("1 hour"), settle)

/** A project with caps, a workflow with a SPLIT, and campaigns, through which its contacts have gone. */
const course = Effect.fnUntraced(function* (people: ReadonlyArray<string>) {
  yield* TestClock.setTime(Date.parse("2026-11-24T12:00Z"))
  yield* Peer.use(({ answer }) => answer(() => Effect.succeed(receipt)))
  const fresh = yield* workflowProject
  const { ask, track } = fresh
  const sql = yield* SqlClient.SqlClient
  const template = yield* fresh.template({ type: "MARKETING" })
  yield* ask("PATCH", "/settings/sending", { frequencyCaps: [{ id: "week", limit: 50, amount: 7, unit: "days" }] })
  const flow = yield* build(fresh, {
    event: "go",
    settings: { goal: { eventName: "paid", exit: false, revenue } },
    steps: {
      half: {
        type: "SPLIT",
        config: {
          branches: [
            { id: "a", share: 50 },
            { id: "b", share: 50 }
          ]
        },
        to: { a: "mail", b: "mail" }
      },
      mail: { type: "SEND_EMAIL", templateId: template.id, to: "rest" },
      rest: { type: "DELAY", config: { amount: 60, unit: "days" } }
    }
  })
  const contacts = new Map<string, string>()
  for (const who of people) {
    const { body } = yield* ask("POST", "/contacts", { email: `${who}@example.com`, subscribed: true })
    contacts.set(who, body.id)
    yield* track({ email: `${who}@example.com`, event: "go" })
  }
  yield* settle
  const campaign = Effect.fnUntraced(function* (more: object) {
    const made = yield* ask("POST", "/campaigns", {
      ...{ name: "Launch", subject: "Hi", body: "<p>Hi</p>", from: `news@${fresh.domain}`, audienceType: "ALL" },
      goal: { eventName: "paid", attribution: "SENT", revenue },
      ...more
    })
    const id = String(made.body.data.id)
    assert.strictEqual((yield* ask("POST", `/campaigns/${id}/send`)).status, 200)
    yield* settle
    return id
  })
  yield* later
  const tested = yield* campaign({
    experiment: { variants: [{ key: "A" }, { key: "B", subject: "Hello" }], testShare: 1 }
  })
  for (const who of people) yield* track({ email: `${who}@example.com`, event: "paid", data: { total: 10 } })
  yield* settle
  // Chance decides who is held out, so some campaigns are needed until each was once.
  const heldOut = Effect.map(
    sql<{ held: number }>`
      select count(distinct contact_id)::int as held from campaign_holdouts where project_id = ${fresh.project}`,
    ([row]) => row?.held ?? 0
  )
  const withHoldouts: Array<string> = []
  while ((yield* heldOut) < people.length) withHoldouts.push(yield* campaign({ holdout: { share: 0.5 } }))
  return { ...fresh, sql, flow, tested, withHoldouts, contacts }
})

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds", excludeTestServices: false })(
    `What is kept about a contact on ${name}`,
    (it) => {
      it.effect("is in its export, and gone after an erasure and a deletion; sums and counters stay", () =>
        Effect.gen(function* () {
          const { ask, contacts, flow, project, sql, tested, withHoldouts } = yield* course(["ada", "bob", "cyd"])
          const [ada = "", bob = "", cyd = ""] = [...contacts.values()]
          const { body } = yield* ask("GET", `/contacts/${ada}/export`)
          assert.deepStrictEqual(
            body.executions.map(({ version, workflowId }: Record<string, unknown>) => [version, workflowId]),
            [[1, flow.id]]
          )
          assert.deepStrictEqual(
            body.conversions
              .map(({ campaignId, workflowId }: Record<string, unknown>) => campaignId ?? workflowId)
              .sort(),
            [tested, flow.id].sort()
          )
          const assigned: ReadonlyArray<Record<string, unknown>> = body.assignments
          assert.include(["A", "B"], assigned.find(({ campaignId }) => campaignId === tested)?.["variant"])
          assert.isTrue(
            assigned.some(({ campaignId, heldOut }) => heldOut && withHoldouts.includes(String(campaignId)))
          )
          assert.include(["a", "b"], assigned.find(({ workflowId }) => workflowId === flow.id)?.["branch"])
          // The mail of the workflow and of the experiment, and of the campaigns that did not hold the contact out.
          const kept = assigned.filter(({ heldOut }) => heldOut).length
          assert.strictEqual(body.frequency.length, 2 + withHoldouts.length - kept)

          const rowsOf = (contact: string) =>
            Effect.forEach(
              ["contact_frequency", "conversions", "campaign_holdouts", "workflow_executions", "contacts"],
              (table) =>
                Effect.map(
                  sql`
                    select from ${sql(table)}
                    where project_id = ${project} and ${sql(table === "contacts" ? "id" : "contact_id")} = ${contact}`,
                  ({ length }) => length
                )
            )
          const figures = Effect.gen(function* () {
            const stats = yield* Effect.forEach([tested, ...withHoldouts], (id) =>
              Effect.map(ask("GET", `/campaigns/${id}/stats`), ({ body }) => {
                const { convertedCount, conversionEvents, holdoutSize, revenue, sentCount, audienceSize } = body.data
                return { convertedCount, conversionEvents, holdoutSize, revenue, sentCount, audienceSize }
              })
            )
            const { body } = yield* ask("GET", "/analytics/conversions?by=day")
            return { stats, conversions: body }
          })
          for (const contact of [ada, bob, cyd]) assert.notInclude(yield* rowsOf(contact), 0, contact)
          const before = yield* figures
          assert.deepInclude(before.stats[0], { convertedCount: 3, conversionEvents: 3, sentCount: 3 })

          assert.strictEqual((yield* ask("POST", `/contacts/${ada}/erase`)).status, 200)
          assert.include([200, 204], (yield* ask("DELETE", `/contacts/${bob}`)).status)
          for (const contact of [ada, bob]) assert.deepStrictEqual(yield* rowsOf(contact), [0, 0, 0, 0, 0])
          assert.notInclude(yield* rowsOf(cyd), 0)
          assert.deepStrictEqual(yield* figures, before)
        })
      )
    }
  )
}
