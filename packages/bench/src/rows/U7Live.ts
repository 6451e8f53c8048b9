import { Array, Effect } from "effect"
import { attempt } from "../browser/Chromium.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { latencyOf } from "../Statistics.ts"
import { sendBody, projects as senders } from "./F1SendAccepted.ts"
import { requests } from "./Loads.ts"

/** A key has 20 streams at most. */
const watched = 5
const streams = 20

const pauseMillis = 500
/** The service looks for changes every two seconds. */
const lastMillis = 8_000

const read = async (body: ReadableStream<Uint8Array>, hear: (text: string) => void) => {
  let rest = ""
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true })
    const end = rest.lastIndexOf("\n\n")
    if (end >= 0) hear(rest.slice(0, end))
    rest = rest.slice(end < 0 ? 0 : end + 2)
  }
}

/** Opens the streams, which end with the scope. */
const listen = (url: string, keys: ReadonlyArray<string>, hear: (text: string) => void) =>
  Effect.forEach(
    Array.flatMap(keys, (key) => Array.replicate(key, streams)),
    (key) =>
      Effect.acquireRelease(
        attempt("GET /live", async () => {
          const controller = new AbortController()
          const response = await fetch(`${url}/live?topics=activity`, {
            headers: { authorization: `Bearer ${key}` },
            signal: controller.signal
          })
          if (!response.ok || response.body === null) throw new Error(`it answered ${response.status}`)
          void read(response.body, hear).catch(() => undefined)
          return controller
        }),
        (controller) => Effect.sync(() => controller.abort())
      ),
    { concurrency: 10, discard: true }
  )

export const row: Row = {
  id: "U7",
  title: "GET /live with 100 listeners, PostgreSQL",
  needsPostgres: true,
  conditions: [
    `${watched} projects with ${streams} streams each, role api, POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)`,
    `an event every ${pauseMillis} ms in one of them, from its POST /v1/track until each of its listeners has read it; what the browser then draws is in U3 and U4`,
    "sends as in F1, while 100 listeners read what is sent; baseline: the same without listeners"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const projects = yield* Effect.provide(Seed.senders(senders), Seed.core(Postgres.layer(database)))
    const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    const server = yield* Server.start({ name: "U7 api", role: "api", database, environment })
    const load = yield* HttpLoad.start
    const heard = Array.take(projects, watched)
    const keys = Array.map(heard, ({ key }) => key)
    let events = 0

    const delivered: Run = ({ seconds }) =>
      Effect.scoped(
        Effect.gen(function* () {
          const tracked = new Map<string, number>()
          const times: Array<number> = []
          yield* listen(server.url, keys, (text) => {
            const names = new Set(
              Array.fromIterable(text.matchAll(/"eventName":"(live-\d+)"/g)).map(([, name]) => name)
            )
            for (const name of names) {
              const at = tracked.get(name ?? "")
              if (at !== undefined) times.push(performance.now() - at)
            }
          })
          const end = performance.now() + seconds * 1_000
          while (tracked.size === 0 || performance.now() < end) {
            const event = `live-${++events}`
            const project = heard[events % watched]
            tracked.set(event, performance.now())
            yield* attempt("POST /v1/track", async () => {
              const response = await fetch(`${server.url}/v1/track`, {
                method: "POST",
                headers: { authorization: `Bearer ${project?.publicKey}`, "content-type": "application/json" },
                body: JSON.stringify({ email: "reader@example.com", event })
              })
              if (!response.ok) throw new Error(`it answered ${response.status}`)
            })
            yield* Effect.sleep(pauseMillis)
          }
          const expected = tracked.size * streams
          for (let waited = 0; times.length < expected && waited < lastMillis; waited += 100) yield* Effect.sleep(100)
          const latency = latencyOf(times)
          return { value: latency.p95, latency, more: { "events that a listener missed": expected - times.length } }
        })
      )

    const sent = requests(server, load, {
      url: server.url,
      method: "POST",
      path: "/v1/send",
      body: sendBody,
      status: 200,
      projects
    })
    const besideListeners: Run = (effort) =>
      Effect.scoped(
        Effect.andThen(
          listen(server.url, keys, () => {}),
          sent(effort)
        )
      )
    return [
      { name: "event to listener", unit: "ms", target: "p95 <= 3,000 ms", posthorn: delivered, baselines: {} },
      {
        name: "sends beside listeners",
        unit: "requests/s",
        target: ">= 0.97",
        posthorn: besideListeners,
        baselines: { "no listeners": sent }
      }
    ]
  })
}
