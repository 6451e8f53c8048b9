/** A stretch of wire that ends in the middle of a mail: what a peer sees of a worker that dies there. */
import { connect } from "node:net"
import { Effect, type Scope } from "effect"
import * as Relay from "./Relay.ts"

export interface CutBody {
  /** Where a worker finds the peer. */
  readonly port: number
  /** From now on, once so many bytes of a connection have passed; the bytes after them never arrive. */
  readonly cutAfter: (bytes: number, then: () => void) => void
}

/** Passes everything on to a port of loopback, both ways, until it is told where to cut. */
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
