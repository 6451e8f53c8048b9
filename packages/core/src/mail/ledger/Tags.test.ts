/** Tags of emails: from the request to the record, the events and the list. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../../testing/Databases.ts"
import { servicesOn, type TestServices } from "../../testing/Services.ts"
import { outcome, send, type Wire, wireOver } from "../../testing/TestClient.ts"

const from = "hi@tags.test"
const addDomain = send("POST", "/domains", { domain: "tags.test" })

const post = (body: object) =>
  send("POST", "/v1/send", { from, subject: "Hi", body: "<p>Hi</p>", to: "ada@example.com", ...body })

const idOf = (body: object) => Effect.map(post(body), ({ body }) => String(body.data.emails[0].email))

const found = (query: string) =>
  Effect.map(send("GET", `/emails?${query}`), ({ body }) => ({
    ids: body.data.map(({ id }: { id: string }) => id),
    total: body.total,
    cursor: body.cursor
  }))

const stored = SqlClient.SqlClient.use((sql) => sql<{ count: number }>`select count(*)::int as count from email_tags`)

const tests = (name: string, services: Layer.Layer<Wire | TestServices>) =>
  layer(services, { timeout: "60 seconds" })(`Tags on ${name}`, (it) => {
    it.effect("are stored as text on every mail of the request", () =>
      Effect.gen(function* () {
        yield* addDomain
        const { body } = yield* post({ to: ["a@x.co", "b@x.co"], tags: { order: 4711, paid: true, "a.b-c_1": "x" } })
        for (const { email } of body.data.emails) {
          const { body: record } = yield* send("GET", `/emails/${email}`)
          assert.deepStrictEqual(record.tags, { order: "4711", paid: "true", "a.b-c_1": "x" })
        }
        const plain = yield* idOf({})
        assert.deepStrictEqual((yield* send("GET", `/emails/${plain}`)).body.tags, {})
      })
    )

    it.effect("are refused with each fault, and nothing is stored", () =>
      Effect.gen(function* () {
        yield* addDomain
        const before = (yield* found("limit=1")).total
        const faults = Effect.fnUntraced(function* (tags: unknown) {
          const { body } = yield* post({ tags })
          return body.error.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)
        })
        const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`k${n}`, n]))
        assert.deepStrictEqual(yield* faults(eleven), ["tags too_big"])
        assert.deepStrictEqual(yield* faults({ "a b": "x" }), ["tags.a b invalid_string"])
        assert.deepStrictEqual(yield* faults({ a: "x".repeat(257) }), ["tags.a too_big"])
        assert.deepStrictEqual(yield* faults({ a: "" }), ["tags.a required"])
        assert.deepStrictEqual(yield* faults({ a: "x\ny" }), ["tags.a invalid_string"])
        assert.deepStrictEqual(yield* faults({ a: null }), ["tags.a invalid_union"])
        assert.deepStrictEqual(yield* faults("order"), ["tags invalid_type"])
        assert.strictEqual((yield* found("limit=1")).total, before)
      })
    )

    it.effect("find mail by key and by value, newest first, page by page, with other filters", () =>
      Effect.gen(function* () {
        yield* addDomain
        const one = yield* idOf({ tags: { shop: "a", kind: "order" } })
        const two = yield* idOf({ tags: { shop: "a" }, to: "bob@example.com" })
        const other = yield* idOf({ tags: { shop: "b:c" } })
        yield* idOf({})
        assert.deepStrictEqual(yield* found("tag=shop:a"), { ids: [two, one], total: 2, cursor: undefined })
        assert.deepStrictEqual((yield* found("tag=shop")).ids, [other, two, one])
        assert.deepStrictEqual((yield* found("tag=shop:b:c")).ids, [other])
        assert.deepStrictEqual((yield* found("tag=shop:a&tag=kind")).ids, [one])
        assert.deepStrictEqual((yield* found("tag=shop:a&tag=kind:gift")).ids, [])
        assert.deepStrictEqual((yield* found("tag=shop:a&to=bob@example.com&status=PENDING")).ids, [two])
        assert.deepStrictEqual((yield* found("tag=shop:a&status=SENT")).total, 0)
        const first = yield* found("tag=shop&limit=2")
        assert.deepStrictEqual([first.ids, first.total], [[other, two], 3])
        const rest = yield* found(`tag=shop&limit=2&cursor=${first.cursor}`)
        assert.deepStrictEqual(rest.ids, [one])
      })
    )

    it.effect("find scheduled mail in the order of its times", () =>
      Effect.gen(function* () {
        yield* addDomain
        const now = yield* DateTime.now
        const at = (hours: number) => DateTime.formatIso(DateTime.add(now, { hours }))
        const late = yield* idOf({ tags: { trip: "t-1" }, scheduledFor: at(3) })
        const soon = yield* idOf({ tags: { trip: "t-1", leg: 1 }, scheduledFor: at(1) })
        const middle = yield* idOf({ tags: { trip: "t-2" }, scheduledFor: at(2) })
        yield* idOf({ tags: { trip: "t-1" } })
        const byTime = "status=SCHEDULED&sort=scheduledFor"
        assert.deepStrictEqual((yield* found(`tag=trip&${byTime}`)).ids, [soon, middle, late])
        assert.deepStrictEqual((yield* found(`tag=trip:t-1&tag=leg&${byTime}`)).ids, [soon])
        const first = yield* found(`tag=trip:t-1&${byTime}&limit=1`)
        assert.deepStrictEqual([first.ids, first.total], [[soon], 2])
        assert.deepStrictEqual((yield* found(`tag=trip:t-1&${byTime}&limit=1&cursor=${first.cursor}`)).ids, [late])
        // With another status, the newest come first.
        assert.deepStrictEqual((yield* found("tag=trip&status=SCHEDULED,SENT&sort=scheduledFor")).ids, [
          middle,
          soon,
          late
        ])
      })
    )

    it.effect("refuse a malformed filter, and more than five", () =>
      Effect.gen(function* () {
        for (const query of ["tag=", "tag=a%20b:c", Array(6).fill("tag=a").join("&")]) {
          assert.match(yield* outcome("GET", `/emails?${query}`), /^400 /, query)
        }
        assert.strictEqual(yield* outcome("GET", `/emails?${Array(5).fill("tag=a").join("&")}`), "200 ok")
      })
    )

    it.effect("are deleted when the person is erased, and are not visible to other projects", () =>
      Effect.gen(function* () {
        yield* addDomain
        const sql = yield* SqlClient.SqlClient
        yield* sql`delete from email_tags`
        const id = yield* idOf({ to: "eve@example.com", tags: { who: "eve" } })
        const { body: page } = yield* send("GET", "/contacts?search=eve@example.com")
        assert.strictEqual((yield* stored)[0]?.count, 1)
        assert.strictEqual(yield* outcome("POST", `/contacts/${page.data[0].id}/erase`), "200 ok")
        assert.deepStrictEqual((yield* send("GET", `/emails/${id}`)).body.tags, {})
        assert.strictEqual((yield* stored)[0]?.count, 0)
        assert.deepStrictEqual((yield* found("tag=who:eve")).ids, [])
        yield* sql`
          insert into email_tags (project_id, key, value, created_at, email_id)
          values (gen_random_uuid(), 'who', 'x', now(), ${id})`
        assert.deepStrictEqual((yield* found("tag=who")).ids, [])
      })
    )
  })

for (const [name, database] of databases()) tests(name, wireOver(servicesOn(database)))
