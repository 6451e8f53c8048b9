/**
 * How many requests one process has in hand. When storage is slow they come faster than they go; beyond a point more of
 * them would only wait for each other and take memory for it, and are asked to come back instead.
 */
import { Effect } from "effect"
import { Overloaded } from "./Overloaded.ts"

/** Requests; far more than storage has connections for. */
export const most = 500

/** Probes are answered in any crowd: then above all must whoever looks after the process learn how it is. */
const isProbe = (url: string): boolean => /^\/(?:health|ready)(?:$|\?)/.test(url)

/** One count for the process, as its memory is. */
let inHand = 0

/** The handling of a request, unless there are too many: then it dies with `Overloaded`. */
export const admit = <A, E, R>(url: string, handled: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    if (isProbe(url)) return handled
    if (inHand >= most) return Effect.die(new Overloaded({ what: "requests" }))
    inHand++
    return Effect.ensuring(
      handled,
      Effect.sync(() => inHand--)
    )
  })
