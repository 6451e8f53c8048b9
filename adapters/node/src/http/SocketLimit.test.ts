import { type Agent, createServer, get, type Server } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { assert, it } from "@effect/vitest"
import { eventually } from "@posthorn/core/testing/Eventually"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { limitSockets } from "./SocketLimit.ts"

/** Milliseconds. */
const grace = 300

const listening = Effect.acquireRelease(
  Effect.callback<Server>((resume) => {
    const server = createServer((_, response) => void response.end("served"))
    limitSockets(server, { sockets: 40, silent: 10, grace })
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
)

const portOf = (server: Server) => (server.address() as AddressInfo).port

/** A socket from an address of the loopback network, with the first bytes that it sends. */
const open = (server: Server, localAddress: string, text: string) =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const socket = connect({ host: "127.0.0.1", port: portOf(server), localAddress }, () => {
        socket.write(text)
        resume(Effect.succeed(socket))
      })
      socket.on("error", () => {})
      socket.resume()
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

const ask = (server: Server, localAddress: string, agent?: Agent) =>
  Effect.callback<string>((resume) => {
    get({ host: "127.0.0.1", port: portOf(server), localAddress, agent }, (response) => {
      response.setEncoding("utf8").once("data", (text: string) => resume(Effect.succeed(text)))
      response.resume()
    })
  })

const closed = (sockets: ReadonlyArray<Socket>) => Effect.sync(() => sockets.filter(({ closed }) => closed).length)

it.effect("if a client opens too many sockets without a request, its own oldest ones are closed", () =>
  Effect.gen(function* () {
    const server = yield* listening
    const other = yield* open(server, "127.0.0.3", "GET / HTTP/1.1\r\n")
    const silent = Effect.suspend(() => open(server, "127.0.0.2", "GET /"))
    const own = yield* Effect.replicateEffect(silent, 14)
    yield* TestClock.withLive(Effect.sleep(grace))
    assert.strictEqual(yield* closed(own), 0, "many at one moment may come from a proxy")
    const more = yield* Effect.replicateEffect(silent, 4)
    yield* eventually(closed(own), (count) => count >= 4)
    assert.strictEqual(yield* closed([...own.slice(4), ...more]), 0)
    assert.strictEqual(yield* closed([other]), 0)
    assert.strictEqual(yield* ask(server, "127.0.0.2"), "served")
    assert.strictEqual(yield* ask(server, "127.0.0.3"), "served")
  }).pipe(Effect.scoped)
)

it.effect("if there are too many sockets in total, the idle ones are closed", () =>
  Effect.gen(function* () {
    const server = yield* listening
    const request = "GET / HTTP/1.1\r\nHost: posthorn\r\n\r\n"
    const idle = yield* Effect.forEach(Array.from({ length: 40 }), (_, number) =>
      open(server, `127.0.0.${2 + (number % 8)}`, request)
    )
    yield* eventually(
      Effect.sync(() => idle.every(({ bytesRead }) => bytesRead > 0)),
      (isAnswered) => isAnswered
    )
    assert.strictEqual(yield* closed(idle), 0)
    assert.strictEqual(yield* ask(server, "127.0.0.11"), "served")
    yield* eventually(closed(idle), (count) => count === 40)
    assert.strictEqual(yield* ask(server, "127.0.0.11"), "served")
  }).pipe(Effect.scoped)
)
