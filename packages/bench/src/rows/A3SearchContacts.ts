import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import * as RawStatements from "../baselines/RawStatements.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Server from "../processes/Server.ts"
import type { Case, Row } from "../Row.ts"
import { latency, statements } from "./Loads.ts"

/** Search texts for the seeded addresses: first.last<number>@provider. */
const needles = [
  { name: "rare", needle: "meyer7770" },
  { name: "zero hits", needle: "zzyzx" },
  { name: "zero hits of two letters", needle: "xq" },
  { name: "common, 1 of 20", needle: "hugo" },
  { name: "common, 2 of 5", needle: "gmail" }
] as const

export const row: Row = {
  id: "A3",
  title: "GET /contacts?search=, PostgreSQL with pg_trgm",
  needsPostgres: true,
  conditions: [
    "the largest of three projects in the same tables, seeded (npm run seed), role api",
    "one connection, one request at a time, POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)",
    "the figure is the median of a run: the first 100 and the exact total",
    "baseline: page and count(*) by hand, with LIKE, on one connection"
  ],
  cases: Effect.gen(function* () {
    const { audience } = yield* Bench
    const { audiences, url } = yield* audience
    const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    const server = yield* Server.start({ name: "A3 api", role: "api", database: url, environment })
    const load = yield* HttpLoad.start
    const raw = yield* RawStatements.start(url)
    const largest = audiences.at(-1)
    if (largest === undefined) return []
    return needles.map(({ name, needle }): Case => {
      const matching = `from contacts where project_id = '${largest.id}' and email like '%${needle}%'`
      return {
        name: `${name}, of ${largest.contacts}`,
        unit: "ms",
        target: "<= 30 ms",
        posthorn: latency(server, load, {
          url: server.url,
          method: "GET",
          path: `/contacts?limit=100&search=${needle}`,
          status: 200,
          projects: [{ key: largest.key }]
        }),
        baselines: {
          "raw SQL": statements(raw, [
            `select * ${matching} order by created_at desc, id desc limit 101`,
            `select count(*) ${matching}`
          ])
        }
      }
    })
  })
}
