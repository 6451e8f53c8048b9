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
import * as Known from "./Known.ts"
import { type Drawn, draw, samples } from "./Requests.ts"
import * as Things from "./Things.ts"

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

/** Until there is another one of each thing: many are deleted meanwhile. */
const makeEvery = 500

/** Below it the whole run is a warm-up, and says nothing of the memory. */
const warm = 50_000

/** What the memory may grow by from the middle of a run to its end. */
const growth = 1.1

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

/** Somebody with an account and a project. */
const signUp = Effect.fnUntraced(function* (url: string, name: string) {
  const ask = (path: string, body: object, more: object = {}) =>
    Effect.promise(() => {
      const headers = { "content-type": "application/json", ...more }
      return fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
    })
  const signedUp = yield* ask("/auth/signup", { email: `${name}@example.org`, password: "correct horse battery" })
  const session = /posthorn_session=([^;]+)/.exec(signedUp.headers.getSetCookie().join())?.[1]
  if (session === undefined) {
    const said = yield* Effect.promise(() => signedUp.text())
    return yield* new BenchFailure({ message: `nobody was signed up: ${signedUp.status} ${said}` })
  }
  const made = yield* ask("/users/@me/projects", { name: "Fuzz" }, { cookie: `posthorn_session=${session}` })
  const text = yield* Effect.promise(() => made.text())
  const project = /"id":"([^"]+)"/.exec(text)?.[1]
  if (project === undefined) return yield* new BenchFailure({ message: `no project was made: ${text}` })
  return { session, project }
})

/** The largest of some tenths. */
const most = (rss: ReadonlyArray<number | undefined>, from: number, to: number) =>
  Math.max(...rss.slice(from, to).map((megabytes) => megabytes ?? 0))

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
      POSTHORN_TRUST_PROXY: "1",
      POSTHORN_AUTO_SUSPEND: "false",
      POSTHORN_NOTIFICATION_SECRET: "a secret of the fuzz, which keeps nothing"
    }
  })
  const user = yield* signUp(server.url, "fuzz")
  // With a limit of requests of its own, and a session that nobody ends.
  const bystander = yield* signUp(server.url, "bystander")
  const credentials = { secretKey: sender.key, publicKey: sender.publicKey, ...user }
  const fitting = yield* samples(seed, domain)
  const findings: Array<Finding> = []
  const statuses: Record<string, number> = {}
  const known = Known.make({ projects: sender.id, templates: sender.template })
  const rss: Array<number | undefined> = []

  const good = Effect.gen(function* () {
    const asked = [
      { path: "/contacts?limit=1", headers: { authorization: `Bearer ${sender.key}` } },
      { path: "/users/@me", headers: { cookie: `posthorn_session=${bystander.session}` } }
    ]
    for (const { headers, path } of asked) {
      const signal = AbortSignal.timeout(patience)
      const answer = yield* Effect.promise(() =>
        fetch(`${server.url}${path}`, { headers, signal }).then(
          ({ status }) => String(status),
          (error) => String(error)
        )
      )
      if (answer !== "200") findings.push({ what: `a good request got ${answer}`, request: `GET ${path}` })
    }
  })

  const make = (number: number) => Things.make(server.url, credentials, known, domain, number)

  const once = Effect.fnUntraced(function* (number: number) {
    const drawn = yield* draw(credentials, fitting, known, domain)
    const answer = yield* Effect.result(ask(server.url, drawn))
    if (answer._tag === "Failure") return findings.push({ what: answer.failure, request: shown(drawn) })
    const { headers, status, text } = answer.success
    statuses[status] = (statuses[status] ?? 0) + 1
    // A word may lead to another path than that of the operation.
    const isElsewhere = status === 404 && text.includes('"ROUTE_NOT_FOUND"')
    // Nothing is sold here, and nobody may say that it was paid.
    const isOff = status === 503 && drawn.operation.id === "receivers.payments"
    // The contents of a project are being deleted, as somebody has asked for.
    const isReset = status === 503 && headers.get("retry-after") === "5"
    const found = isElsewhere || isOff || isReset ? undefined : deviation(drawn.operation, answer.success)
    if (found !== undefined) findings.push({ what: found.slice(0, 2_000), request: shown(drawn) })
    const isJson = headers.get("content-type")?.startsWith("application/json") === true
    if (status < 300 && isJson) known.learn(drawn.operation.path, JSON.parse(text))
    if (number % checkEvery === 0) yield* good
    // What others delete meanwhile may end it early.
    if (number % makeEvery === 0) yield* Effect.option(make(number))
    if (number % Math.ceil(requests / 10) === 0) rss.push(yield* rssMegabytes(server.pid))
  })

  yield* make(0)
  const numbers = Array.from({ length: requests }, (_, n) => n + 1)
  yield* Effect.forEach(numbers, once, { concurrency, discard: true }).pipe(Random.withSeed(String(seed)))
  yield* good
  // The last three tenths beside the three before them.
  const [middle, end] = [most(rss, 4, 7), most(rss, 7, 10)]
  if (requests >= warm && end > middle * growth) {
    findings.push({ what: `the memory grew from ${middle} to ${end} MB`, request: `the last ${requests * 0.3}` })
  }
  return { requests, statuses, findings, rss } satisfies Result
})
