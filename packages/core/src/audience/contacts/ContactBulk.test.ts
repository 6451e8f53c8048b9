import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Projects } from "../../accounts/projects/Projects.ts"
import { JobQueue } from "../../platform/jobs/JobQueue.ts"
import * as JobRunner from "../../platform/jobs/JobRunner.ts"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { project, servicesOn, type TestServices } from "../../testing/Services.ts"
import { outcome, send, type Wire, wireOver } from "../../testing/TestClient.ts"
import * as ContactBulk from "./ContactBulk.ts"

const someone = randomUUID()

/** Creates a contact and returns its id. */
const contact = Effect.fnUntraced(function* (email: string, subscribed = true) {
  const { body } = yield* send("POST", "/contacts", { email, subscribed })
  return body.id as string
})

/** Inserts many contacts by SQL. */
const seed = Effect.fnUntraced(function* (prefix: string, count: number) {
  const sql = yield* SqlClient.SqlClient
  const ids = Array.from({ length: count }, () => randomUUID())
  yield* sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select id, ${project}::uuid, ${prefix}::text || n || '@example.com', true, '{}', now(), now()
    from unnest(${ids}::uuid[]) with ordinality as given(id, n)`
  return ids
})

const queued = Effect.fnUntraced(function* (operation: string, contactIds: ReadonlyArray<string>) {
  const { status, body } = yield* send("POST", `/contacts/${operation}`, { contactIds })
  assert.strictEqual(status, 202)
  return body as { readonly message: string; readonly jobId: string }
})

const record = (id: string) => Effect.map(send("GET", `/contacts/bulk/${id}`), ({ body }) => body)

/** The record of the job after it has ended. Jobs run until the scope closes. */
const ended = (id: string) =>
  eventually(Effect.andThen(TestClock.adjust("1 second"), record(id)), ({ finishedAt }) => finishedAt !== null)

const running = Layer.build(JobRunner.layer(ContactBulk.jobs))

const done = Effect.fnUntraced(function* (operation: string, contactIds: ReadonlyArray<string>) {
  const { jobId } = yield* queued(operation, contactIds)
  yield* running
  return yield* ended(jobId)
})

const events = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`select contact_id as contact, name, data from events order by name, id`
})

const fresh = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`truncate jobs, contacts, events, emails cascade`
  return sql
})

const tests = (name: string, services: Layer.Layer<Wire | TestServices>) =>
  layer(services, { timeout: "60 seconds" })(`Bulk operations on ${name}`, (it) => {
    it.effect("unsubscribe subscribed contacts once, and report the result of each id", () =>
      Effect.gen(function* () {
        yield* fresh
        const [a, b] = [yield* contact("a@example.com"), yield* contact("b@example.com", false)]
        const request = [a, b, someone, a.toUpperCase(), a]
        const { message, jobId } = yield* queued("bulk-unsubscribe", request)
        assert.strictEqual(message, "3 contacts queued.")
        const waiting = yield* record(jobId)
        assert.deepInclude(waiting, {
          id: jobId,
          type: "bulk-unsubscribe",
          state: "waiting",
          progress: 0,
          result: null,
          failedReason: null,
          startedAt: null,
          finishedAt: null
        })
        yield* running
        const completed = yield* ended(jobId)
        assert.deepInclude(completed, { state: "completed", progress: 100, failedReason: null })
        assert.deepStrictEqual(completed.result, {
          operation: "bulk-unsubscribe",
          totalRequested: 3,
          successCount: 1,
          unchanged: 1,
          failureCount: 1,
          errors: [{ contactId: someone, error: "Contact not found." }]
        })
        assert.deepStrictEqual(yield* events, [{ contact: a, name: "contact.unsubscribed", data: { reason: "bulk" } }])
        assert.isFalse((yield* send("GET", `/contacts/${a}`)).body.subscribed)
      })
    )

    it.effect("subscribe contacts that are not subscribed, and change updatedAt only of those", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        const [a, b] = [yield* contact("a@example.com", false), yield* contact("b@example.com")]
        yield* TestClock.adjust("1 hour")
        const { result } = yield* done("bulk-subscribe", [a, b])
        assert.deepInclude(result, { successCount: 1, unchanged: 1, failureCount: 0 })
        const moved = yield* sql`select id from contacts where updated_at > created_at`
        assert.deepStrictEqual(moved, [{ id: a }])
        assert.deepStrictEqual(yield* events, [{ contact: a, name: "contact.subscribed", data: { reason: "bulk" } }])
      })
    )

    it.effect("delete like a single deletion: waiting mail is cancelled, and no event is recorded", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        yield* send("POST", "/domains", { domain: "mail.test" })
        const mail = { from: "hi@mail.test", subject: "Hi", body: "<p>Hi</p>", to: "gone@example.com" }
        const sent = yield* send("POST", "/v1/send", mail)
        const { contact: gone, email } = sent.body.data.emails[0]
        const stays = yield* contact("stays@example.com")
        const { result } = yield* done("bulk-delete", [gone.id, someone])
        assert.deepInclude(result, { successCount: 1, unchanged: 0, failureCount: 1 })
        assert.strictEqual(yield* outcome("GET", `/contacts/${gone.id}`), "404 CONTACT_NOT_FOUND")
        assert.strictEqual(yield* outcome("GET", `/contacts/${stays}`), "200 ok")
        assert.deepInclude((yield* send("GET", `/emails/${email}`)).body, { status: "CANCELLED", contactId: null })
        assert.deepStrictEqual(yield* sql`select name from events where contact_id is not null`, [])
      })
    )

    it.effect("change 1,000 contacts in steps of 100, and a crash loses only the current step", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        const ids = yield* seed("n", 1_000)
        const { jobId } = yield* queued("bulk-unsubscribe", ids)
        // The process dies within the fourth step, because the database refuses its event.
        yield* sql`
          create or replace function refuse() returns trigger language plpgsql as $$
          begin if (select count(*) from events) > 300 then raise exception 'refused'; end if; return new; end $$`
        yield* sql`create trigger refuse after insert on events for each row execute function refuse()`
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* running
            yield* eventually(record(jobId), ({ progress }) => progress === 30)
            yield* eventually(sql`select 1 from jobs where due_at > created_at`, (rows) => rows.length === 1)
          })
        )
        const changed = sql`select count(*)::int as count from contacts where not subscribed`
        assert.deepStrictEqual(yield* changed, [{ count: 300 }])
        assert.deepInclude((yield* record(jobId)).result, { successCount: 300, totalRequested: 1_000 })
        yield* sql`drop trigger refuse on events`
        yield* running
        const { result, state } = yield* ended(jobId)
        assert.strictEqual(state, "completed")
        assert.deepInclude(result, { successCount: 1_000, unchanged: 0, failureCount: 0 })
        const [written] = yield* sql`
          select count(*)::int as count, count(distinct contact_id)::int as contacts from events`
        assert.deepStrictEqual(written, { count: 1_000, contacts: 1_000 })
      })
    )

    it.effect("accept 1 to 1,000 ids", () =>
      Effect.gen(function* () {
        yield* fresh
        const many = (count: number) => Array.from({ length: count }, () => randomUUID())
        const bodies = [
          {},
          { contactIds: null },
          { contactIds: [] },
          { contactIds: many(1_001) },
          { contactIds: ["x"] }
        ]
        for (const operation of ["bulk-subscribe", "bulk-unsubscribe", "bulk-delete"]) {
          const found = yield* Effect.forEach(bodies, (body) => send("POST", `/contacts/${operation}`, body))
          assert.deepStrictEqual(
            found.map(({ status, body }) => [status, body.error.errors[0].field, body.error.errors[0].code]),
            [
              [422, "contactIds", "required"],
              [422, "contactIds", "required"],
              [422, "contactIds", "too_small"],
              [422, "contactIds", "too_big"],
              [422, "contactIds.0", "invalid_string"]
            ]
          )
        }
        assert.strictEqual(yield* outcome("POST", "/contacts/bulk-delete", { contactIds: many(1_000) }), "202 ok")
      })
    )

    it.effect("are not found under an unknown or malformed id, or an id of another project or kind", () =>
      Effect.gen(function* () {
        yield* fresh
        const queue = yield* JobQueue
        const other = yield* Projects.use((_) => _.create("Other"))
        const bulk = yield* ContactBulk.make
        const foreign = yield* bulk.queue(other.project.id, "bulk-delete", { contactIds: [] })
        const import_ = yield* queue.enqueue(
          project,
          // biome-ignore lint/suspicious/noExplicitAny: a kind that this capability does not know
          { name: "import", payload: (ContactBulk.jobs[0] as any).payload },
          { contactIds: [] },
          yield* DateTime.now
        )
        for (const id of [someone, "nonsense", foreign.jobId, import_]) {
          const { status, body } = yield* send("GET", `/contacts/bulk/${id}`)
          assert.deepStrictEqual(
            [status, body.error.code, body.error.details],
            [404, "RESOURCE_NOT_FOUND", { resource: "job", id }]
          )
        }
      })
    )

    it.effect("change nothing in another project", () =>
      Effect.gen(function* () {
        yield* fresh
        const own = yield* contact("own@example.com")
        const other = yield* Projects.use((_) => _.create("Other"))
        const bulk = yield* ContactBulk.make
        for (const operation of ["bulk-unsubscribe", "bulk-delete"] as const) {
          // biome-ignore lint/suspicious/noExplicitAny: an id as a caller gives it
          yield* bulk.queue(other.project.id, operation, { contactIds: [own as any] })
        }
        yield* running
        const sql = yield* SqlClient.SqlClient
        yield* eventually(
          Effect.andThen(TestClock.adjust("1 second"), sql`select 1 from jobs where finished_at is null`),
          (rows) => rows.length === 0
        )
        assert.deepInclude((yield* send("GET", `/contacts/${own}`)).body, { subscribed: true })
        assert.deepStrictEqual(yield* events, [])
      })
    )
  })

for (const [name, database] of databases()) tests(name, wireOver(servicesOn(database)))
