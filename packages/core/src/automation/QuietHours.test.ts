/** Quiet hours of a project, on mail of campaigns, workflows and single sends. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../testing/Databases.ts"
import { Peer } from "../testing/MailerMemory.ts"
import { sendDue } from "../testing/SendDue.ts"
import { servicesOn } from "../testing/Services.ts"
import { wireOver } from "../testing/TestClient.ts"
import { work as campaignWork, sendingProject } from "./campaigns/CampaignsFixture.ts"
import { build, executionsOf, work } from "./workflows/ExecutionsFixture.ts"
import { faultsIn, workflowProject } from "./workflows/WorkflowsFixture.ts"

const setTime = (text: string) => TestClock.setTime(Date.parse(text))

const night = { from: "21:00", to: "08:00" }

/** Moves the clock, and sends what is due. Returns the addresses of the mails that left, in order. */
const sentAt = Effect.fnUntraced(function* (instant: string) {
  yield* setTime(instant)
  const before = (yield* Peer.use(({ accepted }) => accepted)).length
  yield* sendDue()
  const left = (yield* Peer.use(({ accepted }) => accepted)).slice(before)
  return left.flatMap(({ to }) => (to ?? []).map(({ address }) => address.replace("@example.com", ""))).sort()
})

/** A project with these people, by their time zone, at an instant. */
const inProject = Effect.fnUntraced(function* (at: string, people: { readonly [name: string]: string | null }) {
  yield* setTime(at)
  const made = yield* sendingProject(0)
  const policy = (body: object) => made.ask("PATCH", "/settings/sending", body)
  for (const [name, timezone] of Object.entries(people)) {
    yield* made.ask("POST", "/contacts", { email: `${name}@example.com`, timezone, subscribed: true })
  }
  const mails = Effect.map(made.ask("GET", "/emails?limit=100"), ({ body }) => body.data)
  const mailTo = (name: string) =>
    Effect.flatMap(mails, (all) =>
      Effect.map(
        made.ask("GET", `/emails/${all.find(({ to }: { to: string }) => to === `${name}@example.com`)?.id}`),
        ({ body }) => body
      )
    )
  const launch = Effect.fnUntraced(function* (more: object = {}) {
    const id = yield* made.create(more)
    const { status, body } = yield* made.ask("POST", `/campaigns/${id}/send`)
    assert.strictEqual(status, 200, JSON.stringify(body))
    yield* campaignWork
    return id
  })
  return { ...made, policy, mails, mailTo, launch }
})

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds", excludeTestServices: false })(
    `Quiet hours on ${name}`,
    (it) => {
      it.effect("hold mail of a campaign until 08:00 of each zone, over a change of the clock", () =>
        Effect.gen(function* () {
          // In Berlin it is 22:00 in the night in which the clock goes forward. New York has had its change.
          const people = {
            berlin: "Europe/Berlin",
            athens: "Europe/Athens",
            tokyo: "Asia/Tokyo",
            newyork: "America/New_York",
            nowhere: null
          }
          const { launch, mailTo, policy, read, stats } = yield* inProject("2026-03-28T21:00Z", people)
          assert.strictEqual((yield* policy({ quietHours: night })).status, 200)
          const id = yield* launch()
          // Tokyo has Sunday 06:00, New York Saturday 17:00, and the zone of the project is UTC: 21:00.
          assert.deepStrictEqual(yield* sentAt("2026-03-28T21:00:01Z"), ["newyork"])
          assert.deepStrictEqual((yield* mailTo("berlin")).hold, {
            reason: "QUIET_HOURS",
            until: "2026-03-29T06:00:00.000Z"
          })
          assert.deepStrictEqual((yield* mailTo("newyork")).hold, null)
          assert.strictEqual((yield* read(id)).status, "SENDING")
          assert.deepStrictEqual(yield* sentAt("2026-03-28T22:59:59.999Z"), [])
          assert.deepStrictEqual(yield* sentAt("2026-03-28T23:00Z"), ["tokyo"])
          assert.deepStrictEqual(yield* sentAt("2026-03-29T04:59:59.999Z"), [])
          assert.deepStrictEqual(yield* sentAt("2026-03-29T05:00Z"), ["athens"])
          assert.deepStrictEqual(yield* sentAt("2026-03-29T05:59:59.999Z"), [])
          assert.deepStrictEqual(yield* sentAt("2026-03-29T06:00Z"), ["berlin"])
          assert.deepStrictEqual(yield* sentAt("2026-03-29T08:00Z"), ["nowhere"])
          yield* campaignWork
          assert.deepInclude(yield* stats(id), { sentCount: 5, pendingCount: 0, suppressedCount: 0 })
          assert.strictEqual((yield* read(id)).status, "SENT")
          const mail = yield* mailTo("berlin")
          assert.deepStrictEqual(
            mail.timeline.map(({ type, detail }: { type: string; detail?: string }) => [type, detail]),
            [
              ["accepted", undefined],
              ["held", "QUIET_HOURS until 2026-03-29T06:00:00.000Z"],
              ["sent", undefined]
            ]
          )
          assert.deepInclude(mail, { hold: null, attempts: 1, status: "SENT" })
        })
      )

      it.effect("end at 08:00 also where the clock goes back", () =>
        Effect.gen(function* () {
          const { launch, policy } = yield* inProject("2026-10-24T20:30Z", { berlin: "Europe/Berlin" })
          yield* policy({ quietHours: { ...night, timezone: "CONTACT" } })
          yield* launch()
          assert.deepStrictEqual(yield* sentAt("2026-10-25T06:59:59.999Z"), [])
          assert.deepStrictEqual(yield* sentAt("2026-10-25T07:00Z"), ["berlin"])
        })
      )

      it.effect("never hold transactional mail, single sends and what bypasses them", () =>
        Effect.gen(function* () {
          const { ask, domain, draft, launch, mails, policy } = yield* inProject("2026-11-24T02:00Z", { ada: null })
          yield* policy({ quietHours: night })
          yield* launch({ type: "TRANSACTIONAL" })
          assert.deepStrictEqual(yield* sentAt("2026-11-24T02:00Z"), ["ada"])
          yield* launch({ policy: { quietHours: "BYPASS" } })
          assert.deepStrictEqual(yield* sentAt("2026-11-24T02:00Z"), ["ada"])
          const template = yield* ask("POST", "/templates", {
            name: "News",
            subject: "Hi",
            body: "<p>Hi</p>",
            from: `a@${domain}`,
            type: "MARKETING"
          })
          const sent = yield* ask("POST", "/v1/send", { to: "ada@example.com", template: template.body.id })
          assert.strictEqual(sent.status, 200, JSON.stringify(sent.body))
          assert.deepStrictEqual(yield* sentAt("2026-11-24T02:00Z"), ["ada"])
          assert.isTrue((yield* mails).every(({ hold }: { hold: unknown }) => hold === null))

          // A campaign keeps its choice, also in a copy.
          const { body } = yield* ask("POST", "/campaigns", { ...draft, policy: { quietHours: "BYPASS" } })
          const copy = yield* ask("POST", `/campaigns/${body.data.id}/duplicate`)
          assert.deepStrictEqual(copy.body.data.policy, { quietHours: "BYPASS", frequencyCaps: "APPLY" })
          const replaced = yield* ask("PUT", `/campaigns/${body.data.id}`, draft)
          assert.deepStrictEqual(replaced.body.data.policy, { quietHours: "APPLY", frequencyCaps: "APPLY" })
          const wrong = yield* ask("POST", "/campaigns", { ...draft, policy: { quietHours: "NEVER" } })
          assert.deepStrictEqual(faultsIn(wrong.body), ["policy.quietHours invalid_enum"])
        })
      )

      it.effect("are looked at again before the first try, and skip where the project says so", () =>
        Effect.gen(function* () {
          const { launch, mailTo, policy, stats } = yield* inProject("2026-11-24T20:59Z", {
            ada: null,
            bob: "Asia/Tokyo"
          })
          const id = yield* launch()
          // The mail was due before the hours. Bob has 06:00.
          yield* policy({ quietHours: night })
          assert.deepStrictEqual(yield* sentAt("2026-11-24T21:00Z"), [])
          const ada = yield* mailTo("ada")
          assert.deepInclude(ada, { status: "PENDING", attempts: 0, error: null, nextAttemptAt: null })
          assert.deepStrictEqual(ada.hold, { reason: "QUIET_HOURS", until: "2026-11-25T08:00:00.000Z" })
          assert.deepStrictEqual((yield* mailTo("bob")).hold?.until, "2026-11-24T23:00:00.000Z")
          // Shorter hours do not move what is stored, and a hold is no step of the ladder.
          yield* policy({ quietHours: null })
          assert.deepStrictEqual(yield* sentAt("2026-11-24T22:59:59Z"), [])
          assert.deepStrictEqual(yield* sentAt("2026-11-24T23:00Z"), ["bob"])

          yield* policy({ quietHours: { from: "07:00", to: "20:00", action: "SKIP" } })
          assert.deepStrictEqual(yield* sentAt("2026-11-25T08:00Z"), [])
          const skipped = yield* mailTo("ada")
          assert.deepInclude(skipped, {
            status: "SUPPRESSED",
            suppressionReason: "QUIET_HOURS",
            attempts: 0,
            hold: null
          })
          assert.strictEqual(skipped.error.code, "quiet_hours")
          assert.deepInclude(yield* stats(id), { sentCount: 1, suppressedCount: 1, pendingCount: 0 })
        })
      )

      it.effect("give a held mail its whole ladder: its age counts from the end of the hours", () =>
        Effect.gen(function* () {
          const { launch, mailTo, policy } = yield* inProject("2026-11-24T22:00Z", { ada: null })
          yield* policy({ quietHours: { from: "09:00", to: "08:00" } })
          yield* launch()
          const sql = yield* SqlClient.SqlClient
          const [row] = yield* sql`select due_at, ladder_since from emails where id = ${(yield* mailTo("ada")).id}`
          assert.deepStrictEqual(row?.["ladder_since"], new Date("2026-11-25T08:00:00Z"))
          yield* setTime("2026-11-25T09:00Z")
          yield* sendDue()
          const [later] = yield* sql`select due_at, ladder_since from emails where id = ${(yield* mailTo("ada")).id}`
          assert.deepStrictEqual(later?.["ladder_since"], new Date("2026-11-26T08:00:00Z"))
          assert.deepStrictEqual(later?.["due_at"], new Date("2026-11-26T08:00:00Z"))
          assert.strictEqual(
            (yield* mailTo("ada")).timeline.filter(({ type }: { type: string }) => type === "held").length,
            1
          )
          assert.deepStrictEqual(yield* sentAt("2026-11-26T08:00Z"), ["ada"])
        })
      )

      /** A workflow with a MARKETING mail, which `go` starts. */
      const flow = Effect.fnUntraced(function* (at: string, step: object = {}, settings: object = {}) {
        yield* setTime(at)
        const made = yield* workflowProject
        const template = yield* made.template({ type: "MARKETING", subject: "Hi {{plan}}" })
        const workflow = yield* build(made, {
          event: "go",
          allowReentry: true,
          settings,
          steps: {
            mail: { type: "SEND_EMAIL", templateId: template.id, config: step, to: "out" },
            out: { type: "EXIT" }
          }
        })
        yield* made.ask("POST", "/contacts", {
          email: "ada@example.com",
          timezone: "Europe/Berlin",
          data: { plan: "free" },
          subscribed: true
        })
        const states = Effect.andThen(work, executionsOf(made.project, workflow.id))
        const path = Effect.map(states, (found) => [found.at(-1)?.status, ...(found.at(-1)?.path ?? [])].join(", "))
        const visit = Effect.flatMap(states, (found) =>
          Effect.map(
            made.ask("GET", `/workflows/${workflow.id}/executions/${found.at(-1)?.id}`),
            ({ body }) => body.stepExecutions[0]
          )
        )
        const track = (event: string) => made.track({ email: "ada@example.com", event, data: {} })
        const mails = Effect.map(made.ask("GET", "/emails"), ({ body }) => body.data)
        return { ...made, template, path, visit, trackOf: track, mails }
      })

      it.effect("hold a workflow in the step: no mail exists, and the text is that of the morning", () =>
        Effect.gen(function* () {
          const { ask, mails, path, trackOf, visit } = yield* flow("2026-11-24T20:00Z")
          yield* ask("PATCH", "/settings/sending", { quietHours: night })
          yield* trackOf("go")
          assert.strictEqual(yield* path, "WAITING, mail SCHEDULED")
          const until = "2026-11-25T07:00:00.000Z"
          assert.deepInclude(yield* visit, { scheduledFor: until, output: { hold: { reason: "QUIET_HOURS", until } } })
          const { body } = yield* ask("GET", "/contacts?search=ada")
          yield* ask("PATCH", `/contacts/${body.data[0].id}`, { data: { plan: "pro" } })
          // Shorter hours do not move a stored end.
          yield* ask("PATCH", "/settings/sending", { quietHours: { from: "21:00", to: "06:00" } })
          yield* setTime("2026-11-25T06:59:59.999Z")
          assert.strictEqual(yield* path, "WAITING, mail SCHEDULED")
          assert.deepStrictEqual(yield* mails, [])
          yield* setTime(until)
          assert.strictEqual(yield* path, "EXITED, mail COMPLETED, out COMPLETED")
          const [mail] = yield* mails
          assert.deepInclude(mail, { subject: "Hi pro", hold: null })
          assert.deepStrictEqual((yield* visit).output, { emailId: mail.id })
        })
      )

      it.effect("let a workflow that is held overnight exit at 23:00, and no mail exists", () =>
        Effect.gen(function* () {
          const exits = { exitRules: [{ id: "paid", type: "EVENT", eventName: "order.paid" }] }
          const { ask, mails, path, trackOf, visit } = yield* flow("2026-11-24T20:00Z", {}, exits)
          yield* ask("PATCH", "/settings/sending", { quietHours: night })
          yield* trackOf("go")
          assert.strictEqual(yield* path, "WAITING, mail SCHEDULED")
          yield* setTime("2026-11-24T22:00Z")
          yield* trackOf("order.paid")
          assert.strictEqual(yield* path, "EXITED, mail SKIPPED")
          assert.deepStrictEqual((yield* visit).output, { reason: "exit_event" })
          yield* setTime("2026-11-25T07:00Z")
          assert.strictEqual(yield* path, "EXITED, mail SKIPPED")
          assert.deepStrictEqual(yield* mails, [])
        })
      )

      it.effect("skip the mail of a step, and let a step bypass them", () =>
        Effect.gen(function* () {
          const skipping = yield* flow("2026-11-24T22:00Z")
          yield* skipping.ask("PATCH", "/settings/sending", { quietHours: { ...night, action: "SKIP" } })
          yield* skipping.trackOf("go")
          assert.strictEqual(yield* skipping.path, "EXITED, mail SKIPPED, out COMPLETED")
          assert.deepStrictEqual((yield* skipping.visit).output, { skipped: true, reason: "quiet_hours" })
          assert.deepStrictEqual(yield* skipping.mails, [])

          const bypassing = yield* flow("2026-11-24T22:00Z", { policy: { quietHours: "BYPASS" } })
          yield* bypassing.ask("PATCH", "/settings/sending", { quietHours: night })
          yield* bypassing.trackOf("go")
          assert.strictEqual(yield* bypassing.path, "EXITED, mail COMPLETED, out COMPLETED")

          const receipts = yield* flow("2026-11-24T22:00Z")
          yield* receipts.ask("PATCH", "/settings/sending", { quietHours: night })
          yield* receipts.ask("PATCH", `/templates/${receipts.template.id}`, { type: "TRANSACTIONAL" })
          yield* receipts.trackOf("go")
          assert.strictEqual(yield* receipts.path, "EXITED, mail COMPLETED, out COMPLETED")
        })
      )

      it.effect("are set, kept, removed and refused over HTTP, and a contact says how they act on it", () =>
        Effect.gen(function* () {
          const { ask, outcome, policy } = yield* inProject("2026-11-24T22:30Z", { ada: "Europe/Berlin", bob: null })
          const { body } = yield* ask("GET", "/contacts?search=example.com&sort=email&dir=asc")
          const [ada, bob] = body.data.map(({ id }: { id: string }) => id)
          const state = (id: string) => Effect.map(ask("GET", `/contacts/${id}/sending-state`), (_) => _.body)
          assert.deepStrictEqual(yield* state(ada), { timezone: "Europe/Berlin", quietHours: null, caps: [] })
          const set = yield* policy({ quietHours: { from: "23:00", to: "08:00", days: ["TUE"], timezone: null } })
          const stored = { days: ["TUE"], from: "23:00", to: "08:00", timezone: "CONTACT", action: "WAIT" }
          assert.deepStrictEqual(set.body.quietHours, stored)
          assert.strictEqual(set.body.updatedAt, "2026-11-24T22:30:00.000Z")
          assert.deepStrictEqual(yield* state(ada), {
            timezone: "Europe/Berlin",
            quietHours: { inside: true, until: "2026-11-25T07:00:00.000Z" },
            caps: []
          })
          assert.deepStrictEqual(yield* state(bob), {
            timezone: "UTC",
            quietHours: { inside: false, until: null },
            caps: []
          })
          assert.strictEqual(
            yield* outcome("GET", "/contacts/019a0000-0000-7000-8000-00000000dead/sending-state"),
            "404 CONTACT_NOT_FOUND"
          )
          yield* policy({ campaignApproval: "ALL" })
          assert.deepStrictEqual((yield* ask("GET", "/settings/sending")).body.quietHours, stored)
          for (const [wrong, faults] of [
            [{ from: "08:00", to: "08:00" }, ["quietHours.to custom"]],
            [{ from: "08:00", to: "07:01" }, ["quietHours.to too_big"]],
            [{ from: "8:00", to: "07:00" }, ["quietHours.from invalid_string"]],
            [{ to: "07:00" }, ["quietHours.from required"]],
            [{ ...night, days: [] }, ["quietHours.days too_small"]],
            [{ ...night, timezone: "Europe/Atlantis" }, ["quietHours.timezone invalid_string"]],
            [{ ...night, action: "DROP" }, ["quietHours.action invalid_enum"]]
          ] as const) {
            const refused = yield* policy({ quietHours: wrong })
            assert.strictEqual(refused.status, 422)
            assert.deepStrictEqual(faultsIn(refused.body), [...faults])
          }
          assert.strictEqual((yield* policy({ quietHours: { from: "08:00", to: "07:00" } })).status, 200)
          assert.isNull((yield* policy({ quietHours: null })).body.quietHours)
          assert.deepStrictEqual(yield* state(ada), { timezone: "Europe/Berlin", quietHours: null, caps: [] })
        })
      )
    }
  )
}
