/** Changes of selected contacts over HTTP, as jobs. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { bulkChanges } from "@posthorn/contract/audience/contacts/BulkChange"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Failpoint } from "../../../platform/Failpoint.ts"
import * as JobRunner from "../../../platform/jobs/JobRunner.ts"
import { addMember, browse, newProject, person } from "../../../testing/Browser.ts"
import { databases } from "../../../testing/Databases.ts"
import { eventually } from "../../../testing/Eventually.ts"
import { servicesOn } from "../../../testing/Services.ts"
import { Wire, wireOver } from "../../../testing/TestClient.ts"
import { filter, freshProject, plan, seed, type TestProject } from "../../segments/SegmentsFixture.ts"
import * as ContactBulk from "../ContactBulk.ts"

const running = Layer.build(JobRunner.layer(ContactBulk.jobs))

/** The record of the job after it has ended. Jobs run until the scope closes. */
const ended = ({ ask }: TestProject, id: string) =>
  eventually(
    Effect.andThen(
      TestClock.adjust("1 second"),
      Effect.map(ask("GET", `/contacts/bulk/${id}`), ({ body }) => body)
    ),
    ({ finishedAt }) => finishedAt !== null
  )

const start = ({ ask }: TestProject, body: object) => ask("POST", "/contacts/bulk", body)

/** Starts the change, and returns the result of its job. */
const done = Effect.fnUntraced(function* (mine: TestProject, body: object) {
  const { status, body: queued } = yield* start(mine, body)
  assert.strictEqual(status, 202, JSON.stringify(queued))
  return yield* Effect.scoped(Effect.andThen(running, ended(mine, queued.jobId)))
})

const fault = (body: {
  readonly error: { readonly code: string; readonly errors?: ReadonlyArray<{ field: string }> }
}) => `${body.error.code} ${body.error.errors?.map(({ field }) => field).join() ?? ""}`.trimEnd()

/** Three contacts on plan pro, in a static segment, and one on plan free. */
const people = Effect.fnUntraced(function* ({ ask }: TestProject) {
  const upsert = (name: string, more: object) =>
    Effect.map(ask("POST", "/contacts", { email: `${name}@example.com`, ...more }), ({ body }) => body.id as string)
  const ids = [
    yield* upsert("c", { data: { plan: "pro" } }),
    yield* upsert("a", { data: { plan: "pro" } }),
    yield* upsert("b", { data: { plan: "pro" }, subscribed: false })
  ]
  const other = yield* upsert("other", { data: { plan: "free" } })
  const segment = (name: string) =>
    Effect.map(ask("POST", "/segments", { name, type: "STATIC" }), ({ body }) => body.id as string)
  const source = yield* segment("Source")
  const target = yield* segment("Target")
  const emails = ["a@example.com", "b@example.com", "c@example.com"]
  yield* ask("POST", `/segments/${source}/members`, { emails })
  yield* ask("POST", "/topics", { name: "News", key: "news", defaultSubscription: "unsubscribed" })
  return { ids, other, source, target }
})

/** What a project's contacts are, in one text for each. */
const states = ({ project }: TestProject) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.map(
      sql<{ readonly text: string }>`
        select split_part(email, '@', 1) || ' ' || concat_ws(' ', case when subscribed then 'on' else 'off' end,
                 case when topics_on is not null then 'news' end, data ->> 'level',
                 (select 'member' from segment_members as member join segments on segments.id = segment_id
                  where member.contact_id = contacts.id and segments.name = 'Target')) as text
        from contacts where project_id = ${project} order by email`,
      (rows) => rows.map(({ text }) => text)
    )
  )

const names = ({ project }: TestProject) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.map(
      sql<{ readonly name: string }>`select name from events where project_id = ${project} order by name`,
      (rows) => rows.map(({ name }) => name)
    )
  )

/** The raw content of an export. */
const download = Effect.fnUntraced(function* ({ credential }: TestProject, body: object) {
  const handler = yield* Wire
  const request = new Request("http://posthorn/contacts/export", {
    method: "POST",
    headers: { ...credential, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  const response = yield* Effect.promise(() => handler(request))
  return yield* Effect.promise(() => response.text())
})

type Operation = (typeof bulkChanges)[number]

/** What each operation does to the three contacts, how many of them it changes, and the events. */
const effects: {
  readonly [Name in Operation]: readonly [
    more: (target: string) => object,
    then: ReadonlyArray<string>,
    changed: number,
    events: ReadonlyArray<string>
  ]
} = {
  subscribe: [() => ({}), ["a on", "b on", "c on", "other on"], 1, ["contact.subscribed"]],
  unsubscribe: [
    () => ({}),
    ["a off", "b off", "c off", "other on"],
    2,
    ["contact.unsubscribed", "contact.unsubscribed"]
  ],
  "set-topics": [
    () => ({ topics: { news: "subscribed" } }),
    ["a on news", "b off news", "c on news", "other on"],
    3,
    Array(3).fill("topic.news.subscribed")
  ],
  "set-data": [() => ({ data: { level: 7, plan: null } }), ["a on 7", "b off 7", "c on 7", "other on"], 3, []],
  "add-to-segment": [
    (targetSegmentId) => ({ targetSegmentId }),
    ["a on member", "b off member", "c on member", "other on"],
    3,
    []
  ],
  "remove-from-segment": [(targetSegmentId) => ({ targetSegmentId }), ["a on", "b off", "c on", "other on"], 0, []],
  delete: [() => ({}), ["other on"], 3, []]
}

const selects = ["condition", "segmentId", "contactIds", "all"] as const

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`Bulk changes on ${name}`, (it) => {
    it.effect.each(bulkChanges.flatMap((operation) => selects.map((select) => [operation, select] as const)))(
      "%s by %s",
      ([operation, select]) =>
        Effect.gen(function* () {
          const mine = yield* freshProject
          const { ids, other, source, target } = yield* people(mine)
          if (select === "all") yield* mine.ask("DELETE", `/contacts/${other}`)
          const chosen = {
            condition: { condition: plan("pro") },
            segmentId: { segmentId: source },
            contactIds: { contactIds: [...ids, ids[0], ids[1]?.toUpperCase()] },
            all: { all: true }
          }[select]
          const [more, then, changed, events] = effects[operation]
          const before = yield* names(mine)
          const job = yield* done(mine, { operation, select: chosen, ...more(target) })
          assert.deepStrictEqual([job.type, job.state, job.progress], ["bulk", "completed", 100])
          assert.deepStrictEqual(job.result, {
            operation,
            totalRequested: 3,
            successCount: changed,
            unchanged: 3 - changed,
            pendingCount: 0,
            failureCount: 0,
            errors: []
          })
          const expected = select === "all" ? then.filter((text) => !text.startsWith("other")) : then
          assert.deepStrictEqual(yield* states(mine), expected)
          // A deletion removes the events of the contact.
          if (operation !== "delete")
            assert.deepStrictEqual((yield* names(mine)).slice(), [...before, ...events].sort())
          const sql = yield* SqlClient.SqlClient
          assert.deepStrictEqual(yield* sql`select 1 from bulk_targets where project_id = ${mine.project}`, [])
        })
    )

    it.effect("the contacts are those of the request, in steps of 500, and one that is gone is a failure", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* seed(mine.project, "n", 900, { plan: "pro" })
        const { body } = yield* start(mine, { operation: "unsubscribe", select: { condition: plan("pro") } })
        assert.strictEqual(body.message, "900 contacts queued.")
        yield* seed(mine.project, "late", 1, { plan: "pro" })
        const { body: found } = yield* mine.ask("GET", "/contacts?search=n-7@")
        yield* mine.ask("DELETE", `/contacts/${found.data[0].id}`)
        const job = yield* Effect.scoped(Effect.andThen(running, ended(mine, body.jobId)))
        assert.deepInclude(job.result, { totalRequested: 900, successCount: 899, failureCount: 1 })
        assert.deepStrictEqual(job.result.errors, [{ contactId: found.data[0].id, error: "Contact not found." }])
        const { body: late } = yield* mine.ask("GET", "/contacts?search=late&subscribed=true")
        assert.strictEqual(late.total, 1)
      })
    )

    it.effect("a job that dies again and again changes each contact once, with one event each", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* seed(mine.project, "n", 2_000)
        const dry = yield* start(mine, { operation: "unsubscribe", select: { all: true }, dryRun: true })
        const { body } = yield* start(mine, {
          operation: "unsubscribe",
          select: { all: true },
          confirmationToken: dry.body.confirmationToken
        })
        let reached = 0
        let deaths = 0
        // Two of three windows around a step end the run: before its commit, and after it.
        const deadly = Layer.build(JobRunner.layer(ContactBulk.jobs)).pipe(
          Effect.provideService(Failpoint, (window) =>
            Effect.suspend(() => {
              if (window === "after_consent_change" || ++reached % 3 === 0) return Effect.void
              deaths++
              return deaths % 2 === 0 ? Effect.interrupt : Effect.die("killed")
            })
          )
        )
        const job = yield* Effect.scoped(Effect.andThen(deadly, ended(mine, body.jobId)))
        assert.deepStrictEqual([job.state, job.failedReason], ["completed", null])
        assert.isAbove(deaths, 8)
        assert.deepInclude(job.result, { successCount: 2_000, unchanged: 0, failureCount: 0 })
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(
          yield* sql`
            select count(*)::int as events, count(distinct contact_id)::int as contacts from events
            where project_id = ${mine.project} and name = 'contact.unsubscribed'`,
          [{ events: 2_000, contacts: 2_000 }]
        )
      })
    )

    it.effect("many contacts need the token of a dry run with the same body, for 15 minutes", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* seed(mine.project, "n", 1_001, { plan: "pro" })
        const select = { condition: plan("pro") }
        const change = (more: object) => start(mine, { operation: "unsubscribe", select, ...more })
        const refused = yield* change({})
        assert.deepStrictEqual(
          [refused.status, refused.body.error.code, refused.body.error.details],
          [409, "CONFLICT", { reason: "confirmation_required", count: 1_001 }]
        )
        const dry = yield* change({ dryRun: true })
        assert.deepStrictEqual([dry.status, dry.body.count, dry.body.sample.length], [200, 1_001, 5])
        assert.deepStrictEqual(dry.body.sample.map(({ email }: { email: string }) => email)[0], "n-1000@example.com")
        const token = dry.body.confirmationToken
        const confirmed = (more: object) => change({ confirmationToken: token, ...more })
        for (const other of [
          { select: { condition: plan("free") } },
          { select: { all: true } },
          { operation: "subscribe" },
          { silent: true },
          { confirmationToken: `${token}x` }
        ]) {
          const { status, body } = yield* confirmed(other)
          assert.deepStrictEqual([status, body.error.code], [400, "INVALID_TOKEN"], JSON.stringify(other))
        }
        const elsewhere = yield* freshProject
        const foreign = yield* start(elsewhere, { operation: "unsubscribe", select, confirmationToken: token })
        assert.strictEqual(foreign.status, 400)
        // More contacts than a tenth, and than a hundred, must be looked at again.
        yield* seed(mine.project, "more", 100, { plan: "pro" })
        yield* TestClock.adjust("14 minutes")
        assert.strictEqual((yield* confirmed({})).status, 202)
        yield* seed(mine.project, "most", 10, { plan: "pro" })
        const grown = yield* confirmed({})
        assert.deepStrictEqual(
          [grown.status, grown.body.error.details],
          [409, { reason: "audience_changed", count: 1_111, confirmed: 1_001 }]
        )
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* confirmed({})).status, 400)
        const few = yield* freshProject
        yield* seed(few.project, "n", 101)
        const deletion = yield* start(few, { operation: "delete", select: { all: true } })
        assert.strictEqual(deletion.body.error.details.reason, "confirmation_required")
      })
    )

    it.effect("a job is cancelled, listed, and held while its project is disabled; 20 may wait", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* seed(mine.project, "n", 3)
        const body = { operation: "unsubscribe", select: { all: true } }
        const { body: first } = yield* start(mine, body)
        const cancelled = yield* mine.ask("POST", `/contacts/bulk/${first.jobId}/cancel`)
        assert.deepStrictEqual([cancelled.status, cancelled.body.state], [200, "cancelled"])
        const again = yield* mine.ask("POST", `/contacts/bulk/${first.jobId}/cancel`)
        assert.strictEqual(again.body.error.details.reason, "already_finished")
        assert.strictEqual((yield* mine.ask("POST", `/contacts/bulk/${randomUUID()}/cancel`)).status, 404)
        const queued = yield* Effect.replicateEffect(start(mine, body), 20)
        assert.isTrue(queued.every(({ status }) => status === 202))
        const full = yield* start(mine, body)
        assert.deepStrictEqual([full.status, fault(full.body)], [422, "VALIDATION_ERROR operation"])
        const page = yield* mine.ask("GET", "/contacts/bulk?state=waiting&limit=15")
        assert.deepStrictEqual([page.body.data.length, page.body.total, page.body.hasMore], [15, 20, true])
        assert.strictEqual(page.body.data[0].id, queued.at(-1)?.body.jobId)
        const sql = yield* SqlClient.SqlClient
        yield* sql`update projects set disabled_at = now(), disabled_reason = 'operator' where id = ${mine.project}`
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* running
            yield* Effect.forkChild(TestClock.adjust("5 seconds")).pipe(Effect.flatMap(Fiber.join))
            assert.deepStrictEqual(
              yield* sql`select 1 from jobs where project_id = ${mine.project} and started_at is not null`,
              []
            )
            yield* sql`update projects set disabled_at = null, disabled_reason = null where id = ${mine.project}`
            const results = yield* Effect.forEach(queued, ({ body }) => ended(mine, body.jobId))
            assert.deepStrictEqual(
              results.map(({ result }) => result.successCount),
              [3, ...Array(19).fill(0)]
            )
          })
        )
        const [started] = yield* sql`
          select details ->> 'operation' as operation, (details ->> 'count')::int as count from audit_log
          where project_id = ${mine.project} and action = 'contacts.bulk_started' order by id limit 1`
        assert.isNumber(started?.["count"])
        const actions = yield* sql`
          select action, count(*)::int as count from audit_log
          where project_id = ${mine.project} and action like 'contacts.bulk%' group by 1 order by 1`
        assert.deepStrictEqual(actions, [
          { action: "contacts.bulk_cancelled", count: 1 },
          { action: "contacts.bulk_started", count: 21 }
        ])
      })
    )

    it.effect("what is missing or faulty is refused, and nothing is queued", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* people(mine)
        const { body: dynamic } = yield* mine.ask("POST", "/segments", { name: "Pro", condition: plan("pro") })
        const all = { all: true }
        const unsubscribe = (select: unknown) => ({ operation: "unsubscribe", select })
        const cases: ReadonlyArray<readonly [body: object, status: number, fault: string]> = [
          [{}, 422, "VALIDATION_ERROR operation,select"],
          [{ operation: "burn", select: all }, 422, "VALIDATION_ERROR operation"],
          [unsubscribe({}), 422, "VALIDATION_ERROR select"],
          [unsubscribe({ all: true, condition: plan("pro") }), 422, "VALIDATION_ERROR select"],
          [unsubscribe({ all: false }), 422, "VALIDATION_ERROR select.all"],
          [unsubscribe({ contactIds: [] }), 422, "VALIDATION_ERROR select.contactIds"],
          [
            unsubscribe({ condition: filter("topic.gone", "equals", "unset") }),
            422,
            "VALIDATION_ERROR select.condition.groups.0.filters.0.field"
          ],
          [unsubscribe({ segmentId: randomUUID() }), 404, "SEGMENT_NOT_FOUND"],
          [{ operation: "set-topics", select: all }, 422, "VALIDATION_ERROR topics"],
          [{ operation: "set-topics", select: all, topics: { gone: "unset" } }, 422, "VALIDATION_ERROR topics.gone"],
          [{ operation: "set-data", select: all }, 422, "VALIDATION_ERROR data"],
          [{ operation: "add-to-segment", select: all }, 422, "VALIDATION_ERROR targetSegmentId"],
          [{ operation: "add-to-segment", select: all, targetSegmentId: dynamic.id }, 409, "CONFLICT"],
          [{ operation: "subscribe", select: all, doubleOptIn: true }, 422, "VALIDATION_ERROR doubleOptIn"],
          [
            { operation: "unsubscribe", select: all, consent: { at: "2200-01-01T00:00:00Z" } },
            422,
            "VALIDATION_ERROR consent.at"
          ]
        ]
        for (const [body, status, expected] of cases) {
          const answer = yield* start(mine, body)
          assert.deepStrictEqual([answer.status, fault(answer.body)], [status, expected], JSON.stringify(body))
        }
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`select 1 from jobs where project_id = ${mine.project}`, [])
      })
    )

    it.effect("a member may change contacts, but not delete them", () =>
      Effect.gen(function* () {
        const owner = yield* person("owner")
        const member = yield* person("member")
        const { id } = yield* newProject(owner.cookie)
        yield* addMember(owner.cookie, id, member, "MEMBER")
        const asked = (operation: string) =>
          Effect.map(
            browse(
              member.cookie,
              "POST",
              "/contacts/bulk",
              { operation, select: { all: true } },
              { "x-project-id": id }
            ),
            ({ status }) => status
          )
        assert.deepStrictEqual([yield* asked("unsubscribe"), yield* asked("delete")], [202, 403])
      })
    )

    it.effect("a silent change records no event, and data that would be too large is a failure", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { ids } = yield* people(mine)
        const silent = yield* done(mine, { operation: "unsubscribe", select: { all: true }, silent: true })
        assert.strictEqual(silent.result.successCount, 3)
        assert.notInclude(yield* names(mine), "contact.unsubscribed")
        yield* mine.ask("POST", "/topics", { name: "Quiet", key: "quiet", defaultSubscription: "unsubscribed" })
        const topics = { operation: "set-topics", select: { all: true }, silent: true }
        for (const state of ["subscribed", "unsubscribed", "unset"]) {
          const said = yield* done(mine, { ...topics, topics: { quiet: state } })
          assert.deepInclude(said.result, { successCount: 4, unchanged: 0 })
        }
        assert.isFalse((yield* names(mine)).some((name) => name.startsWith("topic.quiet.")))
        const records = yield* mine.ask("GET", "/consents?topic=quiet")
        assert.strictEqual(records.body.total, 12)
        yield* mine.ask("PATCH", `/contacts/${ids[0]}`, { data: { a: "x".repeat(40_000) } })
        const job = yield* done(mine, {
          operation: "set-data",
          select: { contactIds: ids },
          data: { b: "x".repeat(40_000) }
        })
        assert.deepInclude(job.result, { successCount: 2, failureCount: 1 })
        assert.deepStrictEqual(job.result.errors, [
          { contactId: ids[0], error: "Its data would be larger than 64 KB." }
        ])
      })
    )

    it.effect("exports the contacts of a condition, a segment or a list of ids", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { ids, source } = yield* people(mine)
        const exported = (body: object) =>
          Effect.map(download(mine, { format: "ndjson", ...body }), (text) =>
            text
              .split("\n")
              .filter((line) => line !== "")
              .map((line) => JSON.parse(line).email[0])
              .sort()
              .join("")
          )
        assert.strictEqual(yield* exported({ condition: plan("pro") }), "abc")
        assert.strictEqual(yield* exported({ segmentId: source }), "abc")
        assert.strictEqual(yield* exported({ contactIds: [ids[0], randomUUID()] }), "c")
        assert.strictEqual(yield* exported({}), "abco")
        const csv = yield* download(mine, { condition: plan("free") })
        assert.match(csv, /^id,email,.*\r\n.*,other@example\.com,/)
        const both = yield* mine.ask("POST", "/contacts/export", { condition: plan("pro"), segmentId: source })
        assert.deepStrictEqual([both.status, fault(both.body)], [422, "VALIDATION_ERROR condition"])
      })
    )
  })
}
