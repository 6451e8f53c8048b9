/** All or nothing, for work that crosses stores. */
import { type Cause, Context, Data, Duration, Effect, Layer, Option, Schedule } from "effect"
import { SqlClient, SqlError, type Statement } from "effect/sql"

/**
 * Runs an effect so that its writes commit together or not at all; a failure or interruption rolls back.
 *
 * Stores join by being called inside: the connection travels in the fiber's context, so nothing in it may be forked.
 * A `run` within a `run` joins the outer one: its failure must not be caught on the way out, or half of it would stay.
 * One that the database has undone to break a deadlock is run again, at most three times: whoever had to give way does
 * its work a moment later.
 */
export class Transaction extends Context.Service<
  Transaction,
  {
    readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** As `run`, but within another one it fails by itself: what it wrote is undone, and the outer one goes on. */
    readonly attempt: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * As `run`, but its commit does not wait for the disk: a power cut may undo it, whole, with all that came after it in
     * the same way. For steps of a job, which are done again from a checkpoint that is undone with them; any other commit
     * behind them keeps them too.
     */
    readonly runRepeatable: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * The effect, or what `find` finds where storage failed and nobody knows whether the writes were committed: a
     * caller must not be told of a failure that was none. Looks again until storage answers, at most 5 seconds; without
     * an answer the failure stands. `find` waits for whoever may still commit (`isTaken`). Within a `run` only the effect:
     * the outer one commits.
     */
    readonly orFind: <A, E, R>(
      effect: Effect.Effect<A, E, R>,
      find: Effect.Effect<Option.Option<A>>
    ) => Effect.Effect<A, E, R>
    /** `run` and `orFind`, for a result that is as good as it was once `isThere` says that it was committed. */
    readonly runOrFind: <A, E, R>(
      effect: Effect.Effect<A, E, R>,
      isThere: (result: A) => Effect.Effect<boolean>
    ) => Effect.Effect<A, E, R>
    /** Runs once the transaction is committed, at once outside of one. Lost with the process: only for nudges. */
    readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
  }
>()("@posthorn/core/Transaction") {}

const patience = Duration.seconds(5)
const pause = Duration.millis(250)

const maxRepeats = 3

/** Certainly undone, and likely to succeed now that the other one is through. */
const gaveWay = (defect: unknown): boolean =>
  SqlError.isSqlError(defect) && (defect.reason._tag === "DeadlockError" || defect.reason._tag === "SerializationError")

const repeated = <A, E, R>(effect: Effect.Effect<A, E, R>, times = maxRepeats): Effect.Effect<A, E, R> =>
  Effect.catchDefect(effect, (defect) =>
    times > 0 && gaveWay(defect) ? repeated(effect, times - 1) : Effect.die(defect)
  )

/** What there is to find, once storage answers. It may not have begun yet with what it was sent: nothing is looked for twice. */
const untilAnswered = <A>(find: Effect.Effect<Option.Option<A>>): Effect.Effect<Option.Option<A>> => {
  const look = find.pipe(Effect.catchDefect(Effect.fail), Effect.retry(Schedule.spaced(pause)), Effect.orDie)
  return Effect.flatMap(look, (found) =>
    Option.isSome(found) ? Effect.succeed(found) : Effect.delay(look, pause)
  ).pipe(Effect.interruptible, Effect.timeoutOption(patience), Effect.map(Option.flatten))
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
          // Work that could not be undone on its connection is undone with it: what it failed with stands.
          Effect.catchCause((cause) => Effect.failCause(failure ?? cause)),
          Effect.catchTag("SqlError", Effect.die)
        )
      })

    const attempt: Transaction["Service"]["attempt"] = (effect) =>
      // The locks of the outer one stay: only all of it can give way.
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
 * Whether the place of a row is taken. `insert` asks for it, `on conflict do nothing returning` a column, and gives it
 * back; so the answer waits for a transaction that has taken it and not ended.
 */
export const isTaken = (
  sql: SqlClient.SqlClient,
  insert: Statement.Statement<unknown>
): Effect.Effect<boolean, SqlError.SqlError> =>
  sql
    .withTransaction(Effect.flatMap(insert, (given) => Effect.fail(new Asked({ isTaken: given.length === 0 }))))
    .pipe(Effect.catchTag("Asked", ({ isTaken }) => Effect.succeed(isTaken)))
