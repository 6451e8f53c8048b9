/** One event that fits the goals of a campaign and of a workflow brings its money once. */
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
const amounts = (...given: ReadonlyArray<number>) => given.map((amount) => ({ currency: "EUR", amount }))

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `Goals of a campaign and a workflow on ${name}`,
    (it) => {
      it.effect("an event counts for the mail that was sent last, and for it alone", () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(Date.parse("2026-11-24T12:00Z"))
          yield* Peer.use(({ answer }) => answer(() => Effect.succeed(receipt)))
          const fresh = yield* workflowProject
          const template = yield* fresh.template({ type: "MARKETING" })
          const flow = yield* build(fresh, {
            event: "go",
            settings: { goal: { eventName: "paid", windowHours: 500, exit: false, revenue } },
            steps: {
              mail: { type: "SEND_EMAIL", templateId: template.id, to: "rest" },
              rest: { type: "DELAY", config: { amount: 60, unit: "days" } }
            }
          })
          const settle = Effect.andThen(work, Effect.andThen(campaignWork, Effect.andThen(sendDue(), campaignWork)))
          const later = Effect.andThen(TestClock.adjust("1 hour"), settle)
          const at = (who: string) => `${who}@example.com`
          const enter = (who: string) => Effect.andThen(fresh.track({ email: at(who), event: "go" }), settle)
          const pay = (who: string, total: number) =>
            Effect.andThen(fresh.track({ email: at(who), event: "paid", data: { total } }), settle)
          for (const who of ["ada", "bob", "cyd"])
            yield* fresh.ask("POST", "/contacts", { email: at(who), subscribed: true })

          // Bob gets the mail of the workflow first, Ada that of the campaign. Cyd never enters the workflow.
          yield* enter("bob")
          yield* later
          const made = yield* fresh.ask("POST", "/campaigns", {
            ...{ name: "Launch", subject: "Hi", body: "<p>Hi</p>", from: `news@${fresh.domain}`, audienceType: "ALL" },
            goal: { eventName: "paid", attribution: "SENT", windowHours: 500, revenue }
          })
          const campaign = String(made.body.data.id)
          assert.strictEqual((yield* fresh.ask("POST", `/campaigns/${campaign}/send`)).status, 200)
          yield* settle
          yield* later
          yield* enter("ada")
          yield* later
          yield* pay("ada", 10)
          yield* pay("bob", 20)
          yield* pay("cyd", 40)
          // Both goals fit again. The money goes to the same mail.
          yield* later
          yield* pay("bob", 80)

          const stats = (yield* fresh.ask("GET", `/campaigns/${campaign}/stats`)).body.data
          assert.deepInclude(stats, { convertedCount: 2, conversionEvents: 3, revenue: amounts(140) })
          const { executions } = (yield* fresh.ask("GET", `/workflows/${flow.id}/report`)).body
          // Bob's execution is converted, though another mail has the money.
          assert.deepInclude(executions, { started: 2, converted: 2, revenue: amounts(10) })
          const sums = Effect.fnUntraced(function* (by: string) {
            const { body } = yield* fresh.ask("GET", `/analytics/conversions?by=${by}`)
            return JSON.stringify(body)
          })
          const sql = yield* SqlClient.SqlClient
          const kept = yield* sql`
            select owner, sum(amount)::float8 as amount from conversion_totals
            where project_id = ${fresh.project} and currency = 'EUR' group by owner order by owner`
          assert.deepStrictEqual(
            kept.map((row) => ({ ...row })),
            [
              { owner: "CAMPAIGN", amount: 140 },
              { owner: "WORKFLOW", amount: 10 }
            ]
          )
          for (const by of ["day", "campaign", "workflow"]) assert.include(yield* sums(by), "EUR")
        })
      )
    }
  )
}
