/**
 * kill -9 of the API process while the libraries of Segment, RudderStack and Jitsu send events, and repeat what got no
 * answer (fault matrix F39): before the commit of a batch, after it, and at random moments. What was acknowledged is
 * stored, and each event once.
 *
 * The libraries are as published. Those of Segment and RudderStack repeat a batch themselves; that of Jitsu leaves it to
 * the function that it is given for requests.
 */
import { connect } from "node:net"
import { jitsuAnalytics } from "@jitsu/js"
import RudderAnalytics from "@rudderstack/rudder-sdk-node"
import { Analytics } from "@segment/analytics-node"
import { Effect, Exit, Random, Schema, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { Installation } from "./Installation.ts"
import * as Load from "./Load.ts"
import * as Relay from "./Relay.ts"
import { promisingAll, verdict } from "./Verdict.ts"
import { until } from "./Waiting.ts"

export interface Options {
  /** Seeds the moments. */
  readonly seed: string
  readonly kills: number
}

/** A port that stays, in front of the process that lives. Without one, it breaks the connection at once. */
const front = Effect.gen(function* () {
  let target: number | undefined
  const port = yield* Relay.listen((near, keep) => {
    if (target === undefined) return void near.destroy()
    const far = keep(connect(target, "127.0.0.1"))
    near.on("close", () => far.destroy())
    far.on("close", () => near.destroy())
    near.pipe(far).pipe(near)
  })
  return {
    url: `http://127.0.0.1:${port}`,
    lead: (to: string | undefined) => {
      target = to === undefined ? undefined : Number(new URL(to).port)
    }
  }
})

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Repeats a request until a server answers it. Only that ends it, not the time limit of the library. */
const stubborn: typeof fetch = async (input, init) => {
  for (;;) {
    const answer = await fetch(input, { ...init, signal: null }).catch(() => undefined)
    if (answer !== undefined && answer.status !== 429 && answer.status < 500) return answer
    await pause(250)
  }
}

/** Sends the n-th event, and resolves once the library says that it arrived. */
type Track = (n: number) => Promise<void>

interface Library {
  readonly track: Track
  /** Waits until all is sent. */
  readonly close: () => Promise<unknown>
}

type Libraries = { readonly [name: string]: (url: string, key: string) => Library }

const people = 7
const personOf = (n: number) => `person-${n % people}`

const libraries: Libraries = {
  segment: (url, key) => {
    const analytics = new Analytics({
      ...{ writeKey: key, host: url, path: "/ingest/v1/batch" },
      ...{ maxRetries: 1_000, flushAt: 5, flushInterval: 100 }
    })
    for (let n = 0; n < people; n++) {
      analytics.identify({ userId: `segment-${personOf(n)}`, traits: { email: `segment-${personOf(n)}@example.com` } })
    }
    return {
      track: (n) =>
        new Promise((resolve, reject) =>
          analytics.track({ userId: `segment-${personOf(n)}`, event: "segment order", properties: { n } }, (error) =>
            error === undefined || error === null ? resolve() : reject(error)
          )
        ),
      close: () => analytics.closeAndFlush({ timeout: 120_000 })
    }
  },
  rudder: (url, key) => {
    const analytics = new RudderAnalytics(key, {
      ...{ dataPlaneUrl: `${url}/ingest`, flushAt: 5, flushInterval: 100, logLevel: "none" },
      ...{ retryCount: 1_000, axiosRetryConfig: { retryDelay: () => 250 } }
    })
    for (let n = 0; n < people; n++) {
      analytics.identify({ userId: `rudder-${personOf(n)}`, traits: { email: `rudder-${personOf(n)}@example.com` } })
    }
    return {
      track: (n) =>
        new Promise((resolve, reject) => {
          analytics.track(
            { userId: `rudder-${personOf(n)}`, event: "rudder order", properties: { n } },
            (error?: unknown) => (error === undefined || error === null ? resolve() : reject(error))
          )
        }),
      close: () => analytics.flush()
    }
  },
  jitsu: (url, key) => {
    const analytics = jitsuAnalytics({
      ...{ host: `${url}/ingest`, writeKey: `${key}:x`, s2s: true, fetch: stubborn }
    })
    const known = analytics.identify("jitsu-person", { email: "jitsu-person@example.com" })
    return {
      track: async (n) => {
        await known
        await analytics.track("jitsu order", { n })
      },
      close: () => known
    }
  }
}

const Stored = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ name: Schema.String, n: Schema.Int, count: Schema.Int }))
)

/** Around the commit of a batch, or at a random moment. */
const moments = ["before_ingest_commit", "after_ingest_commit", "random"] as const

/** Events of each library between two deaths. */
const perKill = 20

export const kills = Effect.fn("IngestKills.kills")(function* ({ kills, seed }: Options) {
  const { api, senders, startApi } = yield* Installation
  const sql = yield* SqlClient.SqlClient
  const [project] = senders
  // The contacts exist before their events: a library may repeat `identify`, and an event may arrive before it.
  for (const name of ["segment", "rudder"]) {
    for (let n = 0; n < people; n++) {
      const externalId = `${name}-${personOf(n)}`
      const body = { email: `${externalId}@example.com`, externalId }
      yield* Load.ask("POST", `${api.url}/contacts`, { key: project.key, body })
    }
  }
  const { lead, url } = yield* front
  const drawn = yield* Random.withSeed(Effect.replicateEffect(Random.nextIntBetween(0, 200), kills), `ingest ${seed}`)

  /** What the libraries were given, and what they say has arrived. */
  const given = new Set<string>()
  const acknowledged = new Set<string>()
  const refused: Array<string> = []
  const started = Object.entries(libraries).map(([name, make]) => [name, make(url, project.key)] as const)
  let n = 0
  const sending: Array<Promise<void>> = []
  const send = () => {
    for (const [name, { track }] of started) {
      const event = `${name} order ${n}`
      given.add(event)
      const answered = track(n).then(
        () => void acknowledged.add(event),
        (error) => void refused.push(`${event}: ${error}`)
      )
      sending.push(answered)
    }
    n++
  }

  for (const [at, milliseconds] of drawn.entries()) {
    const window = moments[at % moments.length] ?? "random"
    const scope = yield* Scope.make()
    const doomed = yield* Scope.provide(startApi(window === "random" ? {} : { failAt: window }), scope)
    // Only now, so that the process does not die before it is ready.
    lead(doomed.url)
    for (let sent = 0; sent < perKill; sent++) send()
    if (window === "random") {
      yield* Effect.sleep(milliseconds)
      doomed.signal("SIGKILL")
    }
    yield* doomed.ended
    lead(undefined)
    yield* Scope.close(scope, Exit.void)
  }
  lead((yield* startApi()).url)
  yield* until(
    "all events to be acknowledged",
    Effect.sync(() => given.size - acknowledged.size - refused.length),
    (left) => left === 0
  )
  yield* Effect.promise(() => Promise.all([...sending, ...started.map(([, { close }]) => close())]))

  const stored = yield* sql`
    select name, (data ->> 'n')::int as n, count(*)::int as count from events
    where project_id = ${project.id} and name like '% order' group by 1, 2`.pipe(Effect.flatMap(Stored), Effect.orDie)
  const names = new Set(stored.map(({ name, n }) => `${name} ${n}`))
  const lost = [...acknowledged].filter((event) => !names.has(event))
  const repeated = stored.filter(({ count }) => count > 1)
  const promises: ReadonlyArray<readonly [string, boolean]> = [
    [`${lost.length} events were acknowledged and are lost, such as ${lost[0]}`, lost.length === 0],
    [`${repeated.length} events are stored twice, such as ${JSON.stringify(repeated[0])}`, repeated.length === 0],
    [`${refused.length} events were given up, such as ${refused[0]}`, refused.length === 0]
  ]
  return promisingAll(
    {
      ...(yield* verdict(new Set(), 0)),
      figures: { "events acknowledged": acknowledged.size, "events stored": stored.length }
    },
    promises
  )
}, Effect.scoped)
