/**
 * Renews a worker's lease outside of its event loop, so that a blocked loop does not lose its mails.
 *
 * A host with threads may provide one. Without it, only the worker renews its lease.
 */
import { Context, type Duration, Effect, type Option, type Scope } from "effect"

export const LeaseKeeper = Context.Reference<
  /**
   * Renews until the scope closes, by the clock of the database, and never a lease that has ended. Returns when the last
   * successful renewal was sent, in nanoseconds of the monotonic clock.
   */
  (
    worker: string,
    lease: Duration.Duration,
    every: Duration.Duration
  ) => Effect.Effect<Effect.Effect<Option.Option<bigint>>, never, Scope.Scope>
>("@posthorn/core/mail/sending/LeaseKeeper", { defaultValue: () => () => Effect.succeed(Effect.succeedNone) })
