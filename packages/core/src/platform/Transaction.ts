/** Transactions across several stores. */
import { type Cause, Context, Data, Duration, Effect, Layer, Option, Schedule } from "effect"
import { SqlClient, SqlError, type Statement } from "effect/sql"

/**
 * Runs an effect so that all of its writes commit, or none. A failure or interruption rolls back.
 *
 * Stores that are called inside join the transaction. The connection travels in the fiber's context, so nothing inside
 * may be forked. A `run` inside a `run` joins the outer one. Its failure must reach the outer one; if it is caught,
 * part of its writes stay. A transaction that the database rolled back to break a deadlock is run again, at most three
 * times. A service: all areas join it.
 */
export class Transaction extends Context.Service<
  Transaction,
  {
    readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** As `run`, but inside another transaction it rolls back alone when it fails, and the outer one continues. */
    readonly attempt: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * As `run`, but the commit does not wait for the disk. A power failure may undo it as a whole, together with all
     * later commits of this kind. Use it for steps of a job: the checkpoint of the job is undone with them. Any later
     * `run` makes these commits durable.
     */
    readonly runRepeatable: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * The result of the effect. If storage fails and it is unknown whether the writes were committed, the result of
     * `find`, so that the caller gets no failure for a committed change. Repeats `find` until storage answers, for at
     * most 5 seconds; without an answer the failure stands. `find` must wait for a transaction that may still commit
     * (`isTaken`). Inside a `run` only the effect runs, since the outer one commits.
     */
    readonly orFind: <A, E, R>(
      effect: Effect.Effect<A, E, R>,
      find: Effect.Effect<Option.Option<A>>
    ) => Effect.Effect<A, E, R>
    /** `run` and `orFind`, for a result that is valid once `isThere` says that it was committed. */
    readonly runOrFind: <A, E, R>(
      effect: Effect.Effect<A, E, R>,
      isThere: (result: A) => Effect.Effect<boolean>
    ) => Effect.Effect<A, E, R>
    /**
     * Runs the effect after the commit, or at once outside of a transaction. It is lost when the process ends, so use
     * it only to wake loops.
     */
    readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
  }
>()("@posthorn/core/platform/Transaction") {}

const findTimeout = Duration.seconds(5)
const pause = Duration.millis(250)

const maxRepeats = 3

/** The database has rolled back the transaction, and a repeat is likely to succeed. */
const wasRolledBack = (defect: unknown): boolean =>
  SqlError.isSqlError(defect) && (defect.reason._tag === "DeadlockError" || defect.reason._tag === "SerializationError")

const repeated = <A, E, R>(effect: Effect.Effect<A, E, R>, times = maxRepeats): Effect.Effect<A, E, R> =>
  Effect.catchDefect(effect, (defect) =>
    times > 0 && wasRolledBack(defect) ? repeated(effect, times - 1) : Effect.die(defect)
  )

/** The result of `find`, once storage answers. Calls it twice, since storage may still process earlier statements. */
const untilAnswered = <A>(find: Effect.Effect<Option.Option<A>>): Effect.Effect<Option.Option<A>> => {
  const look = find.pipe(Effect.catchDefect(Effect.fail), Effect.retry(Schedule.spaced(pause)), Effect.orDie)
  return Effect.flatMap(look, (found) =>
    Option.isSome(found) ? Effect.succeed(found) : Effect.delay(look, pause)
  ).pipe(Effect.interruptible, Effect.timeoutOption(findTimeout), Effect.map(Option.flatten))
}

export const layerSql: Layer.Layer<Transaction, never, SqlClient.SqlClient> = Layer.effect(
  Transaction,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const isOpen = Effect.map(Effect.serviceOption(sql.transactionService), Option.isSome)

    const written = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.suspend(() => {
        let failure: Cause.Cause<E> | undefined
        const watched = Effect.tapCause(effect, (cause) => Effect.sync(() => (failure = cause)))
        return sql.withTransaction(watched).pipe(
          // When the rollback fails, the connection ends and with it the transaction. The result is the first failure.
          Effect.catchCause((cause) => Effect.failCause(failure ?? cause)),
          Effect.catchTag("SqlError", Effect.die)
        )
      })

    const attempt: Transaction["Service"]["attempt"] = (effect) =>
      // Locks of an outer transaction stay, so only the outer one can be repeated.
      Effect.flatMap(isOpen, (open) => (open ? written(effect) : repeated(written(effect))))

    const run: Transaction["Service"]["run"] = (effect) =>
      Effect.flatMap(isOpen, (open) => (open ? effect : repeated(written(effect))))

    const orFind: Transaction["Service"]["orFind"] = (effect, find) =>
      Effect.flatMap(isOpen, (open) =>
        open
          ? effect
          : Effect.catchDefect(effect, (defect) =>
              SqlError.isSqlError(defect)
                ? Effect.flatMap(
                    untilAnswered(find),
                    Option.match({ onNone: () => Effect.die(defect), onSome: Effect.succeed })
                  )
                : Effect.die(defect)
            )
      )

    const runOrFind: Transaction["Service"]["runOrFind"] = <A, E, R>(
      effect: Effect.Effect<A, E, R>,
      isThere: (result: A) => Effect.Effect<boolean>
    ) =>
      Effect.suspend(() => {
        let result = Option.none<A>()
        const kept = Effect.tap(effect, (value) => Effect.sync(() => (result = Option.some(value))))
        const found = Effect.suspend(() =>
          Option.match(result, {
            onNone: () => Effect.succeedNone,
            onSome: (value) => Effect.map(isThere(value), (there) => (there ? result : Option.none<A>()))
          })
        )
        return orFind(run(kept), found)
      })

    const unawaited = Effect.orDie(sql`set local synchronous_commit = off`)
    const runRepeatable: Transaction["Service"]["runRepeatable"] = (effect) => run(Effect.andThen(unawaited, effect))

    return Transaction.of({ run, attempt, runRepeatable, orFind, runOrFind, afterCommit: sql.afterCommit })
  })
)

class Asked extends Data.TaggedError("Asked")<{ readonly isTaken: boolean }> {}

/**
 * Whether a row with this key exists. `insert` is an insert with `on conflict do nothing returning` a column; it is
 * rolled back. So the answer waits for a transaction that has inserted the row and not ended.
 */
export const isTaken = (
  sql: SqlClient.SqlClient,
  insert: Statement.Statement<unknown>
): Effect.Effect<boolean, SqlError.SqlError> =>
  sql
    .withTransaction(Effect.flatMap(insert, (given) => Effect.fail(new Asked({ isTaken: given.length === 0 }))))
    .pipe(Effect.catchTag("Asked", ({ isTaken }) => Effect.succeed(isTaken)))
