import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import * as RawStatements from "../baselines/RawStatements.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Server from "../processes/Server.ts"
import type { Row } from "../Row.ts"
import { latency, statements } from "./Loads.ts"

const range = "startDate=2026-08-03&endDate=2026-10-31"

export const row: Row = {
  id: "N1",
  title: "GET /analytics/timeseries, 90 days",
  needsPostgres: true,
  conditions: [
    "projects in the same tables, seeded with two tracked events for each mail, role api (--mails sets the number)",
    "one connection, one request at a time, POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)",
    "the figure is the median of a run",
    "baseline: the sums of the stored totals by day of UTC, in one statement on one connection"
  ],
  cases: Effect.gen(function* () {
    const { mail } = yield* Bench
    const { projects, url } = yield* mail
    const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    const server = yield* Server.start({ name: "N1 api", role: "api", database: url, environment })
    const load = yield* HttpLoad.start
    const raw = yield* RawStatements.start(url)
    return ["UTC", "America/New_York"].flatMap((zone) =>
      projects.map(({ id, key, mails }) => ({
        name: `${mails} mails, days of ${zone}`,
        unit: "ms" as const,
        target: "<= 50 ms",
        curve: { line: `days of ${zone}`, size: mails },
        posthorn: latency(server, load, {
          url: server.url,
          method: "GET",
          path: `/analytics/timeseries?${range}&timezone=${zone}`,
          status: 200,
          projects: [{ key }]
        }),
        baselines: {
          "raw sums": statements(raw, [
            `select date_trunc('day', quarter), sum(sent), sum(delivered), sum(opened), sum(clicked), sum(bounced)
             from mail_totals where project_id = '${id}' and quarter >= '2026-08-03' and quarter < '2026-11-01' group by 1`
          ])
        }
      }))
    )
  })
}
