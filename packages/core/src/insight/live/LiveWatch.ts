/**
 * Watches one project for all of its listeners in this process: looks every two seconds at what is new, and passes it
 * on. The watch ends with its scope.
 */
import { LiveActivity, type LiveTopic } from "@posthorn/contract/insight/live/Live"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Option, Schema, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import * as ActivityFeed from "../activity/ActivityFeed.ts"
import { isSeen, type NewEntries, overlap, readNew, type SeenEntries } from "./LiveEntries.ts"
import * as LivePositions from "./LivePositions.ts"
import { type Look, look } from "./LiveStatements.ts"

export interface Listener {
  readonly topics: ReadonlySet<LiveTopic>
  /** Takes the text of events. A listener that cannot take more at the moment is ended. */
  readonly take: (text: string) => void
  readonly end: () => void
}

/** Where a new listener starts: now, after a position, or now with the notice that its position cannot be used. */
export type Start = Option.Option<LivePositions.LivePosition> | "now"

interface Change {
  readonly topic: LiveTopic
  readonly event: string
  /** JSON. */
  readonly data: string
}

/** Records of one kind by id, as JSON. */
type Records = ReadonlyMap<string, string>

interface State extends LivePositions.LivePosition {
  /** The newest entry of each source. */
  readonly newest: ReadonlySet<string>
  readonly campaigns: Records
  readonly jobs: Records
  readonly domains: Records
  /** The campaigns that are being sent, as JSON. */
  readonly sending: ReadonlyArray<string>
  /** Looks until the entries are read once more, for those that became visible late. 0: they were. */
  readonly again: number
}

const encodeActivity = Schema.encodeSync(LiveActivity)

/** The position comes last, so that a connection that breaks before it repeats events and loses none. */
const frames = (changes: ReadonlyArray<Change>, id: string) =>
  `${changes.map(({ event, data }) => `event: ${event}\ndata: ${data}\n\n`).join("")}id: ${id}\n\n`

const activityOf = (added: NewEntries): ReadonlyArray<Change> =>
  added.entries.length === 0
    ? []
    : [{ topic: "activity", event: "activity", data: JSON.stringify(encodeActivity(added)) }]

const recordsOf = (found: ReadonlyArray<{ readonly id: string; readonly isRecent: boolean }>): Records =>
  new Map(found.map(({ isRecent: _, ...record }) => [record.id, JSON.stringify(record)]))

const kinds = [
  ["domains", "domain"],
  ["jobs", "job"],
  ["campaigns", "campaign"]
] as const

const sendingOf = ({ campaigns }: Look): ReadonlyArray<string> => [
  ...recordsOf(campaigns.filter(({ status }) => status === "SENDING")).values()
]

const statesOf = (found: Look) => ({
  project: JSON.stringify(found.project),
  domains: recordsOf(found.domains),
  jobs: recordsOf(found.jobs),
  campaigns: recordsOf(found.campaigns)
})

/** What differs from the states before. */
const changed = (before: ReturnType<typeof statesOf>, now: ReturnType<typeof statesOf>): ReadonlyArray<Change> => [
  ...(before.project === now.project
    ? []
    : [{ topic: "project", event: "project", data: now.project } satisfies Change]),
  ...kinds.flatMap(([topic, event]) =>
    [...now[topic]].flatMap(([id, data]) => (before[topic].get(id) === data ? [] : [{ topic, event, data }]))
  )
]

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const feed = yield* ActivityFeed.make
  const positions = yield* LivePositions.make

  /** `interval` is the time between two looks. */
  return Effect.fnUntraced(function* (project: ProjectId, interval: Effect.Effect<number>) {
    const turn = yield* Semaphore.make(1)
    const listeners = new Set<Listener>()

    const endAll = Effect.sync(() => {
      for (const { end } of listeners) end()
      listeners.clear()
    })

    /** What is there at the start is not new. */
    const first = Effect.gen(function* () {
      const at = yield* DateTime.now
      const from = DateTime.subtract(at, overlap)
      const found = yield* look(sql, project, from, from)
      const { seen } = yield* readNew(feed, project, { from, entries: [] })
      return {
        at,
        seen,
        newest: new Set(found.newest),
        again: 0,
        sending: sendingOf(found),
        ...statesOf(found)
      } satisfies State
    })
    let state: State = yield* first

    const position = Effect.suspend(() => positions.seal(project, state))

    const passOn = Effect.fnUntraced(function* (changes: ReadonlyArray<Change>) {
      if (changes.length === 0) return
      const id = yield* position
      for (const { topics, take } of listeners) {
        const own = changes.filter(({ topic }) => topics.has(topic))
        if (own.length > 0) take(frames(own, id))
      }
    })

    const advance = Effect.gen(function* () {
      const at = yield* DateTime.now
      const from = DateTime.max(state.seen.from, DateTime.subtract(at, overlap))
      const found = yield* look(sql, project, from, DateTime.subtract(state.at, overlap))
      if (found.project === null) return yield* endAll
      const isMoved = found.newest.some((entry) => !state.newest.has(entry))
      const within: SeenEntries = {
        from,
        entries: state.seen.entries.filter(({ at }) => !DateTime.isLessThan(at, from))
      }
      const { added, seen } =
        isMoved || state.again === 1
          ? yield* readNew(feed, project, within)
          : { added: { entries: [], skipped: 0 }, seen: within }
      const states = statesOf(found)
      const changes = [...changed(state, states), ...activityOf(added)]
      const again = isMoved ? 2 : Math.max(0, state.again - 1)
      state = { at, seen, newest: new Set(found.newest), again, sending: sendingOf(found), ...states }
      yield* passOn(changes)
    })

    /** What a listener has missed since its position, and what others have already got. */
    const missed = Effect.fnUntraced(function* (before: LivePositions.LivePosition, topics: Listener["topics"]) {
      const since = DateTime.subtract(before.at, overlap)
      const found = yield* look(sql, project, since, since)
      const recent = <A extends { readonly isRecent: boolean }>(records: ReadonlyArray<A>) =>
        records.filter(({ isRecent }) => isRecent)
      const states = statesOf({ ...found, domains: recent(found.domains) })
      const none: Records = new Map()
      const changes = changed({ project: before.project, domains: none, jobs: none, campaigns: none }, states)
      if (!topics.has("activity")) return changes
      const { added } = yield* readNew(feed, project, before.seen)
      // An entry that the last look did not see will be in the next one.
      return [...changes, ...activityOf({ ...added, entries: added.entries.filter(isSeen(state.seen)) })]
    })

    const greeting = Effect.fnUntraced(function* (listener: Listener, start: Start) {
      const { topics } = listener
      const own = (changes: ReadonlyArray<Change>) => changes.filter(({ topic }) => topics.has(topic))
      if (start !== "now" && Option.isSome(start)) {
        yield* advance
        return frames(own(yield* missed(start.value, topics)), yield* position)
      }
      const reset = start === "now" ? "" : "event: reset\ndata: {}\n\n"
      const sending = state.sending.map((data): Change => ({ topic: "campaigns", event: "campaign", data }))
      return reset + frames(own(sending), yield* position)
    })

    yield* Effect.addFinalizer(() => endAll)
    yield* Effect.flatMap(interval, Effect.sleep).pipe(
      Effect.andThen(turn.withPermit(advance)),
      Effect.catchDefect((defect) =>
        Effect.logDebug("A look for live changes failed; the next one repeats it", defect)
      ),
      Effect.forever,
      Effect.forkScoped
    )

    return {
      /** Adds a listener, and gives it what it has missed. */
      join: (listener: Listener, start: Start) =>
        turn.withPermit(
          Effect.map(greeting(listener, start), (text) => {
            listener.take(text)
            listeners.add(listener)
          })
        ),
      leave: (listener: Listener) => Effect.sync(() => listeners.delete(listener)),
      /** The position of all listeners, which moves with time. */
      position
    }
  })
})
