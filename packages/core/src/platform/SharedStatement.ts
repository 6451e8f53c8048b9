/**
 * A statement that callers share. Those that arrive while it runs share the next one: round trips, plans, triggers and the
 * commit cost as much for one row as for fifty.
 *
 * A caller never fails because of another one: if the database refuses the statement, each of its callers runs alone. A
 * caller in a transaction runs alone, too.
 */
import { Array, DateTime, Effect, Exit, Option, type Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as GroupCommit from "./GroupCommit.ts"

export interface Options<Item, Answer> {
  /** Runs the items in one statement, and returns the answer for each of them. */
  readonly run: (items: Array.NonEmptyReadonlyArray<Item>) => Effect.Effect<(item: Item) => Answer, SqlError.SqlError>
  /** Other items run alone. */
  readonly mayShare: (item: Item) => boolean
  /** No two items of a statement have the same key. Without a key, any number of them share it. */
  readonly keyOf?: (item: Item) => string | undefined
  /** The characters of an item, if it can be large. A large one runs alone. */
  readonly sizeOf?: (item: Item) => number
  /** The message in the log when the statement cannot run. */
  readonly failed: string
}

interface Waiting<Item> {
  readonly item: Item
  readonly size: number
  /** Whether its caller has ended, by a time limit for example. */
  hasLeft: boolean
}

/** The most items of a statement. */
const maxItems = 100
/** The most characters of an item that shares a statement, and of all items of a statement. */
const maxItemSize = 65_536
const maxSize = 1_048_576
/** Statements at a time. While one waits for the disk, the other one runs. */
const writers = 2

/** The time of a statement: that of the last of its items. */
export const latest = (items: ReadonlyArray<{ readonly now: DateTime.Utc }>): Date =>
  new Date(Math.max(...items.map(({ now }) => DateTime.toEpochMillis(now))))

/** Divides items into statements. Of the items with the same key, all but the first run alone. */
const divided = <Item>(
  waiting: ReadonlyArray<Waiting<Item>>,
  keyOf: (item: Item) => string | undefined
): ReadonlyArray<ReadonlyArray<Waiting<Item>>> => {
  const statements: Array<ReadonlyArray<Waiting<Item>>> = []
  const keys = new Set<string>()
  let last: Array<Waiting<Item>> = []
  let room = maxSize
  for (const each of waiting) {
    const key = keyOf(each.item)
    if (key !== undefined && keys.has(key)) {
      statements.push([each])
      continue
    }
    if (key !== undefined) keys.add(key)
    if (last.length === maxItems || each.size > room) {
      statements.push(last)
      last = []
      room = maxSize
    }
    last.push(each)
    room -= each.size
  }
  return [...statements, last]
}

/** Returns the effect that runs an item. */
export const make = Effect.fnUntraced(function* <Item, Answer>({
  run,
  mayShare,
  keyOf = () => undefined,
  sizeOf = () => 0,
  failed
}: Options<Item, Answer>): Effect.fn.Return<
  (item: Item) => Effect.Effect<Answer, SqlError.SqlError>,
  never,
  Scope.Scope | SqlClient.SqlClient
> {
  type Answered = Exit.Exit<Answer, SqlError.SqlError>
  const sql = yield* SqlClient.SqlClient

  const alone = (item: Item) => Effect.map(run([item]), (answerOf) => answerOf(item))

  /** A statement whose connection was lost may have had effects, so it does not run again. */
  const together = Effect.fnUntraced(function* (waiting: ReadonlyArray<Waiting<Item>>) {
    const answered = (answer: (item: Item) => Answered) => waiting.map((each) => [each, answer(each.item)] as const)
    const items = waiting.map(({ item }) => item)
    if (!Array.isReadonlyArrayNonEmpty(items)) return []
    const exit = yield* Effect.exit(run(items))
    if (Exit.isSuccess(exit)) return answered((item) => Exit.succeed(exit.value(item)))
    const error = Option.getOrUndefined(Exit.findErrorOption(exit))
    if (error === undefined || error.reason._tag === "ConnectionError")
      return answered(() => Exit.failCause(exit.cause))
    return yield* Effect.forEach(
      waiting,
      (each) => Effect.map(Effect.exit(alone(each.item)), (own) => [each, own] as const),
      { concurrency: "unbounded" }
    )
  })

  const join = yield* GroupCommit.make<Waiting<Item>, Answered>({
    write: (waiting) => {
      const statements = divided(
        waiting.filter(({ hasLeft }) => !hasLeft),
        keyOf
      )
      return Effect.map(Effect.forEach(statements, together, { concurrency: "unbounded" }), (found) => {
        const answers = new Map(found.flat())
        return (each) => answers.get(each) ?? Exit.interrupt()
      })
    },
    failed,
    writers
  })

  return (item) =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (transaction) => {
      if (Option.isSome(transaction) || !mayShare(item)) return alone(item)
      const size = sizeOf(item)
      if (size > maxItemSize) return alone(item)
      const waiting = { item, size, hasLeft: false }
      return Effect.flatten(join(waiting)).pipe(Effect.onInterrupt(() => Effect.sync(() => (waiting.hasLeft = true))))
    })
})
