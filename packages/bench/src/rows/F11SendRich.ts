import { Effect, Schema } from "effect"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Letter from "../load/Letter.ts"
import * as Postgres from "../Postgres.ts"
import * as Api from "../processes/Api.ts"
import * as Server from "../processes/Server.ts"
import type { Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { projects, sendBody } from "./F1SendAccepted.ts"
import { requests } from "./Loads.ts"

/** As in F1, with a copy and tags. */
const body = JSON.stringify({
  to: "reader-$n@example.com",
  cc: "copy-$n@example.com",
  template: "$rich",
  data: { name: "Ada", plan: "pro" },
  tags: { order: "$n", shop: "de", channel: "web", kind: "receipt", attempt: 1 }
})

const Made = Schema.Struct({ id: Schema.String })
const WithKey = Schema.Struct({ key: Schema.String })

const partials = [
  { name: "frame", body: "<div>{{> header}}{{> content}}{{> footer}}</div>" },
  { name: "header", body: "<p>Hello {{name}}</p>" },
  { name: "footer", body: "<p>Plan {{plan}}</p>" }
]

/** The same sender with an API key that may send, and a template with a layout and two partials. */
const enriched = Effect.fnUntraced(function* (server: Server.Server, sender: Seed.Sender) {
  const make = <A>(path: string, body: object, answer: Schema.ConstraintDecoder<A>) =>
    Api.ask(server, sender.key, { method: "POST", path, body, status: 201 }, answer)
  // A layout names the other two.
  for (const partial of partials.toReversed()) yield* make("/partials", partial, Made)
  const { id: rich } = yield* make(
    "/templates",
    {
      name: "Rich letter",
      subject: Letter.subject("{{name}}"),
      body: Letter.html("{{name}}", "{{plan}}"),
      from: sender.from,
      type: "TRANSACTIONAL",
      layout: "frame"
    },
    Made
  )
  const { key } = yield* make("/api-keys", { name: "Shop", scopes: ["send"] }, WithKey)
  return { rich, key }
})

export const row: Row = {
  id: "F11",
  title: "POST /v1/send accepted, with copies, tags, layout and partials",
  needsPostgres: true,
  conditions: [
    "F1 with an API key of scope send, a layout, two partials, five tags and one cc: two mails for each request",
    "baseline: F1 on the same server"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const senders = yield* Effect.provide(Seed.senders(projects), Seed.core(Postgres.layer(database)))
    const server = yield* Server.start({ name: "F11 api", role: "api", database })
    const load = yield* HttpLoad.start
    const rich = yield* Effect.forEach(senders, (sender) => enriched(server, sender))
    const send = { url: server.url, method: "POST", path: "/v1/send", status: 200 } as const
    return [
      {
        name: "accepted",
        unit: "requests/s",
        target: ">= 0.6",
        posthorn: requests(server, load, { ...send, body, projects: rich }),
        baselines: { F1: requests(server, load, { ...send, body: sendBody, projects: senders }) }
      }
    ]
  })
}
