import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { folder, platform } from "./MailboxTesting.ts"
import * as Tries from "./Tries.ts"

it.effect(
  "counts the attempts of each mail separately, keeps them over a restart, and drops the least recently used",
  () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* folder
      const countTry = yield* Tries.make(path)
      const both = yield* Effect.forEach(["a", "b", "a"], countTry, { concurrency: "unbounded" })
      assert.deepStrictEqual(both, [1, 1, 2])
      const restarted = yield* Tries.make(path)
      assert.strictEqual(yield* restarted("a"), 3)
      const others = Array.from({ length: 999 }, (_, n) => [`other ${n}`, 1])
      yield* fs.writeFileString(join(path, "deferred.json"), JSON.stringify([["b", 1], ["a", 3], ...others]))
      const full = yield* Tries.make(path)
      assert.deepStrictEqual([yield* full("a"), yield* full("b")], [4, 1])
      yield* fs.writeFileString(join(path, "deferred.json"), "[[1")
      const broken = yield* Tries.make(path)
      assert.strictEqual(yield* broken("a"), 1)
    }).pipe(Effect.provide(platform))
)
