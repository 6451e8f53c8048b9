/** Keeps the claim of a running job, which the row of the job holds. */
import { Data, Duration, Effect } from "effect"

/** Another process has taken the job over. */
export class ClaimLost extends Data.TaggedError("ClaimLost") {}

const retryAfter = Duration.seconds(1)

/**
 * Renews a claim at each interval, and fails when it is lost. Only the row shows that a claim is lost. A renewal that
 * dies does not, and is repeated.
 */
export const holdClaim = (
  renew: Effect.Effect<boolean>,
  interval: Duration.Duration
): Effect.Effect<never, ClaimLost> =>
  Effect.uninterruptible(renew).pipe(
    Effect.flatMap((held) => (held ? Effect.succeed(interval) : Effect.fail(new ClaimLost()))),
    Effect.catchDefect((defect) => Effect.as(Effect.logWarning("Claim on a job not renewed", defect), retryAfter)),
    Effect.flatMap(Effect.sleep),
    Effect.forever,
    Effect.delay(interval)
  )
