/** What remains of migrations after the start of servers. */
import { Duration, Effect, Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { untilItSucceeds } from "../Backoff.ts"
import * as PeriodicJobs from "../jobs/PeriodicJobs.ts"
import { finish, status } from "./index.ts"

const job = { name: "migrations", every: Duration.seconds(5) }

/**
 * Runs the background of all migrations, in one process at a time, and again after a failure. Ends when nothing
 * remains. The connections of the database must be sessions.
 */
export const layer: Layer.Layer<never, never, SecureRandom.SecureRandom | SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { run } = yield* PeriodicJobs.make
    const remains = Effect.map(status, ({ unfinished }) => unfinished.length > 0)
    const all = Effect.gen(function* () {
      while (yield* remains) yield* Effect.andThen(run(job, finish), Effect.sleep(job.every))
    })
    yield* all.pipe(
      Effect.sandbox,
      Effect.tapError((cause) => Effect.logError("Migrations could not be finished", cause)),
      Effect.retry(untilItSucceeds),
      Effect.forkScoped
    )
  })
)
