import { assert, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { EventLog } from "../../events/EventLog.ts"
import { scheduled } from "../../platform/jobs/PeriodicJobs.ts"
import * as ScheduledJobs from "../../service/ScheduledJobs.ts"
import * as Worker from "../../service/Worker.ts"
import { databases } from "../../testing/Databases.ts"
import { eventually } from "../../testing/Eventually.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { Segments } from "./Segments.ts"
import { filter, freshProject, isIn, moves, plan, seed, type TestProject, tally } from "./SegmentsFixture.ts"
import * as SegmentWatch from "./SegmentWatch.ts"

const create = ({ ask }: TestProject, name: string, condition: object, more: object = {}) =>
  Effect.map(ask("POST", "/segments", { name, condition, trackMembership: true, ...more }), ({ body }) => body)

/**
 * Repeats the query until the result is as expected, and advances the clock a second at a time, for less than a minute.
 */
const soon = <A, E, R>(look: Effect.Effect<A, E, R>, isWanted: (found: A) => boolean) =>
  Effect.gen(function* () {
    const begun = yield* DateTime.now
    const found = yield* eventually(Effect.andThen(TestClock.adjust("500 millis"), look), isWanted)
    assert.isBelow(DateTime.toEpochMillis(yield* DateTime.now) - DateTime.toEpochMillis(begun), 60_000)
    return found
  })

/** Entries and exits in short form: `pro+ anna` for an entry, `pro- anna` for an exit. */
const short = (project: ProjectId) =>
  Effect.map(moves(project), (found) =>
    found.map(({ name, email }) => {
      const [, slug, direction] = name.split(".")
      return `${slug}${direction === "entry" ? "+" : "-"} ${email.split("@")[0]}`
    })
  )

const becomes = (project: ProjectId, wanted: ReadonlyArray<string>) =>
  soon(short(project), (found) => JSON.stringify(found) === JSON.stringify(wanted))

const waiting = (project: ProjectId) =>
  SqlClient.SqlClient.use((sql) => sql`select names from segment_changes where project_id = ${project} order by id`)

const idle = (project: ProjectId) => soon(waiting(project), (rows) => rows.length === 0)

/** Inserts a contact without noting the change for segments. */
const unnoticed = (project: ProjectId, name: string, data: object) => seed(project, name, 1, data)

for (const [name, database] of databases()) {
  const services = wireOver(servicesOn(database))

  layer(Layer.provideMerge(Worker.layer, services), { timeout: "60 seconds" })(`A worker on ${name}`, (it) => {
    it.effect("a contact enters and leaves within seconds of any kind of change", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { ask, project, track } = mine
        yield* create(mine, "pro", plan("pro"))
        const { body: anna } = yield* ask("POST", "/contacts", { email: "anna@example.com", data: { plan: "pro" } })
        yield* becomes(project, ["pro+ anna"])
        yield* ask("POST", "/contacts", { email: "anna@example.com", data: { plan: "free" } })
        yield* becomes(project, ["pro+ anna", "pro- anna"])
        yield* ask("PATCH", `/contacts/${anna.id}`, { data: { plan: "pro" } })
        yield* becomes(project, ["pro+ anna", "pro- anna", "pro+ anna"])
        yield* ask("PATCH", `/contacts/${anna.id}`, { data: null })
        yield* becomes(project, ["pro+ anna", "pro- anna", "pro+ anna", "pro- anna"])
        yield* track({ email: "bo@example.com", event: "seen", data: { plan: "pro" } })
        yield* becomes(project, ["pro+ anna", "pro- anna", "pro+ anna", "pro- anna", "pro+ bo"])
        yield* track({ email: "bo@example.com", event: "seen", data: { plan: null } })
        yield* becomes(project, ["pro+ anna", "pro- anna", "pro+ anna", "pro- anna", "pro+ bo", "pro- bo"])
        const { body } = yield* ask("GET", "/segments")
        assert.strictEqual(body[0].memberCount, 0)
      })
    )
  })

  const loops = Layer.merge(SegmentWatch.layer, scheduled(ScheduledJobs.segments))

  // Runs without the other loops of a worker, because each of them queries the database at every step of the clock.
  layer(Layer.provideMerge(loops, services), { timeout: "60 seconds" })(`The loops for segments on ${name}`, (it) => {
    it.effect("reacts to every kind of subscription change", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { ask, project } = mine
        const contacts = yield* Contacts
        yield* create(mine, "on", filter("subscribed", "equals", true))
        const { body: anna } = yield* ask("POST", "/contacts", { email: "anna@example.com", subscribed: false })
        yield* idle(project)
        yield* ask("PATCH", `/contacts/${anna.id}`, { subscribed: true })
        yield* becomes(project, ["on+ anna"])
        yield* contacts.unsubscribeAddress(project, "anna@example.com", { reason: "one_click" })
        yield* becomes(project, ["on+ anna", "on- anna"])
        yield* ask("POST", "/contacts", { email: "anna@example.com", subscribed: true })
        yield* becomes(project, ["on+ anna", "on- anna", "on+ anna"])
      })
    )

    it.effect("reacts to a change of address", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        yield* create(mine, "test", filter("email", "endsWith", ".test"))
        const { body: anna } = yield* mine.ask("POST", "/contacts", { email: "anna@example.com" })
        yield* mine.ask("PATCH", `/contacts/${anna.id}`, { email: "anna@example.test" })
        yield* becomes(mine.project, ["test+ anna"])
      })
    )

    it.effect("reacts to an event whose data match, and to no other", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { project, track } = mine
        const where = [{ path: "amount", operator: "greaterThan", value: 50 }]
        const filters = [{ field: "event.bought", operator: "triggered", where }]
        yield* create(mine, "big", { groups: [{ filters }] })
        yield* track({ email: "anna@example.com", event: "bought", data: { amount: 20 } })
        yield* idle(project)
        assert.deepStrictEqual(yield* short(project), [])
        yield* track({ email: "anna@example.com", event: "bought", data: { amount: 80 } })
        yield* becomes(project, ["big+ anna"])
        yield* track({ email: "bo@example.com", event: "bought", data: { amount: 5 } })
        yield* idle(project)
        assert.deepStrictEqual(yield* short(project), ["big+ anna"])
      })
    )

    it.effect("reacts to an external id and to a snooze, and notices that a snooze has passed", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { ask, project } = mine
        yield* create(mine, "known", filter("externalId", "exists"))
        yield* create(mine, "asleep", filter("snoozedUntil", "exists"))
        const { body: anna } = yield* ask("POST", "/contacts", { email: "anna@example.com" })
        yield* ask("PATCH", `/contacts/${anna.id}`, { externalId: "u-1" })
        yield* becomes(project, ["known+ anna"])
        const until = DateTime.add(yield* DateTime.now, { minutes: 1 })
        yield* ask("PATCH", `/contacts/${anna.id}`, { snoozedUntil: until })
        yield* becomes(project, ["known+ anna", "asleep+ anna"])
        yield* ask("PATCH", `/contacts/${anna.id}`, { externalId: null })
        yield* becomes(project, ["known+ anna", "asleep+ anna", "known- anna"])
        yield* TestClock.adjust("10 minutes")
        yield* becomes(project, ["known+ anna", "asleep+ anna", "known- anna", "asleep- anna"])
      })
    )

    it.effect("reacts to tracked events and service events, including entries of other segments", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { ask, project, track } = mine
        const log = yield* EventLog
        yield* create(mine, "buyer", filter("event.bought", "triggered", { atLeast: 2 }))
        yield* create(mine, "opener", filter("email.opened", "triggered"))
        yield* create(mine, "chain", filter("event.segment.buyer.entry", "triggered"))
        const { body: anna } = yield* ask("POST", "/contacts", { email: "anna@example.com" })
        yield* track({ email: "anna@example.com", event: "bought" })
        yield* track({ email: "anna@example.com", event: "other" })
        yield* idle(project)
        assert.deepStrictEqual(yield* short(project), [])
        yield* track({ email: "anna@example.com", event: "bought" })
        yield* becomes(project, ["buyer+ anna", "chain+ anna"])
        const opened = { contact: ContactId.make(anna.id), name: "email.open", source: "system", data: {} } as const
        yield* log.record(project, [opened], yield* DateTime.now)
        yield* becomes(project, ["buyer+ anna", "chain+ anna", "opener+ anna"])
      })
    )

    it.effect("reacts to the members of a static segment, and to everything that a referenced segment reacts to", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { ask, project } = mine
        yield* ask("POST", "/contacts", { email: "anna@example.com" })
        const { body: hand } = yield* ask("POST", "/segments", { name: "hand", type: "STATIC" })
        const far = yield* create(mine, "far", plan("pro"), { trackMembership: false })
        const near = yield* create(mine, "near", isIn(far.id), { trackMembership: false })
        yield* create(mine, "in", isIn(hand.id))
        yield* create(mine, "out", filter(`segment.${hand.id}`, "notMemberOfSegment"), { silentStart: true })
        yield* create(mine, "linked", isIn(near.id))
        const members = `/segments/${hand.id}/members`
        yield* ask("POST", members, { emails: ["anna@example.com"] })
        yield* becomes(project, ["in+ anna", "out- anna"])
        yield* TestClock.adjust("1 second")
        yield* ask("DELETE", members, { emails: ["anna@example.com"] })
        yield* becomes(project, ["in+ anna", "out- anna", "in- anna", "out+ anna"])
        yield* ask("POST", "/contacts", { email: "anna@example.com", data: { plan: "pro" } })
        yield* becomes(project, ["in+ anna", "out- anna", "in- anna", "out+ anna", "linked+ anna"])
        // From now on the condition depends on another key.
        yield* ask("PATCH", `/segments/${far.id}`, { condition: filter("data.tier", "equals", 1) })
        yield* ask("POST", "/contacts", { email: "anna@example.com", data: { tier: 2 } })
        yield* becomes(project, ["in+ anna", "out- anna", "in- anna", "out+ anna", "linked+ anna", "linked- anna"])
      })
    )

    it.effect("evaluates only changed contacts, and only segments that depend on the change", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { ask, project } = mine
        yield* create(mine, "pro", plan("pro"))
        yield* create(mine, "tier", filter("data.tier", "equals", 1))
        yield* unnoticed(project, "quiet", { plan: "pro" })
        yield* unnoticed(project, "both", { tier: 1 })
        yield* ask("POST", "/contacts", { email: "both-1@example.com", data: { plan: "pro" } })
        yield* becomes(project, ["pro+ both-1"])
        yield* idle(project)
        assert.deepStrictEqual(yield* short(project), ["pro+ both-1"])
        // The background job finds missed changes within five minutes.
        yield* TestClock.adjust("5 minutes")
        const all = yield* soon(short(project), (found) => found.length === 3)
        assert.sameMembers(all, ["pro+ both-1", "pro+ quiet-1", "tier+ both-1"])
      })
    )

    it.effect("notes no change that no tracked segment depends on", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { ask, project, track } = mine
        yield* create(mine, "untracked", plan("pro"), { trackMembership: false })
        yield* ask("POST", "/segments", { name: "hand", type: "STATIC", trackMembership: true })
        const all = Effect.gen(function* () {
          yield* track({ email: "anna@example.com", event: "seen", data: { other: 1 } })
          const { body } = yield* ask("POST", "/contacts", { email: "anna@example.com", subscribed: false })
          yield* ask("PATCH", `/contacts/${body.id}`, { data: { another: 2 } })
          return yield* waiting(project)
        })
        assert.deepStrictEqual(yield* all, [])
        yield* create(mine, "tracked", plan("pro"))
        assert.deepStrictEqual(yield* all, [])
      })
    )

    it.effect("the background job finds changes caused by time alone, and counts untracked segments", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { ask, project } = mine
        const fresh = yield* create(mine, "fresh", filter("createdAt", "within", 7, "minutes"))
        const untracked = yield* create(mine, "untracked", plan("pro"), { trackMembership: false })
        yield* ask("POST", "/contacts", { email: "anna@example.com", data: { plan: "pro" } })
        yield* becomes(project, ["fresh+ anna"])
        const countOf = (id: string) => Effect.map(ask("GET", `/segments/${id}`), ({ body }) => body.memberCount)
        yield* TestClock.adjust("5 minutes")
        yield* soon(countOf(untracked.id), (count) => count === 1)
        assert.deepStrictEqual([yield* countOf(fresh.id), yield* short(project)], [1, ["fresh+ anna"]])
        yield* TestClock.adjust("5 minutes")
        yield* becomes(project, ["fresh+ anna", "fresh- anna"])
        assert.strictEqual(yield* countOf(fresh.id), 0)
      })
    )

    it.effect("a project whose segments cannot be evaluated does not delay others", () =>
      Effect.gen(function* () {
        const broken = yield* freshProject
        const mine = yield* freshProject
        const sql = yield* SqlClient.SqlClient
        const segment = yield* create(broken, "broken", plan("pro"))
        yield* create(mine, "pro", plan("pro"))
        yield* sql`update segments set condition = '{"groups": 1}' where id = ${segment.id}`
        yield* broken.track({ email: "anna@example.com", event: "seen", data: { plan: "pro" } })
        yield* mine.track({ email: "bo@example.com", event: "seen", data: { plan: "pro" } })
        yield* becomes(mine.project, ["pro+ bo"])
        assert.isNotEmpty(yield* waiting(broken.project))
        yield* sql`update segments set condition = ${JSON.stringify(plan("pro"))}::text::jsonb where id = ${segment.id}`
        yield* becomes(broken.project, ["broken+ anna"])
      })
    )
  })

  layer(services, { timeout: "60 seconds" })(`Changes on ${name}`, (it) => {
    it.effect("a failed batch stays in the queue, and records its events once when it succeeds", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { project } = mine
        const sql = yield* SqlClient.SqlClient
        const { react } = yield* Segments
        yield* create(mine, "pro", plan("pro"))
        yield* mine.track({ email: "anna@example.com", event: "seen", data: { plan: "pro" } })
        yield* sql`alter table segments add constraint broken check (member_count = 0) not valid`
        const exit = yield* Effect.exit(react(project))
        yield* sql`alter table segments drop constraint broken`
        assert.isTrue(Exit.hasDies(exit))
        assert.deepStrictEqual([yield* short(project), (yield* waiting(project)).length], [[], 1])
        assert.strictEqual(yield* react(project), 1)
        assert.strictEqual(yield* react(project), 0)
        assert.deepStrictEqual(yield* short(project), ["pro+ anna"])
      })
    )

    it.effect("notes only what changed, or everything for a new contact", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { ask, project, track } = mine
        const groups = ["data.a", "data.b"].flatMap((field) => filter(field, "exists").groups)
        yield* create(mine, "all", { groups: [...groups, ...filter("event.seen", "triggered").groups] })
        yield* track({ email: "anna@example.com", event: "seen" })
        const { body } = yield* ask("POST", "/contacts", { email: "anna@example.com", data: { a: 1, c: 1 } })
        yield* ask("POST", "/contacts", { email: "anna@example.com", data: { a: 1 } })
        yield* TestClock.adjust("1 second")
        yield* ask("PATCH", `/contacts/${body.id}`, { data: { b: 1, a: null } })
        yield* ask("PATCH", `/contacts/${body.id}`, { subscribed: false })
        yield* TestClock.adjust("1 second")
        yield* ask("POST", "/contacts", { email: "anna@example.com", data: { b: 1 } })
        yield* track({ email: "anna@example.com", event: "seen" })
        yield* ask("PATCH", `/contacts/${body.id}`, { data: null })
        const names = (yield* waiting(project)).map(({ names }) => [...(names as ReadonlyArray<string>)].sort())
        assert.sameDeepMembers(names.slice(0, 2), [["*"], ["event.seen"]])
        assert.deepInclude(names, ["data.a", "data.b", "updatedAt"])
        assert.deepStrictEqual(names.slice(-2), [["event.seen"], ["*"]])
        assert.isFalse(names.some((each) => each.includes("email")))
      })
    )

    it.effect("two workers share the changes, and each join and leave has one event", () =>
      Effect.gen(function* () {
        const mine = yield* freshProject
        const { ask, project } = mine
        const contacts = yield* Contacts
        for (const n of [1, 2, 3]) yield* create(mine, `pro ${n}`, plan("pro"))
        const touch = (value: string, from: number) =>
          contacts.upsertMany(
            project,
            Array.makeBy(500, (n) => ({
              email: `c${from + n}@example.com`,
              subscribedWhenNew: true,
              data: { plan: value }
            })),
            { reason: "import" }
          )
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* Layer.build(Layer.fresh(SegmentWatch.layer))
            yield* Layer.build(Layer.fresh(SegmentWatch.layer))
            yield* Effect.forEach([0, 500, 1000, 250], (from) => touch("pro", from), { concurrency: "unbounded" })
            yield* soon(tally(project), ({ entries }) => entries >= 4500)
            yield* Effect.forEach([0, 500, 1000, 250], (from) => touch("free", from), { concurrency: "unbounded" })
            yield* soon(tally(project), ({ exits }) => exits >= 4500)
            yield* idle(project)
          })
        )
        assert.deepStrictEqual(yield* tally(project), { entries: 4500, exits: 4500, isOnceEach: true })
        const { body } = yield* ask("GET", "/segments")
        assert.deepStrictEqual(
          body.map(({ memberCount }: { memberCount: number }) => memberCount),
          [0, 0, 0]
        )
      })
    )
  })
}
