import { Cursors } from "@posthorn/core/platform/Cursors"
import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import * as RawStatements from "../baselines/RawStatements.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Case, Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import type { Mailed } from "../seed/Mailed.ts"
import { latency, statements } from "./Loads.ts"

const dates = ["2026-08-03", "2026-10-31"] as const
const range = `startDate=${dates[0]}&endDate=${dates[1]}`

/** A valid position that belongs to no entry; nine tenths of all entries are newer. */
const position = { key: "2026-08-12T00:00:00.000Z", id: "019a0000-0000-7000-8000-000000000000_sent" }

const raw = (project: string, behind: string) => `
  select * from ((
    select sent_at as at, id from emails where project_id = '${project}' and sent_at is not null and not test
      and sent_at < '${behind}' order by sent_at desc, id desc limit 51
  ) union all (
    select created_at, id from events where project_id = '${project}' and source = 'tracked' and created_at < '${behind}'
    order by created_at desc, id desc limit 51
  )) as merged order by at desc, id desc limit 51`

export const row: Row = {
  id: "N2",
  title: "GET /activity",
  needsPostgres: true,
  conditions: [
    "projects in the same tables, seeded with two tracked events for each mail, role api (--mails sets the number)",
    "a mail has 1.46 entries in addition to its first, an event has one: 4.5 entries for each mail",
    "one connection, one request at a time, POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)",
    "the figure is the median of a run; a first page has the total, counted up to 10,000",
    "baseline: two of the merged lists by keyset SQL on one connection, without a total and without related records"
  ],
  cases: Effect.gen(function* () {
    const { mail } = yield* Bench
    const { projects, url } = yield* mail
    const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    const server = yield* Server.start({ name: "N2 api", role: "api", database: url, environment })
    const load = yield* HttpLoad.start
    const statementsOf = yield* RawStatements.start(url)

    const page = (name: string, { id, key, mails }: Mailed, query: string, behind: string): Case => ({
      name: `${name}, ${mails} mails`,
      unit: "ms",
      target: "<= 20 ms",
      posthorn: latency(server, load, {
        url: server.url,
        method: "GET",
        path: `/activity?${range}${query}`,
        status: 200,
        projects: [{ key }]
      }),
      baselines: { "raw keyset": statements(statementsOf, [raw(id, behind)]) }
    })

    const deep = Effect.fnUntraced(function* (mailed: Mailed) {
      const cursors = yield* Cursors
      const scope = JSON.stringify(["activity", mailed.id, undefined, undefined, ...dates, undefined])
      return page("page at 90 %", mailed, `&cursor=${yield* cursors.seal(scope, position)}`, position.key)
    })
    const largest = projects.at(-1)
    if (largest === undefined) return []
    return [
      ...projects.map((mailed) => ({
        ...page("first page", mailed, "", "2026-11-01"),
        curve: { line: "first page", size: mailed.mails }
      })),
      yield* Effect.provide(deep(largest), Seed.core(Postgres.layer(url))),
      page("first page of opens and bounces", largest, "&types=email.opened,email.bounced", "2026-11-01")
    ]
  })
}
