/** A circuit breaker: after a failure to reach a peer, no request is made for a while, then a single one. */
import { elapsedMillis } from "@posthorn/core/platform/Elapsed"
import type { MailerError } from "@posthorn/core/platform/Mailer"
import { Effect } from "effect"

export interface Breaker {
  /** Runs the effect, or fails with the error that opened the breaker. After the pause, one request may try. */
  readonly guard: <A>(self: Effect.Effect<A, MailerError>) => Effect.Effect<A, MailerError>
  /** Reports that the peer was reached, so that others do not have to wait for the end of the trial. */
  readonly close: Effect.Effect<void>
}

const firstPause = 1_000
const longestPause = 60_000

const opens = ({ reason }: MailerError) => reason === "unreachable" || reason === "authentication"

export const make = (): Breaker => {
  let opened: { readonly error: MailerError; readonly pause: number; readonly until: number } | undefined
  let isTrying = false

  const close = Effect.sync(() => {
    opened = undefined
  })

  /**
   * A failure of a request from before the breaker opened is ignored, so that parallel failures do not double the
   * pause.
   */
  const trip = Effect.fnUntraced(function* (error: MailerError, isTrial: boolean) {
    if (opened !== undefined && !isTrial) return
    const pause = opened === undefined ? firstPause : Math.min(opened.pause * 2, longestPause)
    opened = { error, pause, until: (yield* elapsedMillis) + pause }
  })

  const run = <A>(self: Effect.Effect<A, MailerError>, isTrial: boolean) =>
    self.pipe(
      Effect.tap(() => close),
      Effect.tapError((error) => (opens(error) ? trip(error, isTrial) : close))
    )

  const attempt = <A>(self: Effect.Effect<A, MailerError>) =>
    Effect.suspend(() => {
      isTrying = true
      return run(self, true)
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          isTrying = false
        })
      )
    )

  const guard = <A>(self: Effect.Effect<A, MailerError>) =>
    Effect.flatMap(elapsedMillis, (now) => {
      if (opened === undefined) return run(self, false)
      return isTrying || now < opened.until ? Effect.fail(opened.error) : attempt(self)
    })

  return { guard, close }
}
