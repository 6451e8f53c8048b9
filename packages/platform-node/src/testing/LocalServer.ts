/** HTTP servers on this machine, in place of external ones. For tests. */
import { createServer, type RequestListener } from "node:http"
import { Effect, type Scope } from "effect"

/** Serves on a free port of 127.0.0.1 until the scope closes, which also closes all connections. Returns the port. */
export const localServer = (listener: RequestListener): Effect.Effect<number, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer(listener)
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    ),
    (server) => {
      const address = server.address()
      return typeof address === "object" && address !== null ? address.port : 0
    }
  )
