import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import type { FilterTree } from "@posthorn/contract/audience/filters/FilterTree"
import { Duration, Effect, Fiber, Latch, type Layer } from "effect"
import { SqlClient } from "effect/sql"
import { addMember, browse, newProject, person, settled } from "../../testing/Browser.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn, type TestServices } from "../../testing/Services.ts"
import { outcome, send, type Wire, wireOver } from "../../testing/TestClient.ts"
import { QueryTimeout } from "../filters/LiveQuery.ts"
import { filter, freshProject, isIn, plan, seed, type TestProject } from "../segments/SegmentsFixture.ts"
import * as ContactSelections from "./ContactSelections.ts"

/** Inserts contacts `0`, `1` and so on, oldest first. Each was changed at another time than it was created. */
const numbered = ({ project }: TestProject, count: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
      select gen_random_uuid(), ${project}::uuid, md5(n::text) || '-' || n || '@example.com', n % 3 > 0,
             jsonb_build_object('n', n, 'plan', case when n % 2 = 0 then 'pro' else 'free' end),
             timestamptz '2026-01-01' + n * interval '1 minute',
             timestamptz '2026-02-01' + (n * 7919 % ${count}::int) * interval '1 minute'
      from generate_series(0, ${count - 1}::int) as n`
  )

interface Found {
  readonly id: string
  readonly email: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly subscribed: boolean
  readonly data: { readonly n: number; readonly plan: string }
}

/** All pages, and the totals of the pages. */
const walk = Effect.fnUntraced(function* ({ ask }: TestProject, body: object) {
  const found: Array<Found> = []
  const totals: Array<number | null> = []
  for (let cursor: string | undefined; ; ) {
    const page = yield* ask("POST", "/contacts/query", { ...body, ...(cursor && { cursor }) })
    assert.strictEqual(page.status, 200, JSON.stringify(page.body))
    found.push(...page.body.data)
    totals.push(page.body.total)
    if (!page.body.hasMore) return { found, totals }
    cursor = page.body.cursor
  }
})

const numbers = (found: ReadonlyArray<Found>) => found.map(({ data }) => data.n)

const below = (value: number) => filter("data.n", "lessThan", value) as FilterTree

const orders = (["createdAt", "updatedAt", "email"] as const).flatMap((sort) =>
  (["asc", "desc"] as const).map((dir) => ({ sort, dir }))
)

const tests = (name: string, services: Layer.Layer<Wire | TestServices>) =>
  layer(services, { timeout: "120 seconds" })(`Selected contacts on ${name}`, (it) => {
    it.effect("are listed in each order, page by page, each once, with the total on the first page", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const theirs = yield* freshProject
        yield* numbered(mine, 100)
        yield* numbered(theirs, 10)
        const { found: all } = yield* walk(mine, { limit: 100 })
        assert.deepStrictEqual(
          numbers(all),
          Array.from({ length: 100 }, (_, n) => 99 - n)
        )
        for (const { sort, dir } of orders) {
          const sign = dir === "asc" ? 1 : -1
          const wanted = all
            .filter(({ data, subscribed }) => data.plan === "pro" && subscribed)
            .toSorted((a, b) => sign * (a[sort] < b[sort] ? -1 : 1))
          const body = { condition: plan("pro"), subscribed: true, limit: 7, sort, dir }
          const { found, totals } = yield* walk(mine, body)
          assert.deepStrictEqual(found, wanted, `${sort} ${dir}`)
          assert.deepStrictEqual(totals, [wanted.length, ...totals.slice(1).map(() => 0)])
          const some = wanted.filter(({ email }) => email.includes("a1"))
          assert.isAbove(some.length, 0)
          const searched = yield* walk(mine, { ...body, search: " A1 " })
          assert.deepStrictEqual([searched.found, searched.totals[0]], [some, some.length])
        }
        const { totals } = yield* walk(mine, { condition: plan("team") })
        assert.deepStrictEqual(totals, [0])
      })
    )

    it.effect("without a condition are all contacts of the project", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* numbered(mine, 12)
        for (const body of [{}, { condition: null, segmentId: null, search: null, cursor: null, limit: null }]) {
          const { body: page } = yield* mine.ask("POST", "/contacts/query", body)
          assert.deepStrictEqual([page.data.length, page.total, page.hasMore, page.cursor], [12, 12, false, undefined])
        }
        const listed = yield* mine.ask("GET", "/contacts?subscribed=false")
        const asked = yield* mine.ask("POST", "/contacts/query", { subscribed: false })
        assert.deepStrictEqual(asked.body, listed.body)
        const changed = yield* walk(mine, { subscribed: false, sort: "updatedAt", limit: 3 })
        assert.deepStrictEqual(numbers(changed.found).toSorted(), numbers(listed.body.data).toSorted())
        assert.deepStrictEqual((yield* mine.ask("POST", "/contacts/count")).body, { count: 12 })
      })
    )

    it.effect("are found at the far end of the order, few or many", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* numbered(mine, 8_000)
        for (const { sort, dir } of orders) {
          for (const count of [30, 2_000]) {
            const { found, totals } = yield* walk(mine, { condition: below(count), sort, dir, limit: 100 })
            assert.strictEqual(new Set(numbers(found)).size, count)
            assert.deepStrictEqual([found.length, totals[0]], [count, count])
          }
        }
      })
    )

    it.effect("are the members of a segment of either type", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* numbered(mine, 20)
        const pro = yield* mine.ask("POST", "/segments", { name: "Pro", condition: plan("pro") })
        const hand = yield* mine.ask("POST", "/segments", { name: "By hand", type: "STATIC" })
        const { found } = yield* walk(mine, { condition: below(3), sort: "email" })
        const emails = found.map(({ email }) => email)
        yield* mine.ask("POST", `/segments/${hand.body.id}/members`, { emails })
        const ofPro = yield* walk(mine, { segmentId: pro.body.id, limit: 4, dir: "asc" })
        assert.deepStrictEqual(
          numbers(ofPro.found),
          Array.from({ length: 10 }, (_, n) => 2 * n)
        )
        const byHand = yield* walk(mine, { segmentId: hand.body.id, sort: "email" })
        assert.deepStrictEqual(
          byHand.found.map(({ email }) => email),
          emails
        )
        const both = { logic: "AND", groups: [...plan("pro").groups, ...isIn(hand.body.id).groups] }
        assert.deepStrictEqual(numbers((yield* walk(mine, { condition: both, dir: "asc" })).found), [0, 2])
        assert.deepStrictEqual((yield* mine.ask("POST", "/contacts/count", { segmentId: hand.body.id })).body, {
          count: 3
        })
        assert.deepStrictEqual((yield* mine.ask("POST", "/contacts/count", { condition: both })).body, { count: 2 })
      })
    )

    it.effect("are counted with those whom a campaign would reach, and those whom it would not", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* seed(mine.project, "in", 6)
        yield* seed(mine.project, "pro", 4, { plan: "pro" })
        const theirs = yield* freshProject
        yield* theirs.ask("POST", "/suppressions", { email: "pro-4@example.com" })
        for (const n of [1, 2]) {
          const { body } = yield* mine.ask("POST", "/contacts", { email: `pro-${n}@example.com`, subscribed: false })
          assert.isFalse(body.subscribed)
        }
        for (const n of [2, 3]) yield* mine.ask("POST", "/suppressions", { email: `pro-${n}@example.com` })
        const asked = (type: string, body = {}) =>
          Effect.map(mine.ask("POST", "/contacts/count", { for: { type }, ...body }), ({ body }) => body)
        const condition = plan("pro")
        for (const type of ["MARKETING", "HEADLESS"]) {
          assert.deepStrictEqual(yield* asked(type, { condition }), {
            count: 4,
            eligible: 1,
            excluded: { unsubscribed: 2, topicUnsubscribed: 0, snoozed: 0, suppressed: 1 }
          })
        }
        assert.deepStrictEqual(yield* asked("TRANSACTIONAL", { condition }), {
          count: 4,
          eligible: 2,
          excluded: { unsubscribed: 0, topicUnsubscribed: 0, snoozed: 0, suppressed: 2 }
        })
        // An erased address stays suppressed, as a hash.
        const { found } = yield* walk(mine, { search: "in-3@" })
        yield* mine.ask("POST", "/suppressions", { email: "in-3@example.com" })
        assert.strictEqual((yield* mine.ask("POST", `/contacts/${found[0]?.id}/erase`)).status, 200)
        yield* mine.ask("POST", "/contacts", { email: "in-3@example.com" })
        assert.deepStrictEqual(yield* asked("MARKETING"), {
          count: 10,
          eligible: 6,
          excluded: { unsubscribed: 2, topicUnsubscribed: 0, snoozed: 0, suppressed: 2 }
        })
      })
    )

    it.effect("of a faulty request are none: each fault is named", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const theirs = yield* freshProject
        const { body: segment } = yield* theirs.ask("POST", "/segments", { name: "Theirs", condition: plan("pro") })
        const faults = Effect.fnUntraced(function* (path: string, body: object) {
          const { status, body: answer } = yield* mine.ask("POST", path, body)
          return [status, answer.error.errors?.map(({ field, code }: never) => `${field} ${code}`) ?? answer.error.code]
        })
        const bad = filter("data.n", "like", 1)
        for (const path of ["/contacts/query", "/contacts/count"]) {
          assert.deepStrictEqual(yield* faults(path, { condition: bad }), [
            422,
            ["condition.groups.0.filters.0.operator invalid_enum"]
          ])
          assert.deepStrictEqual(yield* faults(path, { condition: isIn(segment.id) }), [
            422,
            ["condition.groups.0.filters.0.field custom"]
          ])
          assert.deepStrictEqual(yield* faults(path, { condition: plan("pro"), segmentId: segment.id }), [
            422,
            ["segmentId custom"]
          ])
          assert.deepStrictEqual(yield* faults(path, { segmentId: "x" }), [422, ["segmentId invalid_string"]])
          assert.deepStrictEqual(yield* faults(path, { segmentId: segment.id }), [404, "SEGMENT_NOT_FOUND"])
          assert.deepStrictEqual(yield* faults(path, { segmentId: randomUUID() }), [404, "SEGMENT_NOT_FOUND"])
        }
        assert.deepStrictEqual(yield* faults("/contacts/count", { for: {} }), [422, ["for.type required"]])
        assert.deepStrictEqual(yield* faults("/contacts/count", { for: { type: "SMS" } }), [
          422,
          ["for.type invalid_enum"]
        ])
        const query = { limit: 0, sort: "name", dir: "up", subscribed: "yes", search: "x".repeat(201) }
        const [status, all] = yield* faults("/contacts/query", query)
        assert.strictEqual(status, 422)
        assert.sameMembers(all, [
          "limit too_small",
          "sort invalid_enum",
          "dir invalid_enum",
          "subscribed invalid_type",
          "search too_big"
        ])
      })
    )

    it.effect("have at most 100 on a page, and a cursor that is valid for the same request only", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const theirs = yield* freshProject
        yield* numbered(mine, 120)
        yield* numbered(theirs, 3)
        const { body } = yield* mine.ask("POST", "/contacts/query", { limit: 1_000 })
        assert.deepStrictEqual([body.data.length, body.total, body.hasMore], [100, 120, true])
        const { cursor } = body
        assert.strictEqual((yield* mine.ask("POST", "/contacts/query", { cursor })).body.data.length, 20)
        for (const other of [{ condition: plan("pro") }, { sort: "email" }, { search: "a" }, { dir: "asc" }]) {
          const used = { ...other, cursor }
          assert.strictEqual(yield* mine.outcome("POST", "/contacts/query", used), "400 INVALID_CURSOR")
        }
        assert.strictEqual(yield* theirs.outcome("POST", "/contacts/query", { cursor }), "400 INVALID_CURSOR")
      })
    )

    it.effect("are open to keys with the scope, to members of each role, and while the project is disabled", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const withKey = Effect.fnUntraced(function* (scope: string) {
          const { body } = yield* send("POST", "/api-keys", { name: scope, scopes: [scope] })
          return { authorization: `Bearer ${body.key}` }
        })
        const reads = yield* withKey("contacts:read")
        const writes = yield* withKey("contacts:write")
        const sends = yield* withKey("segments:read")
        const [owner, admin, member, outsider] = yield* Effect.all([
          person("owner"),
          person("admin"),
          person("member"),
          person("outsider")
        ])
        const { id } = yield* newProject(owner.cookie)
        yield* addMember(owner.cookie, id, admin, "ADMIN")
        yield* addMember(owner.cookie, id, member, "MEMBER")
        for (const path of ["/contacts/query", "/contacts/count"]) {
          for (const headers of [reads, writes]) assert.strictEqual(yield* outcome("POST", path, {}, headers), "200 ok")
          assert.strictEqual(yield* outcome("POST", path, {}, sends), "403 FORBIDDEN")
          assert.strictEqual(yield* outcome("POST", path, {}, { authorization: "" }), "401 INVALID_API_KEY")
          for (const { cookie } of [owner, admin, member]) {
            const { status, body } = yield* settled(browse(cookie, "POST", path, {}, { "x-project-id": id }))
            assert.deepStrictEqual([status, body.total ?? body.count], [200, 0])
          }
          const { body } = yield* settled(browse(outsider.cookie, "POST", path, {}, { "x-project-id": id }))
          assert.strictEqual(body.error.code, "PROJECT_ACCESS_DENIED")
        }
        const disabled = yield* freshProject
        yield* sql`update projects set disabled_reason = 'MANUAL' where id = ${disabled.project}`
        assert.strictEqual(yield* disabled.outcome("POST", "/contacts", { email: "a@x.co" }), "403 MANUAL")
        assert.strictEqual(yield* disabled.outcome("POST", "/contacts/query"), "200 ok")
        assert.strictEqual(yield* disabled.outcome("POST", "/contacts/count"), "200 ok")
      })
    )

    if (name === "PostgreSQL") {
      it.effect("have no total, and no number, when counting takes too long", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const mine = yield* freshProject
          yield* numbered(mine, 4)
          const isHeld = yield* Latch.make()
          const asked = <A, E, R>(query: Effect.Effect<A, E, R>) =>
            Effect.forkChild(
              Effect.provideService(Effect.andThen(isHeld.await, query), QueryTimeout, Duration.millis(300))
            )
          const condition = plan("pro")
          const count = yield* asked(
            Effect.flatMap(ContactSelections.make, (_) => _.count(mine.project, { condition }))
          )
          const judged = yield* asked(
            Effect.flatMap(ContactSelections.make, (_) =>
              _.count(mine.project, { condition, for: { type: "MARKETING" } })
            )
          )
          const counts = yield* sql.withTransaction(
            sql`lock table contacts in access exclusive mode`.pipe(
              Effect.andThen(isHeld.open),
              Effect.andThen(Effect.all([Fiber.join(count), Fiber.join(judged)]))
            )
          )
          for (const answer of counts) assert.deepStrictEqual(answer, { count: null, timedOut: true })

          // The total of all contacts is kept in a table of its own.
          const isLocked = yield* Latch.make()
          const page = yield* Effect.forkChild(
            Effect.provideService(
              Effect.andThen(
                isLocked.await,
                Effect.flatMap(ContactSelections.make, (_) => _.page(mine.project, { limit: 3 }))
              ),
              QueryTimeout,
              Duration.millis(300)
            )
          )
          const { data, hasMore, total } = yield* sql.withTransaction(
            sql`lock table contact_tallies in access exclusive mode`.pipe(
              Effect.andThen(isLocked.open),
              Effect.andThen(Fiber.join(page))
            )
          )
          assert.deepStrictEqual([data.length, hasMore, total], [3, true, null])
        })
      )
    }
  })

for (const [name, database] of databases()) tests(name, wireOver(servicesOn(database)))
