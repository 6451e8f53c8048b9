import { assert, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { DateTime, Duration, Effect, Exit, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Projects } from "../../accounts/projects/Projects.ts"
import { Contacts } from "../../audience/contacts/Contacts.ts"
import { seed } from "../../audience/segments/SegmentsFixture.ts"
import { EventLog } from "../../events/EventLog.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { settled } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { draw, executionsOf, work } from "./ExecutionsFixture.ts"
import * as Executions from "./executions/Executions.ts"
import * as Starts from "./start/Starts.ts"
import * as WorkflowReaction from "./WorkflowEventHandler.ts"
import { workflowProject } from "./WorkflowsFixture.ts"

const keys = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))
const one = { rest: { type: "DELAY", config: { amount: 1, unit: "hours" } } }
const nothing = { out: { type: "EXIT" } }

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds", excludeTestServices: false })(
    `Starts on ${name}`,
    (it) => {
      it.effect("a contact has one execution without re-entry, and one at a time with it", () =>
        Effect.gen(function* () {
          const { project, track } = yield* workflowProject
          const once = yield* draw(project, { event: "go", steps: one })
          const again = yield* draw(project, { event: "go", allowReentry: true, steps: one })
          const off = yield* draw(project, { event: "go", enabled: false, steps: one })
          const go = Effect.andThen(track({ email: "ada@example.com", event: "go" }), work)
          yield* go
          yield* go
          const statuses = Effect.forEach([once, again, off], ({ id }) =>
            Effect.map(executionsOf(project, id), (found) => found.map(({ status }) => status).join(" "))
          )
          assert.deepStrictEqual(yield* statuses, ["WAITING", "WAITING", ""])
          yield* TestClock.adjust(Duration.hours(1))
          yield* work
          yield* go
          assert.deepStrictEqual(yield* statuses, ["COMPLETED", "COMPLETED WAITING", ""])
        })
      )

      it.effect("an event of more than a day ago starts nothing and ends no wait", () =>
        Effect.gen(function* () {
          const { project, track } = yield* workflowProject
          const { id } = yield* draw(project, { event: "go", allowReentry: true, steps: one })
          const wait = { wait: { type: "WAIT_FOR_EVENT", config: { eventName: "go", timeout: 7200 } } }
          const waiting = yield* draw(project, { event: "begin", steps: wait })
          const statuses = (workflow: string) =>
            Effect.map(executionsOf(project, workflow), (found) => found.map(({ status }) => status).join(" "))
          yield* track({ email: "ada@example.com", event: "begin" })
          yield* work
          const now = yield* DateTime.now
          const goAt = (occurredAt: DateTime.Utc) =>
            Effect.andThen(track({ email: "ada@example.com", event: "go", occurredAt }), work)
          yield* goAt(DateTime.subtract(now, { hours: 24, milliseconds: 1 }))
          yield* TestClock.adjust(Duration.hours(1))
          yield* work
          assert.deepStrictEqual([yield* statuses(id), yield* statuses(waiting.id)], ["", "WAITING"])
          yield* goAt(DateTime.subtract(now, { hours: 22 }))
          assert.deepStrictEqual([yield* statuses(id), yield* statuses(waiting.id)], ["WAITING", "COMPLETED"])
        })
      )

      it.effect("a tracked event starts nothing and ends no wait under the name of a form that exists", () =>
        Effect.gen(function* () {
          const { ask, project, track } = yield* workflowProject
          const event = "form.newsletter.submitted"
          const { id } = yield* draw(project, { event, allowReentry: true, steps: nothing })
          const wait = { wait: { type: "WAIT_FOR_EVENT", config: { eventName: event, timeout: 7200 } } }
          const waiting = yield* draw(project, { event: "begin", allowReentry: true, steps: wait })
          const statuses = Effect.forEach([id, waiting.id], (workflow) =>
            Effect.map(executionsOf(project, workflow), (found) => found.map(({ status }) => status).join(" "))
          )
          const feigned = Effect.andThen(track({ email: "ada@example.com", event }), work)
          const found = { groups: [{ filters: [{ field: `event.${event}`, operator: "triggered" }] }] }
          const matching = Effect.map(ask("POST", "/contacts/count", { condition: found }), ({ body }) => body.count)
          yield* Effect.andThen(track({ email: "ada@example.com", event: "begin" }), work)
          yield* feigned
          assert.deepStrictEqual(yield* statuses, ["EXITED", "COMPLETED"])
          assert.strictEqual(yield* matching, 1)
          // The second wait begins later than the event that ended the first.
          yield* TestClock.adjust(Duration.seconds(1))
          yield* Effect.andThen(track({ email: "ada@example.com", event: "begin" }), work)
          const { body: form } = yield* ask("POST", "/forms", { name: "Newsletter", requireTicket: false })
          yield* feigned
          assert.deepStrictEqual(yield* statuses, ["EXITED", "COMPLETED WAITING"])
          assert.strictEqual(yield* matching, 0)
          yield* ask("POST", `/f/${form.publicId}`, { email: "ada@example.com" })
          yield* work
          assert.deepStrictEqual(yield* statuses, ["EXITED EXITED", "COMPLETED COMPLETED"])
          assert.strictEqual(yield* matching, 1)
        })
      )

      it.effect("a tracked event starts nothing under the names of topics that exist and of merged contacts", () =>
        Effect.gen(function* () {
          const { ask, project, track } = yield* workflowProject
          const [topic, merged] = ["topic.news.unsubscribed", "contact.merged"]
          const { id } = yield* draw(project, { event: topic, allowReentry: true, steps: nothing })
          const other = yield* draw(project, { event: merged, allowReentry: true, steps: nothing })
          const counts = Effect.forEach([id, other.id], (workflow) =>
            Effect.map(executionsOf(project, workflow), (found) => found.length)
          )
          const email = "ada@example.com"
          for (const event of [topic, merged]) yield* Effect.andThen(track({ email, event }), work)
          assert.deepStrictEqual(yield* counts, [1, 0])
          yield* ask("POST", "/topics", { name: "News", defaultSubscription: "subscribed" })
          yield* Effect.andThen(track({ email, event: topic }), work)
          assert.deepStrictEqual(yield* counts, [1, 0])
          yield* Effect.andThen(ask("POST", "/contacts", { email, topics: { news: "unsubscribed" } }), work)
          assert.deepStrictEqual(yield* counts, [2, 0])
        })
      )

      it.effect("simultaneous events, in one batch or in parallel, start one execution", () =>
        Effect.gen(function* () {
          const { project, track } = yield* workflowProject
          const { id } = yield* draw(project, { event: "go", allowReentry: true, steps: one })
          const starts = yield* Starts.make
          const sql = yield* SqlClient.SqlClient
          for (let n = 0; n < 4; n++) yield* track({ email: "ada@example.com", event: "go" })
          const events = (yield* keys(yield* sql`select id from events where project_id = ${project}`)).map(
            (event) => ({
              project,
              id: event.id
            })
          )
          const now = yield* DateTime.now
          const batches = [events, ...events.map((event) => [event])]
          yield* Effect.forEach(batches, (events) => starts.byEvents({ events, now, isRepeat: false }), {
            concurrency: "unbounded"
          })
          assert.lengthOf(yield* executionsOf(project, id), 1)
          // Each pair of workflow and event is decided once, so a repeated dispatch starts nothing.
          yield* sql`delete from workflow_executions where project_id = ${project}`
          yield* starts.byEvents({ events, now, isRepeat: false })
          assert.lengthOf(yield* executionsOf(project, id), 0)
          yield* sql`delete from event_outbox where project_id = ${project}`
        })
      )

      it.effect("a tracked event is not taken for an event of the service, with any name and data", () =>
        Effect.gen(function* () {
          const { project, track } = yield* workflowProject
          const { id } = yield* draw(project, { event: "workflow.execution.completed", steps: one })
          for (const email of ["ada@example.com", "bob@example.com"]) {
            yield* track({ email, event: "workflow.execution.completed", data: { executionId: "x" } })
            yield* work
          }
          assert.lengthOf(yield* executionsOf(project, id), 2)
        })
      )

      it.effect("a workflow that cannot start does not block others, and starts later", () =>
        Effect.gen(function* () {
          const { project, track } = yield* workflowProject
          const sql = yield* SqlClient.SqlClient
          const drawings = yield* Effect.replicateEffect(draw(project, { event: "go", steps: one }), 3)
          const [, broken] = drawings
          const { body } = yield* track({ email: "ada@example.com", event: "go" })
          const batch = { events: [{ project, id: body.data.event }], now: yield* DateTime.now, isRepeat: true }
          const transaction = yield* Transaction
          const react = transaction.run(Effect.exit(WorkflowReaction.reaction.react(batch)))
          const counts = Effect.forEach(drawings, ({ id }) =>
            Effect.map(executionsOf(project, id), ({ length }) => length)
          )
          yield* sql.unsafe(
            `alter table workflow_executions add constraint closed check (workflow_id <> '${broken?.id}')`
          )
          assert.isTrue(Exit.isFailure(yield* react))
          assert.deepStrictEqual(yield* counts, [1, 0, 1])
          yield* sql`alter table workflow_executions drop constraint closed`
          assert.isTrue(Exit.isSuccess(yield* react))
          assert.deepStrictEqual(yield* counts, [1, 1, 1])
        })
      )

      it.effect("simultaneous starts by a call and by an event give one execution, ended or not", () =>
        Effect.gen(function* () {
          const { project, track, ask } = yield* workflowProject
          const { id } = yield* draw(project, { event: "go", steps: nothing })
          const { body } = yield* ask("POST", "/contacts", { email: "ada@example.com" })
          const contactId = body.id ?? body.data?.id
          yield* track({ email: "ada@example.com", event: "go" })
          const [first, second] = yield* Effect.all([ask("POST", `/workflows/${id}/executions`, { contactId }), work], {
            concurrency: "unbounded"
          })
          assert.include([201, 409], first.status)
          yield* work
          assert.lengthOf(yield* executionsOf(project, id), 1)
          assert.isUndefined(second)
        })
      )

      it.effect("events that a workflow causes do not start it again, and a chain of workflows ends", () =>
        Effect.gen(function* () {
          const { project, track } = yield* workflowProject
          const flip = (action: string) => ({
            type: "UPDATE_CONTACT",
            config: { subscriptionAction: action }
          })
          const own = yield* draw(project, {
            event: "contact.unsubscribed",
            allowReentry: true,
            steps: { in: { ...flip("subscribe"), to: "out" }, out: flip("unsubscribe") }
          })
          const loop = yield* draw(project, {
            event: "contact.subscribed",
            allowReentry: true,
            steps: { out: flip("unsubscribe") }
          })
          yield* track({ email: "ada@example.com", event: "x", subscribed: true })
          yield* work
          yield* track({ email: "ada@example.com", event: "x", subscribed: false })
          yield* work
          const runs = (id: string) => Effect.map(executionsOf(project, id), (found) => found.length)
          // A tracked event starts the first workflow. Its events start the second one, whose events start the first
          // again.
          const counts = [yield* runs(own.id), yield* runs(loop.id)]
          assert.isAbove(counts[1] ?? 0, 0)
          assert.isAtMost((counts[0] ?? 0) + (counts[1] ?? 0), 22)
          yield* work
          assert.deepStrictEqual([yield* runs(own.id), yield* runs(loop.id)], counts)
        })
      )

      it.effect("events of the service start workflows too, at most 100 executions of a contact in an hour", () =>
        Effect.gen(function* () {
          const { project, track } = yield* workflowProject
          const sql = yield* SqlClient.SqlClient
          const log = yield* EventLog
          const entered = yield* draw(project, { event: "segment.vip.entry", allowReentry: true, steps: nothing })
          const tracked = yield* draw(project, { event: "go", allowReentry: true, steps: nothing })
          const { body } = yield* track({ email: "ada@example.com", event: "go" })
          const contact = ContactId.make(body.data.contact)
          const enters = Effect.fnUntraced(function* (data: Schema.Json) {
            yield* log.record(
              project,
              [{ contact, name: "segment.vip.entry", source: "system", data }],
              yield* DateTime.now
            )
            yield* work
            return yield* executionsOf(project, entered.id)
          })
          yield* enters({ slug: "vip" })
          // Data above the limit of a context is left out, and the output of the TRIGGER reports it.
          const [small, large] = yield* enters({ slug: "x".repeat(70_000) })
          assert.deepStrictEqual([small?.context, large?.context], [{ slug: "vip" }, {}])
          assert.deepStrictEqual(large?.path, ["TRIGGER COMPLETED", "out COMPLETED"])
          yield* sql`
            insert into workflow_executions (project_id, id, workflow_id, contact_id, nth, status, source, chain,
              context, step_execution_id, current_since, started_at, created_at, updated_at)
            select project_id, gen_random_uuid(), workflow_id, contact_id, nth + 100 + n, 'EXITED', source, 1,
                   context, gen_random_uuid(), current_since, started_at, created_at, updated_at
            from workflow_executions cross join generate_series(1, 97) as n
            where project_id = ${project} and workflow_id = ${tracked.id}`
          assert.lengthOf(yield* enters({}), 2)
          yield* track({ email: "ada@example.com", event: "go" })
          yield* work
          assert.lengthOf(yield* executionsOf(project, tracked.id), 99)
          yield* TestClock.adjust(Duration.hours(1))
          assert.lengthOf(yield* enters({}), 3)
        })
      )

      it.effect("an execution fails after 1,000 runs of steps", () =>
        Effect.gen(function* () {
          const { project, track } = yield* workflowProject
          const sql = yield* SqlClient.SqlClient
          const { id } = yield* draw(project, { event: "go", steps: { round: { ...one.rest, to: "round" } } })
          yield* track({ email: "ada@example.com", event: "go" })
          yield* work
          yield* sql`update workflow_executions set steps_taken = 999 where workflow_id = ${id}`
          for (let n = 0; n < 2; n++) {
            yield* TestClock.adjust(Duration.hours(1))
            yield* work
          }
          const [execution] = yield* executionsOf(project, id)
          assert.deepInclude(execution, {
            status: "FAILED",
            exitReason: "step_limit",
            path: ["round COMPLETED", "round COMPLETED"]
          })
        })
      )

      it.effect("executions of a disabled project are frozen, and continue when it is enabled, oldest first", () =>
        Effect.gen(function* () {
          const { project, track, ask } = yield* workflowProject
          const { id } = yield* draw(project, { event: "go", steps: one })
          yield* track({ email: "ada@example.com", event: "go" })
          yield* work
          yield* settled(Projects.use((projects) => projects.disable(project, "MANUAL")))
          yield* TestClock.adjust(Duration.hours(2))
          yield* work
          assert.strictEqual((yield* executionsOf(project, id))[0]?.status, "WAITING")
          assert.strictEqual((yield* ask("POST", `/workflows/${id}/executions/cancel-all`)).status, 403)
          yield* settled(Projects.use((projects) => projects.enable(project)))
          yield* work
          assert.strictEqual((yield* executionsOf(project, id))[0]?.status, "COMPLETED")
        })
      )

      it.effect("executions of a project that is being reset do not run", () =>
        Effect.gen(function* () {
          const { project, track } = yield* workflowProject
          const { id } = yield* draw(project, { event: "go", steps: one })
          yield* track({ email: "ada@example.com", event: "go" })
          yield* work
          const sql = yield* SqlClient.SqlClient
          yield* sql`update projects set resetting_since = now() where id = ${project}`
          yield* TestClock.adjust(Duration.hours(2))
          yield* work
          yield* work
          assert.strictEqual((yield* executionsOf(project, id))[0]?.status, "WAITING")
        })
      )

      it.effect("executions are deleted with their contact, and are part of its export", () =>
        Effect.gen(function* () {
          const { project, track, ask } = yield* workflowProject
          const { id } = yield* draw(project, { event: "go", steps: one })
          yield* track({ email: "ada@example.com", event: "go" })
          yield* track({ email: "bob@example.com", event: "go" })
          yield* work
          const contacts = yield* Contacts
          const { data } = yield* Effect.orDie(contacts.list(project, {}))
          const [first, second] = data
          const exported = (yield* ask("GET", `/contacts/${first?.id}/export`)).body
          assert.deepInclude((exported.data ?? exported).executions[0], { workflowId: id, status: "WAITING" })
          yield* ask("DELETE", `/contacts/${first?.id}`)
          assert.lengthOf(yield* executionsOf(project, id), 1)
          const erased = (yield* ask("POST", `/contacts/${second?.id}/erase`)).body
          assert.strictEqual((erased.data ?? erased).executions, 1)
          assert.lengthOf(yield* executionsOf(project, id), 0)
          yield* TestClock.adjust(Duration.hours(2))
          yield* work
        })
      )

      it.effect("an execution that fails to run does not block others, and is retried", () =>
        Effect.gen(function* () {
          const { project, track } = yield* workflowProject
          const steps = { ask: { type: "CONDITION", config: { broken: true }, to: { yes: "out" } }, ...nothing }
          const broken = yield* draw(project, { event: "go", steps })
          const sound = yield* draw(project, { event: "go", steps: nothing })
          for (const email of ["a@example.com", "b@example.com"]) yield* track({ email, event: "go" })
          yield* work
          assert.deepStrictEqual(
            (yield* executionsOf(project, sound.id)).map(({ status }) => status),
            ["EXITED", "EXITED"]
          )
          const sql = yield* SqlClient.SqlClient
          yield* sql`
            update workflow_steps set config = '{"field": "subscribed", "operator": "equals", "value": true}'
            where project_id = ${project} and workflow_id = ${broken.id} and type = 'CONDITION'`
          yield* TestClock.adjust(Duration.seconds(5))
          yield* work
          assert.deepStrictEqual(
            (yield* executionsOf(project, broken.id)).map(({ status }) => status),
            ["EXITED", "EXITED"]
          )
        })
      )

      it.effect("a schedule starts its audience once, after an outage for the latest firing only", () =>
        Effect.gen(function* () {
          const { project, ask, workflow, step, connect, read } = yield* workflowProject
          yield* seed(project, "c", 1_020)
          const made = yield* workflow({ eventName: undefined, allowReentry: true })
          const exit = yield* step(made.id, "EXIT", { autoConnect: false })
          yield* connect(made.id, made.steps[0].id, exit.id)
          const enabled = yield* ask("PATCH", `/workflows/${made.id}`, {
            triggerType: "SCHEDULE",
            triggerConfig: { schedule: "0 9 * * *", timezone: "Europe/Berlin", audienceType: "ALL" },
            enabled: true
          })
          assert.strictEqual(enabled.status, 200)
          const start = yield* DateTime.now
          const next = DateTime.makeUnsafe(enabled.body.nextRunAt)
          assert.isAbove(next.epochMilliseconds, start.epochMilliseconds)
          yield* TestClock.setTime(next.epochMilliseconds - 1)
          yield* work
          assert.deepStrictEqual((yield* read(made.id)).recentFirings, [])
          yield* TestClock.setTime(next.epochMilliseconds)
          yield* seed(project, "late", 1)
          yield* work
          const first = yield* read(made.id)
          assert.deepStrictEqual(first.recentFirings, [
            { scheduledFor: enabled.body.nextRunAt, started: 1_020, blocked: 0, error: null }
          ])
          assert.strictEqual(first._count.executions, 1_020)
          const listed = yield* ask("GET", `/workflows/${made.id}/executions?pageSize=1`)
          assert.deepInclude(listed.body.data[0], {
            source: "SCHEDULE",
            status: "EXITED",
            context: { scheduledFor: enabled.body.nextRunAt }
          })
          // After three days without a worker only the last firing is made up.
          yield* TestClock.setTime(next.epochMilliseconds + 3 * 86_400_000 + 3_600_000)
          yield* work
          const after = yield* read(made.id)
          assert.lengthOf(after.recentFirings, 2)
          assert.deepInclude(after.recentFirings[0], {
            scheduledFor: DateTime.formatIso(DateTime.add(next, { days: 3 })),
            started: 1_021
          })
          assert.strictEqual(after.nextRunAt, DateTime.formatIso(DateTime.add(next, { days: 4 })))
          // The last 20 firings, with the error of a failed one.
          const sql = yield* SqlClient.SqlClient
          yield* sql`
            insert into workflow_firings (project_id, workflow_id, scheduled_for, started, blocked, error, created_at)
            select ${project}::uuid, ${made.id}::uuid, ${DateTime.toDate(next)}::timestamptz - n * interval '1 day', n, 0,
                   'no room', now()
            from generate_series(1, 25) as n`
          const { recentFirings } = yield* read(made.id)
          assert.lengthOf(recentFirings, 20)
          assert.deepStrictEqual(recentFirings[19], {
            scheduledFor: DateTime.formatIso(DateTime.subtract(next, { days: 18 })),
            started: 18,
            blocked: 0,
            error: "no room"
          })
          // A firing that cannot start has its error, and starts later.
          yield* TestClock.setTime(next.epochMilliseconds + 4 * 86_400_000)
          yield* sql.unsafe(
            `alter table workflow_executions add constraint closed check (project_id <> '${project}') not valid`
          )
          yield* work
          const failing = yield* read(made.id)
          assert.deepInclude(failing.recentFirings[0], { started: 0 })
          assert.include(failing.recentFirings[0].error, "SqlError")
          yield* sql`alter table workflow_executions drop constraint closed`
          yield* TestClock.adjust("2 seconds")
          yield* work
          const mended = yield* read(made.id)
          assert.deepInclude(mended.recentFirings[0], { started: 1_021, error: null })
          // A firing that is due while the project is disabled is skipped, and not made up.
          yield* settled(Projects.use((projects) => projects.disable(project, "MANUAL")))
          yield* TestClock.setTime(next.epochMilliseconds + 5 * 86_400_000 + 60_000)
          yield* work
          yield* settled(Projects.use((projects) => projects.enable(project)))
          yield* work
          assert.strictEqual((yield* read(made.id)).recentFirings[0].scheduledFor, mended.recentFirings[0].scheduledFor)
        })
      )

      it.effect("after 30 days of a disabled project its executions are cancelled", () =>
        Effect.gen(function* () {
          const { project, track, ask } = yield* workflowProject
          const { id } = yield* draw(project, { event: "go", steps: one })
          yield* track({ email: "ada@example.com", event: "go" })
          yield* work
          const executions = yield* Executions.make
          yield* settled(Projects.use((projects) => projects.disable(project, "MANUAL")))
          yield* TestClock.adjust(Duration.days(29))
          yield* executions.cancelLongDisabled
          assert.strictEqual((yield* executionsOf(project, id))[0]?.status, "WAITING")
          yield* TestClock.adjust(Duration.days(1))
          yield* executions.cancelLongDisabled
          const [execution] = yield* executionsOf(project, id)
          assert.deepInclude(execution, { status: "CANCELLED", exitReason: "project_disabled", path: ["rest SKIPPED"] })
          assert.strictEqual((yield* ask("GET", `/workflows/${id}/executions/${execution?.id}`)).status, 200)
        })
      )
    }
  )
}
