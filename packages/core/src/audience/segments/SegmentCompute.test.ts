import { assert, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Duration, Effect, Exit, Fiber, Latch } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Failpoint } from "../../platform/Failpoint.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { type Wire, wireOver } from "../../testing/TestClient.ts"
import * as ContactBatchStore from "../contacts/ContactBatchStore.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { QueryTimeout } from "../filters/LiveQuery.ts"
import { evaluateAllSegments } from "./SegmentJobs.ts"
import { SegmentStore } from "./SegmentStore.ts"
import { Segments } from "./Segments.ts"
import { filter, freshProject, moves, plan, seed, type TestProject, tally } from "./SegmentsFixture.ts"

const tracked = { name: "Pro", condition: plan("pro"), trackMembership: true }

const create = ({ ask }: TestProject, body: object) => Effect.map(ask("POST", "/segments", body), (_) => _.body)
const computed = ({ ask }: TestProject, id: string) =>
  Effect.map(ask("POST", `/segments/${id}/compute`), ({ body }) => body)
const countOf = ({ ask }: TestProject, id: string): Effect.Effect<number, never, Wire> =>
  Effect.map(ask("GET", `/segments/${id}`), ({ body }) => body.memberCount)

const setPlan = (project: ProjectId, name: string, value: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      update contacts set data = ${JSON.stringify({ plan: value })}::text::jsonb
      where project_id = ${project} and email like ${`${name}-%`}`
  )

/** Runs the effect while the clock advances. */
const whileTimePasses = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const running = yield* Effect.forkChild(effect)
    const passing = TestClock.withLive(Effect.sleep("5 millis")).pipe(
      Effect.andThen(TestClock.adjust("100 millis")),
      Effect.forever
    )
    return yield* Effect.raceFirst(Fiber.join(running), passing)
  })

/** Runs the effect between the first two steps of a compute. */
const afterFirstStep = (effect: Effect.Effect<unknown>) => {
  let isFirst = true
  return Effect.provideService(Failpoint, (window) => {
    if (window !== "after_membership_step" || !isFirst) return Effect.void
    isFirst = false
    return Effect.asVoid(effect)
  })
}

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`Compute on ${name}`, (it) => {
    it.effect("the first compute adds all matching contacts, the next one only the differences", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { project } = mine
        yield* seed(project, "pro", 1500, { plan: "pro" })
        yield* seed(project, "free", 700, { plan: "free" })
        const segment = yield* create(mine, tracked)
        assert.deepStrictEqual(
          [segment.memberCount, yield* tally(project)],
          [1500, { entries: 0, exits: 0, isOnceEach: true }]
        )
        assert.deepStrictEqual(yield* computed(mine, segment.id), { added: 1500, removed: 0, total: 1500 })
        assert.deepStrictEqual(yield* tally(project), { entries: 1500, exits: 0, isOnceEach: true })
        assert.deepStrictEqual(yield* computed(mine, segment.id), { added: 0, removed: 0, total: 1500 })

        yield* setPlan(project, "free", "pro")
        yield* setPlan(project, "pro", "free")
        assert.deepStrictEqual(yield* computed(mine, segment.id), { added: 700, removed: 1500, total: 700 })
        assert.deepStrictEqual(yield* tally(project), { entries: 2200, exits: 1500, isOnceEach: true })
        assert.strictEqual(yield* countOf(mine, segment.id), 700)
      })
    )

    it.effect("finds a few joins and leaves among very many contacts", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { project } = mine
        const all = { ...tracked, name: "All", condition: filter("data.plan", "exists"), silentStart: true }
        yield* seed(project, "many", 25_000, { plan: "free" })
        yield* seed(project, "pro", 30, { plan: "pro" })
        const few = yield* create(mine, tracked)
        const many = yield* create(mine, all)
        assert.deepStrictEqual(yield* computed(mine, few.id), { added: 30, removed: 0, total: 30 })
        assert.deepStrictEqual(yield* computed(mine, many.id), { added: 0, removed: 0, total: 25_030 })
        const sql = yield* SqlClient.SqlClient
        yield* sql`update contacts set data = '{}' where project_id = ${project} and email like 'pro-%'`
        assert.deepStrictEqual(yield* computed(mine, many.id), { added: 0, removed: 30, total: 25_000 })
        assert.deepStrictEqual(yield* tally(project), { entries: 30, exits: 30, isOnceEach: true })
      })
    )

    it.effect("an event has the slug and the current name of the segment", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* seed(mine.project, "pro", 1, { plan: "pro" })
        const segment = yield* create(mine, tracked)
        yield* mine.ask("PATCH", `/segments/${segment.id}`, { name: "Paying" })
        yield* computed(mine, segment.id)
        yield* TestClock.adjust("1 second")
        yield* setPlan(mine.project, "pro", "free")
        yield* computed(mine, segment.id)
        const data = { segmentId: segment.id, segmentName: "Paying", slug: "pro" }
        const rest = { email: "pro-1@example.com", data, source: "system" }
        assert.deepStrictEqual(yield* moves(mine.project), [
          { name: "segment.pro.entry", ...rest },
          { name: "segment.pro.exit", ...rest }
        ])
      })
    )

    it.effect("concurrent computes run one after the other", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* seed(mine.project, "pro", 2500, { plan: "pro" })
        const segment = yield* create(mine, tracked)
        const both = [computed(mine, segment.id), computed(mine, segment.id), computed(mine, segment.id)]
        const results = yield* whileTimePasses(Effect.all(both, { concurrency: "unbounded" }))
        assert.deepStrictEqual(
          results.map(({ added, total }) => [added, total]).sort(([a], [b]) => b - a),
          [
            [2500, 2500],
            [0, 2500],
            [0, 2500]
          ]
        )
        assert.deepStrictEqual(yield* tally(mine.project), { entries: 2500, exits: 0, isOnceEach: true })
      })
    )

    it.effect(
      "a compute that dies between two steps has recorded events for what it stored, and the next one continues",
      () =>
        Effect.gen(function* () {
          const mine = yield* freshProject
          yield* seed(mine.project, "pro", 1500, { plan: "pro" })
          const segment = yield* create(mine, tracked)
          const { compute } = yield* Segments
          const exit = yield* compute(mine.project, segment.id).pipe(
            afterFirstStep(Effect.die(new Error("killed"))),
            Effect.exit
          )
          assert.isTrue(Exit.hasDies(exit))
          assert.deepStrictEqual(yield* tally(mine.project), { entries: 1000, exits: 0, isOnceEach: true })
          assert.deepStrictEqual(yield* computed(mine, segment.id), { added: 500, removed: 0, total: 1500 })
          assert.deepStrictEqual(yield* tally(mine.project), { entries: 1500, exits: 0, isOnceEach: true })
        })
    )

    it.effect("the turn of a dead process expires", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* seed(mine.project, "pro", 1, { plan: "pro" })
        const segment = yield* create(mine, tracked)
        const store = yield* SegmentStore
        const sql = yield* SqlClient.SqlClient
        const dead = "019a0000-0000-7000-8000-000000000bad"
        assert.isTrue(yield* store.claimTurn(mine.project, SegmentId.make(segment.id), dead))
        const waiting = yield* Effect.forkChild(computed(mine, segment.id))
        yield* TestClock.withLive(Effect.sleep("100 millis"))
        assert.deepStrictEqual((yield* tally(mine.project)).entries, 0)
        yield* sql`update segments set computing_until = clock_timestamp() where id = ${segment.id}`
        const result = yield* whileTimePasses(Fiber.join(waiting))
        assert.deepStrictEqual(result, { added: 1, removed: 0, total: 1 })
      })
    )

    it.effect("a failed step stores nothing and records no event", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* seed(mine.project, "pro", 3, { plan: "pro" })
        const segment = yield* create(mine, tracked)
        const sql = yield* SqlClient.SqlClient
        yield* sql`alter table events add constraint broken check (name <> 'segment.pro.entry') not valid`
        const { status } = yield* mine.ask("POST", `/segments/${segment.id}/compute`)
        yield* sql`alter table events drop constraint broken`
        assert.strictEqual(status, 500)
        assert.deepStrictEqual(yield* sql`select contact_id from segment_members where segment_id = ${segment.id}`, [])
        assert.deepStrictEqual(yield* computed(mine, segment.id), { added: 3, removed: 0, total: 3 })
      })
    )

    it.effect(
      "with silentStart matching contacts become members without events; later joins and leaves record events",
      () =>
        Effect.gen(function* () {
          const mine = yield* freshProject
          yield* seed(mine.project, "pro", 1200, { plan: "pro" })
          yield* seed(mine.project, "free", 3, { plan: "free" })
          const segment = yield* create(mine, { ...tracked, silentStart: true })
          assert.strictEqual(segment.memberCount, 1200)
          assert.deepStrictEqual(yield* computed(mine, segment.id), { added: 0, removed: 0, total: 1200 })
          yield* setPlan(mine.project, "free", "pro")
          assert.deepStrictEqual(yield* computed(mine, segment.id), { added: 3, removed: 0, total: 1203 })
          assert.deepStrictEqual(yield* tally(mine.project), { entries: 3, exits: 0, isOnceEach: true })
        })
    )

    it.effect("turning tracking off ends memberships without events; turning it on starts with no members", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* seed(mine.project, "pro", 5, { plan: "pro" })
        const segment = yield* create(mine, tracked)
        const change = (body: object) => Effect.map(mine.ask("PATCH", `/segments/${segment.id}`, body), (_) => _.body)
        yield* computed(mine, segment.id)
        assert.strictEqual((yield* change({ trackMembership: false })).memberCount, 5)
        assert.strictEqual(yield* mine.outcome("POST", `/segments/${segment.id}/compute`), "400 BAD_REQUEST")
        assert.deepStrictEqual(yield* tally(mine.project), { entries: 5, exits: 0, isOnceEach: true })

        yield* change({ trackMembership: true })
        assert.deepStrictEqual(yield* computed(mine, segment.id), { added: 5, removed: 0, total: 5 })
        assert.strictEqual((yield* tally(mine.project)).entries, 10)

        yield* change({ trackMembership: false })
        assert.strictEqual((yield* change({ trackMembership: true, silentStart: true })).memberCount, 5)
        assert.deepStrictEqual(yield* computed(mine, segment.id), { added: 0, removed: 0, total: 5 })
        // Tracking is already on, so nothing starts, silently or not.
        yield* seed(mine.project, "more", 2, { plan: "pro" })
        yield* change({ trackMembership: true, silentStart: true })
        assert.deepStrictEqual(yield* computed(mine, segment.id), { added: 2, removed: 0, total: 7 })
      })
    )

    it.effect("a changed condition moves members at the next compute", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* seed(mine.project, "pro", 3, { plan: "pro" })
        yield* seed(mine.project, "free", 2, { plan: "free" })
        const segment = yield* create(mine, tracked)
        yield* computed(mine, segment.id)
        const changed = yield* mine.ask("PATCH", `/segments/${segment.id}`, { condition: plan("free") })
        assert.strictEqual(changed.body.memberCount, 2)
        assert.deepStrictEqual(yield* tally(mine.project), { entries: 3, exits: 0, isOnceEach: true })
        assert.deepStrictEqual(yield* computed(mine, segment.id), { added: 2, removed: 3, total: 2 })
        assert.deepStrictEqual(yield* tally(mine.project), { entries: 5, exits: 3, isOnceEach: true })
      })
    )

    it.effect("refresh counts members and writes no membership", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* seed(mine.project, "pro", 3, { plan: "pro" })
        const segment = yield* create(mine, tracked)
        yield* computed(mine, segment.id)
        for (const n of [1, 2])
          yield* mine.ask("POST", "/contacts", { email: `n${n}@example.com`, data: { plan: "pro" } })
        assert.deepStrictEqual((yield* mine.ask("POST", `/segments/${segment.id}/refresh`)).body, { memberCount: 5 })
        assert.strictEqual(yield* countOf(mine, segment.id), 5)
        assert.strictEqual((yield* tally(mine.project)).entries, 3)
        assert.deepStrictEqual(yield* computed(mine, segment.id), { added: 2, removed: 0, total: 5 })
      })
    )

    it.effect("a deleted contact leaves without an event", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* seed(mine.project, "pro", 2, { plan: "pro" })
        const segment = yield* create(mine, tracked)
        yield* computed(mine, segment.id)
        const { data } = (yield* mine.ask("GET", `/segments/${segment.id}/contacts`)).body
        yield* mine.ask("DELETE", `/contacts/${data[0].id}`)
        assert.strictEqual(yield* countOf(mine, segment.id), 1)
        assert.deepStrictEqual(yield* computed(mine, segment.id), { added: 0, removed: 0, total: 1 })
        assert.strictEqual((yield* tally(mine.project)).exits, 0)
      })
    )

    it.effect("a condition that changes during a compute applies at its end", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* seed(mine.project, "pro", 1500, { plan: "pro" })
        yield* seed(mine.project, "free", 10, { plan: "free" })
        const segment = yield* create(mine, tracked)
        const { compute } = yield* Segments
        const services = yield* Effect.context<Wire>()
        const change = Effect.provide(
          mine.ask("PATCH", `/segments/${segment.id}`, { condition: plan("free") }),
          services
        )
        const result = yield* compute(mine.project, segment.id).pipe(afterFirstStep(change))
        assert.deepStrictEqual(result, { added: 1010, removed: 1000, total: 10 })
        assert.deepStrictEqual(yield* computed(mine, segment.id), { added: 0, removed: 0, total: 10 })
        assert.deepStrictEqual(yield* tally(mine.project), { entries: 1010, exits: 1000, isOnceEach: true })
      })
    )

    it.effect("turning tracking off during a compute ends it and leaves no members", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* seed(mine.project, "pro", 1500, { plan: "pro" })
        const segment = yield* create(mine, tracked)
        const { compute } = yield* Segments
        const services = yield* Effect.context<Wire>()
        const off = Effect.provide(mine.ask("PATCH", `/segments/${segment.id}`, { trackMembership: false }), services)
        const { added } = yield* compute(mine.project, segment.id).pipe(afterFirstStep(off))
        assert.strictEqual(added, 1000)
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`select contact_id from segment_members where segment_id = ${segment.id}`, [])
      })
    )

    // PGlite has one connection, so no other transaction can hold a lock.
    if (name === "PostgreSQL") {
      it.effect("a contact that another transaction has locked is evaluated later", () =>
        Effect.gen(function* () {
          const mine = yield* freshProject
          const { ask, project } = mine
          const sql = yield* SqlClient.SqlClient
          const person = (name: string) =>
            Effect.map(ask("POST", "/contacts", { email: `${name}@example.com`, data: { plan: "pro" } }), ({ body }) =>
              ContactId.make(body.id)
            )
          const [ann, bob] = [yield* person("ann"), yield* person("bob")]
          const { id } = yield* create(mine, tracked)
          const added = Effect.map(computed(mine, id), (_) => _.added)
          const batch = yield* ContactBatchStore.make
          const changing = Effect.andThen(batch.hold(project, [ann, bob], "change"), added)
          assert.strictEqual(yield* sql.withTransaction(changing), 2)
          yield* sql`update contacts set data = '{}' where project_id = ${project}`
          yield* computed(mine, id)
          yield* sql`update contacts set data = '{"plan": "pro"}' where project_id = ${project}`
          const contacts = yield* Contacts
          const renamed = contacts.update(project, ann, { email: "anna@example.com" })
          assert.strictEqual(yield* sql.withTransaction(Effect.andThen(renamed, added)), 1)
          yield* Segments.use(({ react }) => react(project))
          assert.strictEqual(yield* countOf(mine, id), 2)
        })
      )

      it.effect("counts and pages fail when the database takes too long", () =>
        Effect.gen(function* () {
          const mine = yield* freshProject
          const { id } = yield* create(mine, { name: "Pro", condition: plan("pro") })
          const sql = yield* SqlClient.SqlClient
          const isHeld = yield* Latch.make()
          const asking = <A, E, R>(query: Effect.Effect<A, E, R>) =>
            isHeld.await.pipe(
              Effect.andThen(query),
              Effect.provideService(QueryTimeout, Duration.millis(200)),
              Effect.exit,
              Effect.forkChild
            )
          const count = yield* asking(Segments.use(({ refresh }) => refresh(mine.project, id)))
          const page = yield* asking(Segments.use(({ contacts }) => contacts(mine.project, id, {})))
          const exits = yield* sql.withTransaction(
            sql`lock table contacts in access exclusive mode`.pipe(
              Effect.andThen(isHeld.open),
              Effect.andThen(Effect.all([Fiber.join(count), Fiber.join(page)]))
            )
          )
          for (const exit of exits) assert.include(String(exit), "StatementTimeoutError")
        })
      )

      it.effect("background work has a longer timeout", () =>
        Effect.gen(function* () {
          const mine = yield* freshProject
          const { id } = yield* create(mine, { name: "Pro", condition: plan("pro") })
          yield* seed(mine.project, "ann", 2, { plan: "pro" })
          const sql = yield* SqlClient.SqlClient
          const isHeld = yield* Latch.make()
          const round = yield* isHeld.await.pipe(
            Effect.andThen(evaluateAllSegments),
            Effect.provideService(QueryTimeout, Duration.millis(50)),
            Effect.forkChild
          )
          yield* sql.withTransaction(
            sql`lock table contacts in access exclusive mode`.pipe(
              Effect.andThen(isHeld.open),
              Effect.andThen(sql`select pg_sleep(0.5)`)
            )
          )
          yield* Fiber.join(round)
          assert.strictEqual(yield* countOf(mine, id), 2)
        })
      )
    }

    it.effect("a compute does not affect another project", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const theirs = yield* freshProject
        yield* seed(mine.project, "pro", 2, { plan: "pro" })
        yield* seed(theirs.project, "pro", 3, { plan: "pro" })
        const segment = yield* create(mine, { ...tracked, condition: filter("email", "endsWith", "example.com") })
        assert.deepStrictEqual(yield* computed(mine, segment.id), { added: 2, removed: 0, total: 2 })
        assert.strictEqual(yield* theirs.outcome("POST", `/segments/${segment.id}/compute`), "404 SEGMENT_NOT_FOUND")
        assert.deepStrictEqual(yield* moves(theirs.project), [])
      })
    )
  })
}
