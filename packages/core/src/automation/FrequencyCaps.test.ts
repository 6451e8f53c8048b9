/** Frequency caps of a project, on mail of campaigns, workflows and single sends. */
import { assert, describe, it, layer } from "@effect/vitest"
import type { FrequencyCap } from "@posthorn/contract/mail/sending/SendingSettings"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Frequency from "../mail/policy/Frequency.ts"
import { capUsage, type FrequencyRequest } from "../mail/policy/FrequencyCaps.ts"
import { databases } from "../testing/Databases.ts"
import { sendDue } from "../testing/SendDue.ts"
import { servicesOn } from "../testing/Services.ts"
import { wireOver } from "../testing/TestClient.ts"
import { work as campaignWork, type SendingProject, sendingProject } from "./campaigns/CampaignsFixture.ts"
import { build, executionsOf, work } from "./workflows/ExecutionsFixture.ts"
import { faultsIn, workflowProject } from "./workflows/WorkflowsFixture.ts"

const setTime = (text: string) => TestClock.setTime(Date.parse(text))
const start = "2026-11-24T12:00:00.000Z"

const week = { id: "week", limit: 2, amount: 7, unit: "days" }
const daily = { id: "day", limit: 1, amount: 1, unit: "days" }

const launch = Effect.fnUntraced(function* ({ ask, create }: SendingProject, more: object = {}) {
  const id = yield* create(more)
  const { status, body } = yield* ask("POST", `/campaigns/${id}/send`)
  assert.strictEqual(status, 200, JSON.stringify(body))
  yield* campaignWork
  return id
})

/** A project with caps and this many contacts. */
const capped = Effect.fnUntraced(function* (contacts: number, settings: object) {
  yield* setTime(start)
  const made = yield* sendingProject(contacts)
  const answer = yield* made.ask("PATCH", "/settings/sending", settings)
  assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
  const contact = Effect.map(made.ask("GET", "/contacts"), ({ body }) => body.data[0])
  const state = Effect.flatMap(contact, ({ id }) =>
    Effect.map(made.ask("GET", `/contacts/${id}/sending-state`), ({ body }) => body.caps)
  )
  const statusesOf = Effect.fnUntraced(function* (campaign: string) {
    const rows: ReadonlyArray<{ status: string; reason: string | null }> = yield* made.recipients(campaign)
    return rows.map(({ status, reason }) => (reason === null ? status : `${status} ${reason}`)).sort()
  })
  return { ...made, contact, state, statusesOf }
})

/** The most mails that left to one contact. */
const mostSent = (project: string) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.map(
      sql`
        select coalesce(max(n), 0)::int as most, count(*)::int as contacts
        from (select count(*) as n from emails where project_id = ${project} and status = 'SENT' group by contact_id) as s`,
      ([row]) => row
    )
  )

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds", excludeTestServices: false })(
    `Frequency caps on ${name}`,
    (it) => {
      it.effect(
        "hold with four workers and three campaigns at once: no contact gets more, and each gets all of it",
        () =>
          Effect.gen(function* () {
            const made = yield* capped(150, {
              frequencyCaps: [week, { ...daily, id: "hour", amount: 1, unit: "hours", limit: 2 }]
            })
            const campaigns = [yield* launch(made), yield* launch(made), yield* launch(made)]
            yield* sendDue(4, 20)
            assert.deepStrictEqual(yield* mostSent(made.project), { most: 2, contacts: 150 })
            const counts = yield* Effect.forEach(campaigns, made.stats)
            const sum = (field: string) => counts.reduce((total, count) => total + count[field], 0)
            assert.deepStrictEqual([sum("sentCount"), sum("suppressedCount"), sum("pendingCount")], [300, 150, 0])
            const [first = ""] = campaigns
            const skipped = (yield* made.statusesOf(first)).filter((status) => status !== "SENT")
            assert.isTrue(skipped.every((status) => status === "SUPPRESSED FREQUENCY_CAP"))
          })
      )

      it.effect("let mail of a campaign wait until its oldest entry leaves the time, and no longer than allowed", () =>
        Effect.gen(function* () {
          const made = yield* capped(1, { frequencyCaps: [daily], onCap: { campaigns: "WAIT" }, maxWaitHours: 30 })
          yield* launch(made)
          yield* sendDue()
          yield* setTime("2026-11-24T18:00Z")
          const second = yield* launch(made)
          const third = yield* launch(made)
          yield* sendDue()
          const mailOf = (campaign: string) =>
            Effect.flatMap(made.recipients(campaign), ([{ emailId }]) =>
              Effect.map(made.ask("GET", `/emails/${emailId}`), ({ body }) => body)
            )
          const until = "2026-11-25T12:00:00.000Z"
          for (const campaign of [second, third]) {
            const mail = yield* mailOf(campaign)
            assert.deepStrictEqual(mail.hold, { reason: "FREQUENCY_CAP", until })
            assert.deepInclude(mail, { status: "PENDING", attempts: 0, error: null })
          }
          assert.deepStrictEqual(yield* made.state, [{ id: "day", used: 1, limit: 1, freeAt: until }])
          yield* setTime("2026-11-25T11:59:59.999Z")
          assert.strictEqual(yield* sendDue(), 0)
          yield* setTime(until)
          yield* sendDue()
          assert.deepStrictEqual([...(yield* made.statusesOf(second)), ...(yield* made.statusesOf(third))].sort(), [
            "PENDING",
            "SENT"
          ])
          // The wait began at 18:00, so it ends 30 hours later.
          const waiting = (yield* made.statusesOf(second))[0] === "PENDING" ? second : third
          assert.deepStrictEqual((yield* mailOf(waiting)).hold, {
            reason: "FREQUENCY_CAP",
            until: "2026-11-26T00:00:00.000Z"
          })
          yield* setTime("2026-11-26T00:00Z")
          yield* sendDue()
          const dropped = yield* mailOf(waiting)
          assert.deepInclude(dropped, { status: "SUPPRESSED", suppressionReason: "FREQUENCY_CAP", hold: null })
          assert.strictEqual(dropped.error.code, "frequency_cap")
          assert.deepStrictEqual(
            dropped.timeline.map(({ type }: { type: string }) => type),
            ["accepted", "held", "suppressed"]
          )
        })
      )

      it.effect("count single sends and what bypasses them without a limit, and never transactional mail", () =>
        Effect.gen(function* () {
          const made = yield* capped(1, { frequencyCaps: [week] })
          const template = (type: string) =>
            Effect.map(
              made.ask("POST", "/templates", {
                name: type,
                subject: "Hi",
                body: "<p>Hi</p>",
                from: made.draft.from,
                type
              }),
              ({ body }) => body.id
            )
          const send = Effect.fnUntraced(function* (type: string) {
            const { status, body } = yield* made.ask("POST", "/v1/send", {
              to: "c-1@example.com",
              template: yield* template(type)
            })
            assert.strictEqual(status, 200, JSON.stringify(body))
            yield* sendDue()
          })
          const used = Effect.map(made.state, ([cap]) => [cap.used, cap.freeAt])
          yield* send("TRANSACTIONAL")
          yield* launch(made, { type: "TRANSACTIONAL" })
          yield* sendDue()
          assert.deepStrictEqual(yield* used, [0, null])
          yield* send("MARKETING")
          assert.deepStrictEqual(yield* used, [1, null])
          yield* send("HEADLESS")
          yield* send("MARKETING")
          const bypass = yield* launch(made, { policy: { frequencyCaps: "BYPASS" } })
          yield* sendDue()
          assert.deepStrictEqual(yield* made.statusesOf(bypass), ["SENT"])
          assert.deepStrictEqual(yield* used, [4, "2026-12-01T12:00:00.000Z"])
          const limited = yield* launch(made)
          yield* sendDue()
          assert.deepStrictEqual(yield* made.statusesOf(limited), ["SUPPRESSED FREQUENCY_CAP"])
          assert.deepStrictEqual(yield* used, [4, "2026-12-01T12:00:00.000Z"])
        })
      )

      it.effect("of a topic count and limit its mail alone, and go with it", () =>
        Effect.gen(function* () {
          const made = yield* capped(1, {})
          const { body: topic } = yield* made.ask("POST", "/topics", {
            key: "tips",
            name: "Tips",
            defaultSubscription: "subscribed"
          })
          yield* made.ask("POST", "/topics", { key: "rare", name: "Rare", defaultSubscription: "subscribed" })
          const set = yield* made.ask("PATCH", "/settings/sending", {
            frequencyCaps: ["tips", "rare"].map((topicId) => ({ ...daily, id: topicId, topicId }))
          })
          assert.strictEqual(set.status, 200, JSON.stringify(set.body))
          const caps = set.body.frequencyCaps
          assert.deepStrictEqual(caps[0], { ...daily, id: "tips", topicId: topic.id })
          const plain = [yield* launch(made), yield* launch(made)]
          const tips = [yield* launch(made, { topicId: "tips" })]
          yield* sendDue()
          tips.push(yield* launch(made, { topicId: "tips" }))
          yield* sendDue()
          assert.deepStrictEqual(yield* Effect.forEach([...plain, ...tips], made.statusesOf), [
            ["SENT"],
            ["SENT"],
            ["SENT"],
            ["SUPPRESSED FREQUENCY_CAP"]
          ])
          assert.strictEqual((yield* made.ask("DELETE", "/topics/rare")).status, 204)
          assert.deepStrictEqual((yield* made.ask("GET", "/settings/sending")).body.frequencyCaps, [caps[0]])
          assert.deepStrictEqual(
            (yield* made.state).map(({ id }: { id: string }) => id),
            ["tips"]
          )
          yield* made.ask("PATCH", "/settings/sending", { frequencyCaps: [daily] })
          assert.strictEqual((yield* made.state)[0].used, 3)
        })
      )

      it.effect("take one place for each mail, whatever becomes of its tries", () =>
        Effect.gen(function* () {
          const made = yield* capped(1, { frequencyCaps: [week] })
          const { id: contactId } = yield* made.contact
          const frequency = yield* Frequency.make
          const cap: FrequencyCap = { id: "week", limit: 2, amount: 7, unit: "days", topicId: null }
          const ask = (emailId: string) => ({
            ...{ projectId: made.project, contactId, emailId, topicId: null },
            caps: [cap],
            countSince: 0
          })
          const ids = [1, 2, 3].map((n) => `019a9f3c-0000-7000-8000-00000000000${n}`)
          const [one = "", two = "", three = ""] = ids
          const taken = (requests: ReadonlyArray<FrequencyRequest>) =>
            Effect.map(frequency.take(requests), (answers) => requests.map((each) => answers.get(each)))
          assert.deepStrictEqual(yield* taken([ask(one)]), [null])
          // A worker that died after it took the place asks again.
          assert.deepStrictEqual(yield* taken([ask(one)]), [null])
          assert.strictEqual((yield* frequency.of(made.project, contactId)).length, 1)
          yield* TestClock.adjust("1 hour")
          const free = Date.parse("2026-12-01T12:00:00Z")
          assert.deepStrictEqual(yield* taken([ask(two), ask(three), ask(one)]), [null, free, null])
          yield* TestClock.setTime(free - 1)
          assert.deepStrictEqual(yield* taken([ask(three)]), [free])
          yield* TestClock.setTime(free)
          assert.deepStrictEqual(yield* taken([ask(three)]), [null])
          const kept = yield* frequency.of(made.project, contactId)
          assert.deepStrictEqual(
            kept.map(({ emailId }) => emailId),
            [three, two, one]
          )
        })
      )

      /** A workflow with a MARKETING mail for each `go`. */
      const flow = Effect.fnUntraced(function* (settings: object, step: object = {}) {
        yield* setTime(start)
        const made = yield* workflowProject
        const template = yield* made.template({ type: "MARKETING" })
        const workflow = yield* build(made, {
          event: "go",
          allowReentry: true,
          steps: {
            mail: { type: "SEND_EMAIL", templateId: template.id, config: step, to: "out" },
            out: { type: "EXIT" }
          }
        })
        yield* made.ask("POST", "/contacts", { email: "ada@example.com", subscribed: true })
        yield* made.ask("PATCH", "/settings/sending", settings)
        const states = Effect.andThen(work, executionsOf(made.project, workflow.id))
        const visitOf = (execution: string) =>
          Effect.map(
            made.ask("GET", `/workflows/${workflow.id}/executions/${execution}`),
            ({ body }) => body.stepExecutions[0]
          )
        const last = Effect.flatMap(states, (found) => visitOf(found.at(-1)?.id ?? ""))
        const path = Effect.map(states, (found) => [found.at(-1)?.status, ...(found.at(-1)?.path ?? [])].join(", "))
        const mails = Effect.map(made.ask("GET", "/emails"), ({ body }) => body.data)
        const go = made.track({ email: "ada@example.com", event: "go", data: {} })
        return { ...made, workflow, last, path, mails, go }
      })

      it.effect("hold a workflow in the step until there is a place, and share places with campaigns", () =>
        Effect.gen(function* () {
          const { ask, domain, go, last, mails, path, project } = yield* flow({ frequencyCaps: [daily] })
          yield* go
          assert.strictEqual(yield* path, "EXITED, mail COMPLETED, out COMPLETED")
          yield* setTime("2026-11-24T13:00Z")
          yield* go
          const until = "2026-11-25T12:00:00.000Z"
          assert.strictEqual(yield* path, "WAITING, mail SCHEDULED")
          assert.deepStrictEqual((yield* last).output.hold, { reason: "FREQUENCY_CAP", until })
          assert.strictEqual((yield* mails).length, 1)
          // A campaign is skipped, because the workflow took the place.
          const { body } = yield* ask("POST", "/campaigns", {
            ...{ name: "Launch", subject: "Hi", body: "<p>Hi</p>", from: `news@${domain}`, audienceType: "ALL" }
          })
          yield* ask("POST", `/campaigns/${body.data.id}/send`)
          yield* campaignWork
          yield* sendDue()
          assert.deepStrictEqual(yield* mostSent(project), { most: 1, contacts: 1 })
          yield* setTime(until)
          assert.strictEqual(yield* path, "EXITED, mail COMPLETED, out COMPLETED")
          assert.strictEqual((yield* mails).length, 3)
        })
      )

      it.effect("drop the mail of a step that waited too long, of one that skips, and none that bypasses", () =>
        Effect.gen(function* () {
          const waiting = yield* flow({ frequencyCaps: [{ ...daily, amount: 5 }], maxWaitHours: 24 })
          yield* waiting.go
          yield* waiting.path
          yield* setTime("2026-11-24T13:00Z")
          yield* waiting.go
          assert.strictEqual(yield* waiting.path, "WAITING, mail SCHEDULED")
          assert.strictEqual((yield* waiting.last).output.hold.until, "2026-11-25T13:00:00.000Z")
          yield* setTime("2026-11-25T13:00Z")
          assert.strictEqual(yield* waiting.path, "EXITED, mail SKIPPED, out COMPLETED")
          assert.deepStrictEqual((yield* waiting.last).output, { skipped: true, reason: "frequency_cap" })
          assert.strictEqual((yield* waiting.mails).length, 1)

          const skipping = yield* flow({ frequencyCaps: [daily], onCap: { workflows: "SKIP" } })
          yield* skipping.go
          yield* skipping.path
          yield* skipping.go
          assert.strictEqual(yield* skipping.path, "EXITED, mail SKIPPED, out COMPLETED")

          const bypassing = yield* flow({ frequencyCaps: [daily] }, { policy: { frequencyCaps: "BYPASS" } })
          yield* bypassing.go
          yield* bypassing.path
          yield* bypassing.go
          assert.strictEqual(yield* bypassing.path, "EXITED, mail COMPLETED, out COMPLETED")
          assert.strictEqual((yield* bypassing.mails).length, 2)
        })
      )

      it.effect("are exported with a contact, merged into another, and gone with it", () =>
        Effect.gen(function* () {
          const made = yield* capped(2, { frequencyCaps: [{ ...week, limit: 3 }] })
          yield* launch(made)
          yield* sendDue()
          yield* setTime("2026-11-24T13:00Z")
          yield* launch(made)
          yield* sendDue()
          const { body } = yield* made.ask("GET", "/contacts?sort=email&dir=asc")
          const [one, two] = body.data.map(({ id }: { id: string }) => id)
          const exported = yield* made.ask("GET", `/contacts/${one}/export`)
          assert.deepStrictEqual(
            exported.body.frequency.map(({ at, topicId }: { at: string; topicId: null }) => [at, topicId]),
            [
              ["2026-11-24T13:00:00.000Z", null],
              ["2026-11-24T12:00:00.000Z", null]
            ]
          )
          assert.strictEqual((yield* made.ask("POST", `/contacts/${one}/merge`, { contactId: two })).status, 200)
          const merged = yield* made.ask("GET", `/contacts/${one}/sending-state`)
          assert.deepStrictEqual(merged.body.caps, [
            { id: "week", used: 4, limit: 3, freeAt: "2026-12-01T12:00:00.000Z" }
          ])
          assert.strictEqual((yield* made.ask("POST", `/contacts/${one}/erase`)).status, 200)
          const sql = yield* SqlClient.SqlClient
          assert.deepStrictEqual(yield* sql`select 1 from contact_frequency where project_id = ${made.project}`, [])
        })
      )

      it.effect("are set, kept, removed and refused over HTTP, and count from the first one on", () =>
        Effect.gen(function* () {
          const { ask } = yield* capped(0, {})
          const policy = (body: object) => ask("PATCH", "/settings/sending", body)
          const before = (yield* ask("GET", "/settings/sending")).body
          assert.deepInclude(before, { frequencyCaps: [], maxWaitHours: 24, capsCountSince: null })
          assert.deepStrictEqual(before.onCap, { campaigns: "SKIP", workflows: "WAIT" })
          const set = (yield* policy({ frequencyCaps: [week], onCap: { campaigns: "WAIT" }, maxWaitHours: 168 })).body
          assert.deepStrictEqual(set.frequencyCaps, [{ ...week, topicId: null }])
          assert.deepStrictEqual(set.onCap, { campaigns: "WAIT", workflows: "WAIT" })
          assert.strictEqual(set.capsCountSince, start)
          yield* setTime("2026-11-25T12:00Z")
          assert.strictEqual((yield* policy({ frequencyCaps: [week, daily] })).body.capsCountSince, start)
          const kept = (yield* policy({ campaignApproval: "OFF" })).body
          assert.strictEqual(kept.frequencyCaps.length, 2)
          assert.strictEqual(kept.maxWaitHours, 168)
          const none = (yield* policy({ frequencyCaps: null, onCap: null, maxWaitHours: null })).body
          assert.deepInclude(none, { frequencyCaps: [], maxWaitHours: 24, capsCountSince: null })
          assert.deepStrictEqual(none.onCap, { campaigns: "SKIP", workflows: "WAIT" })
          assert.strictEqual((yield* policy({ frequencyCaps: [week] })).body.capsCountSince, "2026-11-25T12:00:00.000Z")
          for (const [caps, faults] of [
            [[{ ...week, limit: 0 }], ["frequencyCaps.0.limit too_small"]],
            [[{ ...week, limit: 101 }], ["frequencyCaps.0.limit too_big"]],
            [[{ ...week, amount: 31 }], ["frequencyCaps.0.amount too_big"]],
            [[{ ...week, amount: 721, unit: "hours" }], ["frequencyCaps.0.amount too_big"]],
            [[{ ...week, unit: "weeks" }], ["frequencyCaps.0.unit invalid_enum"]],
            [[{ ...week, id: "a b" }], ["frequencyCaps.0.id invalid_string"]],
            [[{ ...week, id: "x".repeat(51) }], ["frequencyCaps.0.id too_big"]],
            [[week, daily, week], ["frequencyCaps.2.id custom"]],
            [Array.from({ length: 6 }, (_, n) => ({ ...week, id: `c${n}` })), ["frequencyCaps too_big"]],
            [[week, { ...daily, topicId: "none" }], ["frequencyCaps.1.topicId custom"]]
          ] as const) {
            const refused = yield* policy({ frequencyCaps: caps })
            assert.strictEqual(refused.status, 422)
            assert.deepStrictEqual(faultsIn(refused.body), [...faults])
          }
          assert.deepStrictEqual(faultsIn((yield* policy({ maxWaitHours: 169 })).body), ["maxWaitHours too_big"])
          assert.deepStrictEqual(faultsIn((yield* policy({ onCap: { campaigns: "DROP" } })).body), [
            "onCap.campaigns invalid_enum"
          ])
        })
      )
    }
  )
}

describe("The usage of a cap", () => {
  const cap: FrequencyCap = { id: "c", limit: 2, amount: 10, unit: "hours", topicId: null }
  const hour = 3_600_000
  const at = (hours: number, topicId: string | null = null) => ({ emailId: String(hours), topicId, at: hours * hour })

  it("counts what is younger than its time, from when caps count", () => {
    const entries = [at(20), at(15), at(10), at(5)]
    assert.deepStrictEqual(capUsage(cap, entries, 0, 20 * hour), { used: 2, freeAt: 25 * hour })
    assert.deepStrictEqual(capUsage(cap, entries, 16 * hour, 20 * hour), { used: 1, freeAt: null })
    assert.deepStrictEqual(capUsage(cap, entries, 15 * hour, 20 * hour), { used: 2, freeAt: 25 * hour })
    assert.deepStrictEqual(capUsage(cap, entries, 0, 25 * hour), { used: 1, freeAt: null })
  })

  it("waits for the newest entries if there are more than its limit", () => {
    assert.deepStrictEqual(capUsage(cap, [at(1), at(3), at(2)], 0, 4 * hour), { used: 3, freeAt: 12 * hour })
  })

  it("of a topic counts its mail alone", () => {
    const entries = [at(1, "a"), at(2, "b"), at(3)]
    assert.deepStrictEqual(capUsage({ ...cap, topicId: "a" }, entries, 0, 4 * hour), { used: 1, freeAt: null })
  })
})
