import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import * as RawStatements from "../baselines/RawStatements.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Segments from "../load/Segments.ts"
import * as Server from "../processes/Server.ts"
import type { Case, Row } from "../Row.ts"
import { latency, statements } from "./Loads.ts"

export const row: Row = {
  id: "A4",
  title: "segment on data.plan, PostgreSQL",
  needsPostgres: true,
  conditions: [
    "three projects in the same tables, seeded (npm run seed), role api; about one contact in nine is a member",
    "one connection, one request at a time, POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)",
    "kept count: POST /segments/{id}/refresh, answered as it is stored because nothing changes; count: POST /contacts/count with the condition",
    "members: GET /segments/{id}/contacts?pageSize=100; a page has its total",
    "the figure is the median of a run; baseline: count(*) or the page by hand, with containment, on one connection"
  ],
  cases: Effect.gen(function* () {
    const { audience } = yield* Bench
    const { audiences, url } = yield* audience
    const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    const server = yield* Server.start({ name: "A4 api", role: "api", database: url, environment })
    const load = yield* HttpLoad.start
    const raw = yield* RawStatements.start(url)
    const cases = yield* Effect.forEach(audiences, ({ contacts, id, key }) =>
      Effect.map(
        Segments.create(server, key, { name: "Team", tracked: false, ...Segments.onTeamPlan }),
        (segment): ReadonlyArray<Case> => {
          const matching = `from contacts where project_id = '${id}' and data @> '{"plan": "team"}'`
          const ask = { url: server.url, status: 200, projects: [{ key }] } as const
          const condition = { groups: [{ filters: [{ ...Segments.onTeamPlan, operator: "equals" }] }] }
          const count = {
            ...ask,
            method: "POST",
            path: "/contacts/count",
            body: JSON.stringify({ condition })
          } as const
          const refresh = { ...ask, method: "POST", path: `/segments/${segment.id}/refresh`, body: "{}" } as const
          const members = { ...ask, method: "GET", path: `/segments/${segment.id}/contacts?pageSize=100` } as const
          return [
            {
              name: `kept count, of ${contacts}`,
              unit: "ms",
              target: "<= 5 ms",
              posthorn: latency(server, load, refresh),
              baselines: {}
            },
            {
              name: `count, of ${contacts}`,
              unit: "ms",
              target: "<= 1.2 x; <= 60 ms",
              curve: { line: "count", size: contacts },
              posthorn: latency(server, load, count),
              baselines: { "raw count": statements(raw, [`select count(*) ${matching}`]) }
            },
            {
              name: `members page, of ${contacts}`,
              unit: "ms",
              target: "<= 15 ms",
              curve: { line: "members page", size: contacts },
              posthorn: latency(server, load, members),
              baselines: {
                "raw page": statements(raw, [`select * ${matching} order by created_at desc, id desc limit 100`])
              }
            }
          ]
        }
      )
    )
    return cases.flat()
  })
}
