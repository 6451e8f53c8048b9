/**
 * Limits the number of requests that a process handles at once. When storage is slow, requests arrive faster than they
 * finish. More of them would only wait and use memory, so they are answered with 503. A request whose body is still
 * arriving does not count.
 */
import { Effect } from "effect"
import { Overloaded } from "./Overloaded.ts"

/** Requests. Far more than storage has connections for. */
export const most = 500

/** Probes are always answered, since an operator needs them most under load. */
const isProbe = (url: string): boolean => /^\/(?:health|ready)(?:$|\?)/.test(url)

/** One count for the process, as its memory is. */
let inHand = 0

const tooMany = Effect.suspend(() => Effect.die(new Overloaded({ what: "requests" })))
const leave = Effect.sync(() => inHand--)
const comeBack = Effect.sync(() => inHand++)

/** Handles the request, or dies with `Overloaded` when there are too many. */
export const admit = <A, E, R>(url: string, handled: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    if (isProbe(url)) return handled
    if (inHand >= most) return tooMany
    inHand++
    return Effect.ensuring(handled, leave)
  })

/** Inside `admit`: waits for the caller. The request does not count while it waits, and needs a place afterwards. */
export const outside = <A, E, R>(waiting: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    inHand--
    return Effect.flatMap(Effect.ensuring(waiting, comeBack), (value) =>
      inHand > most ? tooMany : Effect.succeed(value)
    )
  })
