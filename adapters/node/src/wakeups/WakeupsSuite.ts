/** What every carrier of wake-ups promises: two processes, one that takes requests, and one with the loops. */
import { assert, it } from "@effect/vitest"
import { Wakeups, type WakeupTopic } from "@posthorn/core/platform/Wakeups"
import { Context, Effect, type Scope } from "effect"
import { eventually } from "../testing/Program.ts"

export type Process = Context.Context<Wakeups>

export const wakeup = (process: Process, topic: WakeupTopic) => Effect.succeed(Context.get(process, Wakeups)[topic])

export interface Pair {
  readonly api: Process
  readonly worker: Process
}

export const wakeupsSuite = (pair: Effect.Effect<Pair, never, Scope.Scope>) => {
  it.live("wake listeners in another process, each for its own topic", () =>
    Effect.gen(function* () {
      const { api, worker } = yield* pair
      const mail = yield* wakeup(api, "mail")
      const events = yield* wakeup(api, "events")
      const woken: Array<string> = []
      const listen = Effect.fnUntraced(function* (topic: WakeupTopic) {
        const { listen } = yield* wakeup(worker, topic)
        const one = yield* listen
        yield* Effect.forkScoped(Effect.forever(Effect.andThen(one, () => Effect.sync(() => void woken.push(topic)))))
      })
      yield* listen("mail")
      yield* listen("events")
      // All fibers wake once when listening begins, because earlier notifications were lost.
      yield* eventually(
        Effect.sync(() => woken.length),
        (count) => count === 2
      )
      yield* mail.wake
      yield* eventually(
        Effect.sync(() => woken.length),
        (count) => count === 3
      )
      yield* events.wake
      yield* eventually(
        Effect.sync(() => woken.length),
        (count) => count === 4
      )
      assert.deepStrictEqual(woken.slice(2), ["mail", "events"])
    })
  )

  it.live("are not sent to other processes if a loop of the same process listens", () =>
    Effect.gen(function* () {
      const { api, worker } = yield* pair
      const near = yield* wakeup(api, "mail")
      const far = yield* wakeup(worker, "mail")
      const nearby = yield* near.listen
      const away = yield* far.listen
      yield* away
      yield* nearby
      yield* near.wake
      yield* nearby
      // The next notification that is sent is the next that arrives.
      const other = yield* wakeup(api, "events")
      const events = yield* (yield* wakeup(worker, "events")).listen
      yield* other.wake
      yield* events
      assert.isFalse(yield* Effect.raceFirst(Effect.as(away, true), Effect.as(Effect.yieldNow, false)))
    })
  )

  it.live("for all are sent to other processes too", () =>
    Effect.gen(function* () {
      const { api, worker } = yield* pair
      const near = yield* wakeup(api, "limits")
      const nearby = yield* near.listen
      const away = yield* (yield* wakeup(worker, "limits")).listen
      yield* nearby
      yield* away
      yield* near.wakeAll
      yield* nearby
      yield* away
    })
  )
}
