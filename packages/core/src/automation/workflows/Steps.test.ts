import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Billing } from "../../accounts/billing/Billing.ts"
import { settled } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { Outside } from "../../testing/SafeFetchMemory.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { build, type Drawing, executionsOf, type WorkflowProject, work } from "./ExecutionsFixture.ts"
import { workflowProject } from "./WorkflowsFixture.ts"

const hours = (n: number) => TestClock.adjust(Duration.hours(n))
const seconds = (n: number) => TestClock.adjust(Duration.seconds(n))

/** A workflow that `go` starts, and the state of the execution of its one contact. */
const running = Effect.fnUntraced(function* (fresh: WorkflowProject, steps: Drawing["steps"]) {
  const workflow = yield* build(fresh, { event: "go", allowReentry: true, steps })
  const go = (data: object = {}, email = "ada@example.com") => fresh.track({ email, event: "go", data })
  const trackEvent = (event: string, data: object = {}) => fresh.track({ email: "ada@example.com", event, data })
  const states = Effect.andThen(work, executionsOf(fresh.project, workflow.id))
  const state = Effect.map(states, (found) => found.at(-1) ?? { status: "none", path: [], id: "", context: {} })
  const path = Effect.map(state, ({ status, path }) => [status, ...path].join(", "))
  const read = Effect.flatMap(state, ({ id }) =>
    Effect.map(fresh.ask("GET", `/workflows/${workflow.id}/executions/${id}`), ({ body }) => body)
  )
  const contact = Effect.map(
    fresh.ask("GET", "/contacts?search=ada@example.com"),
    ({ body }) => (body.data ?? body.contacts)[0]
  )
  const emails = Effect.map(fresh.ask("GET", "/emails?limit=100"), ({ body }) => body.data)
  return { ...fresh, workflow, go, trackEvent, states, state, path, read, contact, emails }
})

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `Steps on ${name}`,
    (it) => {
      it.effect("DELAY ends at its time and never before, and EXIT stores its reason", () =>
        Effect.gen(function* () {
          const { go, path, read } = yield* running(yield* workflowProject, {
            rest: { type: "DELAY", config: { amount: 1.5, unit: "days" }, to: "out" },
            out: { type: "EXIT", config: { reason: "served" } }
          })
          yield* go({ plan: { value: "pro", persistent: false } })
          assert.strictEqual(yield* path, "WAITING, rest SCHEDULED")
          const before = yield* read
          assert.deepInclude(before, {
            status: "WAITING",
            source: "EVENT",
            context: { plan: "pro" },
            resumeAt: "1970-01-02T12:00:00.000Z",
            exitReason: null,
            completedAt: null
          })
          assert.strictEqual(before.currentStep.name, "rest")
          assert.strictEqual(before.contact.email, "ada@example.com")
          assert.strictEqual(before.workflow.name, "Welcome")
          assert.deepInclude(before.stepExecutions[0], {
            status: "SCHEDULED",
            iteration: 1,
            attempts: 1,
            config: { amount: 1.5, unit: "days" },
            scheduledFor: "1970-01-02T12:00:00.000Z"
          })
          yield* TestClock.adjust(Duration.millis(36 * 3_600_000 - 1))
          assert.strictEqual(yield* path, "WAITING, rest SCHEDULED")
          yield* TestClock.adjust(Duration.millis(1))
          assert.strictEqual(yield* path, "EXITED, rest COMPLETED, out COMPLETED")
          const after = yield* read
          assert.deepInclude(after, { exitReason: "served", resumeAt: null, error: null })
          assert.deepStrictEqual(
            after.stepExecutions.map(({ output }: { output: unknown }) => output),
            [{ until: "1970-01-02T12:00:00.000Z" }, { reason: "served" }]
          )
        })
      )

      it.effect("CONDITION compares the contact, the variables, its events and its segments", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const { go, path, trackEvent, read } = yield* running(fresh, {
            plan: {
              type: "CONDITION",
              config: { field: "event.plan", operator: "equals", value: "pro" },
              to: { yes: "many", no: "out" }
            },
            many: {
              type: "CONDITION",
              config: {
                mode: "multi",
                field: "event.bought",
                branches: [
                  { id: "never", operator: "notTriggered" },
                  {
                    id: "once",
                    condition: { groups: [{ filters: [{ field: "event.bought", operator: "triggered" }] }] }
                  }
                ]
              },
              to: { once: "level" }
            },
            level: {
              type: "CONDITION",
              config: { field: "data.level", operator: "equals", value: "gold" },
              to: { no: "out" }
            },
            out: { type: "EXIT" }
          })
          yield* go({ plan: "free" })
          assert.strictEqual(yield* path, "EXITED, plan COMPLETED no, out COMPLETED")
          yield* go({ plan: "pro" })
          assert.strictEqual(yield* path, "COMPLETED, plan COMPLETED yes, many COMPLETED never")
          yield* trackEvent("bought")
          yield* go({ plan: "pro" })
          assert.strictEqual(
            yield* path,
            "EXITED, plan COMPLETED yes, many COMPLETED once, level COMPLETED no, out COMPLETED"
          )
          const { stepExecutions } = yield* read
          assert.deepStrictEqual(stepExecutions[1].output, { result: true, branch: "once" })
          yield* fresh.ask("POST", "/contacts", { email: "ada@example.com", data: { level: "gold" } })
          yield* go({ plan: "pro" })
          assert.strictEqual(yield* path, "COMPLETED, plan COMPLETED yes, many COMPLETED once, level COMPLETED yes")
        })
      )

      it.effect("UPDATE_CONTACT changes the contact and records the event, and the next step sees the change", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const { go, path, read, contact, project } = yield* running(fresh, {
            set: {
              type: "UPDATE_CONTACT",
              config: { updates: { level: "{{event.level}}", old: null }, subscriptionAction: "unsubscribe" },
              to: "ask"
            },
            ask: {
              type: "CONDITION",
              config: { field: "data.level", operator: "equals", value: "gold" },
              to: { yes: "again" }
            },
            again: { type: "UPDATE_CONTACT", config: { updates: { level: "gold" } } }
          })
          yield* fresh.ask("POST", "/contacts", { email: "ada@example.com", data: { old: 1, kept: 2 } })
          yield* go({ level: { value: "gold", persistent: false } })
          assert.strictEqual(yield* path, "COMPLETED, set COMPLETED, ask COMPLETED yes, again COMPLETED")
          const { stepExecutions } = yield* read
          assert.deepStrictEqual(stepExecutions[0].output, {
            changedKeys: ["level", "old"],
            subscribed: false,
            changed: true
          })
          assert.deepStrictEqual(stepExecutions[2].output, { changedKeys: [], subscribed: false, changed: false })
          assert.deepInclude(yield* contact, { subscribed: false, data: { kept: 2, level: "gold" } })
          const sql = yield* SqlClient.SqlClient
          const events = yield* sql`
            select data ->> 'reason' as reason from events
            where project_id = ${project} and name = 'contact.unsubscribed'`
          assert.deepStrictEqual(events, [{ reason: "workflow" }])
        })
      )

      it.effect("UPDATE_CONTACT takes and leaves topics, and asks for them where a confirmation is due", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const topic = { defaultSubscription: "unsubscribed" }
          for (const key of ["news", "tips", "old"]) yield* fresh.ask("POST", "/topics", { ...topic, name: key, key })
          const { id: mail } = yield* fresh.template({ type: "MARKETING" })
          const drawn = {
            set: {
              type: "UPDATE_CONTACT",
              config: { topics: { news: "subscribed", tips: "unsubscribed", old: "subscribed" } },
              to: "mail"
            },
            mail: { type: "SEND_EMAIL", config: { topicId: "news" }, templateId: mail as string, to: "again" },
            again: { type: "UPDATE_CONTACT", config: { topics: { news: "subscribed" } } }
          }
          const { go, path, read, contact, project } = yield* running(fresh, drawn)
          // A topic that is archived later counts.
          yield* fresh.ask("PATCH", "/topics/old", { archived: true })
          yield* go()
          assert.strictEqual(yield* path, "COMPLETED, set COMPLETED, mail COMPLETED, again COMPLETED")
          const { stepExecutions } = yield* read
          const topics = { news: "subscribed", tips: "unsubscribed" }
          assert.deepStrictEqual(
            [stepExecutions[0].output, stepExecutions[2].output],
            [
              { changedKeys: [], subscribed: true, topics, changed: true },
              { changedKeys: [], subscribed: true, topics, changed: false }
            ]
          )
          assert.deepInclude(yield* contact, { topics })
          const sql = yield* SqlClient.SqlClient
          const events = yield* sql`
            select name, data ->> 'reason' as reason from events where project_id = ${project} and name like 'topic.%'
            order by name`
          assert.deepStrictEqual(
            events.map(({ name, reason }) => [name, reason]),
            [
              ["topic.news.subscribed", "workflow"],
              ["topic.old.subscribed", "workflow"],
              ["topic.tips.unsubscribed", "workflow"]
            ]
          )
          // The step keeps its topics from being deleted.
          assert.strictEqual((yield* fresh.ask("DELETE", "/topics/tips")).status, 409)
          yield* fresh.ask("PATCH", "/settings/audience", { doubleOptIn: { mode: "all", from: `a@${fresh.domain}` } })
          yield* TestClock.adjust("2 seconds")
          yield* fresh.ask("POST", "/contacts", { email: "ada@example.com", topics: { news: "unsubscribed" } })
          yield* go()
          assert.strictEqual(yield* path, "COMPLETED, set COMPLETED, mail SKIPPED, again COMPLETED")
          assert.deepInclude(yield* contact, { topics: { news: "pending", tips: "unsubscribed" } })
        })
      )

      for (const mode of ["off", "public", "all"]) {
        it.effect(
          `UPDATE_CONTACT subscribes ${mode === "all" ? "once confirmed" : "at once"} in the mode ${mode}`,
          () =>
            Effect.gen(function* () {
              const fresh = yield* workflowProject
              yield* fresh.ask("PATCH", "/settings/audience", { doubleOptIn: { mode, from: `a@${fresh.domain}` } })
              const topic = { defaultSubscription: "unsubscribed" }
              yield* fresh.ask("POST", "/topics", { ...topic, name: "News", key: "news" })
              // Its own rule wins over the mode.
              yield* fresh.ask("POST", "/topics", { ...topic, name: "Tips", key: "tips", doubleOptIn: true })
              const config = { subscriptionAction: "subscribe", topics: { news: "subscribed", tips: "subscribed" } }
              const { go, path, read, contact, emails, project } = yield* running(fresh, {
                set: { type: "UPDATE_CONTACT", config, to: "rest" },
                rest: { type: "DELAY", config: { amount: 1, unit: "hours" }, to: "leave" },
                leave: { type: "UPDATE_CONTACT", config: { subscriptionAction: "unsubscribe" } }
              })
              const email = "ada@example.com"
              yield* fresh.ask("POST", "/contacts", { email, subscribed: false, doubleOptIn: false })
              yield* go()
              assert.strictEqual(yield* path, "WAITING, set COMPLETED, rest SCHEDULED")
              const isAsked = mode === "all"
              const topics = { news: isAsked ? "pending" : "subscribed", tips: "pending" }
              const { stepExecutions } = yield* read
              const changed = !isAsked
              assert.deepStrictEqual(stepExecutions[0].output, {
                changedKeys: [],
                subscribed: changed,
                topics,
                changed
              })
              const subscription = isAsked ? "pending" : "subscribed"
              assert.deepInclude(yield* contact, { subscribed: changed, subscription, topics })
              const asked = yield* emails
              assert.deepStrictEqual(
                asked.map(({ to, sourceType }: { to: string; sourceType: string }) => [to, sourceType]),
                [[email, "TRANSACTIONAL"]]
              )
              const sql = yield* SqlClient.SqlClient
              const records = sql`
              select action, topic_key as topic from consents where project_id = ${project} and source = 'workflow'
              order by action, topic nulls first`
              const requested = (topic: string | null) => ({ action: "requested", topic })
              const granted = (topic: string | null) => ({ action: "granted", topic })
              const said = isAsked
                ? [requested(null), requested("news"), requested("tips")]
                : [granted(null), granted("news"), requested("tips")]
              assert.deepStrictEqual(yield* records, said)
              // A no ends what the contact is asked, and the mail that asks.
              yield* hours(1)
              assert.strictEqual(yield* path, "COMPLETED, set COMPLETED, rest COMPLETED, leave COMPLETED")
              assert.deepInclude(yield* contact, {
                subscribed: false,
                subscription: "unsubscribed",
                topics: isAsked ? {} : { news: "subscribed" }
              })
              assert.deepStrictEqual((yield* emails)[0].status, "CANCELLED")
            })
        )
      }

      it.effect("UPDATE_CONTACT over the limits fails without affecting others of the batch", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const { go, states, workflow } = yield* running(fresh, {
            set: { type: "UPDATE_CONTACT", config: { updates: { text: "{{event.text}}" } } }
          })
          yield* fresh.ask("POST", "/contacts", { email: "bob@example.com", data: { much: "x".repeat(60_000) } })
          const text = { value: "y".repeat(30_000), persistent: false }
          for (const email of ["ada@example.com", "bob@example.com", "cy@example.com"]) yield* go({ text }, email)
          const found = yield* states
          assert.deepStrictEqual(
            found.map(({ status, path }) => `${status}, ${path}`),
            ["COMPLETED, set COMPLETED", "FAILED, set FAILED", "COMPLETED, set COMPLETED"]
          )
          const failed = yield* fresh.ask("GET", `/workflows/${workflow.id}/executions/${found[1]?.id}`)
          assert.strictEqual(failed.body.stepExecutions[0].error.code, "invalid_data")
        })
      )

      it.effect("SEND_EMAIL stores one mail, rendered from the contact and the variables", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const template = yield* fresh.template({
            subject: "{{event.plan}} for {{firstName}}",
            body: "<p>{{email}}</p>"
          })
          const { go, path, read, emails, workflow, state } = yield* running(fresh, {
            mail: { type: "SEND_EMAIL", templateId: template.id, to: "out" },
            out: { type: "EXIT" }
          })
          yield* go({ plan: { value: "pro", persistent: false }, firstName: "Ada" })
          assert.strictEqual(yield* path, "EXITED, mail COMPLETED, out COMPLETED")
          const [email, ...others] = yield* emails
          assert.isEmpty(others)
          const { stepExecutions } = yield* read
          assert.deepStrictEqual(stepExecutions[0].output, { emailId: email.id })
          const record = (yield* fresh.ask("GET", `/emails/${email.id}`)).body
          assert.deepInclude(record, {
            to: "ada@example.com",
            subject: "pro for Ada",
            sourceType: "WORKFLOW",
            status: "PENDING",
            templateId: template.id,
            workflowId: workflow.id,
            workflowExecutionId: (yield* state).id,
            workflowStepExecutionId: stepExecutions[0].id
          })
        })
      )

      it.effect("SEND_EMAIL uses the live version and the language of the contact when the step runs", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const translations = { de: { subject: "Hallo", body: "<p>Hallo</p>", text: "Servus" } }
          const template = yield* fresh.template({ translations })
          const { go, emails } = yield* running(fresh, {
            rest: { type: "DELAY", config: { amount: 1, unit: "hours" }, to: "mail" },
            mail: { type: "SEND_EMAIL", templateId: template.id }
          })
          yield* go({ locale: "de-AT" })
          yield* go({ locale: "fr" }, "eva@example.com")
          yield* work
          const de = { subject: "Guten Tag", body: "<p>Guten Tag</p>" }
          yield* fresh.ask("PATCH", `/templates/${template.id}`, { translations: { de } })
          yield* hours(1)
          yield* work
          const sent = [...(yield* emails)].map(({ to, subject, locale, templateVersion }) => [
            to,
            subject,
            locale,
            templateVersion
          ])
          assert.deepStrictEqual(sent.sort(), [
            ["ada@example.com", "Guten Tag", "de", 2],
            ["eva@example.com", "Hi", "en", 2]
          ])
        })
      )

      it.effect("SEND_EMAIL skips unsubscribed and suppressed contacts, and fails if nothing can be sent", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const template = yield* fresh.template({ type: "MARKETING" })
          const personal = yield* fresh.template({ type: "TRANSACTIONAL" })
          const mail = { type: "SEND_EMAIL", templateId: template.id }
          const { go, path, read, emails, workflow, ask } = yield* running(fresh, {
            mail: { ...mail, to: "personal" },
            personal: {
              type: "SEND_EMAIL",
              templateId: personal.id,
              config: { recipient: { type: "CUSTOM", customEmail: "{{event.boss}}" } },
              to: "out"
            },
            out: { type: "EXIT" }
          })
          yield* ask("POST", "/contacts", { email: "ada@example.com", subscribed: false })
          yield* go({ boss: "boss@example.com" })
          assert.strictEqual(yield* path, "EXITED, mail SKIPPED, personal COMPLETED, out COMPLETED")
          assert.deepStrictEqual((yield* read).stepExecutions[0].output, {
            skipped: true,
            reason: "contact_unsubscribed"
          })
          const [ada] = (yield* ask("GET", "/contacts?email=ada@example.com")).body.data
          const snoozedUntil = DateTime.formatIso(DateTime.add(yield* DateTime.now, { days: 3 }))
          yield* ask("PATCH", `/contacts/${ada.id}`, { subscribed: true, snoozedUntil })
          yield* go({ boss: "boss@example.com" })
          assert.deepStrictEqual((yield* read).stepExecutions[0].output, { skipped: true, reason: "contact_snoozed" })
          yield* ask("PATCH", `/contacts/${ada.id}`, { subscribed: false, snoozedUntil: null })
          assert.deepStrictEqual(
            (yield* emails).map(({ to }: { to: string }) => to),
            ["boss@example.com", "boss@example.com"]
          )

          yield* go({ boss: "nobody" })
          assert.strictEqual(yield* path, "FAILED, mail SKIPPED, personal FAILED")
          assert.deepInclude(yield* read, { exitReason: "step_failed" })
          assert.deepInclude((yield* read).error, {
            code: "invalid_recipient",
            stepId: workflow.steps.get("personal")
          })

          yield* ask("POST", "/suppressions", { emails: ["boss@example.com"] })
          yield* go({ boss: "boss@example.com" })
          assert.strictEqual(yield* path, "EXITED, mail SKIPPED, personal SKIPPED, out COMPLETED")
          const { output } = (yield* read).stepExecutions[1]
          assert.deepInclude(output, { skipped: true, reason: "suppressed" })
          assert.strictEqual((yield* ask("GET", `/emails/${output.emailId}`)).body.status, "SUPPRESSED")

          const sql = yield* SqlClient.SqlClient
          yield* sql`update domains set verified = false where project_id = ${fresh.project}`
          yield* go({ boss: "other@example.com" })
          assert.strictEqual((yield* read).error.code, "sender_domain_unverified")
          yield* sql`delete from templates where project_id = ${fresh.project}`
          yield* go({ boss: "other@example.com" })
          assert.strictEqual(yield* path, "FAILED, mail FAILED")
          assert.strictEqual((yield* read).error.code, "template_missing")
        })
      )

      it.effect("SEND_EMAIL over the cap of the project fails, and can be retried when the cap is raised", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const template = yield* fresh.template()
          const { go, states, emails, ask, workflow } = yield* running(fresh, {
            mail: { type: "SEND_EMAIL", templateId: template.id }
          })
          const none = { campaigns: null, transactional: null, inbound: null }
          const cap = (workflows: number | null) =>
            settled(Billing.use((billing) => billing.setLimits(fresh.project, { ...none, workflows })))
          yield* cap(1)
          yield* go({}, "ada@example.com")
          yield* go({}, "bob@example.com")
          const [ada, bob] = yield* states
          assert.deepStrictEqual([ada?.status, bob?.status].sort(), ["COMPLETED", "FAILED"])
          assert.lengthOf(yield* emails, 1)
          const failed = [ada, bob].find((each) => each?.status === "FAILED")
          const path = `/workflows/${workflow.id}/executions/${failed?.id}`
          assert.strictEqual((yield* ask("GET", path)).body.error.code, "billing_limit")
          yield* cap(2)
          assert.strictEqual((yield* ask("POST", `${path}/retry`)).status, 200)
          yield* work
          assert.strictEqual((yield* ask("GET", path)).body.status, "COMPLETED")
        })
      )

      it.effect("SEND_EMAIL with a text that is too expensive fails, and stores its mail", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const template = yield* fresh.template({
            body: "{{#each event.many}}{{#each ../event.many}}{{#each ../../event.many}}x{{/each}}{{/each}}{{/each}}"
          })
          const { go, path, read, ask, project } = yield* running(fresh, {
            mail: { type: "SEND_EMAIL", templateId: template.id }
          })
          yield* go({ many: { value: Array.from({ length: 200 }, (_, n) => n), persistent: false } })
          assert.strictEqual(yield* path, "FAILED, mail FAILED")
          const { error, stepExecutions } = yield* read
          assert.strictEqual(error.code, "render_failed")
          const email = (yield* ask("GET", `/emails/${stepExecutions[0].output.emailId}`)).body
          assert.deepInclude(email, { status: "FAILED" })
          assert.strictEqual(email.error.code, "render_failed")
          const sql = yield* SqlClient.SqlClient
          const failed = yield* sql`select email_id from events where project_id = ${project} and name = 'email.failed'`
          assert.deepStrictEqual(failed, [{ email_id: email.id }])
        })
      )

      it.effect("WEBHOOK sends the data of the execution, signed, and stores the response", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const outside = yield* Outside
          yield* outside.answer("https://hooks.example.com/a%20b", "thanks\0")
          const { go, path, read, workflow } = yield* running(fresh, {
            call: { type: "WEBHOOK", config: { url: "https://hooks.example.com/{{event.name}}" }, to: "custom" },
            custom: {
              type: "WEBHOOK",
              config: {
                url: "https://hooks.example.com/a%20b",
                method: "PUT",
                headers: { "X-Plan": "{{event.line}}" },
                body: { all: "{{event.many}}", text: "<{{event.name}}>" }
              }
            }
          })
          yield* go({ name: "a b", line: "x\r\ny: \u0001z\u007f", many: [1, { a: null }] })
          assert.strictEqual(yield* path, "COMPLETED, call COMPLETED, custom COMPLETED")
          const { stepExecutions, id, contact } = yield* read
          assert.deepInclude(stepExecutions[0].output, {
            success: true,
            statusCode: 200,
            attempts: 1,
            responseBody: "thanks\uFFFD"
          })
          const sent = (yield* outside.requests).slice(-2)
          const [first, second] = sent.map(({ body }) => JSON.parse(new TextDecoder().decode(body)))
          assert.deepInclude(first, {
            project: { id: fresh.project },
            workflow: { id: workflow.id, name: "Welcome" },
            step: { id: workflow.steps.get("call"), name: "call" },
            event: { name: "a b", line: "x\r\ny: \u0001z\u007f", many: [1, { a: null }] }
          })
          assert.strictEqual(first.contact.email, contact.email)
          assert.strictEqual(first.execution.id, id)
          assert.deepStrictEqual(second, { all: [1, { a: null }], text: "<a b>" })
          const headers = sent[1]?.headers ?? {}
          assert.deepInclude(headers, {
            "content-type": "application/json",
            "user-agent": "Posthorn",
            "webhook-id": stepExecutions[1].id,
            "x-plan": "xy: z"
          })
          assert.match(headers["webhook-signature"] ?? "", /^v1,\S+$/)
        })
      )

      it.effect(
        "WEBHOOK is tried five times with the same id and body, then fails, or continues with continueOnError",
        () =>
          Effect.gen(function* () {
            const fresh = yield* workflowProject
            const outside = yield* Outside
            const url = `https://down.example.com/${fresh.project}`
            yield* outside.answer(url, "no", 500)
            const { go, path, read, ask } = yield* running(fresh, {
              soft: { type: "WEBHOOK", config: { url, continueOnError: true }, to: "hard" },
              hard: { type: "WEBHOOK", config: { url: `${url}/gone` } }
            })
            yield* go({})
            assert.strictEqual(yield* path, "WAITING, soft SCHEDULED")
            yield* ask("POST", "/contacts", { email: "ada@example.com", data: { later: 1 } })
            yield* seconds(8.9)
            assert.strictEqual((yield* read).stepExecutions[0].attempts, 1)
            for (const wait of [3, 70, 330, 2_000]) {
              yield* seconds(wait)
              yield* path
            }
            const tries = (yield* outside.requests).filter((request) => request.url === url)
            assert.lengthOf(tries, 5)
            assert.lengthOf(new Set(tries.map(({ headers }) => headers?.["webhook-id"])), 1)
            assert.lengthOf(new Set(tries.map(({ body }) => new TextDecoder().decode(body))), 1)
            assert.strictEqual(yield* path, "WAITING, soft FAILED, hard SCHEDULED")
            const soft = (yield* read).stepExecutions[0]
            assert.deepInclude(soft, {
              attempts: 5,
              error: { code: "http_status", message: "The server answered 500." }
            })
            assert.deepInclude(soft.output, { success: false, statusCode: 500, attempts: 5 })
            for (const wait of [12, 70, 330, 2_000]) {
              yield* seconds(wait)
              yield* path
            }
            assert.strictEqual(yield* path, "FAILED, soft FAILED, hard FAILED")
            assert.strictEqual((yield* read).error.code, "connection_failed")
          })
      )

      it.effect("every type of step runs for many contacts in one transaction", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const template = yield* fresh.template({ subject: "Hi {{email}}" })
          const { go, states, emails } = yield* running(fresh, {
            mail: { type: "SEND_EMAIL", templateId: template.id, to: "set" },
            set: { type: "UPDATE_CONTACT", config: { updates: { seen: "yes" } }, to: "ask" },
            ask: {
              type: "CONDITION",
              config: { field: "data.seen", operator: "equals", value: "yes" },
              to: { yes: "out" }
            },
            out: { type: "EXIT" }
          })
          yield* Effect.forEach(Array.from({ length: 30 }), (_, n) => go({}, `many-${n}@example.com`))
          const found = yield* states
          assert.lengthOf(found, 30)
          for (const { status, path } of found) {
            assert.strictEqual(
              [status, ...path].join(", "),
              "EXITED, mail COMPLETED, set COMPLETED, ask COMPLETED yes, out COMPLETED"
            )
          }
          assert.lengthOf(yield* emails, 30)
          yield* hours(1)
        })
      )
    }
  )
}
