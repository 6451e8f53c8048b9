/**
 * Renews a worker's lease from beside its event loop, so that a loop that is held up does not cost it its mails.
 *
 * Hosts with threads may provide one; without it the worker's own renewals are all there is.
 */
import { Context, type Duration, Effect, type Option, type Scope } from "effect"

export const LeaseKeeper = Context.Reference<
  /**
   * Renews until the scope closes, by the clock of the database, and never a lease that is already over. Gives when the
   * last renewal that counted was sent, in nanoseconds of the monotonic clock.
   */
  (
    worker: string,
    lease: Duration.Duration,
    every: Duration.Duration
  ) => Effect.Effect<Effect.Effect<Option.Option<bigint>>, never, Scope.Scope>
>("@posthorn/core/mail/sending/LeaseKeeper", { defaultValue: () => () => Effect.succeed(Effect.succeedNone) })
