/** Which counts of segments are taken again, and which are answered as they are stored. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { evaluateAllSegments } from "./SegmentJobs.ts"
import * as SegmentRounds from "./SegmentRounds.ts"
import { Segments } from "./Segments.ts"
import { filter, freshProject, isIn, plan, type TestProject } from "./SegmentsFixture.ts"

/** No count gives it, so an answer with it was not counted. */
const wrong = 77

const create = ({ ask }: TestProject, name: string, condition: object | undefined, more: object = {}) =>
  Effect.map(ask("POST", "/segments", { name, condition, ...more }), ({ body }): string => body.id)

const refreshed = ({ ask }: TestProject, id: string) =>
  Effect.map(ask("POST", `/segments/${id}/refresh`), ({ body }): number => body.memberCount)

const stored = ({ ask }: TestProject, id: string) =>
  Effect.map(ask("GET", `/segments/${id}`), ({ body }): number => body.memberCount)

const spoil = (id: string) =>
  SqlClient.SqlClient.use((sql) => sql`update segments set member_count = ${wrong} where id = ${id}`)

/** So that no transaction of the last change can still be open. */
const settle = TestClock.adjust("2 minutes")

const contact = ({ ask }: TestProject, email: string, fields: object = { data: { plan: "pro" } }) =>
  Effect.map(ask("POST", "/contacts", { email: `${email}@example.com`, ...fields }), ({ body }): string => body.id)

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "60 seconds" })(`Counts of segments on ${name}`, (it) => {
    it.effect("are stored until a contact is added, changed or deleted, or an event is", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { ask, track } = mine
        const anna = yield* contact(mine, "anna")
        yield* contact(mine, "bo")
        const id = yield* create(mine, "Pro", {
          groups: [
            {
              filters: [
                { field: "data.plan", operator: "equals", value: "pro" },
                { field: "event.seen", operator: "notTriggered" }
              ]
            }
          ]
        })
        const after = Effect.fnUntraced(function* <R>(change: Effect.Effect<unknown, never, R>, count: number) {
          yield* settle
          yield* refreshed(mine, id)
          yield* spoil(id)
          assert.strictEqual(yield* refreshed(mine, id), wrong)
          yield* change
          assert.strictEqual(yield* refreshed(mine, id), count)
        })
        yield* after(contact(mine, "cleo"), 3)
        yield* after(ask("PATCH", `/contacts/${anna}`, { data: { plan: "free" } }), 2)
        yield* after(ask("PATCH", `/contacts/${anna}`, { data: { plan: "pro" } }), 3)
        yield* after(track({ email: "bo@example.com", event: "seen" }), 2)
        yield* after(ask("DELETE", `/contacts/${anna}`), 1)
      })
    )

    it.effect("are not relied on within a minute of a change, since older transactions may still commit", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* contact(mine, "anna")
        const id = yield* create(mine, "Pro", plan("pro"))
        yield* TestClock.adjust("59 seconds")
        yield* refreshed(mine, id)
        yield* spoil(id)
        assert.strictEqual(yield* refreshed(mine, id), 1)
      })
    )

    it.effect("follow time, the members of static segments, and the condition of a segment they name", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* contact(mine, "anna")
        yield* contact(mine, "bo", { data: { plan: "free" } })
        const recent = yield* create(mine, "Recent", filter("createdAt", "within", 1, "days"))
        const hand = yield* create(mine, "By hand", undefined, { type: "STATIC" })
        const pro = yield* create(mine, "Pro", plan("pro"))
        const inHand = yield* create(mine, "In hand", isIn(hand))
        const inPro = yield* create(mine, "In pro", isIn(pro))
        yield* settle
        for (const [id, count] of [
          [recent, 2],
          [inHand, 0],
          [inPro, 1]
        ] as const) {
          assert.strictEqual(yield* refreshed(mine, id), count)
        }
        yield* mine.ask("POST", `/segments/${hand}/members`, { emails: ["bo@example.com"] })
        assert.strictEqual(yield* refreshed(mine, inHand), 1)
        yield* mine.ask("PATCH", `/segments/${pro}`, { condition: filter("data.plan", "exists") })
        assert.strictEqual(yield* refreshed(mine, inPro), 2)
        yield* TestClock.adjust("2 days")
        assert.strictEqual(yield* refreshed(mine, recent), 0)
      })
    )

    it.effect("of tracked segments are those of the stored members, unless changes wait for a reaction", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { react } = yield* Segments
        yield* contact(mine, "anna")
        const id = yield* create(mine, "Pro", plan("pro"), { trackMembership: true, silentStart: true })
        yield* spoil(id)
        assert.strictEqual(yield* refreshed(mine, id), wrong)
        const counted = mine.ask("POST", "/contacts/count", { segmentId: id })
        assert.deepStrictEqual((yield* counted).body, { count: wrong })
        yield* contact(mine, "bo")
        assert.deepStrictEqual((yield* counted).body, { count: 2 })
        yield* react(mine.project)
        assert.deepStrictEqual((yield* counted).body, { count: wrong + 1 })
      })
    )

    it.effect("of static segments are never counted for a page, and change with the members", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        for (const each of ["anna", "bo", "cleo"]) yield* contact(mine, each)
        const id = yield* create(mine, "By hand", undefined, { type: "STATIC" })
        const members = (method: string, ...who: ReadonlyArray<string>) =>
          mine.ask(method, `/segments/${id}/members`, { emails: who.map((each) => `${each}@example.com`) })
        const total = Effect.map(mine.ask("GET", `/segments/${id}/contacts`), ({ body }) => body.total)
        yield* members("POST", "anna", "bo")
        assert.strictEqual(yield* total, 2)
        yield* members("POST", "bo", "cleo")
        yield* members("DELETE", "anna", "nobody")
        assert.strictEqual(yield* total, 2)
        assert.deepStrictEqual((yield* mine.ask("POST", "/contacts/count", { segmentId: id })).body, { count: 2 })
        yield* spoil(id)
        assert.strictEqual(yield* total, wrong)
      })
    )

    it.effect("are taken by a round only for projects with a change, with time in a condition, and once a day", () =>
      Effect.gen(function* () {
        const quiet = yield* freshProject
        const busy = yield* freshProject
        const timed = yield* freshProject
        yield* contact(quiet, "anna")
        yield* contact(busy, "anna")
        yield* contact(timed, "anna")
        const of = [
          [quiet, yield* create(quiet, "Pro", plan("pro"))],
          [busy, yield* create(busy, "Pro", plan("pro"))],
          [timed, yield* create(timed, "New", filter("createdAt", "within", 9, "days"))]
        ] as const
        const counts = Effect.forEach(of, ([project, id]) => stored(project, id))
        const spoilAll = Effect.forEach(of, ([, id]) => spoil(id))
        yield* settle
        yield* evaluateAllSegments
        assert.deepStrictEqual(yield* counts, [1, 1, 1])
        yield* contact(busy, "bo")
        yield* settle
        yield* spoilAll
        yield* evaluateAllSegments
        assert.deepStrictEqual(yield* counts, [wrong, 2, 1])
        // A new segment is counted, without the others.
        const added = yield* create(quiet, "Free", plan("free"))
        yield* spoil(added)
        yield* evaluateAllSegments
        assert.strictEqual(yield* stored(quiet, added), 0)
        assert.deepStrictEqual(yield* counts, [wrong, 2, 1])
        yield* TestClock.adjust("1 day")
        yield* evaluateAllSegments
        assert.deepStrictEqual(yield* counts, [1, 2, 1])
      })
    )

    it.effect("are taken for every project of a round, more than one page", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* settle
        const found = yield* sql`
          insert into segments (id, project_id, name, type, condition, track_membership, slug, names, reacts_to,
                                member_count, created_at, updated_at)
          select gen_random_uuid(), gen_random_uuid(), 'Pro', 'DYNAMIC', ${JSON.stringify(plan("pro"))}::text::jsonb,
                 false, 'pro', '{*,data.plan}', '{*,data.plan}', ${wrong}::int, now(), now()
          from generate_series(1, 210) returning id`
        yield* evaluateAllSegments
        const ids = found.map(({ id }) => String(id))
        assert.deepStrictEqual(
          yield* sql`select distinct member_count as count from segments where id = any(${ids}::uuid[])`,
          [{ count: 0 }]
        )
        yield* sql`delete from segments where id = any(${ids}::uuid[])`
      })
    )

    it.effect("are divided by project among the workers that have a round at once", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const projects = yield* Effect.forEach(Array.from({ length: 6 }), () => freshProject)
        const ids = yield* Effect.forEach(
          projects,
          Effect.fnUntraced(function* (project) {
            yield* contact(project, "anna")
            const id = yield* create(project, "Pro", plan("pro"))
            yield* spoil(id)
            return id
          })
        )
        yield* settle
        yield* Effect.all([evaluateAllSegments, evaluateAllSegments, evaluateAllSegments], { concurrency: "unbounded" })
        for (const [n, project] of projects.entries()) assert.strictEqual(yield* stored(project, ids[n] ?? ""), 1)
        assert.deepStrictEqual(yield* sql`select project_id from segment_rounds where waiting`, [])
      })
    )

    it.effect("of a project are looked at again if a segment was added during its round", () =>
      Effect.gen(function* () {
        const rounds = yield* SegmentRounds.make
        const mine = yield* freshProject
        yield* contact(mine, "anna")
        yield* create(mine, "Pro", plan("pro"))
        yield* settle
        yield* evaluateAllSegments
        const sql = yield* SqlClient.SqlClient
        const isWaiting = Effect.map(
          sql`select waiting from segment_rounds where project_id = ${mine.project}`,
          ([row]) => row?.["waiting"]
        )
        /** Projects of other tests wait too. */
        const takeMine = Effect.repeat(
          Effect.tap(Effect.map(rounds.take, Option.getOrThrow), (taken) =>
            taken.project === mine.project ? Effect.void : rounds.finish(taken, true)
          ),
          { until: (taken) => taken.project === mine.project }
        )
        assert.isFalse(yield* isWaiting)
        yield* contact(mine, "bo")
        yield* rounds.queueSome(undefined, yield* DateTime.now)
        const round = yield* takeMine
        yield* create(mine, "Free", plan("free"))
        yield* rounds.renew(round)
        yield* rounds.finish(round, false)
        assert.isTrue(yield* isWaiting)
        yield* rounds.finish(yield* takeMine, false)
        assert.isFalse(yield* isWaiting)
      })
    )

    it.effect("of a project whose worker died are taken by another a minute later", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const mine = yield* freshProject
        yield* contact(mine, "anna")
        const id = yield* create(mine, "Pro", plan("pro"))
        yield* settle
        yield* spoil(id)
        const held = (seconds: number) => sql`
          insert into segment_rounds (project_id, leased_until)
          values (${mine.project}, clock_timestamp() + make_interval(secs => ${seconds}))
          on conflict (project_id) do update set waiting = true, leased_until = excluded.leased_until`
        yield* held(60)
        yield* evaluateAllSegments
        assert.strictEqual(yield* stored(mine, id), wrong)
        yield* held(-1)
        yield* evaluateAllSegments
        assert.strictEqual(yield* stored(mine, id), 1)
      })
    )
  })
}
