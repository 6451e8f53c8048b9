/** Test runs take the course that executions take, and leave no trace. */
import { assert, layer } from "@effect/vitest"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { Clock, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../../../testing/Databases.ts"
import { Outside } from "../../../testing/SafeFetchMemory.ts"
import { servicesOn } from "../../../testing/Services.ts"
import { wireOver } from "../../../testing/TestClient.ts"
import { build, type Drawing, executionsOf, work } from "../ExecutionsFixture.ts"
import { faultsIn, nowhere, workflowProject } from "../WorkflowsFixture.ts"
import * as TestRuns from "./TestRuns.ts"

const email = "ada@example.com"
const days = (amount: number) => ({ type: "DELAY", config: { amount, unit: "days" } }) as const
const out = { type: "EXIT" } as const
const only = (filter: object) => ({ groups: [{ filters: [filter] }] })
/** Whether there were so many events of the name. */
const many = (field: string, atLeast: number) => ({
  mode: "multi",
  branches: [{ id: "many", name: "Many", condition: only({ field, operator: "triggered", value: { atLeast } }) }]
})
const after = (amount: number, unit = "days") => ({ after: { amount, unit } })
const happens = (amount: number, name: string, data: object = {}, unit?: string) => ({
  ...after(amount, unit),
  event: { name, data }
})

/** A workflow that `go` starts, and test runs in it. Steps are named in place of their ids. */
const trying = Effect.fnUntraced(function* (drawing: Omit<Drawing, "event">, enabled = true, topic?: string) {
  const fresh = yield* workflowProject
  if (topic !== undefined)
    yield* fresh.ask("POST", "/topics", { key: topic, name: topic, defaultSubscription: "subscribed" })
  const workflow = yield* build(fresh, { event: "go", allowReentry: true, enabled, ...drawing })
  const idOf = (name: string) => workflow.steps.get(name) ?? nowhere
  const named = (given: object = {}) => Object.fromEntries(Object.entries(given).map(([name, it]) => [idOf(name), it]))
  const run = (body: {
    readonly script?: ReadonlyArray<object>
    readonly branches?: object
    readonly webhooks?: object
    readonly [field: string]: unknown
  }) =>
    Effect.map(
      fresh.ask("POST", `/workflows/${workflow.id}/test-runs`, {
        ...(body["contactId"] === undefined && { contact: { email } }),
        ...body,
        ...(body.branches && { branches: named(body.branches) }),
        ...(body.webhooks && { webhooks: named(body.webhooks) })
      }),
      (answer) => answer
    )
  /** The course as `executionsOf` shows it. */
  const course = (body: Parameters<typeof run>[0]) =>
    Effect.map(run(body), ({ status, body: answer }) => {
      if (status !== 200) return `${status} ${faultsIn(answer).join(", ")}`
      const { outcome, visits } = answer
      return [
        [outcome.status, ...(outcome.exitReason === null ? [] : [outcome.exitReason])].join(" "),
        ...visits.map((visit: { name: string; status: string; branch: string | null }) =>
          [visit.name, visit.status, ...(visit.branch === null ? [] : [visit.branch])].join(" ")
        )
      ].join(", ")
    })
  const contact = (more: object = {}) =>
    Effect.map(fresh.ask("POST", "/contacts", { email, ...more }), ({ body }) => String(body.id))
  return { ...fresh, workflow, idOf, run, course, contact }
})

/** The number of rows of each table, and a digest of those that a course changes. */
const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const names = yield* sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`
  const found: Record<string, string> = {}
  for (const { name } of names) {
    const isWritten = /^(?:contact|conversion|email|event|goal|link|mail|outbox|segment|topic|usage|workflow)/.test(
      name
    )
    const [row] = yield* sql<{ state: string }>`
      select count(*) || ${isWritten ? sql`coalesce(md5(string_agg(stored::text, ',' order by stored::text)), '')` : sql`''`}
        as state from ${sql(name)} as stored`
    found[name] = row?.state ?? ""
  }
  return found
}).pipe(Effect.orDie)

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `Test runs on ${name}`,
    (it) => {
      it.effect("three weeks through every type of step leave every table as it was, and call nobody", () =>
        Effect.gen(function* () {
          const branches = ["short", "long"].map((id) => ({ id, share: 50 }))
          const fresh = yield* trying(
            {
              settings: { goal: { eventName: "paid", exit: false, revenue: { path: "sum", currency: "EUR" } } },
              steps: {
                hello: { type: "WAIT_FOR_EVENT", config: { eventName: "opened", timeout: 604_800 }, to: "split" },
                split: {
                  type: "SPLIT",
                  config: { branches, experiment: { metric: "HUMAN_CLICK" } },
                  to: { short: "pace", long: "pace" }
                },
                pace: { type: "RATE_LIMIT", config: { limit: 1, per: "day" }, to: "call" },
                call: { type: "WEBHOOK", config: { url: "https://hooks.example.com/x" }, to: "update" },
                update: {
                  type: "UPDATE_CONTACT",
                  config: { updates: { plan: "pro" }, subscriptionAction: "unsubscribe" },
                  to: "asked"
                },
                asked: {
                  type: "CONDITION",
                  config: { field: "event.paid", operator: "triggered" },
                  to: { yes: "mail", no: "mail" }
                },
                mail: { type: "SEND_EMAIL", to: "rest" },
                rest: { ...days(14), to: "out" },
                out
              }
            },
            false
          )
          const { id: template } = yield* fresh.template({ type: "TRANSACTIONAL", body: "<p>Plan {{plan}}</p>" })
          yield* fresh.ask("PATCH", `/workflows/${fresh.workflow.id}/steps/${fresh.idOf("mail")}`, {
            templateId: template
          })
          yield* fresh.enable(fresh.workflow.id)
          const contactId = yield* fresh.contact({ data: { plan: "free" } })
          yield* work
          const before = yield* tables
          const { status, body } = yield* fresh.run({
            contactId,
            event: { name: "go", data: { a: 1 } },
            script: [happens(1, "paid", { sum: 12 }), { ...after(20), open: fresh.idOf("mail") }],
            includeHtml: true
          })
          assert.strictEqual(status, 200)
          assert.deepStrictEqual(yield* tables, before)
          assert.isAtLeast(Object.keys(before).length, 50)
          assert.deepStrictEqual(yield* (yield* Outside).requests, [])
          assert.deepStrictEqual(body.warnings, [])
          assert.strictEqual(body.outcome.exitReason, "exit_step")
          assert.isTrue(body.outcome.converted)
          assert.strictEqual(Date.parse(body.outcome.at) - Date.parse(body.visits[0].at), 21 * 86_400_000)
          const mail = body.visits.find((visit: { mail: unknown }) => visit.mail !== null).mail
          assert.strictEqual(mail.to, email)
          assert.include(mail.html, "Plan pro")
          assert.include(mail.text, "Plan pro")
          assert.deepStrictEqual(
            body.visits.map((visit: { branch: string | null }) => visit.branch).filter((it: unknown) => it === "yes"),
            ["yes"]
          )
          // The contact itself is as it was.
          const kept = (yield* fresh.ask("GET", `/contacts/${contactId}`)).body
          assert.deepStrictEqual([kept.subscribed, kept.data.plan], [true, "free"])
        })
      )

      it.effect("quiet hours and frequency caps act on the copy, from the mail that the contact has got", () =>
        Effect.gen(function* () {
          yield* TestClock.setTime(Date.parse("2026-11-24T12:00:00.000Z"))
          const fresh = yield* workflowProject
          const { id: templateId } = yield* fresh.template({ type: "MARKETING" })
          const workflow = yield* build(fresh, {
            event: "go",
            steps: {
              first: { type: "SEND_EMAIL", templateId, to: "night" },
              night: { type: "DELAY", config: { amount: 10, unit: "hours" }, to: "second" },
              second: { type: "SEND_EMAIL", templateId }
            }
          })
          const contactId = (yield* fresh.ask("POST", "/contacts", { email })).body.id
          const policy = {
            quietHours: { from: "21:00", to: "08:00" },
            frequencyCaps: [{ id: "day", limit: 1, amount: 1, unit: "days" }]
          }
          assert.strictEqual((yield* fresh.ask("PATCH", "/settings/sending", policy)).status, 200)
          const before = yield* tables
          const ends = Effect.map(fresh.ask("POST", `/workflows/${workflow.id}/test-runs`, { contactId }), ({ body }) =>
            body.visits.map(({ name, until }: { name: string; until: string }) => `${name} ${until}`)
          )
          const expected = [
            "first 2026-11-24T12:00:00.000Z",
            "night 2026-11-24T22:00:00.000Z",
            // Until the end of the quiet hours, and then until the first mail is a day old.
            "second 2026-11-25T12:00:00.000Z"
          ]
          assert.deepStrictEqual(yield* ends, expected)
          assert.deepStrictEqual(yield* tables, before)
          assert.deepStrictEqual(yield* ends, expected)
        })
      )

      it.effect("takes the course of a real execution", () =>
        Effect.gen(function* () {
          const { course, ask, track, contact, project, workflow } = yield* trying({
            settings: { exitRules: [{ id: "gone", type: "EVENT", eventName: "left" }] },
            steps: {
              plan: {
                type: "CONDITION",
                config: {
                  mode: "multi",
                  branches: [
                    {
                      id: "pro",
                      name: "Pro",
                      condition: only({ field: "data.plan", operator: "equals", value: "pro" })
                    },
                    { id: "new", name: "New", condition: only({ field: "event.bought", operator: "notTriggered" }) }
                  ]
                },
                to: { pro: "out", new: "split", default: "out" }
              },
              split: {
                type: "SPLIT",
                config: {
                  salt: "same",
                  branches: [
                    { id: "a", share: 50 },
                    { id: "b", share: 50 }
                  ]
                },
                to: { a: "wait", b: "wait" }
              },
              wait: {
                type: "WAIT_FOR_EVENT",
                config: {
                  eventName: "paid",
                  timeout: 86_400,
                  where: [{ path: "sum", operator: "greaterThan", value: 5 }]
                },
                to: { event: "update", timeout: "out" }
              },
              update: { type: "UPDATE_CONTACT", config: { updates: { paid: "{{event.sum}}" } }, to: "rest" },
              rest: { ...days(3), to: "out" },
              out
            }
          })
          const contactId = yield* contact()
          const script = [
            happens(1, "paid", { sum: 3 }, "hours"),
            happens(2, "paid", { sum: 7 }, "hours"),
            happens(2, "left")
          ]
          const expected = yield* course({ contactId, event: { name: "go", data: {} }, script })
          yield* track({ email, event: "go" })
          yield* work
          yield* TestClock.adjust(Duration.hours(1))
          yield* track({ email, event: "paid", data: { sum: 3 } })
          yield* work
          yield* TestClock.adjust(Duration.hours(1))
          yield* track({ email, event: "paid", data: { sum: 7 } })
          yield* work
          yield* TestClock.adjust(Duration.hours(46))
          yield* track({ email, event: "left" })
          yield* work
          const [real] = yield* executionsOf(project, workflow.id)
          assert.strictEqual([`${real?.status} ${real?.exitReason}`, ...(real?.path ?? [])].join(", "), expected)
          assert.include(expected, "EXITED exit_event, plan COMPLETED new, split COMPLETED")
          assert.isTrue(expected.endsWith("wait COMPLETED event, update COMPLETED, rest SKIPPED"))
          assert.strictEqual((yield* ask("GET", `/contacts/${contactId}`)).body.data.paid, "7")
        })
      )

      it.effect.each(["off", "all"])("who has to confirm stays pending in the copy too, mode %s", (mode) =>
        Effect.gen(function* () {
          const { ask, contact, course, domain, project, run, track, workflow } = yield* trying(
            {
              steps: {
                set: {
                  type: "UPDATE_CONTACT",
                  config: { subscriptionAction: "subscribe", topics: { news: "subscribed" } },
                  to: "look"
                },
                look: {
                  type: "CONDITION",
                  config: { field: "contact.subscription", operator: "equals", value: "subscribed" },
                  to: { yes: "out", no: "out" }
                },
                out
              }
            },
            true,
            "news"
          )
          yield* ask("PATCH", "/settings/audience", { doubleOptIn: { mode, from: `a@${domain}` } })
          const topics = { news: "unsubscribed" }
          const contactId = yield* contact({ subscribed: false, topics })
          const { body } = yield* run({ contactId })
          const isAsked = mode === "all"
          assert.deepInclude(body.visits[0].output, {
            subscribed: !isAsked,
            topics: { news: isAsked ? "pending" : "subscribed" }
          })
          const expected = yield* course({ contactId })
          assert.include(expected, `look COMPLETED ${isAsked ? "no" : "yes"}`)
          yield* track({ email, event: "go" })
          yield* work
          const [real] = yield* executionsOf(project, workflow.id)
          assert.strictEqual([`${real?.status} ${real?.exitReason}`, ...(real?.path ?? [])].join(", "), expected)
        })
      )

      it.effect("clicks of people resume, those of machines do not; goals count after the end", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const { id: templateId } = yield* fresh.template({ type: "TRANSACTIONAL" })
          const workflow = yield* build(fresh, {
            event: "go",
            settings: { goal: { eventName: "paid", windowHours: 48 } },
            steps: {
              mail: { type: "SEND_EMAIL", templateId, to: "sent" },
              sent: { type: "WAIT_FOR_EVENT", config: { eventName: "email.delivery", timeout: 60 }, to: "wait" },
              wait: {
                type: "WAIT_FOR_EVENT",
                config: { eventName: "email.click", timeout: 86_400 },
                to: { event: "out" }
              },
              out
            }
          })
          const mail = workflow.steps.get("mail")
          const run = (script: ReadonlyArray<object>) =>
            Effect.map(
              fresh.ask("POST", `/workflows/${workflow.id}/test-runs`, { contact: { email }, script }),
              ({ body }) => ({
                ...body.outcome,
                branches: body.visits.map(({ branch }: { branch: string | null }) => branch),
                warnings: body.warnings.map(({ field }: { field: string }) => field)
              })
            )
          const machine = yield* run([
            { ...after(1, "hours"), click: mail, verdict: "machine" },
            { ...after(1, "hours"), open: mail }
          ])
          assert.deepStrictEqual(machine.branches, [null, "event", "timeout"])
          assert.strictEqual(machine.status, "COMPLETED")
          const person = yield* run([{ ...after(1, "hours"), click: mail }, happens(47, "paid", {}, "hours")])
          assert.deepStrictEqual([person.branches, person.status], [[null, "event", "event", null], "EXITED"])
          assert.isTrue(person.converted)
          assert.isFalse((yield* run([happens(49, "paid", {}, "hours")])).converted)
          const exits = yield* run([happens(2, "paid", {}, "hours")])
          assert.deepStrictEqual([exits.status, exits.exitReason, exits.converted], ["EXITED", "goal", true])
          // A suppressed address gets no mail, so there is none to click.
          yield* fresh.ask("POST", "/suppressions", { email })
          const held = yield* run([{ ...after(1, "hours"), click: mail }])
          assert.deepStrictEqual(held.warnings, ["script.0.click"])
        })
      )

      it.effect("conditions see the copy: its data, its topics, its events", () =>
        Effect.gen(function* () {
          const { course, track, contact } = yield* trying(
            {
              settings: { exitRules: [{ id: "no", type: "UNSUBSCRIBED" }] },
              steps: {
                wait: { ...days(1), to: "events" },
                events: {
                  type: "CONDITION",
                  config: many("event.bought", 2),
                  to: { many: "update", default: "out" }
                },
                update: {
                  type: "UPDATE_CONTACT",
                  config: { updates: { tier: "gold" }, topics: { news: "unsubscribed" } },
                  to: "segment"
                },
                segment: {
                  type: "CONDITION",
                  config: { field: "contact.topic.news", operator: "equals", value: "unsubscribed" },
                  to: { yes: "leave", no: "out" }
                },
                leave: { type: "UPDATE_CONTACT", config: { subscriptionAction: "unsubscribe" }, to: "rest" },
                rest: { ...days(1), to: "out" },
                out
              }
            },
            false,
            "news"
          )
          const contactId = yield* contact()
          yield* track({ email, event: "bought" })
          const bought = happens(1, "bought", {}, "hours")
          assert.strictEqual(
            yield* course({ contactId }),
            "EXITED exit_step, wait COMPLETED, events COMPLETED default, out COMPLETED"
          )
          const path = "events COMPLETED many, update COMPLETED, segment COMPLETED yes, leave COMPLETED, rest SKIPPED"
          assert.strictEqual(
            yield* course({ contactId, script: [bought] }),
            `EXITED unsubscribed, wait COMPLETED, ${path}`
          )
          // A contact that is made up has no events of its own.
          assert.strictEqual(
            yield* course({ script: [bought] }),
            "EXITED exit_step, wait COMPLETED, events COMPLETED default, out COMPLETED"
          )
          assert.strictEqual(
            yield* course({ script: [bought, bought] }),
            `EXITED unsubscribed, wait COMPLETED, ${path}`
          )
        })
      )

      it.effect("branches and answers of servers can be chosen; tries of a request take their time", () =>
        Effect.gen(function* () {
          const { course, run, idOf } = yield* trying({
            steps: {
              split: {
                type: "SPLIT",
                config: {
                  branches: [
                    { id: "a", share: 99.99 },
                    { id: "b", share: 0.01 }
                  ]
                },
                to: { a: "out", b: "plan" }
              },
              plan: {
                type: "CONDITION",
                config: { field: "data.plan", operator: "equals", value: "pro" },
                to: { yes: "pace", no: "out" }
              },
              pace: {
                type: "RATE_LIMIT",
                config: { limit: 1, per: "day", onExceeded: "BRANCH" },
                to: { "": "out", exceeded: "call" }
              },
              call: { type: "WEBHOOK", config: { url: "https://hooks.example.com/{{event.id}}" }, to: "out" },
              out
            }
          })
          const branches = { split: "b", plan: "yes", pace: "exceeded" }
          const path = "split COMPLETED b, plan COMPLETED yes, pace COMPLETED exceeded"
          assert.strictEqual(yield* course({ branches }), `EXITED exit_step, ${path}, call COMPLETED, out COMPLETED`)
          const failed = yield* run({ branches, webhooks: { call: { status: 500, body: { no: true } } } })
          assert.strictEqual(failed.status, 200, JSON.stringify(failed.body))
          const call = failed.body.visits.at(-1)
          assert.deepStrictEqual(
            [
              failed.body.outcome.status,
              failed.body.outcome.error.code,
              call.status,
              call.error.code,
              call.output.attempts
            ],
            ["FAILED", "http_status", "FAILED", "http_status", 5]
          )
          assert.strictEqual(call.output.responseBody, '{"no":true}')
          const seconds = (Date.parse(failed.body.outcome.at) - Date.parse(call.at)) / 1_000
          assert.isTrue(seconds > 1_900 && seconds < 2_500, String(seconds))
          const other = yield* run({ branches: { split: "c" } })
          assert.deepStrictEqual(faultsIn(other.body), [`branches.${idOf("split")} custom`])
        })
      )

      it.effect("a workflow that is not finished runs as far as it goes", () =>
        Effect.gen(function* () {
          const { course, run, workflow, ask } = yield* trying(
            {
              trigger: { where: [{ path: "sum", operator: "greaterThan", value: 5 }] },
              steps: { mail: { type: "SEND_EMAIL" } }
            },
            false
          )
          assert.strictEqual(yield* course({}), "FAILED step_failed, mail FAILED")
          const fieldsOf = (event: object) =>
            Effect.map(run({ event }), ({ body }) =>
              body.warnings.map(({ field, message }: { field: string; message: string }) => [field, message])
            )
          assert.deepStrictEqual(yield* fieldsOf({ name: "go", data: { sum: 6 } }), [])
          assert.deepStrictEqual(yield* fieldsOf({ name: "go", data: { sum: 5 } }), [
            ["event", "The data of this event does not start the workflow."]
          ])
          assert.deepStrictEqual(yield* fieldsOf({ name: "other" }), [
            ["event", "An event of this name does not start the workflow."]
          ])
          const fresh = yield* ask("POST", "/workflows", { name: "Empty" })
          const empty = yield* ask("POST", `/workflows/${fresh.body.id}/test-runs`, { contact: { email } })
          assert.deepStrictEqual(
            [empty.body.outcome.status, empty.body.visits, empty.body.warnings[0].message],
            ["COMPLETED", [], "No step follows the trigger."]
          )
          assert.strictEqual((yield* ask("GET", `/workflows/${workflow.id}`)).body._count.executions, 0)
        })
      )

      it.effect("a run has limits: visits, years, mails with HTML", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const { id: templateId } = yield* fresh.template({ type: "TRANSACTIONAL" })
          const loop = (steps: Drawing["steps"]) => build(fresh, { event: "go", steps })
          const ask = (id: string, more: object = {}) =>
            fresh.ask("POST", `/workflows/${id}/test-runs`, { contact: { email }, ...more })
          const quick = yield* loop({
            rest: { type: "DELAY", config: { amount: 1, unit: "minutes" }, to: "again" },
            again: { type: "DELAY", config: { amount: 1, unit: "minutes" }, to: "rest" }
          })
          const visits = yield* ask(quick.id)
          assert.deepStrictEqual([visits.status, faultsIn(visits.body)], [422, ["script custom"]])
          assert.include(visits.body.error.errors[0].message, "1,000 visits")
          const slow = yield* loop({ rest: { ...days(365), to: "again" }, again: { ...days(365), to: "rest" } })
          const years = yield* ask(slow.id)
          assert.deepStrictEqual([years.status, faultsIn(years.body)], [422, ["script custom"]])
          assert.include(years.body.error.errors[0].message, "5 years")
          // Waiting without an end is no error.
          const open = yield* loop({ wait: { type: "WAIT_FOR_EVENT", config: { eventName: "paid" } } })
          const waiting = yield* ask(open.id)
          assert.deepStrictEqual(
            [waiting.body.outcome.status, waiting.body.visits[0].status, waiting.body.visits[0].until],
            ["WAITING", "WAITING", null]
          )
          const mailing = yield* loop({
            mail: { type: "SEND_EMAIL", templateId, to: "rest" },
            rest: { ...days(1), to: "ask" },
            ask: {
              type: "CONDITION",
              config: many("event.email.sent", 22),
              to: { many: "out", default: "mail" }
            },
            out
          })
          const mails = yield* ask(mailing.id, { includeHtml: true })
          const written = mails.body.visits.flatMap(({ mail }: { mail: object | null }) => mail ?? [])
          assert.lengthOf(written, 22)
          assert.lengthOf(
            written.filter((mail: { html?: string }) => mail.html !== undefined),
            20
          )
          assert.deepStrictEqual(
            mails.body.warnings.map(({ field }: { field: string }) => field),
            ["includeHtml"]
          )
        })
      )

      it.effect("a run has limits: 2 MB of mail, and 2 seconds of computing", () =>
        Effect.gen(function* () {
          const fresh = yield* workflowProject
          const body = `<p>${"x".repeat(700_000)}</p>`
          const { id: templateId } = yield* fresh.template({ type: "TRANSACTIONAL", body })
          const looping = (times: number) =>
            build(fresh, {
              event: "go",
              steps: {
                mail: { type: "SEND_EMAIL", templateId, to: "rest" },
                rest: { ...days(1), to: "ask" },
                ask: {
                  type: "CONDITION",
                  config: many("event.email.sent", times),
                  to: { many: "out", default: "mail" }
                },
                out
              }
            })
          const run = (id: string) => fresh.ask("POST", `/workflows/${id}/test-runs`, { contact: { email } })
          // HTML and text of a mail count alike, whether the answer shows them or not.
          const small = yield* looping(1)
          assert.strictEqual((yield* run(small.id)).status, 200)
          const large = yield* looping(2)
          const refused = yield* run(large.id)
          assert.deepStrictEqual([refused.status, faultsIn(refused.body)], [422, ["script custom"]])
          assert.include(refused.body.error.errors[0].message, "2 MB")

          const { id } = yield* build(fresh, {
            event: "go",
            steps: { rest: { ...days(1), to: "again" }, again: { ...days(1), to: "out" }, out }
          })
          const clock = yield* Clock.Clock
          /** Each look at the clock finds that so many milliseconds have passed. */
          const paced = (millis: number) => {
            let nanos = 0n
            const slow: Clock.Clock = Object.create(clock, {
              monotonicTimeNanosUnsafe: { value: () => (nanos += BigInt(millis) * 1_000_000n) }
            })
            return Effect.flatMap(TestRuns.make, (runs) =>
              runs.run(fresh.project, WorkflowId.make(id), { contact: { email } })
            ).pipe(Effect.provideService(Clock.Clock, slow), Effect.result)
          }
          assert.strictEqual((yield* paced(1))._tag, "Success")
          const slow = yield* paced(1_000)
          const [fault] = slow._tag === "Failure" && "errors" in slow.failure ? slow.failure.errors : []
          assert.deepInclude(fault, { field: "script", message: "The run takes more than 2 seconds of computing." })
          const sql = yield* SqlClient.SqlClient
          assert.deepStrictEqual(yield* sql`select 1 from workflow_executions where project_id = ${fresh.project}`, [])
        })
      )

      it.effect("refuses what it cannot run, with every fault", () =>
        Effect.gen(function* () {
          const { run, ask, workflow, idOf, contact } = yield* trying({
            steps: { rest: { ...days(1), to: "out" }, out }
          })
          const faults = (body: Parameters<typeof run>[0]) =>
            Effect.map(run(body), ({ status, body: answer }) => [status, ...faultsIn(answer)])
          const contactId = yield* contact()
          assert.deepStrictEqual(yield* faults({ contactId, contact: { email } }), [422, "contact custom"])
          assert.deepStrictEqual(yield* faults({ contact: null }), [422, "contactId required"])
          assert.deepStrictEqual(yield* faults({ contact: { email: "no" } }), [422, "contact.email invalid_string"])
          assert.deepStrictEqual(
            yield* faults({ contact: { email, timezone: "Asia/Tokyo", data: { timezone: "UTC" } } }),
            [422, "contact.timezone custom"]
          )
          assert.deepStrictEqual(
            yield* faults({
              script: [
                { ...after(1), event: { name: "a" }, open: nowhere },
                after(1),
                { after: { amount: -1, unit: "days" }, event: { name: "a" }, verdict: "human" }
              ]
            }),
            [422, "script.0.open custom", "script.1 required", "script.2.after.amount too_small"]
          )
          assert.deepStrictEqual(
            yield* faults({
              script: [
                { ...after(1), open: idOf("rest") },
                { ...after(1), click: nowhere }
              ],
              branches: { rest: "yes" },
              webhooks: { out: { status: 200 } }
            }),
            [
              422,
              "script.0.open custom",
              "script.1.click custom",
              `branches.${idOf("rest")} custom`,
              `webhooks.${idOf("out")} custom`
            ]
          )
          assert.deepStrictEqual(yield* faults({ script: Array.from({ length: 101 }, () => happens(1, "a")) }), [
            422,
            "script too_big"
          ])
          assert.deepStrictEqual(yield* faults({ start: "1990-01-01T00:00:00Z" }), [422, "start custom"])
          const missing = (body: object, id: string = workflow.id) =>
            Effect.map(ask("POST", `/workflows/${id}/test-runs`, { contact: { email }, ...body }), (answer) => [
              answer.status,
              answer.body.error.code,
              answer.body.error.details?.resource ?? Object.keys(answer.body.error).join()
            ])
          assert.deepStrictEqual(yield* missing({ version: 7 }), [404, "RESOURCE_NOT_FOUND", "workflow_version"])
          assert.strictEqual((yield* run({ version: "draft" })).status, 200)
          assert.deepStrictEqual((yield* missing({}, nowhere)).slice(0, 2), [404, "WORKFLOW_NOT_FOUND"])
          const other = yield* workflowProject
          const foreign = yield* other.ask("POST", "/contacts", { email })
          const answer = yield* run({ contactId: foreign.body.id })
          assert.deepStrictEqual([answer.status, answer.body.error.code], [404, "CONTACT_NOT_FOUND"])
        })
      )
    }
  )
}
