/**
 * A server is asked what nobody should ask. Whatever it is, the answer comes within ten seconds, is no 5xx and one that
 * the document describes, and a good request in between is answered as ever.
 */
import { deviation } from "@posthorn/node/endToEnd/testing/Operations"
import { Effect, Random } from "effect"
import { BenchFailure } from "../BenchFailure.ts"
import { rssMegabytes } from "../machine/ProcessTimes.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import * as Sink from "../processes/Sink.ts"
import * as Seed from "../Seed.ts"
import { type Drawn, draw, samples } from "./Requests.ts"

export interface Options {
  readonly requests: number
  /** The same seed draws the same requests, but for ids, which the server makes. */
  readonly seed: number
  readonly concurrency: number
}

export interface Finding {
  readonly what: string
  readonly request: string
}

export interface Result {
  readonly requests: number
  /** How many answers had the status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly findings: ReadonlyArray<Finding>
  /** Of the server in MB, whenever a tenth was through. */
  readonly rss: ReadonlyArray<number | undefined>
}

const patience = 10_000

/** Between two good requests. */
const checkEvery = 200

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g

const ask = (url: string, { body, headers, operation, target }: Drawn) =>
  Effect.tryPromise({
    try: async () => {
      const signal = AbortSignal.timeout(patience)
      const init = { method: operation.method, headers, signal, redirect: "manual" as const }
      const response = await fetch(`${url}${target}`, body === undefined ? init : { ...init, body })
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
    catch: (cause) => (cause instanceof Error ? `${cause.message} ${cause.cause ?? ""}` : String(cause))
  })

const shown = ({ body, headers, operation, target }: Drawn) =>
  `${operation.method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${body?.slice(0, 2_000) ?? ""}`

/** Somebody with an account. */
const signUp = Effect.fnUntraced(function* (url: string) {
  const body = JSON.stringify({ email: "fuzz@example.org", password: "correct horse battery" })
  const headers = { "content-type": "application/json" }
  const response = yield* Effect.promise(() => fetch(`${url}/auth/signup`, { method: "POST", headers, body }))
  return /posthorn_session=([^;]+)/.exec(response.headers.getSetCookie().join())?.[1] ?? ""
})

export const fuzz = Effect.fn("fuzz")(function* ({ concurrency, requests, seed }: Options) {
  const database = yield* Postgres.freshDatabase
  const [sender] = yield* Effect.provide(Seed.senders(1), Seed.core(Postgres.layer(database)))
  if (sender === undefined) return yield* new BenchFailure({ message: "no sender was made" })
  const domain = sender.from.split("@")[1] ?? ""
  const sink = yield* Sink.start
  const server = yield* Server.start({
    name: "fuzzed",
    role: "all",
    database,
    smtp: sink.url,
    environment: {
      POSTHORN_RATE_LIMIT_PER_MINUTE: "1000000",
      POSTHORN_AUTO_SUSPEND: "false",
      POSTHORN_NOTIFICATION_SECRET: "a secret of the fuzz, which keeps nothing"
    }
  })
  const credentials = { secretKey: sender.key, publicKey: sender.publicKey, session: yield* signUp(server.url) }
  const fitting = yield* samples(seed, domain)
  const findings: Array<Finding> = []
  const statuses: Record<string, number> = {}
  const known: Array<string> = []
  const rss: Array<number | undefined> = []

  const good = Effect.gen(function* () {
    const headers = { authorization: `Bearer ${sender.key}` }
    const answer = yield* Effect.promise(() => fetch(`${server.url}/contacts?limit=1`, { headers }))
    if (answer.status !== 200) findings.push({ what: `a good request got ${answer.status}`, request: "GET /contacts" })
  })

  const once = Effect.fnUntraced(function* (number: number) {
    const drawn = yield* draw(credentials, fitting, known, domain)
    const answer = yield* Effect.result(ask(server.url, drawn))
    if (answer._tag === "Failure") return findings.push({ what: answer.failure, request: shown(drawn) })
    const { status, text } = answer.success
    statuses[status] = (statuses[status] ?? 0) + 1
    // A word may lead to another path than that of the operation.
    const isElsewhere = status === 404 && text.includes('"ROUTE_NOT_FOUND"')
    // Nothing is sold here, and nobody may say that it was paid.
    const isOff = status === 503 && drawn.operation.id === "receivers.payments"
    const found = isElsewhere || isOff ? undefined : deviation(drawn.operation, answer.success)
    if (found !== undefined) findings.push({ what: found.slice(0, 2_000), request: shown(drawn) })
    if (status < 300) known.push(...(text.match(uuid) ?? []).slice(0, 3))
    if (known.length > 400) known.splice(0, known.length - 400)
    if (number % checkEvery === 0) yield* good
    if (number % Math.ceil(requests / 10) === 0) rss.push(yield* rssMegabytes(server.pid))
  })

  const numbers = Array.from({ length: requests }, (_, n) => n + 1)
  yield* Effect.forEach(numbers, once, { concurrency, discard: true }).pipe(Random.withSeed(String(seed)))
  yield* good
  return { requests, statuses, findings, rss } satisfies Result
})
