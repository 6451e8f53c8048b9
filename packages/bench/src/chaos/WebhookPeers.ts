/** Webhook endpoints fail, redirect, hang, or send endless answers, and later work correctly (fault matrix F17). */
import { createHmac } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Array, Effect, Random, Schema, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { rssMegabytes } from "../machine/ProcessTimes.ts"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { promising, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds all random choices: endpoints and requests. */
  readonly seed: string
  readonly mails: number
  /** One after another, each with this many endpoints. */
  readonly rounds: number
  /** Whether a hanging request runs into its timeout after 15 seconds; otherwise its endpoint ends it. */
  readonly isPatient: boolean
}

interface Kind {
  readonly name: string
  readonly answer: (response: ServerResponse) => unknown
  /** The logged result of the first attempt; several if it depends on the moment. */
  readonly logged: ReadonlyArray<string>
  /** Whether that is a success. */
  readonly succeeds?: boolean
  /** It keeps a request open until the service gives up. */
  readonly hangs?: boolean
}

/** Writes bytes for as long as the client reads them. */
const endless = (response: ServerResponse) => {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, "x"))) {}
  }
  response.on("drain", more)
  more()
}

const dribbling = (response: ServerResponse) => {
  const timer = setInterval(() => response.write("."), 100)
  response.on("close", () => clearInterval(timer))
}

const inside = "/inside"

const fine: Kind = {
  name: "fine",
  answer: (response) => response.writeHead(204).end(),
  logged: ["204"],
  succeeds: true
}
const kinds: Array.NonEmptyReadonlyArray<Kind> = [
  {
    name: "slow",
    answer: (response) => setTimeout(() => response.writeHead(200).end("ok"), 500),
    logged: ["200"],
    succeeds: true
  },
  {
    name: "accepts-and-floods",
    answer: (response) => endless(response.writeHead(200)),
    logged: ["200"],
    succeeds: true
  },
  { name: "fails", answer: (response) => response.writeHead(500).end("no\0".repeat(100_000)), logged: ["500"] },
  { name: "redirects", answer: (response) => response.writeHead(302, { location: inside }).end(), logged: ["302"] },
  { name: "floods", answer: (response) => endless(response.writeHead(500)), logged: ["500"] },
  { name: "is-busy", answer: (response) => response.writeHead(429, { "retry-after": "600" }).end(), logged: ["429"] },
  {
    name: "breaks-off",
    answer: (response) => response.writeHead(200, { "content-length": "100" }).write("part", () => response.destroy()),
    logged: ["connection_failed"]
  },
  { name: "hangs-up", answer: (response) => response.destroy(), logged: ["connection_failed"] },
  {
    name: "sends-invalid-answers",
    answer: (response) => response.socket?.end("what?\r\n\r\n"),
    logged: ["connection_failed"]
  },
  {
    name: "has-headers-without-end",
    answer: (response) => response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(200_000)}`),
    logged: ["connection_failed"]
  },
  { name: "hangs", answer: () => undefined, logged: ["timeout", "connection_failed"], hangs: true },
  {
    name: "dribbles",
    answer: (response) => dribbling(response.writeHead(200)),
    logged: ["timeout", "connection_failed"],
    hangs: true
  }
]

interface Call {
  readonly path: string
  readonly id: string
  readonly body: string
  readonly timestamp: string
  readonly signature: string
}

interface Peer {
  readonly url: string
  readonly calls: ReadonlyArray<Call>
  /** The most requests that an endpoint had open at one moment. */
  readonly most: () => number
  /** Sets the behaviour by path from now on. Open connections end. */
  readonly behave: (kinds: ReadonlyMap<string, Kind>) => void
  readonly close: () => void
}

const peer: Effect.Effect<Peer, never, Scope.Scope> = Effect.acquireRelease(
  Effect.callback<Peer>((resume) => {
    const calls: globalThis.Array<Call> = []
    const open = new Map<string, number>()
    let most = 0
    let current: ReadonlyMap<string, Kind> = new Map()
    const take = (request: IncomingMessage, response: ServerResponse) => {
      const path = request.url ?? ""
      const count = (by: number) => open.set(path, (open.get(path) ?? 0) + by)
      count(1)
      most = Math.max(most, open.get(path) ?? 0)
      response.once("close", () => count(-1))
      let body = ""
      request.setEncoding("utf8").on("data", (text: string) => (body += text))
      request.on("end", () => {
        const header = (name: string) => String(request.headers[name])
        const [timestamp, signature] = [header("webhook-timestamp"), header("webhook-signature")]
        calls.push({ path, id: header("webhook-id"), body, timestamp, signature })
        const kind = current.get(path) ?? fine
        kind.answer(response)
      })
    }
    const server = createServer(take).listen(0, "127.0.0.1", () => {
      const bound = server.address()
      const port = typeof bound === "object" && bound !== null ? bound.port : 0
      resume(
        Effect.succeed({
          url: `http://127.0.0.1:${port}`,
          calls,
          most: () => most,
          behave: (next) => {
            current = next
            server.closeAllConnections()
          },
          close: () => void server.close().closeAllConnections()
        })
      )
    })
  }),
  ({ close }) => Effect.sync(close)
)

const Deliveries = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      endpoint: Schema.String,
      event: Schema.String,
      status: Schema.String,
      attempts: Schema.Int,
      /** Status codes or errors, in order. */
      logged: Schema.Array(Schema.String)
    })
  )
)

const deliveries = SqlClient.SqlClient.use((sql) =>
  Effect.flatMap(
    sql`
      select id, endpoint_id as endpoint, event_id as event, status, attempts,
             array(select coalesce(status_code::text, error) from webhook_attempts as attempt
                   where attempt.project_id = delivery.project_id and delivery_id = delivery.id order by number) as logged
      from webhook_deliveries as delivery`,
    Deliveries
  )
).pipe(Effect.orDie)
type Delivery = Effect.Success<typeof deliveries>[number]

/** Skips the waits between two attempts. */
const endWaits = SqlClient.SqlClient.use((sql) =>
  Effect.asVoid(
    Effect.orDie(sql`
      with waiting as materialized (
        select project_id, id from webhook_deliveries
        where due_at > now() and lease_until is null for update skip locked)
      update webhook_deliveries as delivery set due_at = now() from waiting
      where delivery.project_id = waiting.project_id and delivery.id = waiting.id`)
  )
)

const Made = Schema.decodeUnknownEffect(Schema.Struct({ id: Schema.String, secret: Schema.String }))

interface Endpoint {
  readonly id: string
  readonly secret: string
  readonly path: string
  readonly kind: Kind
}

/**
 * Whether the signature is valid: HMAC-SHA256 of `id.timestamp.body` with the endpoint's secret (Standard Webhooks).
 */
const isSigned = ({ secret }: Endpoint, { body, id, signature, timestamp }: Call) =>
  signature.split(" ").includes(
    `v1,${createHmac("sha256", Buffer.from(secret.replace("whsec_", ""), "base64"))
      .update(`${id}.${timestamp}.${body}`)
      .digest("base64")}`
  )

/** The service sends at most ten concurrent requests to one endpoint. */
const atOnce = 10
/** Events of a round: more than one endpoint gets concurrently. */
const eventsEach = 15
/** Faulty endpoints of a round. */
export const strangers = 6
/** How much the memory of a worker may grow after its start, in MB. */
const room = 300

/** Returns the memory of the worker, and the verdict: every endpoint gets every event, as often as the log says. */
export const meet = Effect.fn("WebhookPeers.meet")(function* (options: Options) {
  const { api, senders, startWorker } = yield* Installation
  const worker = yield* startWorker()
  const told = yield* peer
  const accepted = new Set<string>()
  const rss = [(yield* rssMegabytes(worker.pid)) ?? 0]
  const wrong: globalThis.Array<string> = []
  const expect = (sentence: string, isKept: boolean) => isKept || wrong.push(sentence)

  const round = Effect.fnUntraced(function* (number: number) {
    const project = senders[number % senders.length] ?? senders[0]
    const drawn = [fine, fine, ...(yield* Random.shuffle(kinds)).slice(0, strangers)]
    const endpoints = yield* Effect.forEach(drawn, (kind, place) => {
      const path = `/${number}-${place}-${kind.name}`
      const body = { url: told.url + path, events: ["event.tracked"] }
      return Load.ask("POST", `${api.url}/webhooks`, { key: project.key, body }).pipe(
        Effect.flatMap(({ body }) => Effect.orDie(Made(body))),
        Effect.map(({ id, secret }): Endpoint => ({ id, secret, path, kind }))
      )
    })
    const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
    const mine = Effect.map(deliveries, (all) =>
      all.flatMap((delivery) => {
        const endpoint = byId.get(delivery.endpoint)
        return endpoint === undefined ? [] : [{ ...delivery, of: endpoint }]
      })
    )
    told.behave(new Map(endpoints.map(({ kind, path }) => [path, kind])))

    const people = Load.people(`told-${number}`, eventsEach)
    const events = yield* Effect.forEach(
      people,
      (email) => Effect.flatMap(Load.track(api.url, project, email), Load.eventOf),
      { concurrency: 4 }
    )
    const requests = yield* Load.plan(
      senders,
      Math.ceil(options.mails / options.rounds),
      `told-${options.seed}-${number}`
    )
    yield* Load.acceptAll(() => api.url, requests, accepted)
    yield* until("the end of all mails", Effect.andThen(Ledger.endWaits, Ledger.unfinished), (count) => count === 0)
    const untried = Effect.map(mine, (all) =>
      all.filter(({ attempts, of }) => attempts === 0 && (options.isPatient || of.kind.hangs !== true))
    )
    yield* until(
      `${eventsEach * endpoints.length} deliveries`,
      mine,
      ({ length }) => length === eventsEach * endpoints.length
    )
    yield* until("a call to every endpoint", untried, ({ length }) => length === 0)
    const isTruthful = ({ logged: [first], of: { kind }, status }: Delivery & { readonly of: Endpoint }) =>
      first === undefined ||
      (kind.logged.includes(first) && status === (kind.succeeds === true ? "SUCCEEDED" : "PENDING"))
    for (const delivery of yield* mine) {
      expect(`An endpoint that ${delivery.of.kind.name} left ${JSON.stringify(delivery)}`, isTruthful(delivery))
    }
    rss.push((yield* rssMegabytes(worker.pid)) ?? 0)

    told.behave(new Map())
    const isOver = Effect.map(mine, (all) => all.filter(({ status }) => status !== "SUCCEEDED"))
    yield* until("all events to be delivered", Effect.andThen(endWaits, isOver), ({ length }) => length === 0)
    for (const endpoint of endpoints) {
      const calls = told.calls.filter(({ path }) => path === endpoint.path)
      const own = (yield* mine).filter(({ of }) => of === endpoint)
      const said = `An endpoint that ${endpoint.kind.name}`
      expect(
        `${said} did not get each event once`,
        [...new Set(own.map(({ event }) => event))].sort().join() === [...events].sort().join()
      )
      expect(
        `${said} got an unsigned call`,
        calls.every((call) => isSigned(endpoint, call))
      )
      expect(
        `${said} got one event with two bodies`,
        new Set(calls.map(({ id, body }) => id + body)).size === own.length
      )
      for (const { attempts, id, logged } of own) {
        const heard = calls.filter((call) => call.id === id).length
        const answered = logged.filter((result) => /^\d/.test(result)).length
        expect(
          `${said} got ${heard} of ${attempts} recorded calls: ${logged.join()}`,
          answered <= heard && heard <= attempts && attempts === logged.length
        )
      }
    }
    yield* Effect.forEach(endpoints, ({ id }) => Load.ask("DELETE", `${api.url}/webhooks/${id}`, { key: project.key }))
  })
  yield* Random.withSeed(Effect.forEach(Array.range(1, options.rounds), round), `endpoints ${options.seed}`)

  expect("A redirect was followed", !told.calls.some(({ path }) => path === inside))
  expect(`An endpoint had ${told.most()} requests at once`, told.most() <= atOnce)
  expect(
    `The memory of the worker went from ${rss[0]} to ${Math.max(...rss)} MB`,
    Math.max(...rss) - (rss[0] ?? 0) < room
  )
  const found = { rss, ...(yield* verdict(accepted, 0)) }
  return Array.reduce(wrong, found, (so, sentence) => promising(so, sentence, false))
})
