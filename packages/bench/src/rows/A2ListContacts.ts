import { Cursors, Position } from "@posthorn/core/platform/Cursors"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Bench } from "../Bench.ts"
import * as RawStatements from "../baselines/RawStatements.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Case, Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import type { Audience } from "../seed/Audiences.ts"
import { latency, statements } from "./Loads.ts"

interface Order {
  readonly sort: "createdAt" | "email"
  readonly dir: "asc" | "desc"
}

const orders: ReadonlyArray<Order> = [
  { sort: "createdAt", dir: "desc" },
  { sort: "createdAt", dir: "asc" },
  { sort: "email", dir: "desc" },
  { sort: "email", dir: "asc" }
]

const columns = "id, project_id, email, subscribed, data, created_at, updated_at"
const keyOf = ({ sort }: Order) => (sort === "email" ? "email" : "created_at")

const Found = Schema.decodeUnknownEffect(Schema.Tuple([Position]))

/** The last item before `depth` of the list, in the form of the service's cursors. */
const positionAt = Effect.fnUntraced(function* (audience: Audience, order: Order, depth: number) {
  const sql = yield* SqlClient.SqlClient
  const key = keyOf(order)
  const text = order.sort === "email" ? key : `to_char(${key} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const rows = yield* sql.unsafe(
    `select ${text} as key, id from contacts where project_id = '${audience.id}'
       order by ${key} ${order.dir}, id ${order.dir} offset ${Math.floor(audience.contacts * depth)} limit 1`
  ).unprepared
  const [position] = yield* Found(rows)
  return position
}, Effect.orDie)

/** A cursor in the form of the list's own. An invalid one fails the run with a 400. */
const cursorAt = Effect.fnUntraced(function* (audience: Audience, order: Order, depth: number) {
  const cursors = yield* Cursors
  const scope = JSON.stringify(["contacts", audience.id, undefined, undefined, order.sort, order.dir])
  const position = yield* positionAt(audience, order, depth)
  return { cursor: yield* cursors.seal(scope, position), position }
})

export const row: Row = {
  id: "A2",
  title: "GET /contacts?limit=100",
  needsPostgres: true,
  conditions: [
    "three projects in the same tables, seeded (npm run seed), role api",
    "one connection, one request at a time, POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)",
    "the figure is the median of a run; a first page has the total",
    "baseline: the page by keyset SQL on one connection, without a total"
  ],
  cases: Effect.gen(function* () {
    const { audience } = yield* Bench
    const { audiences, url } = yield* audience
    const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    const server = yield* Server.start({ name: "A2 api", role: "api", database: url, environment })
    const load = yield* HttpLoad.start
    const raw = yield* RawStatements.start(url)

    const read = ({ key }: Audience, query: string) =>
      latency(server, load, {
        url: server.url,
        method: "GET",
        path: `/contacts?limit=100${query}`,
        status: 200,
        projects: [{ key }]
      })
    const keyset = (audience: Audience, order: Order, where: string) => {
      const key = keyOf(order)
      return statements(raw, [
        `select ${columns} from contacts where project_id = '${audience.id}' ${where}
         order by ${key} ${order.dir}, id ${order.dir} limit 101`
      ])
    }
    const firstPage = (audience: Audience, order: Order): Case => ({
      name: `first page of ${audience.contacts}, ${order.sort} ${order.dir}`,
      unit: "ms",
      target: "<= 15 ms",
      ...(order === orders[0] && { curve: { line: "first page", size: audience.contacts } }),
      posthorn: read(audience, `&sort=${order.sort}&dir=${order.dir}`),
      baselines: { "raw keyset": keyset(audience, order, "") }
    })
    const unsubscribed = (audience: Audience, order: Order): Case => ({
      name: `first page of ${audience.contacts}, ${order.sort} ${order.dir}, subscribed=false`,
      unit: "ms",
      target: "<= 15 ms",
      posthorn: read(audience, `&sort=${order.sort}&dir=${order.dir}&subscribed=false`),
      baselines: { "raw keyset": keyset(audience, order, "and not subscribed") }
    })
    const deepPage = Effect.fnUntraced(function* (audience: Audience, order: Order) {
      const { cursor, position } = yield* cursorAt(audience, order, 0.9)
      const behind = `and (${keyOf(order)}, id) ${order.dir === "asc" ? ">" : "<"} ('${position.key}', '${position.id}')`
      return {
        name: `page at 90 % of ${audience.contacts}, ${order.sort} ${order.dir}`,
        unit: "ms",
        target: "<= 10 ms",
        posthorn: read(audience, `&sort=${order.sort}&dir=${order.dir}&cursor=${cursor}`),
        baselines: { "raw keyset": keyset(audience, order, behind) }
      } satisfies Case
    })

    const largest = audiences.at(-1)
    const [usual] = orders
    if (largest === undefined || usual === undefined) return []
    const curve = audiences.slice(0, -1).map((audience) => firstPage(audience, usual))
    const deep = yield* Effect.forEach(orders, (order) => deepPage(largest, order)).pipe(
      Effect.provide(Seed.core(Postgres.layer(url)))
    )
    return [
      ...curve,
      ...orders.map((order) => firstPage(largest, order)),
      ...deep,
      ...orders.map((order) => unsubscribed(largest, order))
    ]
  })
}
