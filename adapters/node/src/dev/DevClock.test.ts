import { assert, it } from "@effect/vitest"
import { inRealTime } from "@posthorn/platform-node/RealTime"
import { Clock, DateTime, Duration, Effect, Fiber } from "effect"
import * as DevClock from "./DevClock.ts"

const days = Duration.days(3)

const on = (clock: DevClock.DevClock) => Effect.provideService(Clock.Clock, clock)

it.live("starts ahead by its offset", () =>
  Effect.gen(function* () {
    const before = yield* DateTime.now
    const now = yield* on(DevClock.make(days))(DateTime.now)
    assert.isTrue(DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(before, days)))
  })
)

it.live("moves forward by each advance, and never back", () =>
  Effect.gen(function* () {
    const clock = DevClock.make()
    yield* clock.advance(days)
    yield* clock.advance(Duration.millis(-5))
    yield* clock.advance(Duration.hours(1))
    assert.strictEqual(Duration.toHours(clock.offset()), 73)
  })
)

it.live("an advance wakes only the fibers that are due", () =>
  Effect.gen(function* () {
    const clock = DevClock.make()
    const woken: Array<string> = []
    const sleeper = (name: string, time: Duration.Input) =>
      Effect.andThen(
        Effect.sleep(time),
        Effect.sync(() => woken.push(name))
      ).pipe(on(clock), Effect.forkScoped)
    const second = yield* sleeper("second day", "2 days")
    yield* sleeper("tenth day", "10 days")
    const later = yield* sleeper("beyond any timer", "60 days")
    yield* Effect.yieldNow

    yield* clock.advance(days)
    yield* Fiber.join(second)
    assert.deepStrictEqual(woken, ["second day"])
    yield* clock.advance(Duration.days(57))
    yield* Fiber.join(later)
    assert.deepStrictEqual(woken, ["second day", "tenth day", "beyond any timer"])
  }).pipe(Effect.scoped)
)

it.live("a sleep also ends without an advance", () => on(DevClock.make(days))(Effect.sleep("5 millis")))

it.live("an interrupted sleep does not wake", () =>
  Effect.gen(function* () {
    const clock = DevClock.make()
    const fiber = yield* Effect.forkChild(on(clock)(Effect.sleep("1 day")))
    yield* Effect.yieldNow
    yield* Fiber.interrupt(fiber)
    yield* clock.advance(days)
  })
)

it.live("elapsed time does not include an advance", () =>
  Effect.gen(function* () {
    const clock = DevClock.make()
    const [elapsed] = yield* on(clock)(Effect.timed(clock.advance(days)))
    assert.isBelow(Duration.toHours(elapsed), 1)
  })
)

it.live("timeouts in real time are not shortened", () =>
  Effect.gen(function* () {
    const clock = DevClock.make()
    const call = Effect.timeoutOption(Effect.sleep("20 millis"), "1 hour").pipe(inRealTime, on(clock))
    const fiber = yield* Effect.forkChild(call)
    yield* Effect.yieldNow
    yield* clock.advance(days)
    assert.strictEqual((yield* Fiber.join(fiber))._tag, "Some")
  })
)
