/** Streams of changes of a project, as server-sent events. */
import { LiveTopic } from "@posthorn/contract/insight/live/Live"
import { type ActorOf, apiKeyOf, type ProjectId } from "@posthorn/contract/platform/Auth"
import { RateLimitExceeded } from "@posthorn/contract/platform/Errors"
import { type Cause, Clock, Context, Duration, Effect, Layer, Queue, RcMap, Stream } from "effect"
import type { SqlClient } from "effect/sql"
import type { Cursors } from "../../platform/Cursors.ts"
import * as LivePositions from "./LivePositions.ts"
import * as LiveWatch from "./LiveWatch.ts"

export interface Following {
  /** All topics if absent. */
  readonly topics?: ReadonlyArray<LiveTopic> | undefined
  /** The position of an earlier stream, which this one continues. */
  readonly after?: string | undefined
}

/** A service, because HTTP handlers call it and hosts end its streams. */
export class Live extends Context.Service<
  Live,
  {
    /**
     * The text of a stream of server-sent events, which starts when it is read. It ends after 15 minutes, so that the
     * caller is authenticated again.
     */
    readonly follow: (
      project: ProjectId,
      actor: ActorOf,
      following: Following
    ) => Effect.Effect<Stream.Stream<string>, RateLimitExceeded>
    /** Ends all streams, and every later one when it starts: the process stops. */
    readonly end: Effect.Effect<void>
  }
>()("@posthorn/core/insight/live/Live") {}

/** Streams in this process. */
export const mostOfHolder = 20
export const mostOfProject = 200
/** Whole seconds after which a refused stream is tried again. */
const retryAfter = 30

const longest = Duration.minutes(15)
const beat = Duration.seconds(15)
/** Texts that wait for a slow listener. Then its stream ends, and it connects again. */
const most = 256

/** Milliseconds between two looks at a project. */
const shortestInterval = 2_000
const intervalOfProject = 10

const holderOf = (project: ProjectId, actor: ActorOf): string => {
  if (actor.kind === "member") return actor.user
  if (actor.kind === "host") return `host ${actor.user}`
  return apiKeyOf(actor)?.id ?? project
}

/** Counts by key. */
const counter = () => {
  const counts = new Map<string, number>()
  const add = (key: string, n: number) => {
    const count = (counts.get(key) ?? 0) + n
    if (count === 0) counts.delete(key)
    else counts.set(key, count)
  }
  return {
    of: (key: string) => counts.get(key) ?? 0,
    size: () => counts.size,
    take: (key: string) =>
      Effect.acquireRelease(
        Effect.sync(() => add(key, 1)),
        () => Effect.sync(() => add(key, -1))
      )
  }
}

export const layer: Layer.Layer<Live, never, Cursors | SqlClient.SqlClient> = Layer.effect(
  Live,
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const positions = yield* LivePositions.make
    const watch = yield* LiveWatch.make
    const holders = counter()
    const projects = counter()
    const streams = new Set<Queue.Queue<string, Cause.Done>>()
    let isOver = false

    const interval = Effect.sync(() => Math.max(shortestInterval, intervalOfProject * projects.size()))
    const watches = yield* RcMap.make({ lookup: (project: ProjectId) => watch(project, interval) })

    const end = Effect.sync(() => {
      isOver = true
      for (const queue of streams) Queue.endUnsafe(queue)
    })
    yield* Effect.addFinalizer(() => end)

    const startOf = (project: ProjectId, after: string | undefined): Effect.Effect<LiveWatch.Start> =>
      after === undefined || after === "" ? Effect.succeed("now") : positions.open(project, after)

    const refuse = (limit: number) => Effect.fail(new RateLimitExceeded({ limit, retryAfter, scope: "streams" }))

    const follow = Effect.fn("Live.follow")(function* (
      project: ProjectId,
      actor: ActorOf,
      { topics = LiveTopic.literals, after }: Following
    ) {
      const holder = holderOf(project, actor)
      if (holders.of(holder) >= mostOfHolder) return yield* refuse(mostOfHolder)
      if (projects.of(project) >= mostOfProject) return yield* refuse(mostOfProject)
      const start = yield* startOf(project, after)

      /** The service stops while the stream starts. */
      const ended = (cause: Cause.Cause<never>) => (isOver ? Effect.succeed(Stream.empty) : Effect.failCause(cause))

      const opened = Effect.gen(function* () {
        if (isOver) return Stream.empty
        const queue = yield* Queue.dropping<string, Cause.Done>(most)
        yield* Effect.acquireRelease(
          Effect.sync(() => streams.add(queue)),
          () => Effect.sync(() => streams.delete(queue))
        )
        yield* holders.take(holder)
        yield* projects.take(project)
        const { join, leave, position } = yield* RcMap.get(watches, project)
        const finish = () => void Queue.endUnsafe(queue)
        const take = (text: string) => {
          if (!Queue.offerUnsafe(queue, text)) finish()
        }
        const listener: LiveWatch.Listener = { topics: new Set(topics), take, end: finish }
        yield* Effect.acquireRelease(join(listener, start), () => leave(listener))
        yield* position.pipe(
          Effect.map((id) => take(`: still here\nid: ${id}\n\n`)),
          Effect.delay(beat),
          Effect.forever,
          Effect.forkScoped
        )
        yield* Effect.forkScoped(Effect.delay(Effect.sync(finish), longest))
        return Stream.fromQueue(queue)
      })
      // Hosts read the stream outside of the request, where the clock may be another.
      return Stream.provideService(Stream.unwrap(Effect.catchCause(opened, ended)), Clock.Clock, clock)
    })

    return Live.of({ follow, end })
  })
)
