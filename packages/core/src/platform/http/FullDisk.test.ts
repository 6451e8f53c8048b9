import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import * as FullDisk from "./FullDisk.ts"

const failed = (cause: unknown) =>
  new SqlError.SqlError({ reason: new SqlError.UnknownError({ message: "failed", cause }) })

it("a full disk is detected by its code or the message of the system, and nothing else is", () => {
  assert.isTrue(FullDisk.isDiskFull(failed({ code: "53100" })))
  assert.isTrue(FullDisk.isDiskFull(failed(new Error("x", { cause: { code: "ENOSPC" } }))))
  assert.isTrue(FullDisk.isDiskFull(failed(new Error('could not extend file "1": No space left on device'))))
  assert.isFalse(FullDisk.isDiskFull(failed({ code: "53200" })))
  assert.isFalse(FullDisk.isDiskFull(new Error("No space left on device")))
})

it.effect("a process that may not write a test row takes no work for 30 seconds after a full disk", () =>
  Effect.gen(function* () {
    const isFullNow = FullDisk.isStillFull(Effect.fail(failed({ code: "42501" })))
    assert.isFalse(yield* isFullNow)
    yield* FullDisk.noteFull
    yield* TestClock.adjust("29 seconds")
    assert.isTrue(yield* isFullNow)
    yield* TestClock.adjust("2 seconds")
    assert.isFalse(yield* isFullNow)
  }).pipe(Effect.ensuring(FullDisk.forget))
)

it.effect("a disk counts as full until a write succeeds", () =>
  Effect.gen(function* () {
    yield* FullDisk.noteFull
    yield* TestClock.adjust("1 hour")
    assert.isTrue(yield* FullDisk.isStillFull(Effect.fail(failed({ code: "53100" }))))
    assert.isFalse(yield* FullDisk.isStillFull(Effect.void))
    assert.isFalse(yield* FullDisk.isStillFull(Effect.fail(failed({ code: "53100" }))))
  }).pipe(Effect.ensuring(FullDisk.forget))
)
