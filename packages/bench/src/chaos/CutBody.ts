/** A stretch of wire that ends in the middle of a mail: what a peer sees of a worker that dies there. */
import { connect, createServer, type Socket } from "node:net"
import { Effect, type Scope } from "effect"

export interface CutBody {
  /** Where a worker finds the peer. */
  readonly port: number
  /** From now on, once so many bytes of a connection have passed; the bytes after them never arrive. */
  readonly cutAfter: (bytes: number, then: () => void) => void
}

/** Passes everything on to a port of loopback, both ways, until it is told where to cut. */
export const make = Effect.fnUntraced(function* (port: number): Effect.fn.Return<CutBody, never, Scope.Scope> {
  let cut: { readonly bytes: number; readonly then: () => void } | undefined
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1")
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
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on("error", () => {})
      socket.on("close", () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
  )
  const bound = server.address()
  return {
    port: typeof bound === "object" && bound !== null ? bound.port : 0,
    cutAfter: (bytes, then) => {
      cut = { bytes, then }
    }
  }
})
