import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { MailerError } from "../../platform/Mailer.ts"
import * as AdaptiveConcurrency from "./AdaptiveConcurrency.ts"

const unreachable = new MailerError({ reason: "unreachable", transport: "smtp1", reply: "connection refused" })

it.effect("a pause ends when its time has passed, whatever the wall clock is set to", () =>
  Effect.gen(function* () {
    const pace = yield* AdaptiveConcurrency.make(8)
    yield* pace.failed(unreachable, false)
    for (const [millis, wall] of [
      [1_000, -3_600_000],
      [2_000, -86_400_000]
    ] as const) {
      yield* TestClock.setTime(wall)
      assert.strictEqual(yield* pace.room, 0)
      yield* TestClock.adjust(millis - 1)
      assert.strictEqual(yield* pace.room, 0)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* pace.room, 1)
      yield* pace.failed(unreachable, false)
    }
    yield* TestClock.adjust("4 seconds")
    yield* pace.succeeded
    assert.strictEqual(yield* pace.room, 8)
  })
)
