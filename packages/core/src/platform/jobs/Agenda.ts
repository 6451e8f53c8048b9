/**
 * Asks the database for all loops of a process at once what is due next. Without it, each loop would ask for itself.
 *
 * A loop without work rests. While any loop rests, one statement runs every half second: it reads from each queue the
 * time of its next row. It wakes the loops whose row is due now, or becomes due before the next statement. So a row is
 * found as soon as by a loop that polls, from any writer, and a row that is due later starts at its time. Once no loop
 * has worked for ten seconds, the statement runs every second. A loop that cannot take what is due, because another
 * process has it or its project is disabled, is not woken more often than it would poll.
 */
import { Cause, Clock, Context, Deferred, Duration, Effect, Layer, Queue, type Scope } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { elapsedMillis } from "../Elapsed.ts"

/** Returns when the queue has a due row, after `poll` at most if the row was due before. */
type Rest = (poll: Duration.Duration) => Effect.Effect<void>

/** How a loop waits for the next due row of a queue, until the scope closes. */
export type NextDue = Effect.Effect<Rest, never, Scope.Scope>

/** For a queue that does not say what is due. */
export const polled: NextDue = Effect.succeed(Effect.sleep)

/** Where no agenda is provided, every queue is polled. */
const Agenda = Context.Reference<{ readonly watch: (next: Statement.Fragment) => NextDue }>(
  "@posthorn/core/platform/jobs/Agenda",
  { defaultValue: () => ({ watch: () => polled }) }
)

/**
 * Reads the time of the next row from a subquery of one value. Null: the queue is empty. 1970: look at once, its times
 * are unknown. The subquery reads one end of an index, or a bounded number of rows.
 */
export const nextDue = (next: Statement.Fragment): NextDue => Effect.flatMap(Agenda, ({ watch }) => watch(next))

/** The row that `from` selects first, if there is one, is due at once. */
export const anyOf = (sql: SqlClient.SqlClient, from: Statement.Fragment): Statement.Fragment =>
  sql`select to_timestamp(0) from ${from} limit 1`

/** The rows that are read to find the first of them, where no index is in the order of their times. */
const most = 100

/** The first due time of rows that an index has in another order. It is unknown if they are many. */
export const firstOf = (sql: SqlClient.SqlClient, from: Statement.Fragment): Statement.Fragment =>
  sql`
    select case when count(*) = ${sql.literal(`${most}`)} then to_timestamp(0) else min(due_at) end
    from (select due_at from ${from} limit ${sql.literal(`${most}`)}) as found`

/** The earliest of several. */
export const earliest = (sql: SqlClient.SqlClient, nexts: ReadonlyArray<Statement.Fragment>): Statement.Fragment =>
  sql`select least(${sql.csv(nexts.map((next) => sql`(${next})`))})`

/** The most milliseconds between two statements: while loops work, and once none has worked for `idleAfter`. */
const lookEvery = { busy: 500, idle: 1_000 }
const idleAfter = 10_000
/** A statement that takes longer counts as failed, so that one broken connection does not hold up all loops. */
const patience = Duration.seconds(5)

interface Resting {
  /** Milliseconds of the monotonic clock and of the wall clock when it began. */
  readonly since: number
  readonly at: number
  readonly poll: number
  readonly due: Deferred.Deferred<void>
}

interface Watched {
  readonly next: Statement.Fragment
  readonly resting: Set<Resting>
}

/** Milliseconds since 1970, by `q` and the number of the queue. */
interface Times {
  readonly [column: string]: number | null
}

export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effect(
  Agenda,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const scope = yield* Effect.scope
    const watched = new Set<Watched>()
    const begun = yield* Queue.sliding<void>(1)

    const wake = ({ due }: Resting) => Deferred.succeed(due, undefined)

    /** The queues, and the statement that reads their times. Loops begin with the process, so both stay the same. */
    let agenda: { readonly queues: ReadonlyArray<Watched>; readonly read: Statement.Statement<Times> } | undefined

    const current = () => {
      if (agenda !== undefined) return agenda
      const queues = [...watched]
      const columns = queues.map(
        ({ next }, n) => sql`(extract(epoch from (${next})) * 1000)::float8 as ${sql(`q${n}`)}`
      )
      agenda = { queues, read: sql<Times>`select ${sql.csv(columns)}` }
      return agenda
    }

    /** Wakes those that rested when it began, and whose queue has a row that is due before `within` has passed. */
    const look = Effect.fnUntraced(function* (within: number) {
      const { queues, read } = current()
      const asked = queues.map(({ resting }) => [...resting])
      const [times] = yield* Effect.timeout(read, patience)
      const wall = yield* Clock.currentTimeMillis
      const now = yield* elapsedMillis
      for (const [n, rests] of asked.entries()) {
        const time = times?.[`q${n}`]
        if (typeof time !== "number") continue
        for (const rest of rests) {
          const left = time > rest.at ? time - wall : rest.since + rest.poll - now
          if (left <= 0) yield* wake(rest)
          else if (left < within) yield* Effect.forkIn(Effect.delay(wake(rest), left), scope)
        }
      }
    })

    /** As without an agenda: each loop looks for itself. */
    const poll = Effect.gen(function* () {
      const now = yield* elapsedMillis
      for (const { resting } of watched)
        for (const rest of resting) if (rest.since + rest.poll <= now) yield* wake(rest)
    })

    /** When a loop last began to rest, of the monotonic clock. */
    let workedAt = yield* elapsedMillis
    let within = lookEvery.busy

    const turn = Effect.gen(function* () {
      const polls = [...watched].flatMap(({ resting }) => [...resting].map(({ poll }) => poll))
      if (polls.length === 0) return yield* Queue.take(begun)
      yield* Effect.sleep(within)
      const isIdle = (yield* elapsedMillis) - workedAt >= idleAfter
      within = isIdle ? lookEvery.idle : Math.min(lookEvery.busy, ...polls)
      yield* look(within).pipe(
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.failCause(cause)
            : Effect.andThen(Effect.logDebug("What is due next could not be read", cause), poll)
        )
      )
    })
    yield* Effect.forkScoped(Effect.forever(turn))

    const watch = Effect.fnUntraced(function* (next: Statement.Fragment): Effect.fn.Return<Rest, never, Scope.Scope> {
      const queue: Watched = { next, resting: new Set() }
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          watched.add(queue)
          agenda = undefined
        }),
        () =>
          Effect.sync(() => {
            watched.delete(queue)
            agenda = undefined
          })
      )
      return (poll) =>
        Effect.gen(function* () {
          const rest: Resting = {
            since: yield* elapsedMillis,
            at: yield* Clock.currentTimeMillis,
            poll: Duration.toMillis(poll),
            due: yield* Deferred.make<void>()
          }
          workedAt = rest.since
          queue.resting.add(rest)
          yield* Queue.offer(begun, undefined)
          yield* Effect.ensuring(
            Deferred.await(rest.due),
            Effect.sync(() => queue.resting.delete(rest))
          )
        })
    })
    return { watch }
  })
)
