/** The events of a project as they are recorded: read when the live stream says that something has happened. */
import type { Event } from "@posthorn/client"
import { Effect, Schedule, Stream } from "effect"
import type { CommandFailure } from "../Failure.ts"
import { Api } from "./Api.ts"

/** Between two requests for events without the live stream, and to a service that does not answer. */
const pause = "1 second"
/** Between two requests for events with it. The stream leaves out some events of the service. */
const longPause = "10 seconds"
/** An event becomes visible when its transaction commits, so it may appear after newer ones. */
const overlapMs = 10_000
const pageLimit = 100

export interface EventFeedQuery {
  readonly source: "tracked" | "system" | "all"
  readonly eventName?: string | undefined
  readonly contactId?: string | undefined
}

const isAway = ({ exit }: CommandFailure) => exit === "unreachable"

/**
 * The last `past` events and then all new ones, oldest first, each once. The stream does not end. If the server stops
 * answering after the first answer, it is asked again every second, and no event is lost. A service without a live stream,
 * or a key that cannot read it, is asked every second.
 */
export const eventFeed = Effect.fnUntraced(function* (query: EventFeedQuery, past: number) {
  const { items, live } = yield* Api
  /** Events that may be returned again, by id, with their time. */
  const known = new Map<string, number>()
  let newest = 0

  /** The lists are newest first, the feed is oldest first. */
  const unknown = (events: ReadonlyArray<Event>) => {
    const found = events.toReversed().filter(({ id }) => !known.has(id))
    for (const { id, createdAt } of events) {
      const at = Date.parse(createdAt)
      known.set(id, at)
      newest = Math.max(newest, at)
    }
    for (const [id, at] of known) if (at < newest - overlapMs) known.delete(id)
    return found
  }

  /** All events since shortly before the newest known one. */
  const recent = Effect.suspend(() => {
    const startDate = new Date(Math.max(0, newest - overlapMs)).toISOString()
    return Stream.runCollect(items(({ events }) => events.list({ ...query, startDate, limit: pageLimit })))
  })

  const latest = yield* Stream.runCollect(
    Stream.take(
      items(({ events }) => events.list({ ...query, limit: pageLimit })),
      Math.max(1, past)
    )
  )
  newest = Date.parse(latest[0]?.createdAt ?? "") || 0
  const before = latest.length === 0 ? [] : yield* recent
  unknown(before)
  const first = latest.slice(0, past).toReversed()
  unknown(latest)

  const next = recent.pipe(Effect.retry({ while: isAway, schedule: Schedule.spaced(pause) }), Effect.map(unknown))
  const changes = live(["activity"]).pipe(
    Stream.map(() => undefined),
    Stream.catch(() => Stream.tick(pause)),
    Stream.merge(Stream.tick(longPause)),
    // One read is enough for all that has happened meanwhile.
    Stream.buffer({ capacity: 1, strategy: "sliding" })
  )
  const later = changes.pipe(
    Stream.mapEffect(() => next),
    Stream.flatMap(Stream.fromIterable)
  )
  return Stream.concat(Stream.fromIterable(first), later)
})
