/** A connection that breaks in the middle of a message, as a peer sees it when a worker dies. */
import { connect } from "node:net"
import { Effect, type Scope } from "effect"
import * as Relay from "./Relay.ts"

export interface CutBody {
  /** The port at which a worker reaches the peer. */
  readonly port: number
  /** From now on, cuts the next connection after this many bytes. Later bytes never arrive. */
  readonly cutAfter: (bytes: number, then: () => void) => void
}

/** Forwards everything to a port of loopback, in both directions, until a cut is set. */
export const make = Effect.fnUntraced(function* (port: number): Effect.fn.Return<CutBody, never, Scope.Scope> {
  let cut: { readonly bytes: number; readonly then: () => void } | undefined
  const own = yield* Relay.listen((near, keep) => {
    const far = keep(connect(port, "127.0.0.1"))
    let passed = 0
    near.on("data", (chunk) => {
      passed += chunk.length
      if (cut === undefined || passed < cut.bytes) return void far.write(chunk)
      cut.then()
      cut = undefined
      far.destroy()
      near.destroy()
    })
    far.pipe(near)
    near.on("close", () => far.destroy())
    far.on("close", () => near.destroy())
  })
  return {
    port: own,
    cutAfter: (bytes, then) => {
      cut = { bytes, then }
    }
  }
})
