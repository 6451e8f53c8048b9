import { randomUUID } from "node:crypto"
import { gzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { maxImportBytes } from "@posthorn/contract/audience/contacts/ContactJob"
import { maxFramingBytes } from "@posthorn/contract/platform/Primitives"
import { DateTime, Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Projects } from "../../../accounts/projects/Projects.ts"
import { JobId } from "../../../platform/jobs/Job.ts"
import { JobQueue } from "../../../platform/jobs/JobQueue.ts"
import * as JobRunner from "../../../platform/jobs/JobRunner.ts"
import { databases } from "../../../testing/Databases.ts"
import { eventually } from "../../../testing/Eventually.ts"
import { key, project, servicesOn, type TestServices } from "../../../testing/Services.ts"
import { outcome, send, Wire, wireOver } from "../../../testing/TestClient.ts"
import { Suppressions } from "../../suppression/Suppressions.ts"
import * as ContactBulk from "../ContactBulk.ts"
import { importJob } from "./ContactImportJob.ts"

type Content = string | Uint8Array<ArrayBuffer>

const csv = (content: Content) => new File([content], "people.csv", { type: "text/csv" })

const formOf = (fields: { readonly [name: string]: string | File | ReadonlyArray<File> }) => {
  const form = new FormData()
  for (const [name, values] of Object.entries(fields)) {
    for (const value of Array.isArray(values) ? values : [values]) form.append(name, value)
  }
  return form
}

/** Sends one import request with the given body. */
const post = Effect.fnUntraced(function* (
  body: FormData | string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {}
) {
  const handler = yield* Wire
  const response = yield* Effect.promise(() =>
    handler(
      new Request("http://posthorn/contacts/import", {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, ...headers },
        body
      })
    )
  )
  const text = yield* Effect.promise(() => response.text())
  return { status: response.status, body: JSON.parse(text) }
})

/** Uploads a file that must be accepted and returns the id of its job. */
const upload = Effect.fnUntraced(function* (content: Content, fields: { readonly [name: string]: string } = {}) {
  const { status, body } = yield* post(formOf({ file: csv(content), ...fields }))
  assert.deepStrictEqual([status, body.message], [202, "Import queued."], JSON.stringify(body))
  return body.jobId as string
})

const record = (id: string) => Effect.map(send("GET", `/contacts/import/${id}`), ({ body }) => body)

const ended = (id: string) =>
  eventually(Effect.andThen(TestClock.adjust("1 second"), record(id)), ({ finishedAt }) => finishedAt !== null)

const running = Layer.build(JobRunner.layer([importJob]))

/** Imports a file and returns the result. */
const imported = Effect.fnUntraced(function* (content: Content, fields?: { readonly [name: string]: string }) {
  const id = yield* upload(content, fields)
  yield* running
  const { result, state, progress, failedReason } = yield* ended(id)
  assert.deepStrictEqual([state, progress, failedReason], ["completed", 100, null])
  return result
})

const fresh = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`truncate jobs, contacts, events, suppressions cascade`
  return sql
})

/** All contacts, by address. */
const contacts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ email: string; subscribed: boolean; data: object }>`
    select email, subscribed, data from contacts order by email`
  return Object.fromEntries(rows.map(({ email, subscribed, data }) => [email, [subscribed, data] as const]))
})

const events = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ email: string; name: string; data: object }>`
    select email, name, events.data from events left join contacts on contacts.id = contact_id order by events.id`
})

const people = (count: number, from = 1) =>
  Array.from({ length: count }, (_, n) => `p${n + from}@example.com,${n + from}`).join("\n")

const complain = (email: string) =>
  Effect.gen(function* () {
    const suppressions = yield* Suppressions
    yield* suppressions.add(project, email, "COMPLAINT", null, yield* DateTime.now)
  })

const tests = (name: string, services: Layer.Layer<Wire | TestServices>) =>
  layer(services, { timeout: "120 seconds" })(`Imports on ${name}`, (it) => {
    it.effect("report progress from upload to end, and delete the file", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        yield* TestClock.setTime(Date.UTC(2026, 10, 20, 15))
        yield* send("POST", "/contacts", { email: "known@example.com", data: { plan: "free", city: "Köln" } })
        const id = yield* upload("email,plan\nnew@example.com,pro\nKNOWN@example.com,pro\nbad,x\n")
        assert.deepStrictEqual(yield* record(id), {
          id,
          type: "import",
          dryRun: false,
          groupId: null,
          state: "waiting",
          progress: 0,
          result: null,
          failedReason: null,
          createdAt: "2026-11-20T15:00:00.000Z",
          startedAt: null,
          finishedAt: null
        })
        yield* running
        const completed = yield* ended(id)
        assert.deepInclude(completed, { state: "completed", progress: 100, failedReason: null })
        assert.deepStrictEqual(completed.result, {
          totalRows: 3,
          successCount: 2,
          createdCount: 1,
          updatedCount: 1,
          pendingCount: 0,
          failureCount: 1,
          errors: [{ row: 4, email: "bad", error: "Not a valid email address." }],
          errorsTruncated: false
        })
        assert.deepStrictEqual(yield* contacts, {
          "known@example.com": [true, { plan: "pro", city: "Köln" }],
          "new@example.com": [true, { plan: "pro" }]
        })
        assert.deepStrictEqual(yield* sql`select * from job_files`, [])
        assert.deepStrictEqual(yield* sql`select payload, checkpoint from jobs`, [{ payload: null, checkpoint: null }])
        assert.deepStrictEqual(yield* events, [])
      })
    )

    it.effect("infer the types of cells, or keep all as text", () =>
      Effect.gen(function* () {
        yield* fresh
        const file = `email;n;zip;vip;formula;empty;two lines\na@x.co;42;01234;true;'=1+1;;"x\ny"\n`
        const rest = { zip: "01234", formula: "=1+1", "two lines": "x\ny" }
        yield* imported(file)
        assert.deepStrictEqual(yield* contacts, { "a@x.co": [true, { ...rest, n: 42, vip: true }] })
        yield* imported(file, { inferTypes: "false" })
        assert.deepStrictEqual(yield* contacts, { "a@x.co": [true, { ...rest, n: "42", vip: "true" }] })
      })
    )

    it.effect("set the fields in the file and keep the others", () =>
      Effect.gen(function* () {
        yield* fresh
        for (const [email, subscribed] of [
          ["in@x.co", true],
          ["out@x.co", false],
          ["quiet@x.co", false]
        ] as const) {
          yield* send("POST", "/contacts", { email, subscribed, data: { keep: 1 } })
        }
        const file = [
          "email,subscribed,keep,plan",
          "in@x.co,no,,a",
          "out@x.co,yes,,b",
          "quiet@x.co,,,c",
          "new-in@x.co,,2,",
          "new-out@x.co,0,2,"
        ]
        const result = yield* imported(file.join("\r\n"))
        assert.deepInclude(result, { totalRows: 5, successCount: 5, createdCount: 2, updatedCount: 3, failureCount: 0 })
        assert.deepStrictEqual(yield* contacts, {
          "in@x.co": [false, { keep: 1, plan: "a" }],
          "new-in@x.co": [true, { keep: 2 }],
          "new-out@x.co": [false, { keep: 2 }],
          "out@x.co": [true, { keep: 1, plan: "b" }],
          "quiet@x.co": [false, { keep: 1, plan: "c" }]
        })
        assert.sameDeepMembers(
          [...(yield* events)],
          [
            { email: "in@x.co", name: "contact.unsubscribed", data: { reason: "import" } },
            { email: "out@x.co", name: "contact.subscribed", data: { reason: "import" } }
          ]
        )
      })
    )

    it.effect("never subscribe an address that complained, whether its contact is known, deleted or new", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        yield* send("POST", "/contacts", { email: "known@x.co", subscribed: false })
        const { body } = yield* send("POST", "/contacts", { email: "deleted@x.co", subscribed: false })
        for (const email of ["known@x.co", "deleted@x.co", "new@x.co"]) yield* complain(email)
        yield* send("DELETE", `/contacts/${body.id}`)
        const file = "email,subscribed,plan\nknown@x.co,true,a\ndeleted@x.co,true,b\nnew@x.co,,c\nother@x.co,true,d\n"
        assert.deepInclude(yield* imported(file), { successCount: 4, failureCount: 0 })
        assert.deepStrictEqual(yield* contacts, {
          "deleted@x.co": [false, { plan: "b" }],
          "known@x.co": [false, { plan: "a" }],
          "new@x.co": [false, { plan: "c" }],
          "other@x.co": [true, { plan: "d" }]
        })
        assert.deepStrictEqual(yield* events, [])
        assert.deepStrictEqual(yield* sql`select count(*)::int as count from suppressions`, [{ count: 3 }])
      })
    )

    it.effect("never subscribe an address that complains during the step", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        // Simulates a complaint that commits after the step has started.
        yield* sql`
          create or replace function complain() returns trigger language plpgsql as $$
          begin
            insert into suppressions (id, project_id, email, reason, created_at)
            values (gen_random_uuid(), new.project_id, new.email, 'COMPLAINT', now()) on conflict do nothing;
            return new;
          end $$`
        yield* sql`
          create trigger complain before insert on contacts for each row when (new.email like 'late%')
          execute function complain()`
        const result = yield* imported("email,subscribed\nlate-1@x.co,true\nb@x.co,true\nlate-2@x.co,\n")
        yield* sql`drop trigger complain on contacts`
        assert.deepInclude(result, { successCount: 3, createdCount: 3, failureCount: 0 })
        assert.deepStrictEqual(yield* contacts, {
          "b@x.co": [true, {}],
          "late-1@x.co": [false, {}],
          "late-2@x.co": [false, {}]
        })
      })
    )

    it.effect("use the last row of an address, within a step and across steps", () =>
      Effect.gen(function* () {
        yield* fresh
        const rows = (n: number) => `twice@x.co,${n},${n === 1 ? "first" : ""}\nTWICE@x.co,${n + 1},`
        const file = `email,n,only\n${rows(1)}\n${people(1500).replaceAll("\n", ",\n")},\n${rows(7)}\n`
        const result = yield* imported(file)
        assert.deepInclude(result, { totalRows: 1504, successCount: 1504, createdCount: 1501, updatedCount: 3 })
        assert.deepStrictEqual((yield* contacts)["twice@x.co"], [true, { n: 8, only: "first" }])
      })
    )

    it.effect("report every faulty row by its line, and import the valid ones", () =>
      Effect.gen(function* () {
        yield* fresh
        yield* send("POST", "/contacts", { email: "bystander@x.co", data: { a: 1 } })
        const file = [
          "email,name,subscribed",
          "a@x.co,Ann,",
          "",
          'b@x.co,"Bob"by,',
          'c@x.co,"two',
          'lines",yes',
          "not an address,x,",
          ",nobody,",
          "d@x.co,Dan,perhaps",
          "e@x.co,Eve,,surplus",
          `f@x.co,"${"z".repeat(70_000)}",`,
          "g@x.co",
          'h@x.co,"never closed',
          "i@x.co,inside,"
        ]
        const result = yield* imported(file.join("\n"))
        assert.deepStrictEqual(result, {
          totalRows: 10,
          successCount: 3,
          createdCount: 3,
          updatedCount: 0,
          pendingCount: 0,
          failureCount: 7,
          errors: [
            { row: 4, email: "", error: "Text follows the closing quote of a cell." },
            { row: 7, email: "not an address", error: "Not a valid email address." },
            { row: 8, email: "", error: "An address is required." },
            { row: 9, email: "d@x.co", error: "The column 'subscribed' takes true, 1, yes, false, 0 or no." },
            { row: 10, email: "e@x.co", error: "The row has 4 cells, and 3 columns." },
            { row: 11, email: "", error: "The row is longer than 65536 bytes." },
            { row: 13, email: "", error: "A quoted cell is never closed." }
          ],
          errorsTruncated: false
        })
        assert.deepStrictEqual(yield* contacts, {
          "a@x.co": [true, { name: "Ann" }],
          "bystander@x.co": [true, { a: 1 }],
          "c@x.co": [true, { name: "two\nlines" }],
          "g@x.co": [true, {}]
        })
      })
    )

    it.effect("reject only the row of a 5 MB cell", () =>
      Effect.gen(function* () {
        yield* fresh
        const frame = 'email,x\na@x.co,""\nb@x.co,1\n'
        const file = `email,x\na@x.co,"${"z".repeat(maxImportBytes - frame.length)}"\nb@x.co,1\n`
        assert.strictEqual(file.length, maxImportBytes)
        const result = yield* imported(file)
        assert.deepInclude(result, { totalRows: 2, successCount: 1, failureCount: 1 })
        assert.deepStrictEqual(result.errors, [{ row: 2, email: "", error: "The row is longer than 65536 bytes." }])
        assert.deepStrictEqual(yield* contacts, { "b@x.co": [true, { x: 1 }] })
      })
    )

    it.effect("reject only the row that would make its contact too large, not its step", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        yield* sql`
          insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
          values (${randomUUID()}, ${project}, 'p50@example.com', true,
                  jsonb_build_object('big', repeat('x', 60000)), now(), now())`
        const long = "y".repeat(10_000)
        const file = `email,n,note\n${people(120).replace("p50@example.com,50", `p50@example.com,50,${long}`)}\n`
        const result = yield* imported(file)
        assert.deepStrictEqual(result, {
          totalRows: 120,
          successCount: 119,
          createdCount: 119,
          updatedCount: 0,
          pendingCount: 0,
          failureCount: 1,
          errors: [
            {
              row: 51,
              email: "p50@example.com",
              error: "The contact's data would exceed 65536 bytes after the merge."
            }
          ],
          errorsTruncated: false
        })
        assert.notProperty((yield* contacts)["p50@example.com"]?.[1], "n")
      })
    )

    it.effect("count all faulty rows of 5,000 exactly, and list the first 1,000", () =>
      Effect.gen(function* () {
        yield* fresh
        const rows = Array.from({ length: 5_000 }, (_, n) => (n % 10 < 3 ? `bad-${n},x` : `good-${n}@x.co,${n}`))
        const result = yield* imported(`email,n\n${rows.join("\n")}`)
        assert.deepInclude(result, {
          totalRows: 5_000,
          successCount: 3_500,
          createdCount: 3_500,
          updatedCount: 0,
          pendingCount: 0,
          failureCount: 1_500,
          errorsTruncated: true
        })
        assert.lengthOf(result.errors, 1_000)
        const expected = rows.flatMap((row, n) => (row.startsWith("bad") ? [[n + 2, `bad-${n}`]] : [])).slice(0, 1_000)
        assert.deepStrictEqual(
          result.errors.map(({ row, email }: { row: number; email: string }) => [row, email]),
          expected
        )
        assert.lengthOf(Object.keys(yield* contacts), 3_500)
      })
    )

    it.effect("refuse an unreadable file and queue nothing", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        const utf16 = new Uint8Array(
          new Uint16Array([0xfeff, ...Array.from("email\na@x.co", (c) => c.charCodeAt(0))]).buffer
        )
        const columns = Array.from({ length: 10_000 }, (_, n) => `c${n}`).join(",")
        const files: ReadonlyArray<readonly [Content, string]> = [
          ["", "custom"],
          ["name\nAnn\n", "custom"],
          ["email,a,a\n", "custom"],
          [utf16, "custom"],
          [Uint8Array.from([...new TextEncoder().encode("email,city\na@x.co,K"), 0xf6, 0x6c, 0x6e]), "custom"],
          ["email\na\0@x.co\n", "custom"],
          [Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0]), "custom"],
          [new Uint8Array(gzipSync("email\na@x.co\n")), "custom"],
          [`email,${columns}\n`, "too_big"],
          [`email\n${"a@x.co\n".repeat(100_001)}`, "too_big"]
        ]
        for (const [file, code] of files) {
          const { status, body } = yield* post(formOf({ file: csv(file) }))
          assert.strictEqual(status, 422)
          assert.deepInclude(body.error.errors[0], { field: "file", code })
        }
        assert.deepStrictEqual(yield* sql`select id from jobs`, [])
        assert.deepStrictEqual(yield* contacts, {})
      })
    )

    it.effect("refuse an invalid form", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        const one = csv("email\na@x.co\n")
        const faults = Effect.fnUntraced(function* (...args: Parameters<typeof post>) {
          const { status, body } = yield* post(...args)
          return [status, body.error.code, body.error.errors?.[0]?.field, body.error.errors?.[0]?.code]
        })
        const invalid = (field: string, code: string) => [422, "VALIDATION_ERROR", field, code]
        assert.deepStrictEqual(yield* faults(formOf({})), invalid("file", "required"))
        assert.deepStrictEqual(yield* faults(formOf({ other: one })), invalid("file", "required"))
        assert.deepStrictEqual(yield* faults(formOf({ file: "email\na@x.co" })), invalid("file", "required"))
        assert.deepStrictEqual(yield* faults(formOf({ file: [one, one] })), invalid("file", "custom"))
        assert.deepStrictEqual(
          yield* faults(formOf({ file: one, inferTypes: "maybe" })),
          invalid("inferTypes", "invalid_enum")
        )
        const form = { "content-type": "multipart/form-data; boundary=x" }
        const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\r\na@x.co'
        assert.deepStrictEqual(yield* faults(part, form), invalid("", "custom"))
        assert.deepStrictEqual(yield* faults("nonsense", form), invalid("", "custom"))
        assert.deepStrictEqual(yield* faults("x", { "content-type": "multipart/form-data" }), invalid("", "custom"))
        for (const type of ["application/json", "text/csv", "application/x-www-form-urlencoded", "multipart/mixed"]) {
          const [status, code] = yield* faults("{}", { "content-type": type })
          assert.deepStrictEqual([status, code], [415, "UNSUPPORTED_MEDIA_TYPE"], type)
        }
        const zipped = yield* faults(`${part}\r\n--x--`, { ...form, "content-encoding": "gzip" })
        assert.deepStrictEqual(zipped.slice(0, 2), [415, "UNSUPPORTED_MEDIA_TYPE"])
        assert.deepStrictEqual(yield* sql`select id from jobs`, [])
      })
    )

    it.effect("accept a file of exactly 5 MB, and refuse one byte more", () =>
      Effect.gen(function* () {
        yield* fresh
        const fileOf = (bytes: number) => csv(`email\na@x.co\n${"\n".repeat(bytes - 13)}`)
        assert.strictEqual(fileOf(maxImportBytes).size, maxImportBytes)
        assert.strictEqual((yield* post(formOf({ file: fileOf(maxImportBytes) }))).status, 202)
        const padding = "x".repeat(maxFramingBytes)
        for (const form of [
          { file: fileOf(maxImportBytes + 1) },
          { file: fileOf(maxImportBytes + 1_000_000) },
          { file: fileOf(maxImportBytes), a: padding, b: padding }
        ]) {
          const { status, body } = yield* post(formOf(form))
          assert.deepStrictEqual(
            [status, body.error.code, body.error.details],
            [413, "PAYLOAD_TOO_LARGE", { limitBytes: maxImportBytes }]
          )
        }
      })
    )

    it.effect("run two at once for a project, and queue the third", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        const ids = [
          yield* upload("email\na@x.co\n"),
          yield* upload("email\nb@x.co\n"),
          yield* upload("email\nc@x.co\n")
        ]
        const queue = yield* JobQueue
        const claim = Effect.flatMap(DateTime.now, (now) => queue.claim([importJob], now))
        const [first, second] = [yield* claim, yield* claim]
        assert.strictEqual((yield* claim)._tag, "None")
        const states = Effect.map(Effect.forEach(ids, record), (records) => records.map(({ state }) => state))
        assert.deepStrictEqual(yield* states, ["active", "active", "waiting"])
        assert.deepStrictEqual([first._tag, second._tag], ["Some", "Some"])
        yield* sql`update jobs set lease_until = clock_timestamp() - interval '1 second' where lease_until is not null`
        yield* running
        yield* Effect.forEach(ids, ended)
        assert.deepStrictEqual(Object.keys(yield* contacts), ["a@x.co", "b@x.co", "c@x.co"])
      })
    )

    it.effect("apply and report no row twice after a crash between two steps or within one", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        yield* send("POST", "/contacts", { email: "p750@example.com", subscribed: false })
        const rows = people(2000)
          .replace("p750@example.com,750", "p750@example.com,750,yes")
          .replace("p90@example.com", "bad")
        const id = yield* upload(`email,n,subscribed\n${rows}\n`)
        // Each update of a contact writes a row that commits or rolls back with it.
        yield* sql`create table applied (email text)`
        yield* sql`
          create or replace function applied() returns trigger language plpgsql as $$
          begin insert into applied values (new.email); return new; end $$`
        yield* sql`create trigger applied after insert or update on contacts for each row execute function applied()`
        // The process dies after the third step has written its contacts, before it saves its progress.
        yield* sql`
          create or replace function die() returns trigger language plpgsql as $$
          begin if new.progress >= 75 then raise exception 'died'; end if; return new; end $$`
        yield* sql`create trigger die before update of progress on jobs for each row execute function die()`
        const process = yield* Scope.make()
        yield* Scope.provide(running, process)
        yield* eventually(sql`select 1 from jobs where due_at > created_at`, (rows) => rows.length === 1)
        yield* Scope.close(process, Exit.void)
        assert.deepInclude(yield* record(id), { state: "active", progress: 50 })
        assert.deepInclude((yield* record(id)).result, { totalRows: 1000, successCount: 999, failureCount: 1 })
        const count = sql`select count(*)::int as count from contacts`
        assert.deepStrictEqual(yield* count, [{ count: 999 }])

        yield* sql`drop trigger die on jobs`
        yield* running
        const { result, state } = yield* ended(id)
        assert.strictEqual(state, "completed")
        assert.deepStrictEqual(result, {
          totalRows: 2000,
          successCount: 1999,
          createdCount: 1998,
          updatedCount: 1,
          pendingCount: 0,
          failureCount: 1,
          errors: [{ row: 91, email: "bad", error: "Not a valid email address." }],
          errorsTruncated: false
        })
        assert.deepStrictEqual(yield* sql`select email from applied group by email having count(*) > 1`, [])
        assert.deepStrictEqual(yield* sql`select count(*)::int as count from applied`, [{ count: 1999 }])
        assert.lengthOf(yield* events, 1)
        yield* sql`drop trigger applied on contacts`
        yield* sql`drop table applied`
      })
    )

    it.effect("report failure after three tries, and delete the file", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        const id = yield* upload("email\na@x.co\n")
        yield* sql`
          create or replace function die() returns trigger language plpgsql as $$
          begin raise exception 'died'; end $$`
        yield* sql`create trigger die before insert on contacts for each row execute function die()`
        yield* running
        const { failedReason, state } = yield* ended(id)
        yield* sql`drop trigger die on contacts`
        assert.deepStrictEqual(
          [state, failedReason],
          ["failed", "Something unexpected happened. The job was tried 3 times."]
        )
        assert.deepStrictEqual(yield* sql`select * from job_files`, [])
        assert.deepStrictEqual(yield* contacts, {})
      })
    )

    it.effect("are not found under an unknown or malformed id, or an id of another project or kind", () =>
      Effect.gen(function* () {
        yield* fresh
        const other = yield* Projects.use((_) => _.create("Other"))
        const bulk = yield* ContactBulk.make
        const { imports } = bulk
        const file = new TextEncoder().encode("email\na@x.co\n")
        const foreign = yield* imports.queue(other.project.id, file, { inferTypes: true })
        const otherKind = yield* bulk.queue(project, "bulk-delete", { contactIds: [] })
        for (const id of [randomUUID(), "nonsense", foreign.jobId, otherKind.jobId]) {
          const { status, body } = yield* send("GET", `/contacts/import/${id}`)
          assert.deepStrictEqual(
            [status, body.error.code, body.error.details],
            [404, "RESOURCE_NOT_FOUND", { resource: "job", id }]
          )
        }
        const own = yield* imports.find(other.project.id, JobId.make(foreign.jobId))
        assert.strictEqual(own.state, "waiting")
        yield* running
        yield* eventually(
          Effect.andThen(TestClock.adjust("1 second"), imports.find(other.project.id, JobId.make(foreign.jobId))),
          ({ state }) => state === "completed"
        )
        assert.strictEqual((yield* send("GET", "/contacts")).body.total, 0)
      })
    )

    it.effect("50 concurrent upserts of a new address create one contact, and one reports it as new", () =>
      Effect.gen(function* () {
        yield* fresh
        const answers = yield* Effect.forEach(
          Array.from({ length: 50 }, (_, n) => n),
          (n) => send("POST", "/contacts", { email: "one@x.co", data: { [`k${n}`]: n } }),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [
          ...Array.from({ length: 49 }, () => 200),
          201
        ])
        assert.lengthOf(
          answers.filter(({ body }) => body._meta.isNew),
          1
        )
        const all = yield* contacts
        assert.deepStrictEqual(Object.keys(all), ["one@x.co"])
        assert.lengthOf(Object.keys(all["one@x.co"]?.[1] ?? {}), 50)
        assert.strictEqual(yield* outcome("GET", "/contacts"), "200 ok")
      })
    )
  })

for (const [name, database] of databases()) tests(name, wireOver(servicesOn(database)))
