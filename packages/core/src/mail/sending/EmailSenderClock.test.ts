import { assert, layer } from "@effect/vitest"
import { Clock, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { eventually } from "../../testing/Eventually.ts"
import { movedClock } from "../../testing/MovedClock.ts"
import { services } from "../../testing/Services.ts"
import { DeliveryQueue } from "./DeliveryQueue.ts"
import * as EmailSender from "./EmailSender.ts"

const options = { poll: Duration.millis(100), drain: Duration.seconds(5), exclusive: false }

layer(services, { timeout: "60 seconds" })("A sender whose wall clock is set back", (it) => {
  it.effect("goes on to give back what it has lost hold of, and to take back what others have", () =>
    Effect.gen(function* () {
      const queue = yield* DeliveryQueue
      const looks = { disown: 0, reclaim: 0 }
      const counting = (what: keyof typeof looks) => Effect.sync(() => looks[what]++)
      const counted = DeliveryQueue.of({
        ...queue,
        disown: (...given) => Effect.andThen(counting("disown"), queue.disown(...given)),
        reclaim: (...given) => Effect.andThen(counting("reclaim"), queue.reclaim(...given))
      })
      const { clock, set } = yield* movedClock
      yield* Layer.build(
        EmailSender.layer.pipe(
          Layer.provide(Layer.succeed(DeliveryQueue, counted)),
          Layer.provide(Layer.succeed(EmailSender.Options, options))
        )
      ).pipe(Effect.provideService(Clock.Clock, clock))
      const more = (than: typeof looks) =>
        eventually(
          Effect.andThen(
            TestClock.adjust("1 second"),
            Effect.sync(() => looks)
          ),
          ({ disown, reclaim }) => disown > than.disown && reclaim > than.reclaim
        )
      yield* more({ disown: 0, reclaim: 0 })
      const begun = yield* Clock.monotonicTimeNanos
      yield* set(-3_600_000)
      yield* more({ ...looks })
      assert.isBelow(Number((yield* Clock.monotonicTimeNanos) - begun) / 1e9, 3_600)
    }).pipe(Effect.scoped)
  )
})
