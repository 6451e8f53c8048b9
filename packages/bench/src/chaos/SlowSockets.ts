/** Many addresses of this machine hold sockets with an unfinished body, during the requests of others. */
import { connect, type Socket } from "node:net"
import { Effect } from "effect"
import * as PacedLoad from "../load/PacedLoad.ts"
import { latencyOf, spread } from "../Statistics.ts"
import { Installation } from "./Installation.ts"
import { promisingAll, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  readonly sockets: number
  /** Each has two loads: without the sockets, and with them. */
  readonly rounds: number
  /** Of one load. */
  readonly seconds: number
  /** Requests a second of the load. */
  readonly perSecond: number
  /**
   * The largest allowed ratio of the others' 99th percentile with the sockets to that without, by the medians of all
   * rounds.
   */
  readonly most: number
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

/**
 * Returns the percentiles, the answers to the sockets, and the verdict: others are served as if there were no such
 * sockets.
 */
export const hang = Effect.fn("SlowSockets.hang")(function* (options: Options) {
  const { most, perSecond, rounds, seconds, sockets } = options
  const { senders, startApi } = yield* Installation
  const api = yield* startApi({ environment: { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" } })
  const load = yield* Effect.orDie(PacedLoad.start)
  const run = (length: number) =>
    load
      .ask(
        {
          url: `${api.url}/contacts`,
          body: '{"email":"slow-$n@example.com"}',
          projects: senders,
          perSecond,
          seconds: length
        },
        PacedLoad.Answer
      )
      .pipe(Effect.orDie)
  yield* run(2)

  const answered: Record<string, number> = {}
  const quiet: globalThis.Array<number> = []
  const beside: globalThis.Array<number> = []
  const closed: globalThis.Array<Record<string, number>> = []
  const measure = Effect.fnUntraced(function* (into: globalThis.Array<number>) {
    const { requests } = yield* run(seconds)
    for (const { status } of requests) answered[status] = (answered[status] ?? 0) + 1
    into.push(latencyOf(requests.map(({ took }) => took)).p99)
  })
  for (let round = 0; round < rounds; round++) {
    yield* measure(quiet)
    yield* Effect.scoped(
      Effect.gen(function* () {
        closed.push(yield* hold(api.url, sockets))
        yield* measure(beside)
      })
    )
  }

  const p99 = { quiet: spread(quiet), beside: spread(beside) }
  const found = { answered, closed, p99, ...(yield* verdict(new Set(), 0)) }
  const strange = Object.keys(answered).filter((status) => !status.startsWith("2"))
  const isFast = p99.beside.median <= most * p99.quiet.median
  return promisingAll(found, [
    [`Others were answered ${strange.join(", ")}`, strange.length === 0],
    [`The 99th percentile was ${p99.beside.median} ms beside ${p99.quiet.median} ms`, isFast]
  ])
})
