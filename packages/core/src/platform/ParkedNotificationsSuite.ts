/** Tests of the promises of ParkedNotifications, over any layer. The storage has no other notifications. */
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { at } from "../testing/StoreValues.ts"
import { type Parked, ParkedNotifications } from "./ParkedNotifications.ts"
import { Transaction } from "./Transaction.ts"

const parked = (n: number, kind = "ses"): Parked => ({ kind, id: `n${n}`, payload: `{"n":${n},"ä":"\\\\"}` })

const byId = (one: Parked, two: Parked) => one.id.localeCompare(two.id)

export const parkedNotificationsSuite = (name: string, storage: Layer.Layer<ParkedNotifications | Transaction>) => {
  /** No notification of an earlier test remains. */
  const fresh = Effect.gen(function* () {
    const store = yield* ParkedNotifications
    yield* store.expire(at(1_000))
    yield* store.sweepReceipts(at(1_000))
    return store
  })

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("parks a notification of a kind once, and returns it until it is dropped", () =>
      Effect.gen(function* () {
        const store = yield* fresh
        assert.isTrue(yield* store.park(parked(1), at(0)))
        assert.isFalse(yield* store.park({ ...parked(1), payload: "{}" }, at(1)))
        assert.isTrue(yield* store.park(parked(1, "stripe"), at(0)))
        assert.sameDeepMembers([...(yield* store.take(10, at(1), at(1)))], [parked(1), parked(1, "stripe")])
        yield* store.drop(parked(1))
        assert.deepStrictEqual(yield* store.take(10, at(2), at(2)), [parked(1, "stripe")])
        assert.isTrue(yield* store.park(parked(1), at(3)))
      })
    )

    it.effect("takes those that were not tried since a time, the longest waiting first", () =>
      Effect.gen(function* () {
        const store = yield* fresh
        for (const [n, minute] of [
          [1, 3],
          [2, 1],
          [3, 2],
          [4, 2]
        ] as const) {
          yield* store.park(parked(n), at(minute))
        }
        const take = (limit: number, before: number, now: number) =>
          Effect.map(store.take(limit, at(before), at(now)), (found) => [...found].sort(byId))
        assert.deepStrictEqual(yield* take(10, 1, 5), [])
        assert.deepStrictEqual(yield* take(2, 9, 5), [parked(2), parked(3)])
        assert.deepStrictEqual(yield* take(10, 5, 6), [parked(1), parked(4)])
        assert.deepStrictEqual(yield* take(10, 6, 7), [parked(2), parked(3)])
      })
    )

    it.effect("concurrent workers take different ones", () =>
      Effect.gen(function* () {
        const store = yield* fresh
        const { run } = yield* Transaction
        for (const n of [1, 2, 3, 4]) yield* store.park(parked(n), at(0))
        const taken = yield* Effect.forEach([1, 2], () => run(store.take(2, at(1), at(2))), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(taken.flat().toSorted(byId), [parked(1), parked(2), parked(3), parked(4)])
      })
    )

    it.effect("expires what was parked before a time, even if it was tried since", () =>
      Effect.gen(function* () {
        const store = yield* fresh
        for (const n of [1, 2, 3]) yield* store.park(parked(n), at(n))
        yield* store.take(10, at(9), at(9))
        assert.strictEqual(yield* store.expire(at(3)), 2)
        assert.deepStrictEqual(yield* store.take(10, at(10), at(10)), [parked(3)])
      })
    )

    it.effect("stores a receipt of a kind once, and sweeps old ones", () =>
      Effect.gen(function* () {
        const store = yield* fresh
        const { run } = yield* Transaction
        assert.isTrue(yield* store.receive("ses", "r1", at(0)))
        assert.isFalse(yield* store.receive("ses", "r1", at(1)))
        assert.isTrue(yield* store.receive("stripe", "r1", at(1)))
        yield* Effect.flip(run(Effect.andThen(store.receive("ses", "r2", at(1)), Effect.fail("undone"))))
        assert.isTrue(yield* store.receive("ses", "r2", at(1)))
        yield* store.sweepReceipts(at(1))
        assert.isTrue(yield* store.receive("ses", "r1", at(2)))
        assert.isFalse(yield* store.receive("stripe", "r1", at(2)))
        assert.isFalse(yield* store.receive("ses", "r2", at(2)))
      })
    )
  })
}
