import { assert, layer } from "@effect/vitest"
import { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Projects } from "../../../accounts/projects/Projects.ts"
import { databases } from "../../../testing/Databases.ts"
import { project, services, servicesOn } from "../../../testing/Services.ts"
import { outcome, send, wireOver } from "../../../testing/TestClient.ts"
import { References } from "../../References.ts"
import { Segments } from "../../segments/Segments.ts"
import { ContactFields, layer as fieldsLayer } from "./ContactFields.ts"

/** Inserts `count` contacts in one statement. `data` is SQL over `n`. */
const seed = Effect.fnUntraced(function* (prefix: string, count: number, data: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select ('019a0000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, ${project}::uuid,
           ${prefix}::text || n || '@example.com', true, ${sql.literal(data)}, now(), now()
    from generate_series(1, ${count}) as n`
})

const empty = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`truncate contacts cascade`
})

const fields = Effect.gen(function* () {
  const { body } = yield* send("GET", "/contacts/fields")
  return Object.fromEntries(
    body.fields.map(({ field, type, coverage }: { field: string; type: string; coverage: number }) => [
      field,
      [type, coverage]
    ])
  )
})

const customFields = Effect.map(fields, (all) =>
  Object.fromEntries(Object.entries(all).filter(([field]) => field.startsWith("data.")))
)

const upsert = (email: string, data: object) => send("POST", "/contacts", { email, data })

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`Fields of contacts on ${name}`, (it) => {
    it.effect("a lookup returns each given text once, unchanged", () =>
      Effect.gen(function* () {
        yield* empty
        yield* upsert("anna@example.com", {})
        const emails = ["Anna@Example.com", "x@y.de", "nonsense", " anna@example.com", "x@y.de", "Anna@Example.com", ""]
        const { status, body } = yield* send("POST", "/contacts/lookup", { emails })
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(body, {
          found: ["Anna@Example.com", " anna@example.com"],
          notFound: ["x@y.de", "nonsense", ""],
          invalid: ["nonsense", ""]
        })
      })
    )

    it.effect("a lookup accepts 1 to 500 texts", () =>
      Effect.gen(function* () {
        const many = (count: number) => Array.from({ length: count }, (_, n) => `n${n}@example.com`)
        const bodies = [
          {},
          { emails: null },
          { emails: [] },
          { emails: many(501) },
          { emails: [1] },
          { emails: "a@b.de" }
        ]
        const found = yield* Effect.forEach(bodies, (body) => send("POST", "/contacts/lookup", body))
        assert.deepStrictEqual(
          found.map(({ status, body }) => [status, body.error.errors[0].field, body.error.errors[0].code]),
          [
            [422, "emails", "required"],
            [422, "emails", "required"],
            [422, "emails", "too_small"],
            [422, "emails", "too_big"],
            [422, "emails.0", "invalid_type"],
            [422, "emails", "invalid_type"]
          ]
        )
        assert.strictEqual(yield* outcome("POST", "/contacts/lookup", { emails: many(500) }), "200 ok")
      })
    )

    it.effect("a project without contacts has only standard fields", () =>
      Effect.gen(function* () {
        yield* empty
        const { body } = yield* send("GET", "/contacts/fields")
        assert.deepStrictEqual(body, {
          fields: [
            { field: "createdAt", type: "date", coverage: 100 },
            { field: "email", type: "string", coverage: 100 },
            { field: "externalId", type: "string", coverage: 0 },
            { field: "locale", type: "string", coverage: 0 },
            { field: "origin.source", type: "string", coverage: 0 },
            { field: "snoozedUntil", type: "date", coverage: 0 },
            { field: "subscribed", type: "boolean", coverage: 100 },
            { field: "subscription", type: "string", coverage: 100 },
            { field: "timezone", type: "string", coverage: 0 },
            { field: "updatedAt", type: "date", coverage: 100 }
          ],
          count: 10
        })
      })
    )

    it.effect("lists the type of every custom field, and how many contacts have it", () =>
      Effect.gen(function* () {
        yield* empty
        yield* upsert("a@example.com", {
          plan: "pro",
          seats: 3,
          vip: true,
          since: "2026-01-31",
          tags: [],
          home: { zip: "1" }
        })
        yield* upsert("b@example.com", { plan: "free", seats: "3", since: "2026-01-31T10:00Z", born: "2026-02-30" })
        yield* upsert("c@example.com", { plan: "2026-01-31" })
        const custom = yield* customFields
        assert.deepStrictEqual(custom, {
          "data.plan": ["string", 100],
          "data.seats": ["mixed", 67],
          "data.vip": ["boolean", 33],
          "data.since": ["date", 67],
          "data.tags": ["array", 33],
          "data.home": ["object", 33],
          "data.born": ["string", 33]
        })
      })
    )

    it.effect("a rare field covers 1 percent, and the type of a field comes from its newest thousand values", () =>
      Effect.gen(function* () {
        yield* empty
        // Older contacts hold text. The newest 1,000 that have the key hold a number. A single contact has another
        // key.
        const data = `case when n <= 5000 then '{"age":"old"}'::jsonb when n % 3 = 0 then '{"age":1}'::jsonb
          when n = 5002 then '{"rare":true}'::jsonb else '{}'::jsonb end`
        yield* seed("many", 8_000, data)
        assert.deepInclude(yield* fields, { "data.age": ["number", 75], "data.rare": ["boolean", 1] })
      })
    )

    it.effect("lists at most 10,000 custom fields, the most frequent ones", () =>
      Effect.gen(function* () {
        yield* empty
        const own = "(select jsonb_object_agg(n * 1000 + i, i) from generate_series(1, 499) as i)"
        yield* seed("n", 21, `'{"common":true}'::jsonb || ${own}`)
        const custom = yield* customFields
        assert.lengthOf(Object.keys(custom), 10_000)
        assert.deepStrictEqual(custom["data.common"], ["boolean", 100])
      })
    )

    it.effect("the list of a large project is at most 60 seconds old", () =>
      Effect.gen(function* () {
        yield* empty
        yield* seed("n", 10_001, `'{"plan":"pro"}'::jsonb`)
        assert.deepInclude(yield* fields, { "data.plan": ["string", 100] })
        yield* upsert("late@example.com", { late: 1 })
        assert.notProperty(yield* fields, "data.late")
        yield* TestClock.adjust("60 seconds")
        assert.deepInclude(yield* fields, { "data.late": ["number", 1] })
      })
    )

    it.effect("values keep their type, are distinct, and are ordered as text", () =>
      Effect.gen(function* () {
        yield* empty
        const values = ["pro", "free", "pro", 7, "7", "01234", 10, true, "", [1], { a: 1 }]
        for (const [n, plan] of values.entries()) yield* upsert(`v${n}@example.com`, { plan })
        const { body } = yield* send("GET", "/contacts/fields/data.plan/values")
        assert.deepStrictEqual(body, {
          field: "data.plan",
          values: ["01234", 10, 7, "7", "free", "pro", true],
          count: 7,
          limit: 100
        })
        const { body: first } = yield* send("GET", "/contacts/fields/plan/values?limit=2")
        assert.deepStrictEqual(first, { field: "data.plan", values: ["01234", 10], count: 2, limit: 2 })
      })
    )

    it.effect("of the standard fields only subscribed has values; unknown fields have none", () =>
      Effect.gen(function* () {
        const valuesOf = (path: string) =>
          Effect.map(send("GET", `/contacts/fields/${path}/values`), ({ body }) => body)
        assert.deepStrictEqual((yield* valuesOf("subscribed")).values, [false, true])
        for (const field of ["email", "createdAt", "updatedAt"]) {
          assert.deepStrictEqual(yield* valuesOf(field), { field, values: [], count: 0, limit: 100 })
        }
        for (const field of [
          "nobody",
          "data.",
          "%00",
          "data.email",
          "ä".repeat(100),
          "a'%20or%201=1--",
          "%F0%9F%A6%8A"
        ])
          assert.deepStrictEqual((yield* valuesOf(field)).values, [])
        assert.strictEqual((yield* valuesOf("plan")).limit, 100)
        const { body } = yield* send("GET", "/contacts/fields/plan/values?limit=900")
        assert.strictEqual(body.limit, 200)
        assert.strictEqual(yield* outcome("GET", "/contacts/fields/plan/values?limit=0"), "400 BAD_REQUEST")
        assert.strictEqual(yield* outcome("GET", "/contacts/fields/plan/values?limit=1.5"), "400 BAD_REQUEST")
      })
    )

    it.effect("usage counts the contacts with the field, and an unused field can be deleted", () =>
      Effect.gen(function* () {
        yield* empty
        yield* upsert("u1@example.com", { plan: "pro" })
        yield* upsert("u2@example.com", {})
        const unused = { usedInSegments: [], usedInCampaigns: [], usedInWorkflows: [] }
        const usage = (field: string) => Effect.map(send("GET", `/contacts/fields/${field}/usage`), ({ body }) => body)
        assert.deepStrictEqual(yield* usage("plan"), {
          field: "data.plan",
          ...unused,
          contactCount: 1,
          canDelete: true
        })
        assert.deepStrictEqual(yield* usage("email"), { field: "email", ...unused, contactCount: 2, canDelete: false })
        assert.deepInclude(yield* usage("%00"), { contactCount: 0 })
      })
    )

    it.effect("deleting a field removes it from all contacts in steps, changes updatedAt and records no event", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* empty
        yield* TestClock.setTime(Date.UTC(2026, 10, 20))
        yield* seed(
          "d",
          12_000,
          `case when n <= 10001 then '{"plan":"pro","keep":1}'::jsonb else '{"keep":1}'::jsonb end`
        )
        const { status, body } = yield* send("DELETE", "/contacts/fields/data.plan")
        assert.deepStrictEqual([status, body], [200, { deletedFrom: 10_001 }])
        const [left] = yield* sql`
          select count(*) filter (where data = '{"keep":1}')::int as kept,
                 count(*) filter (where updated_at = ${new Date(Date.UTC(2026, 10, 20))})::int as changed,
                 (select count(*)::int from events) as events from contacts`
        assert.deepStrictEqual(left, { kept: 12_000, changed: 10_001, events: 0 })
        const again = yield* send("DELETE", "/contacts/fields/plan")
        assert.deepStrictEqual([again.status, again.body], [200, { deletedFrom: 0 }])
      })
    )

    it.effect("each step of a deletion commits, so that an interrupted call can be repeated", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* empty
        yield* seed("i", 6_000, `'{"plan":"pro"}'::jsonb`)
        // The database refuses to change a contact in the second step.
        yield* sql`
          create or replace function refuse() returns trigger language plpgsql as $$
          begin if new.email = 'i5500@example.com' then raise exception 'refused'; end if; return new; end $$`
        yield* sql`create trigger refuse before update on contacts for each row execute function refuse()`
        assert.strictEqual((yield* send("DELETE", "/contacts/fields/plan")).status, 500)
        yield* sql`drop trigger refuse on contacts`
        const having = sql<{ count: number }>`select count(*)::int as count from contacts where data ->> 'plan' = 'pro'`
        assert.strictEqual((yield* having)[0]?.count, 1_000)
        assert.deepStrictEqual((yield* send("DELETE", "/contacts/fields/plan")).body, { deletedFrom: 1_000 })
      })
    )

    it.effect("standard fields cannot be deleted, and invalid names delete nothing", () =>
      Effect.gen(function* () {
        for (const field of ["email", "subscribed", "createdAt", "updatedAt"]) {
          const { status, body } = yield* send("DELETE", `/contacts/fields/${field}`)
          assert.strictEqual(status, 422)
          assert.deepInclude(body.error.errors[0], { field: "field", code: "custom", received: field })
        }
        for (const field of ["%00", "data.__proto__", "x'%20or%20'1'='1"]) {
          assert.deepStrictEqual((yield* send("DELETE", `/contacts/fields/${field}`)).body, { deletedFrom: 0 })
        }
      })
    )

    it.effect("fields of another project are neither read nor changed", () =>
      Effect.gen(function* () {
        yield* empty
        const other = yield* Projects.use((_) => _.create("Other"))
        const otherFields = yield* ContactFields
        yield* upsert("own@example.com", { secret: "x" })
        const there = other.project.id
        assert.strictEqual((yield* otherFields.list(there)).count, 10)
        assert.deepStrictEqual((yield* otherFields.values(there, "secret", {})).values, [])
        assert.strictEqual((yield* otherFields.usage(there, "secret")).contactCount, 0)
        assert.deepStrictEqual(yield* otherFields.delete(there, "secret"), { deletedFrom: 0 })
        assert.property(yield* fields, "data.secret")
      })
    )
  })
}

const usedInSegments = [{ id: SegmentId.make("019b0000-0000-7000-8000-000000000001"), name: "Pro" }]
const usedAbove = {
  usedInCampaigns: [{ id: "c", name: "Launch", status: "DRAFT" }],
  usedInWorkflows: [{ id: "w", name: "Onboarding" }]
}

/** An application in which `data.plan` is in use. */
const referred = wireOver(
  Layer.effect(
    ContactFields,
    Effect.gen(function* () {
      const segments = Segments.of({
        ...(yield* Segments),
        naming: (_project, name) => Effect.succeed(name === "data.plan" ? usedInSegments : [])
      })
      const above = References.of({
        ...(yield* References),
        ofField: (_project, field) =>
          Effect.succeed(field === "data.plan" ? usedAbove : { usedInCampaigns: [], usedInWorkflows: [] })
      })
      return yield* ContactFields.pipe(
        Effect.provide(fieldsLayer, { local: true }),
        Effect.provideService(Segments, segments),
        Effect.provideService(References, above)
      )
    })
  ).pipe(Layer.provideMerge(services))
)

layer(referred, { timeout: "60 seconds" })("A field in use", (it) => {
  it.effect("lists its uses and cannot be deleted", () =>
    Effect.gen(function* () {
      yield* upsert("r@example.com", { plan: "pro" })
      const usage = yield* send("GET", "/contacts/fields/plan/usage")
      assert.deepStrictEqual(usage.body, {
        field: "data.plan",
        usedInSegments,
        ...usedAbove,
        contactCount: 1,
        canDelete: false
      })
      const { status, body } = yield* send("DELETE", "/contacts/fields/data.plan")
      assert.deepStrictEqual(
        [status, body.error.code, body.error.details],
        [409, "RESOURCE_IN_USE", { usedInSegments, ...usedAbove }]
      )
      assert.deepInclude(yield* fields, { "data.plan": ["string", 100] })
      assert.strictEqual(yield* outcome("DELETE", "/contacts/fields/planet"), "200 ok")
    })
  )
})
