/**
 * Limits on requests whose body is still arriving. Each request has a timeout that depends on its size. There is a
 * maximum number of such requests for each client and for the process. At the maximum, the oldest request of the client
 * with the most of them ends. So a client that opens many requests and finishes none only displaces its own.
 */
import { Context, Effect, type Fiber, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { elapsedMillis } from "../Elapsed.ts"
import { clientOf } from "./ClientLimit.ts"
import * as ConcurrencyLimit from "./ConcurrencyLimit.ts"
import { Overloaded, TooSlow } from "./Overloaded.ts"

/** Bodies that may arrive at once. */
const most = 1_000
/** Bodies of one client. A proxy that is not trusted counts as one client. */
const mostOfClient = 200
/** Milliseconds that every body has at least: behind a proxy, many requests arrive at the same moment. */
const grace = 1_000
/** Milliseconds that the smallest body may take, and that any body may take. */
const time = { least: 7_000, most: 55_000 }
/** Lowest rate at which a caller must send beyond that time: 32 kB a second. */
const bytesPerMilli = 32

/** Milliseconds from the end of the headers. */
const timeFor = (bytes: number): number => Math.min(time.most, time.least + bytes / bytesPerMilli)

/** Milliseconds between two checks of the timeouts. No check runs while no body is read. */
const interval = 1_000
/**
 * How many requests are ended at once, and the pause before the next ones in milliseconds, so that other requests do
 * not wait for these responses.
 */
const batch = { size: 8, pause: 20 }

/** A service: all handlers that read a body share one count of readers. */
export class BodyReaders extends Context.Service<
  BodyReaders,
  {
    /**
     * Reads the body of the current request, at most `bytes`. The request does not count as being handled meanwhile.
     * Dies with `TooSlow` when it takes too long, and with `Overloaded` when it gives way to others. Requests that did
     * not arrive over a network have neither limit.
     */
    readonly read: <A, E, R>(
      bytes: number,
      body: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R | HttpServerRequest.HttpServerRequest>
  }
>()("@posthorn/core/platform/http/BodyReaders") {}

interface Reader {
  readonly since: number
  /** By the monotonic clock. */
  readonly until: number
  readonly end: (why: Overloaded | TooSlow) => void
}

const make = Effect.gen(function* () {
  const scope = yield* Effect.scope
  /** By client, oldest first. */
  const clients = new Map<string, Set<Reader>>()
  let count = 0
  let isWatched = false

  const remove = (client: string, reader: Reader) => {
    const own = clients.get(client)
    if (own?.delete(reader) !== true) return
    count--
    if (own.size === 0) clients.delete(client)
  }

  const end = (client: string, reader: Reader, why: Overloaded | TooSlow) => {
    remove(client, reader)
    reader.end(why)
  }

  const shedOldest = (client: string, before: number) => {
    const [oldest] = clients.get(client) ?? []
    if (oldest === undefined || oldest.since > before) return
    end(client, oldest, new Overloaded({ what: "unfinished requests" }))
  }

  const heaviest = () => {
    let [found, size] = ["", 0]
    for (const [client, own] of clients) if (own.size > size) [found, size] = [client, own.size]
    return found
  }

  const add = (client: string, reader: Reader) => {
    if ((clients.get(client)?.size ?? 0) >= mostOfClient) shedOldest(client, reader.since - grace)
    if (count >= most) shedOldest(heaviest(), reader.since)
    const own = clients.get(client) ?? new Set()
    own.add(reader)
    clients.set(client, own)
    count++
  }

  const lateAt = (now: number) => {
    const late: Array<readonly [string, Reader]> = []
    for (const [client, own] of clients) {
      for (const reader of own) {
        if (reader.until <= now && late.length < batch.size) late.push([client, reader])
      }
    }
    return late
  }

  /** Ends with the last reader. The next reader starts it again. */
  const watch = Effect.gen(function* () {
    while (count > 0) {
      const late = lateAt(yield* elapsedMillis)
      for (const [client, reader] of late) end(client, reader, new TooSlow())
      yield* Effect.sleep(late.length < batch.size ? interval : batch.pause)
    }
  }).pipe(Effect.ensuring(Effect.sync(() => (isWatched = false))))

  const answerOf = <A, E>(client: string, fiber: Fiber.Fiber<A, E>, since: number, until: number) =>
    Effect.callback<A, E>((resume) => {
      const reader: Reader = { since, until, end: (why) => resume(Effect.die(why)) }
      add(client, reader)
      fiber.addObserver((exit) => {
        remove(client, reader)
        resume(exit)
      })
      return Effect.sync(() => {
        remove(client, reader)
        fiber.interruptUnsafe()
      })
    })

  // Without a generator: each request with a body runs this.
  const tracked = <A, E, R>(client: string, bytes: number, body: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    // Detached: an interruption would close the connection before the answer is sent. It ends with the connection.
    Effect.flatMap(
      Effect.forkDetach(body, { startImmediately: true }),
      (fiber): Effect.Effect<A, E> =>
        fiber.pollUnsafe() ??
        Effect.flatMap(elapsedMillis, (since) => {
          const answer = answerOf(client, fiber, since, since + timeFor(bytes))
          if (isWatched) return answer
          isWatched = true
          return Effect.andThen(Effect.forkIn(watch, scope), answer)
        })
    )

  return BodyReaders.of({
    read: (bytes, body) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ remoteAddress }) =>
        ConcurrencyLimit.outside(
          Option.isNone(remoteAddress) ? body : tracked(clientOf(remoteAddress.value), bytes, body)
        )
      )
  })
})

export const layer: Layer.Layer<BodyReaders> = Layer.effect(BodyReaders, make)
