/** A contact that has not confirmed its subscription, or a topic, gets what one that has not subscribed gets. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { linkOf, submit } from "../audience/optins/OptInsFixture.ts"
import { databases } from "../testing/Databases.ts"
import { Peer, receipt } from "../testing/MailerMemory.ts"
import { sendDue } from "../testing/SendDue.ts"
import { servicesOn } from "../testing/Services.ts"
import { wireOver } from "../testing/TestClient.ts"
import { work as campaignWork } from "./campaigns/CampaignsFixture.ts"
import { build, executionsOf, work } from "./workflows/ExecutionsFixture.ts"
import { workflowProject } from "./workflows/WorkflowsFixture.ts"

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `Mail to a contact that has not confirmed, on ${name}`,
    (it) => {
      it.effect("campaigns leave it out and steps pass it over until it confirms; transactional mail reaches it", () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(Date.parse("2026-11-24T12:00Z"))
          yield* Peer.use(({ answer }) => answer(() => Effect.succeed(receipt)))
          const fresh = yield* workflowProject
          const { ask, domain } = fresh
          yield* ask("POST", "/topics", { key: "news", name: "News", defaultSubscription: "unsubscribed" })
          yield* ask("POST", "/contacts", {
            email: "bob@example.com",
            subscribed: true,
            topics: { news: "subscribed" }
          })
          yield* ask("PATCH", "/settings/audience", { doubleOptIn: { mode: "all", from: `a@${domain}` } })
          yield* TestClock.adjust("2 seconds")
          const ada = yield* ask("POST", "/contacts", {
            email: "ada@example.com",
            subscribed: true,
            topics: { news: "subscribed" }
          })
          assert.deepInclude(ada.body, { subscription: "pending", topics: { news: "pending" } })
          const link = yield* linkOf(fresh)

          const settle = Effect.andThen(work, Effect.andThen(campaignWork, Effect.andThen(sendDue(), campaignWork)))
          /** The recipients of a new campaign, with what became of their mail. */
          const reached = Effect.fnUntraced(function* (more: object) {
            const draft = {
              name: "Launch",
              subject: "Hi",
              body: "<p>Hi</p>",
              from: `news@${domain}`,
              audienceType: "ALL"
            }
            const made = yield* ask("POST", "/campaigns", { ...draft, ...more })
            assert.strictEqual(made.status, 201, JSON.stringify(made.body))
            yield* ask("POST", `/campaigns/${made.body.data.id}/send`)
            yield* settle
            const { body } = yield* ask("GET", `/campaigns/${made.body.data.id}/recipients?limit=100`)
            return body.data
              .map(({ email, status }: { email: string; status: string }) => `${email.split("@")[0]} ${status}`)
              .sort()
          })
          const kinds = [{}, { type: "HEADLESS" }, { topicId: "news" }]
          for (const kind of kinds) assert.deepStrictEqual(yield* reached(kind), ["bob SENT"])
          assert.deepStrictEqual(yield* reached({ type: "TRANSACTIONAL" }), ["ada SENT", "bob SENT"])

          const marketing = (yield* fresh.template({ type: "MARKETING" })).id as string
          const headless = (yield* fresh.template({ type: "HEADLESS" })).id as string
          const personal = (yield* fresh.template({ type: "TRANSACTIONAL" })).id as string
          const flow = yield* build(fresh, {
            event: "go",
            steps: {
              marketing: { type: "SEND_EMAIL", templateId: marketing, to: "headless" },
              headless: { type: "SEND_EMAIL", templateId: headless, to: "personal" },
              personal: { type: "SEND_EMAIL", templateId: personal, to: "rest" },
              rest: { type: "DELAY", config: { amount: 1, unit: "days" }, to: "later" },
              later: { type: "SEND_EMAIL", templateId: marketing, config: { topicId: "news" } }
            }
          })
          yield* fresh.track({ email: "ada@example.com", event: "go" })
          yield* settle
          const path = Effect.map(executionsOf(fresh.project, flow.id), ([one]) => one?.path)
          const passed = ["marketing SKIPPED", "headless SKIPPED", "personal COMPLETED"]
          assert.deepStrictEqual(yield* path, [...passed, "rest SCHEDULED"])
          const [execution] = (yield* ask("GET", `/workflows/${flow.id}/executions`)).body.data
          const { stepExecutions } = (yield* ask("GET", `/workflows/${flow.id}/executions/${execution.id}`)).body
          assert.deepStrictEqual(stepExecutions[0].output, { skipped: true, reason: "contact_unsubscribed" })
          const toAda = Effect.map(ask("GET", "/emails?to=ada@example.com"), ({ body }) =>
            body.data.map(({ type, status }: { type: string; status: string }) => `${type} ${status}`)
          )
          const before = yield* toAda
          assert.isTrue(
            before.every((each: string) => each === "TRANSACTIONAL SENT"),
            JSON.stringify(before)
          )

          // It confirms while its execution waits: the next mail reaches it, and so do later campaigns.
          yield* submit(link, { confirm: "1" })
          assert.deepInclude((yield* ask("GET", `/contacts/${ada.body.id}`)).body, {
            subscription: "subscribed",
            topics: { news: "subscribed" }
          })
          yield* TestClock.adjust("1 day")
          yield* settle
          assert.deepStrictEqual(yield* path, [...passed, "rest COMPLETED", "later COMPLETED"])
          assert.include(yield* toAda, "MARKETING SENT")
          for (const kind of kinds) assert.deepStrictEqual(yield* reached(kind), ["ada SENT", "bob SENT"])
        })
      )
    }
  )
}
