/** A TCP port that forwards to another one, for as long as the scope is open. */
import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { Effect, type Scope } from "effect"

/** A port without a listener. */
export const freePort: Effect.Effect<number> = Effect.promise(async () => {
  const server = createServer()
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  await new Promise((done) => server.close(done))
  return address !== null && typeof address === "object" ? address.port : 0
})

export const forward = (
  port: number,
  to: { readonly host: string; readonly port: number }
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const open = new Set<Socket>()
        const server = createServer((near) => {
          const far = connect(to)
          for (const socket of [near, far]) {
            open.add(socket)
            socket
              .on("error", () => {})
              .on("close", () => {
                open.delete(socket)
                near.destroy()
                far.destroy()
              })
          }
          near.pipe(far).pipe(near)
        })
        await once(server.listen(port, "127.0.0.1"), "listening")
        return { server, open }
      }),
      ({ server, open }) =>
        Effect.promise(async () => {
          const closed = new Promise((done) => server.close(done))
          for (const socket of open) socket.destroy()
          await closed
        })
    )
  )
