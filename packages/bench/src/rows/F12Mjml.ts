import { Effect, Fiber } from "effect"
import { BenchFailure } from "../BenchFailure.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as PacedLoad from "../load/PacedLoad.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { latencyOf } from "../Statistics.ts"
import { requests } from "./Loads.ts"

const savesPerSecond = 1
const sourceBytes = 100_000

const section = (n: number) =>
  `<mj-section><mj-column><mj-text>{{#if item${n}}}Item ${n}: {{item${n}.name}}{{/if}}</mj-text><mj-button href="https://shop.example/{{id}}/${n}">Look</mj-button></mj-column></mj-section>\n`

/** At least 100 kB. */
const source = () => {
  let sections = ""
  for (let n = 0; sections.length < sourceBytes; n++) sections += section(n)
  return `<mjml><mj-body>${sections}</mj-body></mjml>`
}

export const row: Row = {
  id: "F12",
  title: "saving templates of 100 kB in MJML during other requests",
  needsPostgres: true,
  conditions: [
    `POST /templates with ${sourceBytes / 1000} kB of MJML, ${savesPerSecond} a second, together with the requests of F7; one API process`,
    "POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)",
    "baselines: the same saves without other requests; the requests of F7 alone"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const [sender, ...others] = yield* Effect.provide(Seed.senders(1), Seed.core(Postgres.layer(database)))
    if (sender === undefined) return yield* new BenchFailure({ message: "No project was created." })
    const projects = [sender, ...others] as const
    const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    const server = yield* Server.start({ name: "F12 api", role: "api", database, environment })
    const load = yield* HttpLoad.start
    const paced = yield* PacedLoad.start
    const get = { method: "GET", path: "/contacts/not-an-id", status: 404, url: server.url, projects } as const
    const answered = requests(server, load, get)

    const body = JSON.stringify({
      name: "Offers",
      subject: "Offers",
      from: sender.from,
      format: "MJML",
      source: source()
    })

    const saves = Effect.fnUntraced(function* (seconds: number) {
      const question = { url: `${server.url}/templates`, body, projects, perSecond: savesPerSecond, seconds }
      const answer = yield* paced.ask(question, PacedLoad.Answer)
      const refused = answer.requests.find(({ status }) => status !== 201)
      if (refused !== undefined) {
        return yield* new BenchFailure({ message: `POST /templates: ${refused.status}: ${refused.body.slice(0, 500)}` })
      }
      return latencyOf(answer.requests.map(({ took }) => took))
    })

    const together = Effect.fnUntraced(function* (effort: { readonly seconds: number; readonly mails: number }) {
      const running = yield* Effect.forkChild(answered(effort))
      const saved = yield* saves(effort.seconds)
      return { saved, sample: yield* Fiber.join(running) }
    })

    const p99 = ({ sample }: { readonly sample: { readonly latency?: { readonly p99: number } | undefined } }) =>
      sample.latency?.p99 ?? Number.NaN

    return [
      {
        name: "save",
        unit: "ms",
        target: "<= 100 ms",
        posthorn: (effort) => Effect.map(together(effort), ({ saved }) => ({ value: saved.p50, latency: saved })),
        baselines: {
          "no other requests": ({ seconds }) =>
            Effect.map(saves(seconds), (saved) => ({ value: saved.p50, latency: saved }))
        }
      },
      {
        name: "p99 of a request",
        unit: "ms",
        target: "<= 1.2",
        posthorn: (effort) => Effect.map(together(effort), (both) => ({ ...both.sample, value: p99(both) })),
        baselines: {
          "F7 alone": (effort) => Effect.map(answered(effort), (sample) => ({ ...sample, value: p99({ sample }) }))
        }
      }
    ]
  })
}
