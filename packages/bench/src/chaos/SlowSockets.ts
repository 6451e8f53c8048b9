/** Many addresses of this machine hold sockets with an unfinished body, during the requests of others. */
import { connect, type Socket } from "node:net"
import { Effect } from "effect"
import * as Beside from "./Beside.ts"
import { Installation } from "./Installation.ts"
import { until } from "./Waiting.ts"

export interface Options extends Beside.Options {
  readonly sockets: number
}

/** Sockets of one address of the loopback network. */
const socketsOfAddress = 20
const addressOf = (number: number) => `127.0.1.${1 + Math.floor(number / socketsOfAddress)}`

/** A login whose body has 100 bytes, of which only some are sent. */
const unfinished = [
  "POST /auth/login HTTP/1.1",
  "Host: posthorn.example",
  "Content-Type: application/json",
  "Content-Length: 100",
  "",
  '{"email":"'
].join("\r\n")

/** Milliseconds before a closed socket is opened again. */
const pause = 200

/** Keeps this many sockets open until the scope closes, and replaces each one that is closed. */
const hold = Effect.fnUntraced(function* (url: string, count: number) {
  const { hostname: host, port } = new URL(url)
  const open = new Set<Socket>()
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const answers: Record<string, number> = {}
  let isOver = false

  const begin = (number: number) => {
    const socket = connect({ host, port: Number(port), localAddress: addressOf(number) })
    socket.on("connect", () => {
      open.add(socket)
      socket.write(unfinished)
    })
    socket.on("data", (data) => {
      const status = data.toString("latin1").slice("HTTP/1.1 ".length, "HTTP/1.1 000".length)
      answers[status] = (answers[status] ?? 0) + 1
    })
    socket.on("error", () => {})
    socket.on("close", () => {
      open.delete(socket)
      if (isOver) return
      const timer = setTimeout(() => {
        timers.delete(timer)
        begin(number)
      }, pause)
      timers.add(timer)
    })
  }

  yield* Effect.acquireRelease(
    Effect.sync(() => {
      for (let number = 0; number < count; number++) begin(number)
    }),
    () =>
      Effect.sync(() => {
        isOver = true
        for (const timer of timers) clearTimeout(timer)
        for (const socket of open) socket.destroy()
      })
  )
  yield* until(
    "sockets to be open",
    Effect.sync(() => open.size),
    (size) => size === count
  )
  // Measures the cost of holding them, and of closing and opening them again one by one.
  yield* Effect.sleep("1 second")
  return answers
})

/** As `Beside.compare`, beside sockets that never complete a request. Each disturbance has the answers to its sockets. */
export const hang = Effect.fn("SlowSockets.hang")(function* ({ sockets, ...options }: Options) {
  const { startApi } = yield* Installation
  const api = yield* startApi({ environment: { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" } })
  return yield* Beside.compare(api.url, options, hold(api.url, sockets))
})
