/**
 * Limits the number of requests that a process handles at once. When storage is slow, requests arrive faster than they
 * finish. Above the limit they would only wait and use memory, so they are answered with 503. A request whose body is
 * still arriving does not count.
 */
import { Effect } from "effect"
import { Overloaded } from "./Overloaded.ts"

/** Requests. Far more than storage has connections for. */
export const most = 500

/** Health probes are always answered, since operators need them most under load. */
const isProbe = (url: string): boolean => /^\/(?:health|ready)(?:$|\?)/.test(url)

/** A process has one count. */
let running = 0

const tooMany = Effect.suspend(() => Effect.die(new Overloaded({ what: "requests" })))
const leave = Effect.sync(() => running--)
const reenter = Effect.sync(() => running++)

/** Handles the request, or dies with `Overloaded` when there are too many. */
export const admit = <A, E, R>(url: string, handled: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    if (isProbe(url)) return handled
    if (running >= most) return tooMany
    running++
    return Effect.ensuring(handled, leave)
  })

/**
 * For use inside `admit`: the request does not count while it waits for the caller, and must be admitted again
 * afterwards.
 */
export const outside = <A, E, R>(waiting: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    running--
    return Effect.flatMap(Effect.ensuring(waiting, reenter), (value) =>
      running > most ? tooMany : Effect.succeed(value)
    )
  })
