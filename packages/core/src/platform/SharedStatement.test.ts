import { assert, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { ConnectionError, SqlError, UniqueViolation } from "effect/sql/SqlError"
import { pglite } from "../testing/Databases.ts"
import * as SharedStatement from "./SharedStatement.ts"

const refused = new SqlError({ reason: new UniqueViolation({ cause: "refused", constraint: "all" }) })
const lost = new SqlError({ reason: new ConnectionError({ cause: "lost" }) })

/** A statement that notes what it ran with. It waits for the gate, which the first item is to reach alone. */
const statement = Effect.gen(function* () {
  const gate = yield* Deferred.make<void>()
  const runs: Array<ReadonlyArray<string>> = []
  const run = Effect.fnUntraced(function* (items: ReadonlyArray<string>) {
    runs.push(items)
    yield* Deferred.await(gate)
    if (items.includes("lost")) return yield* lost
    if (items.includes("faulty")) return yield* refused
    return (item: string) => `${item} of ${items.length}`
  })
  return { run, runs, open: Deferred.succeed(gate, undefined) }
})

layer(pglite)("A statement that callers share", (it) => {
  /** Two items hold both writers, and the others wait for them. */
  const courses = Effect.fnUntraced(function* (
    items: ReadonlyArray<string>,
    sizeOf: (item: string) => number = () => 0
  ) {
    const { open, run, runs } = yield* statement
    const ask = yield* SharedStatement.make({
      ...{ run, sizeOf, failed: "failed" },
      mayShare: (item) => item !== "large",
      // "b1" and "b2" have the same key.
      keyOf: (item) => item[0]
    })
    const held = yield* Effect.forEach(["one", "two"], (item) =>
      Effect.tap(Effect.forkChild(ask(item), { startImmediately: true }), () => Effect.yieldNow)
    )
    while (runs.length < 2) yield* Effect.yieldNow
    const fibers = yield* Effect.forEach(items, (item) => Effect.forkChild(ask(item), { startImmediately: true }))
    yield* Effect.yieldNow
    return { fibers: [...held, ...fibers], open, runs }
  })

  it.effect("runs once for those that arrive while it runs, and answers each", () =>
    Effect.gen(function* () {
      const { fibers, open, runs } = yield* courses(["a", "b", "c"])
      yield* open
      assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), [
        "one of 1",
        "two of 1",
        "a of 3",
        "b of 3",
        "c of 3"
      ])
      assert.deepStrictEqual(runs, [["one"], ["two"], ["a", "b", "c"]])
    })
  )

  it.effect("runs again for each of them if the database refuses it", () =>
    Effect.gen(function* () {
      const { fibers, open, runs } = yield* courses(["a", "faulty", "c"])
      yield* open
      const exits = yield* Effect.forEach(fibers.slice(2), Fiber.await)
      assert.deepStrictEqual(exits, [Exit.succeed("a of 1"), Exit.fail(refused), Exit.succeed("c of 1")])
      assert.deepStrictEqual(runs.slice(2), [["a", "faulty", "c"], ["a"], ["faulty"], ["c"]])
    })
  )

  it.effect("does not run again if the connection was lost: it may have had effects", () =>
    Effect.gen(function* () {
      const { fibers, open, runs } = yield* courses(["a", "lost"])
      yield* open
      const exits = yield* Effect.forEach(fibers.slice(2), Fiber.await)
      assert.deepStrictEqual(exits, [Exit.fail(lost), Exit.fail(lost)])
      assert.deepStrictEqual(runs.slice(2), [["a", "lost"]])
    })
  )

  it.effect("has each key once: the others of it run alone", () =>
    Effect.gen(function* () {
      const { fibers, open, runs } = yield* courses(["a1", "b1", "b2", "c1", "b3"])
      yield* open
      yield* Effect.forEach(fibers, Fiber.join)
      assert.sameDeepMembers(runs.slice(2), [["a1", "b1", "c1"], ["b2"], ["b3"]])
    })
  )

  it.effect("has a hundred items and a million characters at most, and none above 64 kB", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 150 }, (_, n) => String.fromCharCode(0x4e00 + n))
      const ofMany = yield* courses(many)
      yield* ofMany.open
      yield* Effect.forEach(ofMany.fibers, Fiber.join)
      assert.sameMembers(
        ofMany.runs.slice(2).map(({ length }) => length),
        [100, 50]
      )
      const large = many.slice(0, 40)
      const ofLarge = yield* courses(large, (item) => (item === large[39] ? 65_537 : 50_000))
      // The one that is too large does not wait.
      assert.deepStrictEqual(ofLarge.runs[2], large.slice(39))
      yield* ofLarge.open
      yield* Effect.forEach(ofLarge.fibers, Fiber.join)
      assert.sameMembers(
        ofLarge.runs.slice(3).map(({ length }) => length),
        [20, 19]
      )
    })
  )

  it.effect("runs without those who have left", () =>
    Effect.gen(function* () {
      const { fibers, open, runs } = yield* courses(["a", "b"])
      const [, , a] = fibers
      yield* Fiber.interrupt(a ?? (yield* Effect.die("no fiber")))
      yield* open
      yield* Effect.forEach(fibers, Fiber.await)
      assert.deepStrictEqual(runs.slice(2), [["b"]])
    })
  )

  it.effect("is not shared by callers in a transaction, nor by items that may not share", () =>
    Effect.gen(function* () {
      const { open, run, runs } = yield* statement
      yield* open
      const sql = yield* SqlClient.SqlClient
      const ask = yield* SharedStatement.make({ run, mayShare: (item) => item !== "large", failed: "failed" })
      const inside = sql.withTransaction(ask("inside"))
      const answers = yield* Effect.all([inside, ask("large"), ask("large"), ask("a"), ask("b")], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(answers.slice(0, 3), ["inside of 1", "large of 1", "large of 1"])
      assert.deepStrictEqual(
        runs
          .filter((items) => items.length > 1)
          .flat()
          .includes("large"),
        false
      )
    })
  )

  it.effect("fails for all of them if it has a defect", () =>
    Effect.gen(function* () {
      const ask = yield* SharedStatement.make({
        run: (_: ReadonlyArray<string>) => Effect.die("broken"),
        mayShare: () => true,
        failed: "failed"
      })
      const exit = yield* Effect.exit(ask("a"))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    })
  )
})
