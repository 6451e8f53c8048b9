import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { load, PackageMissing } from "./OptionalPackage.ts"

it.effect("a package that is missing is named with the command that installs it", () =>
  Effect.gen(function* () {
    const name = "posthorn-not-installed"
    const refused = yield* Effect.flip(load(name, "The test", () => import(name)))
    assert.instanceOf(refused, PackageMissing)
    assert.strictEqual(
      refused.message,
      "The test needs the package posthorn-not-installed. Run: npm install posthorn-not-installed"
    )
  })
)

it.effect("a package that fails for another reason is not called missing", () =>
  Effect.gen(function* () {
    const exit = yield* Effect.exit(load("stripe", "The test", () => Promise.reject(new Error("stripe is broken"))))
    assert.match(String(exit), /stripe is broken/)
    assert.notMatch(String(exit), /npm install/)
  })
)
