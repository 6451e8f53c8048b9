import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { filter, freshProject, isIn, moves, plan, seed, tally } from "./SegmentsFixture.ts"

const nowhere = "019a0000-0000-7000-8000-00000000dead"
const everyone = { groups: [] }

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`Segments on ${name}`, (it) => {
    it.effect("a segment has the fields of the contract, and its times come from the Clock", () =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        yield* TestClock.setTime(Date.UTC(2026, 10, 20, 15, 4, 5, 123))
        yield* seed(project, "pro", 3, { plan: "pro" })
        yield* seed(project, "free", 2, { plan: "free" })
        const { status, body } = yield* ask("POST", "/segments", { name: " Pro users ", condition: plan("pro") })
        assert.strictEqual(status, 201)
        assert.deepStrictEqual(body, {
          id: body.id,
          name: "Pro users",
          description: null,
          type: "DYNAMIC",
          condition: plan("pro"),
          trackMembership: false,
          memberCount: 3,
          slug: "pro-users",
          projectId: project,
          createdAt: "2026-11-20T15:04:05.123Z",
          updatedAt: "2026-11-20T15:04:05.123Z"
        })
        assert.match(body.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
        assert.deepStrictEqual((yield* ask("GET", `/segments/${body.id}`)).body, body)
        assert.deepStrictEqual((yield* ask("GET", `/segments/${body.id.toUpperCase()}`)).body, body)
      })
    )

    it.effect("a static segment ignores a given condition", () =>
      Effect.gen(function* () {
        const { ask } = yield* freshProject
        for (const condition of [undefined, null, 5, { groups: [{}] }, plan("pro")]) {
          const { status, body } = yield* ask("POST", "/segments", { name: "By hand", type: "STATIC", condition })
          assert.deepStrictEqual([status, body.type, body.condition, body.memberCount], [201, "STATIC", null, 0])
          const changed = yield* ask("PATCH", `/segments/${body.id}`, { condition, description: "x" })
          assert.deepStrictEqual([changed.status, changed.body.condition, changed.body.description], [200, null, "x"])
        }
      })
    )

    it.effect.each([
      [{}, "A dynamic segment needs a condition"],
      [undefined, "A dynamic segment needs a condition"],
      [[], "A dynamic segment needs a condition"],
      ["null", "A dynamic segment needs a condition"],
      [{ name: "A" }, "A dynamic segment needs a condition"],
      [{ name: "A", condition: null }, "A dynamic segment needs a condition"],
      [{ name: "A", condition: "x", type: "DYNAMIC" }, "A dynamic segment needs a condition"],
      [{ name: "A", condition: [], type: null }, "A dynamic segment needs a condition"],
      [{ name: 5, trackMembership: "yes" }, "A dynamic segment needs a condition"],
      ['{"name"', "Request body is not valid JSON"]
    ])("refuses to create %j without an envelope", ([body, error]) =>
      Effect.gen(function* () {
        const { ask } = yield* freshProject
        const refused = yield* ask("POST", "/segments", body)
        assert.deepStrictEqual([refused.status, refused.body], [400, { error }])
        assert.isNotNull(refused.headers.get("x-request-id"))
        assert.deepStrictEqual((yield* ask("GET", "/segments")).body, [])
      })
    )

    it.effect.each([
      [{ condition: everyone }, ["name required"]],
      [{ name: " ", condition: everyone }, ["name required"]],
      [{ name: "a".repeat(101), condition: everyone }, ["name too_big"]],
      [{ name: "a\nb", condition: everyone }, ["name invalid_string"]],
      [{ name: "A", condition: everyone, description: "a".repeat(501) }, ["description too_big"]],
      [{ name: "A", type: "OTHER" }, ["type invalid_enum"]],
      [{ name: 1, type: 2 }, ["name invalid_type", "type invalid_type"]],
      [{ type: "STATIC", condition: { groups: 1 } }, ["name required"]],
      [{ name: "A", condition: everyone, trackMembership: 1 }, ["trackMembership invalid_type"]],
      [{ name: "A", condition: everyone, silentStart: "no" }, ["silentStart invalid_type"]],
      [{ name: "A", condition: {} }, ["condition.groups required"]],
      [{ name: "", condition: { groups: [{ filters: [] }] } }, ["name required", "condition.groups.0 too_small"]],
      [
        { name: "A", condition: { groups: [{ filters: [{ field: "plan", operator: "equals", value: "pro" }] }] } },
        ["condition.groups.0.filters.0.field custom"]
      ],
      [
        {
          name: "A",
          condition: { groups: [{ conditions: { groups: [{ filters: [{ field: "email", operator: "exists" }] }] } }] }
        },
        ["condition.groups.0.conditions.groups.0.filters.0.operator custom"]
      ],
      [
        { name: "A", condition: { logic: "XOR", groups: [{ filters: [{ field: "data.a", operator: "like" }] }] } },
        ["condition.logic invalid_enum", "condition.groups.0.filters.0.operator invalid_enum"]
      ],
      [
        { name: "A", condition: filter(`segment.${nowhere}`, "memberOfSegment") },
        ["condition.groups.0.filters.0.field custom"]
      ]
    ])("refuses to create %j", ([given, faults]) =>
      Effect.gen(function* () {
        const { ask } = yield* freshProject
        const { status, body } = yield* ask("POST", "/segments", given)
        assert.strictEqual(status, 422, JSON.stringify(body))
        assert.deepStrictEqual(
          body.error.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
          faults
        )
        assert.deepStrictEqual((yield* ask("GET", "/segments")).body, [])
      })
    )

    it.effect.each([
      [{ condition: null }, ["condition invalid_type"]],
      [{ condition: 5 }, ["condition invalid_type"]],
      [
        { condition: { groups: [{ filters: [{ field: "data.a", operator: "within", value: 7 }] }] } },
        ["condition.groups.0.filters.0.unit required"]
      ],
      [{ name: null }, ["name invalid_type"]],
      [{ name: "", condition: {} }, ["name required", "condition.groups required"]],
      [{ trackMembership: null }, ["trackMembership invalid_type"]]
    ])("refuses to change a dynamic segment to %j, and changes nothing", ([given, faults]) =>
      Effect.gen(function* () {
        const { ask } = yield* freshProject
        const segment = (yield* ask("POST", "/segments", { name: "A", condition: plan("pro") })).body
        const { status, body } = yield* ask("PATCH", `/segments/${segment.id}`, given)
        assert.strictEqual(status, 422, JSON.stringify(body))
        assert.deepStrictEqual(
          body.error.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
          faults
        )
        assert.deepStrictEqual((yield* ask("GET", `/segments/${segment.id}`)).body, segment)
      })
    )

    it.effect.each(["/segments/ID", "/segments/ID/contacts"])("404 for GET %s of an unknown segment", (path) =>
      Effect.gen(function* () {
        const { ask } = yield* freshProject
        for (const id of [nowhere, "no-uuid"]) {
          const { status, body } = yield* ask("GET", path.replace("ID", id))
          assert.deepStrictEqual([status, body.error.code], [404, "SEGMENT_NOT_FOUND"])
          assert.deepStrictEqual(body.error.details, { resource: "segment", id })
        }
      })
    )

    it.effect.each<readonly [method: string, path: string, body?: object]>([
      ["PATCH", "/segments/ID", { name: "B" }],
      ["PATCH", "/segments/ID", { condition: plan("pro") }],
      ["PATCH", "/segments/ID", {}],
      ["DELETE", "/segments/ID"],
      ["POST", "/segments/ID/members", { emails: ["a@example.com"] }],
      ["DELETE", "/segments/ID/members", { emails: ["a@example.com"] }],
      ["POST", "/segments/ID/compute"],
      ["POST", "/segments/ID/refresh"]
    ])("404 for %s %s of an unknown segment", ([method, path, body]) =>
      Effect.gen(function* () {
        const { outcome } = yield* freshProject
        for (const id of [nowhere, "no-uuid"]) {
          assert.strictEqual(yield* outcome(method, path.replace("ID", id), body), "404 SEGMENT_NOT_FOUND")
        }
      })
    )

    it.effect("lists all segments, newest first", () =>
      Effect.gen(function* () {
        const { ask } = yield* freshProject
        for (const name of ["first", "second", "third"]) {
          yield* ask("POST", "/segments", { name, type: "STATIC" })
          yield* TestClock.adjust("1 second")
        }
        const { body } = yield* ask("GET", "/segments?page=2&pageSize=1")
        assert.deepStrictEqual(
          body.map((segment: { name: string }) => segment.name),
          ["third", "second", "first"]
        )
      })
    )

    it.effect("a slug is created once, kept when the name changes, and numbered when taken", () =>
      Effect.gen(function* () {
        const { ask } = yield* freshProject
        const other = yield* freshProject
        const create = (name: string) => Effect.map(ask("POST", "/segments", { name, type: "STATIC" }), (_) => _.body)
        const first = yield* create("Café  –  DE")
        assert.strictEqual(first.slug, "cafe-de")
        assert.strictEqual((yield* ask("PATCH", `/segments/${first.id}`, { name: "Tea" })).body.slug, "cafe-de")
        assert.strictEqual((yield* create("cafe de")).slug, "cafe-de-2")
        assert.strictEqual((yield* create("CAFE-DE")).slug, "cafe-de-3")
        assert.strictEqual((yield* create("cafe de 2")).slug, "cafe-de-2-2")
        assert.strictEqual((yield* create("!!!")).slug, "segment")
        const elsewhere = yield* other.ask("POST", "/segments", { name: "cafe de", type: "STATIC" })
        assert.strictEqual(elsewhere.body.slug, "cafe-de")
      })
    )

    it.effect("slugs are unique when segments with one name are created concurrently", () =>
      Effect.gen(function* () {
        const { ask } = yield* freshProject
        const made = yield* Effect.forEach(
          Array.from({ length: 20 }),
          () => ask("POST", "/segments", { name: "Same", condition: everyone }),
          { concurrency: "unbounded" }
        )
        assert.isTrue(made.every(({ status }) => status === 201))
        const slugs = made.map(({ body }) => body.slug)
        const numbered = Array.from({ length: 19 }, (_, n) => `same-${n + 2}`)
        assert.sameMembers(slugs, ["same", ...numbered])
      })
    )

    it.effect.each([
      "'; drop table segments; --",
      "%_\\",
      "<img src=x onerror=alert(1)>",
      "{{constructor}}",
      "__proto__",
      "-- 🦊 --",
      "\u202Eabc",
      "a".repeat(100)
    ])("a name may contain any text: %s", (hostile) =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        const input = { name: hostile, type: "STATIC", trackMembership: true, description: hostile }
        const { body: segment } = yield* ask("POST", "/segments", input)
        assert.deepStrictEqual([segment.name, segment.description], [hostile, hostile])
        yield* seed(project, "c", 1)
        yield* ask("POST", `/segments/${segment.id}/members`, { emails: ["c-1@example.com"] })
        assert.deepStrictEqual(yield* moves(project), [
          {
            name: `segment.${segment.slug}.entry`,
            email: "c-1@example.com",
            data: { segmentId: segment.id, segmentName: hostile, slug: segment.slug },
            source: "system"
          }
        ])
      })
    )

    it.effect("a changed condition counts members again, and updatedAt changes only if a value does", () =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        yield* seed(project, "pro", 3, { plan: "pro" })
        yield* seed(project, "free", 2, { plan: "free" })
        const created = (yield* ask("POST", "/segments", { name: "A", description: "d", condition: plan("pro") })).body
        yield* TestClock.adjust("1 minute")
        const same = { name: "A", description: "d", condition: plan("pro"), trackMembership: false }
        assert.deepStrictEqual((yield* ask("PATCH", `/segments/${created.id}`, same)).body, created)
        const changed = (yield* ask("PATCH", `/segments/${created.id}`, { condition: plan("free") })).body
        assert.strictEqual(changed.memberCount, 2)
        assert.isAbove(Date.parse(changed.updatedAt), Date.parse(created.updatedAt))
        assert.strictEqual(changed.createdAt, created.createdAt)
        const cleared = (yield* ask("PATCH", `/segments/${created.id}`, { description: null, name: "B" })).body
        assert.deepStrictEqual([cleared.description, cleared.name, cleared.slug], [null, "B", "a"])
      })
    )

    it.effect("members of a dynamic segment are the matching contacts, newest first, in pages", () =>
      Effect.gen(function* () {
        const { ask } = yield* freshProject
        const { body: segment } = yield* ask("POST", "/segments", { name: "Pro", condition: plan("pro") })
        for (const n of [1, 2, 3]) {
          yield* ask("POST", "/contacts", { email: `c${n}@example.com`, data: { plan: n === 2 ? "free" : "pro" } })
          yield* TestClock.adjust("1 second")
        }
        const { body } = yield* ask("GET", `/segments/${segment.id}/contacts`)
        assert.deepStrictEqual(
          body.data.map((contact: { email: string }) => contact.email),
          ["c3@example.com", "c1@example.com"]
        )
        assert.deepStrictEqual({ ...body, data: [] }, { data: [], page: 1, pageSize: 20, total: 2, totalPages: 1 })
        const contact = yield* ask("GET", `/contacts/${body.data[0].id}`)
        assert.deepStrictEqual(body.data[0], contact.body)
        const second = yield* ask("GET", `/segments/${segment.id}/contacts?page=2&pageSize=1`)
        assert.strictEqual(second.body.data[0].email, "c1@example.com")
        const beyond = yield* ask("GET", `/segments/${segment.id}/contacts?page=3&pageSize=1`)
        assert.deepStrictEqual(beyond.body, { data: [], page: 3, pageSize: 1, total: 2, totalPages: 2 })
        const clamped = yield* ask("GET", `/segments/${segment.id}/contacts?pageSize=101`)
        assert.strictEqual(clamped.body.pageSize, 100)
        assert.strictEqual((yield* ask("GET", `/segments/${segment.id}`)).body.memberCount, 0)
        const refreshed = yield* ask("POST", `/segments/${segment.id}/refresh`)
        assert.deepStrictEqual([refreshed.status, refreshed.body], [200, { memberCount: 2 }])
        assert.strictEqual((yield* ask("GET", `/segments/${segment.id}`)).body.memberCount, 2)
      })
    )

    it.effect("from ten thousand members on, a full page shows the stored count, and the last page the exact one", () =>
      Effect.gen(function* () {
        const { ask } = yield* freshProject
        const sql = yield* SqlClient.SqlClient
        for (const n of [1, 2, 3])
          yield* ask("POST", "/contacts", { email: `c${n}@example.com`, data: { plan: "pro" } })
        const { body: segment } = yield* ask("POST", "/segments", { name: "Pro", condition: plan("pro") })
        const total = (page: number, kept: number) =>
          sql`update segments set member_count = ${kept} where id = ${segment.id}`.pipe(
            Effect.andThen(ask("GET", `/segments/${segment.id}/contacts?pageSize=2&page=${page}`)),
            Effect.map(({ body }) => body.total)
          )
        assert.strictEqual(yield* total(1, 10_000), 10_000)
        assert.strictEqual(yield* total(2, 10_000), 3)
        assert.strictEqual(yield* total(1, 9_999), 3)
      })
    )

    it.effect.each(["page=0", "page=x", "pageSize=0", "pageSize=-1", "page=1.5"])(
      "an invalid page is a 400: %s",
      (query) =>
        Effect.gen(function* () {
          const { ask } = yield* freshProject
          const { body: segment } = yield* ask("POST", "/segments", { name: "A", type: "STATIC" })
          const { status, body } = yield* ask("GET", `/segments/${segment.id}/contacts?${query}`)
          assert.deepStrictEqual([status, body.error.code], [400, "BAD_REQUEST"])
          assert.strictEqual(body.error.errors[0].field, query.split("=")[0])
        })
    )

    it.effect("members of a static segment are added and removed by address, newest first", () =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        yield* seed(project, "c", 5)
        const { body: segment } = yield* ask("POST", "/segments", { name: "Hand", type: "STATIC" })
        const path = `/segments/${segment.id}/members`
        const added = yield* ask("POST", path, {
          emails: ["c-1@example.com", " C-1@Example.com ", "nobody@example.com", "c-2@example.com"]
        })
        assert.deepStrictEqual(
          [added.status, added.body],
          [200, { added: 2, created: 0, alreadyMembers: 0, notFound: ["nobody@example.com"] }]
        )
        yield* TestClock.adjust("1 second")
        const again = yield* ask("POST", path, { emails: ["c-3@example.com", "c-2@example.com"] })
        assert.deepStrictEqual(again.body, { added: 1, created: 0, alreadyMembers: 1, notFound: [] })
        const listed = (yield* ask("GET", `/segments/${segment.id}/contacts`)).body
        assert.strictEqual(listed.total, 3)
        assert.strictEqual(listed.data[0].email, "c-3@example.com")
        assert.strictEqual((yield* ask("GET", `/segments/${segment.id}`)).body.memberCount, 3)

        const removed = yield* ask("DELETE", path, {
          emails: ["c-1@example.com", "c-1@example.com", "c-5@example.com", "nobody@example.com"]
        })
        assert.deepStrictEqual(
          [removed.status, removed.body],
          [200, { removed: 1, notFound: ["c-5@example.com", "nobody@example.com"] }]
        )
        assert.strictEqual((yield* ask("GET", `/segments/${segment.id}`)).body.memberCount, 2)
        assert.deepStrictEqual(yield* moves(project), [])
      })
    )

    it.effect("createMissing creates contacts, by default subscribed, without a subscription event", () =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        yield* ask("POST", "/contacts", { email: "known@example.com", subscribed: false, data: { a: 1 } })
        const { body: segment } = yield* ask("POST", "/segments", { name: "Hand", type: "STATIC" })
        const path = `/segments/${segment.id}/members`
        const first = yield* ask("POST", path, {
          emails: ["known@example.com", "new@example.com", "new@example.com"],
          createMissing: true
        })
        assert.deepStrictEqual(first.body, { added: 2, created: 1, alreadyMembers: 0, notFound: [] })
        const second = yield* ask("POST", path, {
          emails: ["off@example.com", "known@example.com"],
          createMissing: true,
          subscribed: false
        })
        assert.deepStrictEqual(second.body, { added: 1, created: 1, alreadyMembers: 1, notFound: [] })
        const { data } = (yield* ask("GET", "/contacts?sort=email&dir=asc")).body
        assert.deepStrictEqual(
          data.map(({ email, subscribed, data }: { email: string; subscribed: boolean; data: object }) => [
            email,
            subscribed,
            data
          ]),
          [
            ["known@example.com", false, { a: 1 }],
            ["new@example.com", true, {}],
            ["off@example.com", false, {}]
          ]
        )
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`select name from events where project_id = ${project}`, [])
      })
    )

    it.effect.each([
      [{}, ["emails required"]],
      [{ emails: null }, ["emails required"]],
      [{ emails: [] }, ["emails too_small"]],
      [{ emails: "a@example.com" }, ["emails invalid_type"]],
      [{ emails: ["c-1@example.com", "bad"] }, ["emails.1 invalid_string"]],
      [{ emails: Array.from({ length: 1001 }, (_, n) => `x${n}@example.com`) }, ["emails too_big"]],
      [{ emails: ["c-1@example.com"], createMissing: 1 }, ["createMissing invalid_type"]]
    ])("refuses to add %j, and does nothing", ([given, faults]) =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        yield* seed(project, "c", 1)
        const { body: segment } = yield* ask("POST", "/segments", { name: "Hand", type: "STATIC" })
        const { status, body } = yield* ask("POST", `/segments/${segment.id}/members`, given)
        assert.strictEqual(status, 422)
        assert.deepStrictEqual(
          body.error.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
          faults
        )
        assert.strictEqual((yield* ask("GET", `/segments/${segment.id}/contacts`)).body.total, 0)
      })
    )

    it.effect("a dynamic segment accepts no manual members", () =>
      Effect.gen(function* () {
        const { ask } = yield* freshProject
        const { body: segment } = yield* ask("POST", "/segments", { name: "A", condition: everyone })
        for (const method of ["POST", "DELETE"]) {
          const { status, body } = yield* ask(method, `/segments/${segment.id}/members`, { emails: ["a@example.com"] })
          assert.deepStrictEqual(
            [status, body.error.code, body.error.details],
            [409, "CONFLICT", { reason: "segment_not_static" }]
          )
        }
      })
    )

    it.effect("accepts a thousand addresses, and the count is exact under concurrent additions and removals", () =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        const { body: segment } = yield* ask("POST", "/segments", {
          name: "Hand",
          type: "STATIC",
          trackMembership: true
        })
        const path = `/segments/${segment.id}/members`
        const emails = (from: number, to: number) =>
          Array.from({ length: to - from }, (_, n) => `c-${from + n}@example.com`)
        const added = yield* Effect.forEach(
          [emails(0, 1000), emails(0, 1000), emails(500, 1500), emails(1000, 1500), emails(0, 10)],
          (addresses) => ask("POST", path, { emails: addresses, createMissing: true }),
          { concurrency: "unbounded" }
        )
        const sum = (field: string) => added.reduce((total, { body }) => total + body[field], 0)
        assert.deepStrictEqual([sum("added"), sum("created"), sum("alreadyMembers")], [1500, 1500, 2010])
        assert.strictEqual((yield* ask("GET", `/segments/${segment.id}`)).body.memberCount, 1500)
        assert.deepStrictEqual(yield* tally(project), { entries: 1500, exits: 0, isOnceEach: true })

        const removed = yield* Effect.forEach(
          [emails(0, 1000), emails(500, 1400), emails(900, 1000)],
          (addresses) => ask("DELETE", path, { emails: addresses }),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(
          removed.reduce((total, { body }) => total + body.removed, 0),
          1400
        )
        const { body: after } = yield* ask("GET", `/segments/${segment.id}`)
        const { body: page } = yield* ask("GET", `/segments/${segment.id}/contacts`)
        assert.deepStrictEqual([after.memberCount, page.total], [100, 100])
        assert.deepStrictEqual(yield* tally(project), { entries: 1500, exits: 1400, isOnceEach: true })
      })
    )

    it.effect("a deleted contact leaves its segments without an event, and lowers their counts", () =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        yield* seed(project, "c", 2)
        const { body: segment } = yield* ask("POST", "/segments", {
          name: "Hand",
          type: "STATIC",
          trackMembership: true
        })
        yield* ask("POST", `/segments/${segment.id}/members`, { emails: ["c-1@example.com", "c-2@example.com"] })
        const { data } = (yield* ask("GET", `/segments/${segment.id}/contacts`)).body
        yield* ask("DELETE", `/contacts/${data[0].id}`)
        assert.strictEqual((yield* ask("GET", `/segments/${segment.id}`)).body.memberCount, 1)
        assert.strictEqual((yield* ask("GET", `/segments/${segment.id}/contacts`)).body.total, 1)
        assert.strictEqual((yield* tally(project)).exits, 0)
      })
    )

    it.effect(
      "deleting a segment removes its memberships without events, and is refused while another condition names it",
      () =>
        Effect.gen(function* () {
          const { ask, outcome, project } = yield* freshProject
          yield* seed(project, "c", 1)
          const hand = { name: "Hand", type: "STATIC", trackMembership: true }
          const { body: segment } = yield* ask("POST", "/segments", hand)
          yield* ask("POST", `/segments/${segment.id}/members`, { emails: ["c-1@example.com"] })
          const user = (yield* ask("POST", "/segments", { name: "User", condition: isIn(segment.id.toUpperCase()) }))
            .body
          assert.strictEqual(user.memberCount, 1)
          const refused = yield* ask("DELETE", `/segments/${segment.id}`)
          assert.deepStrictEqual([refused.status, refused.body.error.code], [409, "RESOURCE_IN_USE"])
          assert.deepStrictEqual(refused.body.error.details, {
            campaigns: [],
            segments: [{ id: user.id, name: "User" }],
            workflows: []
          })
          yield* ask("PATCH", `/segments/${user.id}`, { condition: everyone })
          const deleted = yield* ask("DELETE", `/segments/${segment.id}`)
          assert.deepStrictEqual([deleted.status, deleted.body], [204, undefined])
          assert.strictEqual(yield* outcome("GET", `/segments/${segment.id}`), "404 SEGMENT_NOT_FOUND")
          assert.deepStrictEqual(yield* tally(project), { entries: 1, exits: 0, isOnceEach: true })
          const sql = yield* SqlClient.SqlClient
          assert.deepStrictEqual(yield* sql`select segment_id from segment_members where project_id = ${project}`, [])
        })
    )

    it.effect("segments can refer to each other, but not in circles, in long chains or across projects", () =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        const other = yield* freshProject
        yield* seed(project, "pro", 2, { plan: "pro" })
        const create = (name: string, condition: unknown) => ask("POST", "/segments", { name, condition })
        const row = [(yield* create("1", plan("pro"))).body]
        for (let n = 2; n <= 5; n++) row.push((yield* create(String(n), isIn(row.at(-1).id))).body)
        assert.deepStrictEqual(
          row.map(({ memberCount }) => memberCount),
          [2, 2, 2, 2, 2]
        )
        const field = "condition.groups.0.filters.0.field"
        const sixth = yield* create("6", isIn(row[4].id))
        assert.strictEqual(sixth.status, 422)
        assert.deepStrictEqual(sixth.body.error.errors, [
          {
            field,
            code: "custom",
            message: "More than 5 segments would refer to each other in a chain.",
            received: `segment.${row[4].id}`
          }
        ])
        for (const [from, to] of [
          [0, 0],
          [0, 4],
          [1, 3]
        ] as const) {
          const circle = yield* ask("PATCH", `/segments/${row[from].id}`, { condition: isIn(row[to].id) })
          assert.deepStrictEqual([circle.status, circle.body.error?.errors[0].field], [422, field])
          assert.include(circle.body.error.errors[0].message, "refer to itself")
        }
        const extra = (yield* create("extra", everyone)).body
        const longer = yield* ask("PATCH", `/segments/${row[0].id}`, { condition: isIn(extra.id) })
        assert.strictEqual(longer.status, 422)
        const foreign = yield* other.ask("POST", "/segments", { name: "A", condition: isIn(extra.id) })
        assert.deepStrictEqual(
          [foreign.status, foreign.body.error.errors[0].message],
          [422, "No such segment in this project."]
        )

        yield* ask("PATCH", `/segments/${row[0].id}`, { condition: plan("free") })
        assert.strictEqual((yield* ask("GET", `/segments/${row[4].id}/contacts`)).body.total, 0)
        assert.strictEqual((yield* ask("POST", `/segments/${row[4].id}/refresh`)).body.memberCount, 0)
      })
    )

    it.effect("two segments that are changed concurrently cannot form a circle", () =>
      Effect.gen(function* () {
        const { ask } = yield* freshProject
        const [a, b] = yield* Effect.forEach(["a", "b"], (name) =>
          ask("POST", "/segments", { name, condition: everyone })
        )
        const changes = yield* Effect.all(
          [
            ask("PATCH", `/segments/${a?.body.id}`, { condition: isIn(b?.body.id) }),
            ask("PATCH", `/segments/${b?.body.id}`, { condition: isIn(a?.body.id) })
          ],
          { concurrency: "unbounded" }
        )
        assert.sameMembers(
          changes.map(({ status }) => status),
          [200, 422]
        )
      })
    )

    it.effect("a few segments that name each other many times are refused", () =>
      Effect.gen(function* () {
        const { ask } = yield* freshProject
        const many = (id: string, count: number) => ({
          groups: Array.from({ length: count }, () => ({
            filters: [{ field: `segment.${id}`, operator: "memberOfSegment" }]
          }))
        })
        const { body: one } = yield* ask("POST", "/segments", { name: "1", condition: plan("pro") })
        const { body: two } = yield* ask("POST", "/segments", { name: "2", condition: many(one.id, 100) })
        assert.strictEqual((yield* ask("POST", "/segments", { name: "3", condition: many(two.id, 10) })).status, 201)
        const refused = yield* ask("POST", "/segments", { name: "4", condition: many(two.id, 11) })
        assert.deepStrictEqual([refused.status, refused.body.error.errors[0].code], [422, "too_big"])
        const grown = yield* ask("PATCH", `/segments/${one.id}`, {
          condition: { groups: [{ filters: Array.from({ length: 2 }, () => plan("pro").groups[0]?.filters?.[0]) }] }
        })
        assert.deepStrictEqual([grown.status, grown.body.error.errors[0].field], [422, "condition"])
        // Empty groups are part of the statement too.
        const nothing = { groups: Array.from({ length: 1_000 }, () => ({ conditions: { groups: [] } })) }
        const { body: hollow } = yield* ask("POST", "/segments", { name: "5", condition: nothing })
        const twice = yield* ask("POST", "/segments", { name: "6", condition: many(hollow.id, 2) })
        assert.deepStrictEqual([twice.status, twice.body.error.errors[0].code], [422, "too_big"])
      })
    )

    it.effect("compute of an untracked dynamic segment is a 400; for a static one it does nothing", () =>
      Effect.gen(function* () {
        const { ask, project } = yield* freshProject
        yield* seed(project, "c", 2)
        const { body: dynamic } = yield* ask("POST", "/segments", { name: "A", condition: everyone })
        const refused = yield* ask("POST", `/segments/${dynamic.id}/compute`)
        assert.deepStrictEqual([refused.status, refused.body.error.code], [400, "BAD_REQUEST"])
        assert.strictEqual(refused.body.error.errors[0].field, "trackMembership")
        const { body: hand } = yield* ask("POST", "/segments", { name: "B", type: "STATIC" })
        yield* ask("POST", `/segments/${hand.id}/members`, { emails: ["c-1@example.com", "c-2@example.com"] })
        const computed = yield* ask("POST", `/segments/${hand.id}/compute`)
        assert.deepStrictEqual([computed.status, computed.body], [200, { added: 0, removed: 0, total: 2 }])
        assert.deepStrictEqual((yield* ask("POST", `/segments/${hand.id}/refresh`)).body, { memberCount: 2 })
      })
    )
  })
}
