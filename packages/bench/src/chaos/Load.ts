/** Clients that retry: each request has a key and is repeated until there is a definite answer. */
import { Array, DateTime, Effect, Random, Schema } from "effect"
import type { Sender } from "../Seed.ts"
import { Installation } from "./Installation.ts"

export interface Request {
  readonly project: Sender
  /** Undefined: without a key. */
  readonly key?: string | undefined
  readonly body: object
}

/** `status` 0: the connection ended without an answer. */
export interface Answer {
  readonly status: number
  readonly body: unknown
  /** The value of the header Retry-After; null if there is none. */
  readonly retryAfter: string | null
}

/** Milliseconds after which a server without an answer counts as hanging. */
const usualPatience = 10_000

const exchange = (url: string, init: RequestInit, patience = usualPatience) =>
  Effect.promise(async (): Promise<Answer> => {
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(patience) })
      const text = await response.text()
      const retryAfter = response.headers.get("retry-after")
      return { status: response.status, body: text === "" ? null : JSON.parse(text), retryAfter }
    } catch (error) {
      if (error instanceof Error && error.name === "TimeoutError") throw new Error(`${url} hangs`, { cause: error })
      return { status: 0, body: null, retryAfter: null }
    }
  })

export interface Patience {
  /** Milliseconds. Default: 10 seconds. */
  readonly patience?: number | undefined
}

export interface AskOptions extends Patience {
  readonly key?: string | undefined
  readonly body?: object | undefined
  readonly mode?: "refuse" | "replay"
}

export const ask = (
  method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT",
  url: string,
  { body, key, mode, patience }: AskOptions = {}
): Effect.Effect<Answer> => {
  const headers = {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(mode !== undefined && { "idempotency-mode": mode })
  }
  return exchange(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }, patience)
}

export const get = (url: string): Effect.Effect<Answer> => ask("GET", url)

export interface PostOptions extends Patience {
  readonly mode?: "refuse" | "replay"
}

export const post = (
  url: string,
  { project, body, key }: Request,
  { mode = "refuse", patience }: PostOptions = {}
): Effect.Effect<Answer> => {
  const headers = {
    authorization: `Bearer ${project.key}`,
    "content-type": "application/json",
    ...(key !== undefined && { "idempotency-key": key, "idempotency-mode": mode })
  }
  return exchange(`${url}/v1/send`, { method: "POST", headers, body: JSON.stringify(body) }, patience)
}

/** The name of the tracked events. */
export const event = "ordered"

/** An event without an Idempotency-Key. */
export const track = (url: string, { publicKey }: Sender, email: string): Effect.Effect<Answer> =>
  ask("POST", `${url}/v1/track`, { key: publicKey, body: { email, event } })

const Sent = Schema.decodeUnknownEffect(
  Schema.Struct({ data: Schema.Struct({ emails: Schema.Array(Schema.Struct({ email: Schema.String })) }) })
)

/** Ids of the emails in an answer. */
export const mailsOf = ({ body }: Answer): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(Effect.orDie(Sent(body)), ({ data }) => data.emails.map(({ email }) => email))

const Tracked = Schema.decodeUnknownEffect(Schema.Struct({ data: Schema.Struct({ event: Schema.String }) }))

/** The id of the event in an answer. */
export const eventOf = ({ body }: Answer): Effect.Effect<string> =>
  Effect.map(Effect.orDie(Tracked(body)), ({ data }) => data.event)

const Reused = Schema.decodeUnknownEffect(
  Schema.Struct({
    error: Schema.Struct({ details: Schema.Struct({ originalStatusCode: Schema.optionalKey(Schema.Int) }) })
  })
)

/** From an answer that refuses a used key: the status of the first use; undefined if it is unknown. */
export const firstStatusOf = ({ body }: Answer): Effect.Effect<number | undefined> =>
  Effect.map(Effect.orDie(Reused(body)), ({ error }) => error.details.originalStatusCode)

/** An email to this many people. */
export const mailTo = ({ from }: Sender, to: ReadonlyArray<string>, size = 200) => ({
  from,
  to,
  subject: "Your order",
  body: `<p>${"Thank you for your order. ".repeat(Math.ceil(size / 26))}</p>`
})

/** Milliseconds after which scheduled mail is due at the latest. */
const longestWait = 5_000

/**
 * Requests for this many emails in total: most with one recipient, some with a few, of all sizes. With `scheduled`, one
 * in four is scheduled for the next seconds.
 */
export const plan = Effect.fn("Load.plan")(function* (
  projects: ReadonlyArray<Sender>,
  mails: number,
  name: string,
  { scheduled = false }: { readonly scheduled?: boolean } = {}
) {
  const requests: globalThis.Array<Request> = []
  for (let planned = 0; planned < mails; ) {
    const isSingle = (yield* Random.next) < 0.6
    const recipients = Math.min(mails - planned, isSingle ? 1 : yield* Random.nextIntBetween(2, 10))
    const size = yield* Random.nextIntBetween(100, 8_000)
    const to = people(`${name}-${planned}`, recipients)
    const project = yield* Effect.orDie(Random.choice(projects))
    const wait = yield* Random.nextIntBetween(1, 4 * longestWait)
    const at = DateTime.add(yield* DateTime.now, { milliseconds: wait })
    const body = {
      ...mailTo(project, to, size),
      ...(scheduled && wait <= longestWait && { scheduledFor: DateTime.formatIso(at) })
    }
    requests.push({ project, key: `${name}-${requests.length}`, body })
    planned += recipients
  }
  return requests
})

const isDefinite = ({ status }: Answer) => status === 200

/**
 * 409 while the first attempt runs, or until the lease of a dead one ends; 429 while the project is over its rate
 * limit.
 */
const isWorthRepeating = ({ status }: Answer) => [0, 409, 429, 503].includes(status)

/** Repeats the request until it is accepted; the server may have moved meanwhile. Returns the ids of the emails. */
export const insist = Effect.fnUntraced(function* (url: () => string, request: Request, patience?: Patience) {
  for (;;) {
    const answer = yield* post(url(), request, { mode: "replay", ...patience })
    if (isDefinite(answer)) return yield* mailsOf(answer)
    if (!isWorthRepeating(answer)) {
      return yield* Effect.die(new Error(`A request was answered ${answer.status} ${JSON.stringify(answer.body)}`))
    }
    yield* Effect.sleep("250 millis")
  }
})

/** One request of the first project, with one email to each of these people. Returns the ids of the emails. */
export const send = Effect.fnUntraced(function* (to: Array.NonEmptyReadonlyArray<string>, more: object = {}) {
  const { api, senders } = yield* Installation
  const body = { ...mailTo(senders[0], to), ...more }
  return yield* insist(() => api.url, { project: senders[0], key: to[0], body })
})

/** This many addresses. */
export const people = (name: string, count: number) => Array.makeBy(count, (n) => `${name}-${n}@example.com`)

/** Sends all of them, some at a time. `accepted` grows with the answers. */
export const acceptAll = (
  url: () => string,
  requests: ReadonlyArray<Request>,
  accepted: Set<string>,
  patience?: Patience
): Effect.Effect<void> =>
  Effect.forEach(
    requests,
    (request) =>
      Effect.map(insist(url, request, patience), (ids) => {
        for (const id of ids) accepted.add(id)
      }),
    { concurrency: 8, discard: true }
  )

/** How clients hand over requests, and repeat them until they are accepted. `accepted` grows with the answers. */
export type Accept = typeof acceptAll

export interface Flow extends Patience {
  /** The current URL of the server. */
  readonly url: () => string
  /** Default: a request for each. */
  readonly accept?: Accept
  readonly senders: ReadonlyArray<Sender>
  readonly seed: string
  /** At least this many emails, even if the rest ends sooner. */
  readonly mails: number
  /** Emails of the requests that are drawn together. */
  readonly part: number
  /** Grows with the answers. */
  readonly accepted: Set<string>
}

/**
 * Runs an effect while requests flow in parts, with a pause after each part. Requests continue until the effect ends.
 */
export const during = <A, E, R, R2 = never>(
  { accept = acceptAll, accepted, mails, part, patience, seed, senders, url }: Flow,
  happens: Effect.Effect<A, E, R>,
  rest: Effect.Effect<unknown, never, R2> = Effect.void
): Effect.Effect<A, E, R | R2> =>
  Effect.suspend(() => {
    let isOver = false
    const flow = Effect.gen(function* () {
      for (let n = 0; !isOver || accepted.size < mails; n++) {
        const requests = yield* plan(senders, part, `${seed}-${n}`, { scheduled: true })
        yield* accept(url, requests, accepted, { patience })
        yield* rest
      }
    })
    const over = Effect.sync(() => {
      isOver = true
    })
    const both = [Effect.tap(happens, over), Random.withSeed(flow, `mails ${seed}`)] as const
    return Effect.map(Effect.all(both, { concurrency: "unbounded" }), ([result]) => result)
  })
