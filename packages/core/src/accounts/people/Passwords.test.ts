import { assert, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Redacted } from "effect"
import { Overloaded } from "../../platform/http/Overloaded.ts"
import { crypto } from "../../testing/Services.ts"
import { PasswordHash } from "./PasswordHash.ts"
import * as Passwords from "./Passwords.ts"

it.effect("two hashes run at once, forty requests wait, and more are refused before they run", () =>
  Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    let running = 0
    let began = 0
    const slow = PasswordHash.of({
      hash: () => Effect.succeed("hash"),
      verify: () =>
        Effect.sync(() => running++).pipe(
          Effect.andThen(Deferred.await(gate)),
          Effect.ensuring(Effect.sync(() => running--)),
          Effect.as(true)
        ),
      isOutdated: () => false
    })
    const passwords = yield* Effect.provideService(Passwords.make, PasswordHash, slow)
    const request = passwords.inLine(
      Effect.suspend(() => {
        began++
        return passwords.matches("hash", Redacted.make("given"))
      })
    )
    const fibers = yield* Effect.forEach(Array.from({ length: 100 }), () => Effect.forkChild(Effect.exit(request)))
    yield* Effect.yieldNow
    yield* Effect.yieldNow
    assert.strictEqual(began, Passwords.longestLine)
    assert.strictEqual(running, 2)

    yield* Deferred.succeed(gate, undefined)
    const exits = yield* Effect.forEach(fibers, Fiber.join)
    const refused = exits.filter(Exit.isFailure)
    assert.lengthOf(exits.filter(Exit.isSuccess), Passwords.longestLine)
    for (const { cause } of refused) assert.instanceOf(Cause.squash(cause), Overloaded)
    // The line is free again.
    assert.isTrue(yield* request)
  }).pipe(Effect.provide(crypto))
)
