/**
 * Renews the lease of a worker outside of its event loop, so that a blocked event loop does not lose the lease.
 *
 * A host with threads may provide it. Otherwise only the worker renews its lease.
 */
import { Context, type Duration, Effect, type Option, type Scope } from "effect"

export const LeaseKeeper = Context.Reference<
  /**
   * Renews until the scope closes, on the database clock. Does not renew a lease that has ended. The inner effect returns
   * when the last successful renewal was sent, in nanoseconds of the monotonic clock.
   */
  (
    worker: string,
    lease: Duration.Duration,
    every: Duration.Duration
  ) => Effect.Effect<Effect.Effect<Option.Option<bigint>>, never, Scope.Scope>
>("@posthorn/core/mail/sending/LeaseKeeper", { defaultValue: () => () => Effect.succeed(Effect.succeedNone) })
