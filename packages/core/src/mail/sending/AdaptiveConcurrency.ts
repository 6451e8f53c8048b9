/**
 * How many mails this worker sends at once: more while the transport accepts them, fewer after a server defers, none
 * while no transport can be reached.
 */
import { Effect, Ref } from "effect"
import { elapsedMillis } from "../../platform/Elapsed.ts"
import type { MailerError } from "../../platform/Mailer.ts"

export interface AdaptiveConcurrency {
  /** Mails that may be in transmission now; 0 during a pause. */
  readonly room: Effect.Effect<number>
  readonly succeeded: Effect.Effect<void>
  /** `isSlow`: the transport itself asks for less mail. */
  readonly failed: (error: MailerError, isSlow: boolean) => Effect.Effect<void>
}

const firstPauseMillis = 1_000
const longestPauseMillis = 60_000
/** Accepted mails in a row after which the limit grows by one. */
const recovery = 20

interface State {
  readonly limit: number
  /** Accepted mails in a row. */
  readonly good: number
  /** Length of the last pause. 0 once the transport answers. */
  readonly pause: number
  /** End of the pause, on the monotonic clock, so that a change of the system time does not make it longer. */
  readonly until: number
}

export const make = Effect.fnUntraced(function* (most: number): Effect.fn.Return<AdaptiveConcurrency> {
  const state = yield* Ref.make<State>({ limit: most, good: 0, pause: 0, until: 0 })

  const slower = Ref.update(state, (now) => ({ ...now, limit: Math.max(1, Math.floor(now.limit / 2)), good: 0 }))

  const pause = Effect.gen(function* () {
    const now = yield* elapsedMillis
    yield* Ref.update(state, (before) => {
      // Mails that are in transmission together fail together. They cause one pause.
      if (now < before.until) return before
      const pause = Math.min(Math.max(before.pause * 2, firstPauseMillis), longestPauseMillis)
      return { ...before, pause, until: now + pause }
    })
  })

  return {
    room: Effect.gen(function* () {
      const { limit, pause, until } = yield* Ref.get(state)
      if (pause === 0) return limit
      // After a pause, one mail tests whether the transport is back.
      return (yield* elapsedMillis) < until ? 0 : 1
    }),
    succeeded: Ref.update(state, ({ limit, good }) =>
      good + 1 >= recovery
        ? { limit: Math.min(most, limit + 1), good: 0, pause: 0, until: 0 }
        : { limit, good: good + 1, pause: 0, until: 0 }
    ),
    failed: (error, isSlow) => {
      if (error.reason === "unreachable" || error.reason === "authentication") return pause
      const answered = Ref.update(state, (now) => ({ ...now, pause: 0, until: 0 }))
      return isSlow ? Effect.andThen(answered, slower) : answered
    }
  }
})
