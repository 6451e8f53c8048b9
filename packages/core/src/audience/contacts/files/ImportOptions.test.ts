import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { RunnableJob } from "../../../platform/jobs/Job.ts"
import { JobQueue } from "../../../platform/jobs/JobQueue.ts"
import * as JobRunner from "../../../platform/jobs/JobRunner.ts"
import { addMember, browse, newProject, person, settled } from "../../../testing/Browser.ts"
import { databases } from "../../../testing/Databases.ts"
import { eventually } from "../../../testing/Eventually.ts"
import { hold } from "../../../testing/LockWaits.ts"
import { key, project, servicesOn, type TestServices } from "../../../testing/Services.ts"
import { outcome, send, Wire, wireOver } from "../../../testing/TestClient.ts"
import { freshProject } from "../../segments/SegmentsFixture.ts"
import { checkJob, importJob } from "./ContactImportJob.ts"

type Fields = { readonly [name: string]: string }

const post = Effect.fnUntraced(function* (content: string, fields: Fields = {}, headers: Fields = {}) {
  const handler = yield* Wire
  const form = new FormData()
  form.append("file", new File([content], "people.csv", { type: "text/csv" }))
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const request = new Request("http://posthorn/contacts/import", {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: form
  })
  const response = yield* Effect.promise(() => handler(request))
  return { status: response.status, body: JSON.parse(yield* Effect.promise(() => response.text())) }
})

const upload = Effect.fnUntraced(function* (content: string, fields: Fields = {}) {
  const { status, body } = yield* post(content, fields)
  assert.strictEqual(status, 202, JSON.stringify(body))
  return String(body.jobId)
})

const record = (id: string) => Effect.map(send("GET", `/contacts/import/${id}`), ({ body }) => body)

const jobs: ReadonlyArray<RunnableJob<TestServices | SqlClient.SqlClient>> = [checkJob, importJob]
const running = Layer.build(JobRunner.layer(jobs))

const ended = (id: string) =>
  eventually(Effect.andThen(TestClock.adjust("1 second"), record(id)), ({ finishedAt }) => finishedAt !== null)

const done = Effect.fnUntraced(function* (content: string, fields: Fields = {}) {
  const id = yield* upload(content, fields)
  yield* running
  return yield* ended(id)
})

const faults = (content: string, fields: Fields) =>
  Effect.map(post(content, fields), ({ status, body }) => [
    status,
    body.error.errors?.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`) ?? body.error.code
  ])

const contacts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ email: string; subscribed: boolean; data: object }>`
    select email, subscribed, data from contacts where project_id = ${project} order by email`
  return Object.fromEntries(rows.map(({ email, subscribed, data }) => [email, [subscribed, data] as const]))
})

const fresh = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`truncate jobs, contacts, events, suppressions, segments cascade`
  return sql
})

const mapped = (mapping: object) => ({ mapping: JSON.stringify(mapping) })

const tests = (name: string, services: Layer.Layer<Wire | TestServices>) =>
  layer(services, { timeout: "120 seconds" })(`The options of an import on ${name}`, (it) => {
    it.effect("store columns as the mapping says, and the others as usual", () =>
      Effect.gen(function* () {
        yield* fresh
        const file = "E-Mail;Opt in;Plan;Language;Zone;Notes;city;id\na@x.co;no;pro;de;Europe/Berlin;secret;Köln;7\n"
        const job = yield* done(
          file,
          mapped({
            "E-Mail": "email",
            " Opt in ": "subscribed",
            Plan: "data.plan",
            Language: "locale",
            Zone: "timezone",
            Notes: null,
            id: "data.number"
          })
        )
        assert.deepInclude(job, { state: "completed", dryRun: false, groupId: null })
        const data = { plan: "pro", locale: "de", timezone: "Europe/Berlin", city: "Köln", number: 7 }
        assert.deepStrictEqual(yield* contacts, { "a@x.co": [false, data] })
      })
    )

    it.effect("name each fault of a mapping, and queue nothing", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        const file = "email,mail,plan\na@x.co,b@x.co,pro\n"
        const refused = (mapping: object) => Effect.map(faults(file, mapped(mapping)), ([, found]) => found)
        assert.deepStrictEqual(yield* faults(file, { mapping: "{" }), [422, ["mapping invalid_type"]])
        assert.deepStrictEqual(yield* faults(file, { mapping: "[]" }), [422, ["mapping invalid_type"]])
        const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`c${n}`, null]))
        assert.deepStrictEqual(yield* refused(many), ["mapping too_big"])
        assert.deepStrictEqual(yield* refused({ mail: "email" }), ["mapping.mail custom"])
        assert.deepStrictEqual(yield* refused({ mail: "data.x", plan: "data.x" }), ["mapping.plan custom"])
        assert.deepStrictEqual(yield* refused({ mail: "locale", plan: "data.locale" }), ["mapping.plan custom"])
        assert.deepStrictEqual(yield* refused({ absent: "data.x" }), ["mapping.absent custom"])
        assert.deepStrictEqual(yield* refused({ email: null }), ["file custom"])
        assert.deepStrictEqual(yield* refused({ mail: "name", plan: 1 }), [
          "mapping.mail invalid_enum",
          "mapping.plan invalid_enum"
        ])
        for (const key of ["", "email", "unsubscribeUrl", "__proto__", "x".repeat(101), "a\u0007"]) {
          assert.deepStrictEqual(yield* refused({ mail: `data.${key}` }), ["mapping.mail invalid_enum"], key)
        }
        for (const [field, value, code] of [
          ["dryRun", "yes", "invalid_enum"],
          ["segmentId", "x", "invalid_string"],
          ["groupId", "x", "invalid_string"]
        ] as const) {
          assert.deepStrictEqual(yield* faults(file, { [field]: value }), [422, [`${field} ${code}`]])
        }
        assert.deepStrictEqual(yield* sql`select id from jobs`, [])
      })
    )

    it.effect("as a dry run count what the import then does, and change nothing", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        const big = "x".repeat(40_000)
        yield* send("POST", "/contacts", { email: "full@x.co", data: { a: big } })
        yield* send("POST", "/contacts", { email: "known@x.co", data: { plan: "free" } })
        const rows = [
          "known@x.co,pro,",
          "new@x.co,pro,",
          "bad,x,",
          "NEW@x.co,free,",
          `full@x.co,,${big}`,
          `grows@x.co,,${big}`,
          "surplus@x.co,a,b,c",
          ...Array.from({ length: 1250 }, (_, n) => `p${n % 120}@x.co,${n},`),
          // Too large together with an earlier row of the same file.
          `grows@x.co,${big},`,
          `full@x.co,pro,`
        ]
        const file = `email,plan,text\n${rows.join("\n")}\n`
        const before = [yield* contacts, yield* sql`select * from events`]
        const check = yield* done(file, { dryRun: "true" })
        assert.deepInclude(check, { type: "import", state: "completed", progress: 100, dryRun: true })
        assert.deepStrictEqual([yield* contacts, yield* sql`select * from events`], before)
        assert.deepStrictEqual(yield* sql`select * from job_files`, [])
        const { result } = yield* done(file)
        const { createdCount, updatedCount, successCount, ...rest } = result
        assert.strictEqual(successCount, createdCount + updatedCount)
        assert.deepStrictEqual(check.result, { ...rest, wouldCreate: createdCount, wouldUpdate: updatedCount })
        assert.deepInclude(check.result, { totalRows: rows.length, wouldCreate: 122, failureCount: 4 })
        const again = yield* done(file, { dryRun: "true" })
        assert.deepInclude(again.result, { wouldCreate: 0, failureCount: 4 })
      })
    )

    it.effect("add the contacts to a static segment, in the transaction of their rows", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        const theirs = yield* freshProject
        const made = (body: object) => Effect.map(send("POST", "/segments", body), ({ body }) => String(body.id))
        const segmentId = yield* made({ name: "Press", type: "STATIC", trackMembership: true })
        yield* send("POST", `/segments/${segmentId}/members`, { emails: ["in@x.co"], createMissing: true })
        const file = "email\nin@x.co\na@x.co\nbad\nA@x.co\nb@x.co\n"
        yield* done(file, { segmentId, dryRun: "true" })
        assert.strictEqual((yield* send("GET", `/segments/${segmentId}`)).body.memberCount, 1)
        const { result } = yield* done(file, { segmentId })
        assert.deepInclude(result, { createdCount: 2, updatedCount: 2, failureCount: 1 })
        assert.strictEqual((yield* send("GET", `/segments/${segmentId}`)).body.memberCount, 3)
        const joined = yield* sql<{ email: string }>`
          select email from events join contacts on contacts.id = contact_id where name = 'segment.press.entry' order by 1`
        assert.deepStrictEqual(
          joined.map(({ email }) => email),
          ["a@x.co", "b@x.co", "in@x.co"]
        )

        const dynamic = yield* made({ name: "All", condition: { groups: [] } })
        assert.deepStrictEqual(yield* faults(file, { segmentId: dynamic }), [409, "CONFLICT"])
        const foreign = yield* theirs.ask("POST", "/segments", { name: "Theirs", type: "STATIC" })
        for (const id of [randomUUID(), foreign.body.id]) {
          assert.deepStrictEqual(yield* faults(file, { segmentId: id }), [404, "SEGMENT_NOT_FOUND"])
        }

        // Deleted while the import waits: nothing is imported.
        const gone = yield* made({ name: "Gone", type: "STATIC" })
        const id = yield* upload("email\nlate@x.co\n", { segmentId: gone })
        yield* send("DELETE", `/segments/${gone}`)
        yield* running
        assert.deepInclude(yield* ended(id), { state: "failed", failedReason: "The segment is no longer there." })
        assert.notProperty(yield* contacts, "late@x.co")
      })
    )

    it.effect("go on behind the last committed row after their process died, in the segment too", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        const { body: segment } = yield* send("POST", "/segments", {
          name: "All",
          type: "STATIC",
          trackMembership: true
        })
        const rows = Array.from({ length: 1750 }, (_, n) => `r${n}@x.co`)
        const id = yield* upload(`email\n${rows.join("\n")}\n`, { segmentId: segment.id })
        // A runner that stops at the second step, without giving its claim back.
        const queue = yield* JobQueue
        const claimed = yield* Effect.flatMap(DateTime.now, (now) => queue.claim([importJob], now))
        assert.strictEqual(claimed._tag, "Some")
        if (claimed._tag === "None") return
        let saves = 0
        yield* importJob
          .execute(claimed.value.payload, {
            project,
            id: claimed.value.id,
            saved: claimed.value.saved,
            file: queue.file(claimed.value),
            save: (point) =>
              ++saves === 3 ? Effect.die(new Error("Killed")) : Effect.asVoid(queue.saveProgress(claimed.value, point))
          })
          .pipe(Effect.exit)
        assert.deepInclude((yield* record(id)).result, { totalRows: 1000, createdCount: 1000 })
        yield* sql`update jobs set lease_until = clock_timestamp() - interval '1 second'`
        yield* running
        const job = yield* ended(id)
        assert.deepInclude(job.result, { totalRows: 1750, createdCount: 1750, updatedCount: 0, failureCount: 0 })
        assert.strictEqual((yield* send("GET", `/segments/${segment.id}`)).body.memberCount, 1750)
        const [entries] = yield* sql`
          select count(*)::int as n, count(distinct contact_id)::int as contacts from events
          where name = 'segment.all.entry'`
        assert.deepStrictEqual(entries, { n: 1750, contacts: 1750 })
      })
    )

    it.effect("tie the parts of a file together: imports are listed by group and state, and cancelled", () =>
      Effect.gen(function* () {
        yield* fresh
        const theirs = yield* freshProject
        const groupId = randomUUID()
        const ids: Array<string> = []
        for (let n = 0; n < 3; n++) {
          yield* TestClock.adjust("1 second")
          ids.unshift(yield* upload(`email\nc${n}@x.co\nbad\n`, { groupId: groupId.toUpperCase() }))
        }
        yield* TestClock.adjust("1 second")
        const alone = yield* upload("email\nalone@x.co\n", { dryRun: "true" })
        const list = (query = "") => Effect.map(send("GET", `/contacts/import${query}`), ({ body }) => body)
        const idsOf = ({ data }: { data: ReadonlyArray<{ id: string }> }) => data.map(({ id }) => id)
        assert.deepStrictEqual(idsOf(yield* list()), [alone, ...ids])
        assert.deepStrictEqual(idsOf(yield* list(`?groupId=${groupId}`)), ids)
        const page = yield* list(`?groupId=${groupId}&limit=2`)
        assert.deepStrictEqual([page.total, page.hasMore], [3, true])
        const next = yield* list(`?groupId=${groupId}&limit=2&cursor=${page.cursor}`)
        assert.deepStrictEqual(idsOf(next), ids.slice(2))
        assert.strictEqual(yield* outcome("GET", `/contacts/import?cursor=${page.cursor}`), "400 INVALID_CURSOR")
        assert.strictEqual(yield* outcome("GET", "/contacts/import?state=lost"), "400 BAD_REQUEST")
        assert.strictEqual(yield* outcome("GET", "/contacts/import?groupId=x"), "400 BAD_REQUEST")

        const [last = ""] = ids
        const cancelled = yield* send("POST", `/contacts/import/${last}/cancel`)
        assert.strictEqual(cancelled.status, 200)
        assert.deepInclude(cancelled.body, { id: last, state: "cancelled", groupId, dryRun: false, result: null })
        assert.deepStrictEqual(idsOf(yield* list("?state=cancelled")), [last])
        yield* running
        for (const id of [...ids, alone]) yield* ended(id)
        assert.deepStrictEqual(Object.keys(yield* contacts), ["c0@x.co", "c1@x.co"])
        const [first] = (yield* list("?state=completed")).data
        assert.deepStrictEqual(first.result, {
          totalRows: 1,
          wouldCreate: 1,
          wouldUpdate: 0,
          pendingCount: 0,
          failureCount: 0
        })
        for (const id of [last, alone]) {
          const { body, status } = yield* send("POST", `/contacts/import/${id}/cancel`)
          assert.deepStrictEqual([status, body.error.details], [409, { reason: "already_finished" }])
        }
        assert.deepStrictEqual((yield* theirs.ask("GET", "/contacts/import")).body.data, [])
        for (const id of [alone, randomUUID(), "x"]) {
          const path = `/contacts/import/${id}/cancel`
          assert.strictEqual(yield* theirs.outcome("POST", path), "404 RESOURCE_NOT_FOUND")
        }
      })
    )

    it.effect("are open to keys by scope, and to members of each role", () =>
      Effect.gen(function* () {
        yield* fresh
        const asked = Effect.fnUntraced(function* (scope: string) {
          const { body } = yield* send("POST", "/api-keys", { name: scope, scopes: [scope] })
          const headers = { authorization: `Bearer ${body.key}` }
          const uploaded = yield* post("email\na@x.co\n", { dryRun: "true" }, headers)
          const cancel = `/contacts/import/${randomUUID()}/cancel`
          return [
            uploaded.status,
            yield* outcome("GET", "/contacts/import", undefined, headers),
            yield* outcome("POST", cancel, undefined, headers)
          ]
        })
        assert.deepStrictEqual(yield* asked("contacts:read"), [403, "200 ok", "403 FORBIDDEN"])
        assert.deepStrictEqual(yield* asked("contacts:write"), [202, "200 ok", "404 RESOURCE_NOT_FOUND"])
        assert.deepStrictEqual(yield* asked("segments:write"), [403, "403 FORBIDDEN", "403 FORBIDDEN"])
        const [owner, member, outsider] = [yield* person("owner"), yield* person("member"), yield* person("outsider")]
        const { id } = yield* newProject(owner.cookie)
        yield* addMember(owner.cookie, id, member, "MEMBER")
        const listed = (cookie: string) =>
          Effect.map(
            settled(browse(cookie, "GET", "/contacts/import", undefined, { "x-project-id": id })),
            ({ status }) => status
          )
        assert.deepStrictEqual(
          [yield* listed(owner.cookie), yield* listed(member.cookie), yield* listed(outsider.cookie)],
          [200, 200, 403]
        )
      })
    )

    if (name === "PostgreSQL") {
      it.effect("stop a running import after the step that is committed", () =>
        Effect.gen(function* () {
          const sql = yield* fresh
          yield* send("POST", "/contacts", { email: "q750@x.co" })
          const rows = Array.from({ length: 2000 }, (_, n) => `q${n}@x.co`)
          const id = yield* upload(`email,n\n${rows.map((email, n) => `${email},${n}`).join("\n")}\n`)
          // The lock holds the second step until the import is cancelled.
          const release = yield* hold(sql`select id from contacts where email = 'q750@x.co' for update`)
          yield* running
          yield* eventually(Effect.andThen(TestClock.adjust("1 second"), record(id)), ({ progress }) => progress === 25)
          assert.strictEqual(yield* outcome("POST", `/contacts/import/${id}/cancel`), "200 ok")
          yield* release
          const job = yield* record(id)
          assert.deepInclude(job, { state: "cancelled", progress: 25 })
          assert.deepInclude(job.result, { createdCount: 500 })
          yield* eventually(
            Effect.andThen(TestClock.adjust("1 second"), sql`select id from jobs where lease_until is not null`),
            (held) => held.length === 0
          )
          assert.lengthOf(Object.keys(yield* contacts), 501)
        })
      )
    }
  })

for (const [name, database] of databases()) tests(name, wireOver(servicesOn(database)))
