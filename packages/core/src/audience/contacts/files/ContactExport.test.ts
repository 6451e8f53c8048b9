import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as JobRunner from "../../../platform/jobs/JobRunner.ts"
import { databases } from "../../../testing/Databases.ts"
import { eventually } from "../../../testing/Eventually.ts"
import { key, project, services, servicesOn, type TestServices } from "../../../testing/Services.ts"
import { outcome, send, Wire, wireOver } from "../../../testing/TestClient.ts"
import { askingProject } from "../../optins/OptInsFixture.ts"
import * as ContactBulk from "../ContactBulk.ts"
import { importJob } from "./ContactImportJob.ts"

const fresh = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`truncate jobs, contacts, events cascade`
  return sql
})

/** Downloads a file and returns its raw content. */
const download = Effect.fnUntraced(function* (query = "") {
  const handler = yield* Wire
  const request = new Request(`http://posthorn/contacts/export${query}`, {
    headers: { authorization: `Bearer ${key}` }
  })
  const response = yield* Effect.promise(() => handler(request))
  return { status: response.status, headers: response.headers, text: yield* Effect.promise(() => response.text()) }
})

const lines = (text: string) => text.trimEnd().split(/\r?\n/)

const upsert = (email: string, data: object, subscribed = true) =>
  Effect.map(send("POST", "/contacts", { email, data, subscribed }), ({ body }) => body)

const seed = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select gen_random_uuid(), ${project}::uuid, 'n' || n || '@example.com', n % 2 = 0,
           jsonb_build_object('n', n), now(), now()
    from generate_series(1, ${count}) as n`
})

const tests = (name: string, services: Layer.Layer<Wire | TestServices>) =>
  layer(services, { timeout: "60 seconds" })(`Exports on ${name}`, (it) => {
    it.effect("are CSV with a column for every custom field, sorted by name, and rows ordered by id", () =>
      Effect.gen(function* () {
        yield* fresh
        yield* TestClock.setTime(Date.UTC(2026, 10, 20, 15))
        const a = yield* upsert("a@x.co", { plan: "=1+1", tags: ["x", 1] })
        yield* TestClock.adjust("1 minute")
        const b = yield* upsert("b@x.co", { Age: 41, vip: true, home: { zip: "1" } }, false)
        const { headers, status, text } = yield* download()
        assert.strictEqual(status, 200)
        assert.strictEqual(headers.get("content-type"), "text/csv; charset=utf-8")
        assert.strictEqual(headers.get("content-disposition"), 'attachment; filename="contacts.csv"')
        assert.strictEqual(headers.get("cache-control"), "no-store")
        assert.deepStrictEqual(text.split("\r\n"), [
          "id,email,subscribed,createdAt,updatedAt,externalId,subscription,snoozedUntil,Age,home,plan,tags,vip",
          `${a.id},a@x.co,true,2026-11-20T15:00:00.000Z,2026-11-20T15:00:00.000Z,,subscribed,,,,'=1+1,"[""x"",1]",`,
          `${b.id},b@x.co,false,2026-11-20T15:01:00.000Z,2026-11-20T15:01:00.000Z,,unsubscribed,,41,"{""zip"":""1""}",,,true`,
          ""
        ])
      })
    )

    it.effect("are newline-delimited JSON on request", () =>
      Effect.gen(function* () {
        yield* fresh
        yield* upsert("a@x.co", { plan: "=1+1" })
        const { headers, text } = yield* download("?format=ndjson")
        assert.strictEqual(headers.get("content-type"), "application/x-ndjson")
        assert.strictEqual(headers.get("content-disposition"), 'attachment; filename="contacts.ndjson"')
        const { body } = yield* send("GET", "/contacts")
        assert.deepStrictEqual(
          lines(text).map((line) => JSON.parse(line)),
          body.data
        )
      })
    )

    it.effect("contain the contacts that match the query", () =>
      Effect.gen(function* () {
        yield* fresh
        yield* upsert("Anna@x.co", { a: 1 })
        yield* upsert("annika@x.co", { b: 1 }, false)
        yield* upsert("bob%_@x.co", { c: 1 })
        const emails = (query: string) =>
          Effect.map(download(query), ({ text }) => lines(text).map((line) => line.split(",")[1]))
        assert.deepStrictEqual(yield* emails("?search=ANN"), ["email", "anna@x.co", "annika@x.co"])
        assert.deepStrictEqual(yield* emails("?search=ann&subscribed=false"), ["email", "annika@x.co"])
        assert.deepStrictEqual(yield* emails("?search=%25_"), ["email", "bob%_@x.co"])
        assert.deepStrictEqual(yield* emails("?search=nobody"), ["email"])
        const { text } = yield* download("?subscribed=false")
        assert.strictEqual(
          lines(text)[0],
          "id,email,subscribed,createdAt,updatedAt,externalId,subscription,snoozedUntil,b"
        )
        assert.strictEqual((yield* download("?search=nobody&format=ndjson")).text, "")
      })
    )

    it.effect("contain each of many contacts once", () =>
      Effect.gen(function* () {
        yield* fresh
        yield* seed(2_500)
        const { text } = yield* download()
        const rows = lines(text).slice(1)
        const ids = rows.map((row) => row.slice(0, 36))
        assert.strictEqual(new Set(ids).size, 2_500)
        assert.deepStrictEqual(ids, ids.toSorted())
        const numbers = rows.map((row) => Number(row.split(",")[8])).toSorted((a, b) => a - b)
        assert.deepStrictEqual(
          numbers,
          Array.from({ length: 2_500 }, (_, n) => n + 1)
        )
      })
    )

    it.effect("are read page by page on demand; concurrent changes make no contact appear twice", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        yield* seed(3_000)
        const { exports } = yield* ContactBulk.make
        const text = yield* exports.text(project, { format: "ndjson" })
        const seen: Array<string> = []
        yield* Stream.runForEach(text, (piece) =>
          Effect.gen(function* () {
            assert.isAtMost(lines(piece).length, 1_000)
            seen.push(...lines(piece).map((line) => JSON.parse(line).id as string))
            // Between two pages the last contact of the first page is deleted and all others change.
            yield* sql`delete from contacts where id = ${seen.at(-1) ?? ""}`
            yield* sql`update contacts set email = 'x' || email`
          })
        )
        assert.strictEqual(new Set(seen).size, 3_000)
        assert.lengthOf(seen, 3_000)
      })
    )

    it.effect("are refused as CSV with more than 10,000 custom fields", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        const wide = (from: number, to: number) => sql`
          insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
          select gen_random_uuid(), ${project}::uuid, 'w' || n || '@example.com', true,
                 (select jsonb_object_agg(n * 1000 + i, i) from generate_series(1, 500) as i), now(), now()
          from generate_series(${from}::int, ${to}::int) as n`
        yield* wide(1, 20)
        assert.lengthOf(lines((yield* download()).text), 21)
        yield* wide(21, 21)
        const { status, body } = yield* send("GET", "/contacts/export")
        assert.deepStrictEqual([status, body.error.code, body.error.errors[0].field], [400, "BAD_REQUEST", "format"])
        assert.lengthOf(lines((yield* download("?format=ndjson")).text), 21)
      })
    )

    it.effect("refuse unknown parameters", () =>
      Effect.gen(function* () {
        yield* fresh
        const bad = yield* send("GET", "/contacts/export?format=xlsx")
        assert.deepStrictEqual([bad.status, bad.body.error.code], [400, "BAD_REQUEST"])
        assert.deepInclude(bad.body.error.details, {
          parameter: "format",
          received: "xlsx",
          allowed: ["csv", "ndjson"]
        })
        assert.strictEqual(yield* outcome("GET", "/contacts/export?subscribed=maybe"), "400 BAD_REQUEST")
        assert.strictEqual(yield* outcome("GET", `/contacts/export?search=${"x".repeat(201)}`), "400 BAD_REQUEST")
        assert.strictEqual(yield* outcome("GET", "/contacts/export?segmentId=x"), "400 BAD_REQUEST")
        const id = randomUUID()
        const { body, status } = yield* send("GET", `/contacts/export?segmentId=${id}`)
        assert.deepStrictEqual(
          [status, body.error.code, body.error.details],
          [404, "SEGMENT_NOT_FOUND", { resource: "segment", id }]
        )
      })
    )

    it.effect("can be imported again without changing anything", () =>
      Effect.gen(function* () {
        const sql = yield* fresh
        yield* upsert("+plus@x.co", { formula: '=HYPERLINK("http://e")', minus: "-1.5", n: -1.5, vip: true })
        yield* upsert("b@x.co", { "=key": "two\nlines, and; more", tab: "\tx", plain: "x" }, false)
        const before = yield* sql`select * from contacts order by id`
        const { text } = yield* download()
        const { imports } = yield* ContactBulk.make
        const { jobId } = yield* imports.queue(project, new TextEncoder().encode(text), { inferTypes: true })
        yield* Layer.build(JobRunner.layer([importJob]))
        const { body } = yield* eventually(
          Effect.andThen(TestClock.adjust("1 second"), send("GET", `/contacts/import/${jobId}`)),
          ({ body }) => body.finishedAt !== null
        )
        assert.deepInclude(body.result, { successCount: 2, updatedCount: 2, failureCount: 0 })
        const stored = (rows: ReadonlyArray<object>) => rows.map((row) => ({ ...row, was_subscribed: null }))
        assert.deepStrictEqual(stored(yield* sql`select * from contacts order by id`), stored(before))
        assert.deepStrictEqual(yield* sql`select * from events`, [])
      })
    )

    it.effect("say what contacts chose, and can be imported again while some are asked to confirm", () =>
      Effect.gen(function* () {
        const acme = yield* askingProject()
        const news = { name: "News", key: "news", defaultSubscription: "unsubscribed" }
        yield* acme.ask("POST", "/topics", news)
        yield* acme.ask("POST", "/topics", { ...news, key: "offers", defaultSubscription: "subscribed" })
        yield* acme.ask("POST", "/topics", { ...news, key: "old", archived: true })
        const plain = { doubleOptIn: false }
        const { body: ann } = yield* acme.ask("POST", "/contacts", {
          email: "ann@x.co",
          subscribed: true,
          topics: { news: "subscribed", offers: "unsubscribed" },
          ...plain
        })
        const until = DateTime.formatIso(DateTime.add(yield* DateTime.now, { days: 30 }))
        assert.strictEqual((yield* acme.ask("PATCH", `/contacts/${ann.id}`, { snoozedUntil: until })).status, 200)
        yield* acme.ask("POST", "/contacts", { email: "bob@x.co", subscribed: true, topics: { news: "subscribed" } })
        const handler = yield* Wire
        const response = yield* Effect.promise(() =>
          handler(new Request("http://posthorn/contacts/export", { headers: acme.credential }))
        )
        const text = yield* Effect.promise(() => response.text())
        const [head, ...rows] = text.trimEnd().split("\r\n")
        assert.strictEqual(
          head,
          "id,email,subscribed,createdAt,updatedAt,externalId,subscription,snoozedUntil,topic.news,topic.offers"
        )
        assert.deepStrictEqual(
          rows.map((row) => row.split(",").filter((_, n) => n === 1 || n === 2 || n > 5)),
          [
            ["ann@x.co", "true", "subscribed", until, "subscribed", "unsubscribed"],
            ["bob@x.co", "false", "pending", "", "", ""]
          ]
        )
        const sql = yield* SqlClient.SqlClient
        const all = Effect.gen(function* () {
          const { body } = yield* acme.ask("GET", "/contacts")
          const events = yield* sql`select count(*) from events where project_id = ${acme.project}`
          return { contacts: body.data, events }
        })
        const before = yield* all
        assert.strictEqual(
          before.contacts.find(({ email }: { email: string }) => email === "bob@x.co").subscription,
          "pending"
        )
        const { imports } = yield* ContactBulk.make
        const bytes = new TextEncoder().encode(text)
        const { jobId } = yield* imports.queue(acme.project, bytes, { inferTypes: true, doubleOptIn: "send" })
        yield* Layer.build(JobRunner.layer([importJob]))
        const { body } = yield* eventually(
          Effect.andThen(TestClock.adjust("1 second"), acme.ask("GET", `/contacts/import/${jobId}`)),
          ({ body }) => body.finishedAt !== null
        )
        assert.deepInclude(body.result, { updatedCount: 2, failureCount: 0, pendingCount: 0 })
        assert.deepStrictEqual(yield* all, before)
      })
    )

    it.effect("contain nothing from another project", () =>
      Effect.gen(function* () {
        yield* fresh
        yield* upsert("own@x.co", { secret: 1 })
        const { exports } = yield* ContactBulk.make
        const text = yield* exports.text(ProjectId.make(randomUUID()), {})
        assert.strictEqual(
          yield* Stream.mkString(text),
          "id,email,subscribed,createdAt,updatedAt,externalId,subscription,snoozedUntil\r\n"
        )
      })
    )
  })

for (const [name, database] of databases()) tests(name, wireOver(servicesOn(database)))

layer(wireOver(services), { timeout: "60 seconds" })("An export of a segment", (it) => {
  it.effect("contains its members that match the query", () =>
    Effect.gen(function* () {
      yield* upsert("a@x.co", { plan: "pro" })
      yield* upsert("b@x.co", { plan: "pro" }, false)
      yield* upsert("c@x.co", { plan: "free" })
      const condition = { groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] }
      const { body: segment } = yield* send("POST", "/segments", { name: "Pro", condition })
      const { status, text } = yield* download(`?segmentId=${segment.id}&subscribed=true`)
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(
        lines(text).map((row) => row.split(",")[1]),
        ["email", "a@x.co"]
      )
      const { exports } = yield* ContactBulk.make
      const refused = yield* Effect.flip(exports.text(project, { segmentId: randomUUID() }))
      assert.strictEqual(refused._tag, "SEGMENT_NOT_FOUND")
    })
  )
})
