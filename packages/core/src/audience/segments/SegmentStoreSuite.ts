/** Tests of the promises of SegmentStore, over any layer. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type DateTime, Effect, type Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Transaction } from "../../platform/Transaction.ts"
import { at, freshProject, numberOf, uuid } from "../../testing/StoreValues.ts"
import { type Links, type NewSegment, type SegmentContent, SegmentStore } from "./SegmentStore.ts"

const id = (n: number) => SegmentId.make(uuid(n))

const condition: SegmentContent["condition"] = {
  logic: "AND",
  groups: [{ filters: [{ field: "data.plan", operator: "equals", value: 'grüße "\\"' }] }]
}

const segment = (n: number, more: Partial<NewSegment> = {}): NewSegment => ({
  id: id(n),
  slug: `slug-of-${n}`,
  name: `Segment ${n}`,
  description: 'Grüße \\ "eins"',
  type: "DYNAMIC",
  condition,
  trackMembership: true,
  memberCount: 0,
  refersTo: [],
  names: [`data.of${n}`],
  ...more
})

/** One changed value for each field. */
const changes: ReadonlyArray<Partial<SegmentContent>> = [
  { name: "Other" },
  { description: null },
  { description: "" },
  { condition: { logic: "OR", groups: [{ filters: [{ field: "subscribed", operator: "equals", value: true }] }] } },
  { trackMembership: false },
  { name: "All", description: "All", trackMembership: false }
]

export const segmentStoreSuite = (
  name: string,
  storage: Layer.Layer<SegmentStore | SqlClient.SqlClient | Transaction>
) => {
  const fresh = Effect.all({ project: freshProject, other: freshProject, store: SegmentStore })

  const add = (project: ProjectId, n: number, more: Partial<NewSegment> = {}, now = at(0)) =>
    SegmentStore.use((store) => Effect.map(store.insert(project, segment(n, more), now), Option.getOrThrow))

  const counted = (project: ProjectId, n: number) =>
    SegmentStore.use((store) => Effect.map(store.counted(project, id(n)), ([found]) => found ?? assert.fail("none")))

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("returns every field as it was written", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const inserted = yield* add(project, 1, { memberCount: 3 })
        const { refersTo: _, names: __, ...shown } = segment(1, { memberCount: 3 })
        assert.deepStrictEqual(inserted, { ...shown, projectId: project, createdAt: at(0), updatedAt: at(0) })
        assert.deepStrictEqual(yield* store.find(project, id(1)), Option.some(inserted))
        const bare = { description: null, type: "STATIC", condition: null, trackMembership: false, names: [] } as const
        const { names: ___, ...stored } = bare
        assert.deepInclude(yield* add(project, 2, bare), stored)
      })
    )

    it.effect("a slug belongs to one segment of a project, also of concurrent ones", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        yield* add(other, 9, { slug: "pro" })
        const made = yield* Effect.forEach(
          [1, 2, 3],
          (n) => store.insert(project, segment(n, { slug: "pro" }), at(0)),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(made.filter(Option.isSome), 1)
        for (const [n, slug] of ["pro-2", "pro-x", "pros", "pr"].entries()) yield* add(project, 10 + n, { slug })
        const taken = yield* store.takenSlugs(project, "pro")
        assert.deepStrictEqual(
          ["pro", "pro-2", "pro-3", "pros", "pr"].filter((slug) => taken.has(slug)),
          ["pro", "pro-2"]
        )
        assert.isFalse((yield* store.takenSlugs(other, "pro")).has("pro-2"))
      })
    )

    it.effect("lists the newest first, at one time by id", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        yield* add(project, 1, {}, at(5))
        yield* add(project, 3, {}, at(1))
        yield* add(project, 2, {}, at(1))
        yield* add(other, 4, {}, at(1))
        assert.deepStrictEqual((yield* store.list(project)).map(numberOf), [1, 3, 2])
      })
    )

    it.effect.each(changes)("changes only the given fields: %j", (change) =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const before = yield* add(project, 1)
        const sibling = yield* add(project, 2)
        const after = Option.some({ ...before, ...change, updatedAt: at(1) })
        assert.deepStrictEqual(yield* store.update(project, id(1), change, at(1)), after)
        assert.deepStrictEqual(yield* store.update(project, id(1), change, at(2)), after)
        assert.deepStrictEqual(yield* store.find(project, id(1)), after)
        assert.deepStrictEqual(yield* store.find(project, id(2)), Option.some(sibling))
      })
    )

    it.effect("changes a segment only as the caller has read it", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const { updatedAt } = yield* add(project, 1)
        const rename = (name: string, of?: DateTime.Utc | null) => store.update(project, id(1), { name }, at(0), of)
        const first = Option.getOrThrow(yield* rename("first", updatedAt))
        assert.isAbove(first.updatedAt.epochMilliseconds, updatedAt.epochMilliseconds)
        assert.deepStrictEqual(yield* rename("second", updatedAt), Option.none())
        assert.deepStrictEqual(yield* store.find(project, id(1)), Option.some(first))
        assert.isTrue(Option.isSome(yield* rename("third", null)))
      })
    )

    it.effect("one compute at a time has the turn, until it releases it or is dead", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const sql = yield* SqlClient.SqlClient
        yield* add(project, 1)
        yield* add(other, 1)
        const [first, second] = [randomUUID(), randomUUID()]
        assert.isTrue(yield* store.claimTurn(project, id(1), first))
        assert.isFalse(yield* store.claimTurn(project, id(1), second))
        assert.isTrue(yield* store.claimTurn(other, id(1), second))
        assert.isTrue(Option.isSome(yield* store.holdTurn(project, id(1), first)))
        assert.deepStrictEqual(yield* store.holdTurn(project, id(1), second), Option.none())
        yield* store.releaseTurn(project, id(1), second)
        yield* store.releaseTurn(other, id(1), first)
        assert.isFalse(yield* store.claimTurn(project, id(1), second))
        yield* store.releaseTurn(project, id(1), first)
        assert.isTrue(yield* store.claimTurn(project, id(1), second))

        yield* sql`update segments set computing_until = clock_timestamp() - interval '1 second'
                   where project_id = ${project}`
        assert.isTrue(yield* store.claimTurn(project, id(1), first))
        assert.deepStrictEqual(yield* store.holdTurn(project, id(1), second), Option.none())
        assert.isFalse(yield* store.claimTurn(project, id(9), first))
      })
    )

    it.effect("locks the tracked dynamic segments that react to a name", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        yield* add(project, 3, { names: ["data.plan", "email"] })
        yield* add(project, 1, { names: ["email"] })
        yield* add(project, 2, { names: ["email"], trackMembership: false })
        yield* add(project, 4, { names: ["email"], type: "STATIC" })
        yield* add(project, 5, { names: ["subscribed"] })
        yield* add(other, 6, { names: ["email"] })
        const { run } = yield* Transaction
        const reacting = (names: ReadonlyArray<string>) =>
          Effect.map(run(store.lockReacting(project, names)), (found) =>
            found.map(({ segment, reactsTo }) => [numberOf(segment), reactsTo])
          )
        assert.deepStrictEqual(yield* reacting(["email", "other"]), [
          [1, ["email"]],
          [3, ["data.plan", "email"]]
        ])
        assert.deepStrictEqual(yield* reacting(["data"]), [])
        assert.deepStrictEqual(yield* reacting([]), [])
      })
    )

    it.effect("a locked segment changes in one transaction at a time", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const { run } = yield* Transaction
        yield* add(project, 1)
        const raise = run(
          Effect.gen(function* () {
            const { memberCount } = Option.getOrThrow(yield* store.lock(project, id(1)))
            yield* store.setCount(project, id(1), memberCount + 1, true, null)
          })
        )
        yield* Effect.all([raise, raise, raise, raise], { concurrency: "unbounded" })
        assert.strictEqual(Option.getOrThrow(yield* store.find(project, id(1))).memberCount, 4)
        assert.deepStrictEqual(yield* run(store.lock(project, id(9))), Option.none())
      })
    )

    it.effect("stores a count with what it comes from", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        yield* add(project, 2)
        const before = yield* add(project, 1)
        yield* add(other, 1)
        assert.deepInclude(yield* counted(project, 1), { reactsTo: ["data.of1"], countedMark: null, settled: true })
        assert.deepStrictEqual(
          (yield* store.counted(project)).map(({ segment }) => numberOf(segment)),
          [1, 2]
        )
        yield* store.setCount(project, id(1), 7, true, "mark")
        const seven = yield* counted(project, 1)
        assert.deepInclude(seven, { countedMark: "mark", settled: true })
        assert.deepStrictEqual(seven.segment, { ...before, memberCount: 7 })

        // The number is unchanged, so the members still agree with it.
        yield* store.refreshCount(seven, 7, "next")
        const same = yield* counted(project, 1)
        assert.deepInclude(same, { countedMark: "next", settled: true })
        yield* store.refreshCount(same, 8, "last")
        const eight = yield* counted(project, 1)
        assert.deepInclude(eight, { countedMark: "last", settled: false })
        assert.strictEqual(eight.segment.memberCount, 8)
        // It has changed since it was read.
        yield* store.refreshCount(same, 9, "late")
        yield* store.update(project, id(1), { name: "Changed" }, at(1))
        yield* store.refreshCount(eight, 9, "late")
        assert.deepInclude(yield* counted(project, 1), { countedMark: "last" })
        assert.deepInclude(yield* counted(other, 1), { countedMark: null, settled: true })
        assert.isFalse((yield* Effect.andThen(add(project, 3, { memberCount: 1 }), counted(project, 3))).settled)
      })
    )

    it.effect("a segment reacts to what it reaches, after each change of a reference", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const links = (refersTo: ReadonlyArray<number>, names: ReadonlyArray<string>): Links => ({
          refersTo: refersTo.map(id),
          names
        })
        yield* add(project, 1, links([], ["data.a"]))
        yield* add(project, 2, links([1], ["segment.1"]))
        yield* add(project, 3, links([2], ["segment.2", "email"]))
        yield* add(project, 4, links([], ["data.a"]))
        yield* add(other, 1, links([], ["data.z"]))
        for (const n of [1, 2, 3, 4]) yield* store.setCount(project, id(n), 0, true, "mark")
        const reactions = Effect.map(store.counted(project), (found) =>
          found.map(({ reactsTo, countedMark }) => [[...reactsTo].sort().join(" "), countedMark])
        )
        yield* store.relink(project, id(1))
        const linked = ["data.a", "data.a segment.1", "data.a email segment.1 segment.2"]
        assert.deepStrictEqual(yield* reactions, [...linked.map((names) => [names, null]), ["data.a", "mark"]])
        yield* store.update(project, id(2), links([], ["data.b"]), at(1))
        yield* store.relink(project, id(2))
        assert.deepStrictEqual(
          (yield* reactions).map(([names]) => names),
          ["data.a", "data.b", "data.b email segment.2", "data.a"]
        )
        const numbers = Effect.map((found: ReadonlyArray<{ readonly id: string }>) => found.map(numberOf).sort())
        assert.deepStrictEqual(yield* numbers(store.closure(project, [id(3)])), [2, 3])
        assert.deepStrictEqual(yield* numbers(store.closure(project, [id(1), id(4), id(9)])), [1, 4])
        assert.deepStrictEqual(yield* numbers(store.closure(other, [id(3)])), [])
      })
    )

    it.effect("knows which conditions name a segment or a name, oldest first", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        yield* add(project, 1)
        yield* add(project, 3, { refersTo: [id(1)], names: ["email"] }, at(2))
        yield* add(project, 2, { refersTo: [id(1), id(3)], names: ["email", "data.b"] }, at(3))
        yield* add(other, 4, { refersTo: [id(1)], names: ["email"] })
        const both = [
          { id: id(3), name: "Segment 3" },
          { id: id(2), name: "Segment 2" }
        ]
        assert.deepStrictEqual(yield* store.referring(project, id(1)), both)
        assert.deepStrictEqual(yield* store.referring(project, id(2)), [])
        assert.deepStrictEqual(yield* store.naming(project, "email"), both)
        assert.deepStrictEqual(yield* store.naming(project, "data.b"), both.slice(1))
        assert.deepStrictEqual(yield* store.naming(project, "data"), [])
      })
    )

    it.effect("changes of references in a locked project run one after another", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const { run } = yield* Transaction
        const counts = yield* Effect.forEach(
          [1, 2, 3, 4],
          (n) =>
            run(
              Effect.gen(function* () {
                yield* store.lockGraph(project)
                const before = yield* store.list(project)
                yield* add(project, n)
                return before.length
              })
            ),
          { concurrency: "unbounded" }
        )
        assert.sameMembers(counts, [0, 1, 2, 3])
      })
    )

    it.effect("deletes once, and never touches another project", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const stored = Option.some(yield* add(project, 1))
        assert.deepStrictEqual(yield* store.find(other, id(1)), Option.none())
        assert.deepStrictEqual(yield* store.update(other, id(1), { name: "taken" }, at(1)), Option.none())
        yield* store.setCount(other, id(1), 9, false, "theirs")
        yield* store.relink(other, id(1))
        assert.deepStrictEqual(yield* store.counted(other), [])
        assert.isFalse(yield* store.delete(other, id(1)))
        assert.deepStrictEqual(yield* store.find(project, id(1)), stored)
        assert.isTrue(yield* store.delete(project, id(1)))
        assert.isFalse(yield* store.delete(project, id(1)))
      })
    )
  })
}
