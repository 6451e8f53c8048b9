import { Effect, Schema } from "effect"
import { Bench } from "../Bench.ts"
import * as RawStatements from "../baselines/RawStatements.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Api from "../processes/Api.ts"
import * as Server from "../processes/Server.ts"
import type { Case, Row } from "../Row.ts"
import { latency, statements } from "./Loads.ts"

interface Selection {
  readonly name: string
  readonly filters: ReadonlyArray<{ readonly field: string; readonly operator: string; readonly value: unknown }>
  /** The same by hand. */
  readonly where: string
  readonly page: string
}

const seats = { field: "data.seats", operator: "lessThan", value: 2 }
const tag = { field: "data.tags", operator: "contains", value: "tag-3" }
const fewSeats = "jsonb_typeof(data -> 'seats') = 'number' and data -> 'seats' < '2'"
const tagged = `jsonb_typeof(data -> 'tags') = 'array' and data -> 'tags' @> '"tag-3"'`

/** Of the contacts of the seed. An index answers the first condition only. */
const selections: ReadonlyArray<Selection> = [
  {
    name: "one in nine, by index",
    filters: [{ field: "data.plan", operator: "equals", value: "team" }],
    where: `data @> '{"plan": "team"}'`,
    page: "<= 60 ms"
  },
  { name: "one in 550", filters: [seats, tag], where: `${fewSeats} and ${tagged}`, page: "<= 60 ms" },
  {
    name: "one in 5,500",
    filters: [seats, tag, { field: "data.city", operator: "startsWith", value: "Berl" }],
    where: `${fewSeats} and ${tagged} and data ->> 'city' like 'Berl%'`,
    page: "<= 250 ms"
  }
]

const Page = Schema.Struct({ cursor: Schema.String })

export const row: Row = {
  id: "A9",
  title: "POST /contacts/query and /contacts/count",
  needsPostgres: true,
  conditions: [
    "the largest of the seeded projects (npm run seed), role api",
    "one connection, one request at a time, POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)",
    "page: the second one of 20, newest first, which has no total; count: with the contacts that marketing mail reaches",
    "the figure is the median of a run; baseline: the page or count(*) by hand, on one connection"
  ],
  cases: Effect.gen(function* () {
    const { audience } = yield* Bench
    const { audiences, url } = yield* audience
    const largest = audiences.at(-1)
    if (largest === undefined) return []
    const { contacts, id, key } = largest
    const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    const server = yield* Server.start({ name: "A9 api", role: "api", database: url, environment })
    const load = yield* HttpLoad.start
    const raw = yield* RawStatements.start(url)
    const ask = { url: server.url, method: "POST", status: 200, projects: [{ key }] } as const

    const cases = yield* Effect.forEach(
      selections,
      Effect.fnUntraced(function* ({ name, filters, where, page }) {
        const condition = { groups: [{ filters }] }
        const first = { method: "POST", path: "/contacts/query", status: 200, body: { condition } } as const
        const { cursor } = yield* Api.ask(server, key, first, Page)
        const matching = `from contacts where project_id = '${id}' and ${where}`
        const query = { ...ask, path: "/contacts/query", body: JSON.stringify({ condition, cursor }) }
        const count = {
          ...ask,
          path: "/contacts/count",
          body: JSON.stringify({ condition, for: { type: "MARKETING" } })
        }
        return [
          {
            name: `page of ${contacts}, ${name}`,
            unit: "ms",
            target: page,
            posthorn: latency(server, load, query),
            baselines: {
              "raw page": statements(raw, [`select * ${matching} order by created_at desc, id desc offset 20 limit 21`])
            }
          },
          {
            name: `count of ${contacts}, ${name}`,
            unit: "ms",
            target: "<= 1.2 x",
            posthorn: latency(server, load, count),
            baselines: { "raw count": statements(raw, [`select count(*) ${matching}`]) }
          }
        ] satisfies ReadonlyArray<Case>
      })
    )
    return cases.flat()
  })
}
