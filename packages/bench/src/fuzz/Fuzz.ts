/**
 * Sends invalid and hostile requests to a server. Every answer arrives within ten seconds, is not a 5xx, and matches
 * the document, and valid requests in between are answered as usual.
 */
import { deviation, operations } from "@posthorn/node/endToEnd/testing/Operations"
import { Effect, Random } from "effect"
import { rssMegabytes } from "../machine/ProcessTimes.ts"
import * as Known from "./Known.ts"
import { type Drawn, draw, samples } from "./Requests.ts"
import * as Sessions from "./Sessions.ts"
import { signUp } from "./SignUp.ts"
import * as Target from "./Target.ts"
import * as Things from "./Things.ts"

export interface Options {
  readonly requests: number
  /** SMTP sessions, after the requests. */
  readonly sessions: number
  /** The same seed gives the same requests, except for ids, which the server creates. */
  readonly seed: number
  readonly concurrency: number
  /** Minutes after which no further request is drawn. */
  readonly minutes: number
}

export interface Finding {
  readonly what: string
  readonly request: string
}

export interface Result {
  readonly requests: number
  /** The number of answers with each status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Operations of the document that never succeeded, and so were hardly tried. */
  readonly unreached: ReadonlyArray<string>
  readonly sessions: number
  /** The number of SMTP replies with each code. */
  readonly replies: Readonly<Record<string, number>>
  /** Messages of these sessions that were accepted. */
  readonly submitted: number
  readonly findings: ReadonlyArray<Finding>
  /** The memory of the server in MB, after each tenth of the requests. */
  readonly rss: ReadonlyArray<number | undefined>
}

/** Milliseconds for an answer. The check of a transport may take 15 seconds. */
const patience = 20_000

/** Requests between two valid ones. */
const checkEvery = 200

/** Requests until another resource of each kind is created, because many are deleted meanwhile. */
const makeEvery = 500

/** A shorter run is only a warm-up, and says nothing about the memory. */
const warm = 50_000

/** How much the memory may grow from the middle of a run to its end. */
const growth = 1.1

/** The whole text, or the first part of a stream, which has no end. */
const textOf = async (response: Response) => {
  if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true) return await response.text()
  const reader = response.body?.getReader()
  const part = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(part?.value)
}

const ask = (url: string, { body, headers, operation, target }: Drawn) =>
  Effect.tryPromise({
    try: async () => {
      const signal = AbortSignal.timeout(patience)
      const init = { method: operation.method, headers, signal, redirect: "manual" as const }
      const response = await fetch(`${url}${target}`, body === undefined ? init : { ...init, body })
      return { status: response.status, headers: response.headers, text: await textOf(response) }
    },
    catch: (cause) => (cause instanceof Error ? `${cause.message} ${cause.cause ?? ""}` : String(cause))
  })

const isLate = (failure: string) => failure.includes("timeout")

const shown = ({ body, headers, operation, target }: Drawn) =>
  `${operation.method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${body?.slice(0, 2_000) ?? ""}`

/** The maximum of some tenths. */
const most = (rss: ReadonlyArray<number | undefined>, from: number, to: number) =>
  Math.max(...rss.slice(from, to).map((megabytes) => megabytes ?? 0))

export const fuzz = Effect.fn("fuzz")(function* ({ concurrency, minutes, requests, seed, sessions }: Options) {
  const { database, domain, sender, server, submitters } = yield* Target.start("fuzzed", 1_000_000)
  const user = yield* signUp(server.url, "fuzz")
  // With its own rate limit, and a session that no request ends.
  const bystander = yield* signUp(server.url, "bystander")
  const credentials = { secretKey: sender.key, publicKey: sender.publicKey, ...user }
  const fitting = yield* samples(seed, domain)
  const findings: Array<Finding> = []
  /** Also at once, for a run that is ended early. */
  const report = (finding: Finding) => {
    findings.push(finding)
    globalThis.console.error(`${finding.what}\n  ${finding.request}`)
  }
  const statuses: Record<string, number> = {}
  const reached = new Set<string>()
  const known = Known.make({
    ...{ projects: sender.id, templates: sender.template },
    // Answers have these as numbers and objects.
    ...{ versions: "1", ns: "1", tags: "order", eventName: "ordered", field: "plan" }
  })
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
      if (answer !== "200") report({ what: `a good request got ${answer}`, request: `GET ${path}` })
    }
  })

  const make = (number: number) => Things.make(server.url, credentials, known, domain, number)

  const started = performance.now()
  let asked = 0

  const once = Effect.fnUntraced(function* (number: number) {
    if (performance.now() - started > minutes * 60_000) return
    asked++
    const drawn = yield* draw(credentials, fitting, known, domain)
    // On a busy machine a late answer counts only if it is late again.
    const answer = yield* Effect.result(Effect.retry(ask(server.url, drawn), { times: 2, while: isLate }))
    if (answer._tag === "Failure") return report({ what: answer.failure, request: shown(drawn) })
    const { headers, status, text } = answer.success
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status < 400) reached.add(drawn.operation.id)
    // A drawn word may lead to another path than that of the operation.
    const isElsewhere = status === 404 && text.includes('"ROUTE_NOT_FOUND"')
    // Billing is not configured, and no one may report a payment.
    const isOff = status === 503 && drawn.operation.id === "receivers.payments"
    // The contents of a project are being deleted, as a request has asked.
    const isReset = status === 503 && headers.get("retry-after") === "5"
    // The server refuses it before it looks for an endpoint.
    const isTooLong = status === 414 && drawn.target.length > 2_048
    const found = isElsewhere || isOff || isReset || isTooLong ? undefined : deviation(drawn.operation, answer.success)
    if (found !== undefined) report({ what: found.slice(0, 2_000), request: shown(drawn) })
    const isJson = headers.get("content-type")?.startsWith("application/json") === true
    if (status < 300 && isJson) known.learn(drawn.operation.path, JSON.parse(text))
    if (number % checkEvery === 0) yield* good
    // Concurrent deletions may end it early.
    if (number % makeEvery === 0) yield* Effect.option(make(number))
    if (number % Math.ceil(requests / 10) === 0) rss.push(yield* rssMegabytes(server.pid))
  })

  yield* make(0)
  const numbers = Array.from({ length: requests }, (_, n) => n + 1)
  yield* Effect.forEach(numbers, once, { concurrency, discard: true }).pipe(Random.withSeed(String(seed)))
  yield* good
  // Compares the last three tenths with the three before them.
  const [middle, end] = [most(rss, 4, 7), most(rss, 7, 10)]
  if (asked >= warm && end > middle * growth) {
    report({ what: `the memory grew from ${middle} to ${end} MB`, request: `the last ${requests * 0.3}` })
  }
  const smtp = yield* Sessions.hold(
    { sessions, seed, concurrency },
    { url: server.url, database, good, senders: submitters }
  )
  for (const finding of smtp.findings) report(finding)
  return {
    requests: asked,
    statuses,
    unreached: operations.map(({ id }) => id).filter((id) => !reached.has(id)),
    sessions,
    replies: smtp.replies,
    submitted: smtp.accepted,
    findings,
    rss
  } satisfies Result
})
