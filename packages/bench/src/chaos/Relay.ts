/** A port of loopback in front of another program. The user of this module decides what passes. */
import { createServer, type Socket } from "node:net"
import { Effect, type Scope } from "effect"

/** Returns the port. Sockets passed to `keep` end with the scope, and their errors are ignored. */
export const listen = (
  serve: (near: Socket, keep: (socket: Socket) => Socket) => void
): Effect.Effect<number, never, Scope.Scope> => {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    return socket.on("error", () => {}).on("close", () => sockets.delete(socket))
  }
  const server = createServer((near) => serve(keep(near), keep))
  return Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const bound = server.address()
        resume(Effect.succeed(typeof bound === "object" && bound !== null ? bound.port : 0))
      })
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
  )
}

/** The same database through such a port. */
export const urlThrough = (databaseUrl: string, port: number): string => {
  const url = new URL(databaseUrl)
  url.hostname = "127.0.0.1"
  url.port = String(port)
  return url.href
}
