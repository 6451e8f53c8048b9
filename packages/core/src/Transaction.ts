/** All or nothing, for work that crosses stores. */
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Runs an effect so that its writes commit together or not at all; a failure or interruption rolls back.
 *
 * Stores join by being called inside: the connection travels in the fiber's context, so nothing in it may be forked.
 * A `run` within a `run` joins the outer one: its failure must not be caught on the way out, or half of it would stay.
 */
export class Transaction extends Context.Service<
  Transaction,
  {
    readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * As `run`, but its commit does not wait for the disk: a power cut may undo it, whole, with all that came after it in
     * the same way. For steps of a job, which are done again from a checkpoint that is undone with them; any other commit
     * behind them keeps them too.
     */
    readonly runRepeatable: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Runs once the transaction is committed, at once outside of one. Lost with the process: only for nudges. */
    readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
  }
>()("@posthorn/core/Transaction") {}

export const layerSql: Layer.Layer<Transaction, never, SqlClient.SqlClient> = Layer.effect(
  Transaction,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const run = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.flatMap(Effect.serviceOption(sql.transactionService), (open) =>
        Option.isSome(open) ? effect : sql.withTransaction(effect).pipe(Effect.catchTag("SqlError", Effect.die))
      )
    const unawaited = Effect.orDie(sql`set local synchronous_commit = off`)
    return Transaction.of({
      run,
      runRepeatable: (effect) => run(Effect.andThen(unawaited, effect)),
      afterCommit: sql.afterCommit
    })
  })
)
