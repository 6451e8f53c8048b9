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

const range = "startDate=2026-08-03&endDate=2026-10-31"

/** A valid position that belongs to no mail; nine tenths of all mails are newer. */
const position = { key: "2026-08-12T00:00:00.000Z", id: "019a0000-0000-7000-8000-000000000000" }

const rawDays = (project: string) => `
  select provider, sum(sent), sum(delivered), sum(deferred), sum(opened), sum(clicked), sum(bounced), sum(complained),
         sum(failed)
  from provider_days where project_id = '${project}' and day >= '2026-08-03' and day < '2026-11-01' group by provider`

const rawPage = (project: string, key: string, value: string, behind = "2026-11-01") => `
  select emails.* from email_tags join emails on emails.project_id = email_tags.project_id and emails.id = email_id
  where email_tags.project_id = '${project}' and key = '${key}' and value = '${value}' and email_tags.created_at < '${behind}'
  order by email_tags.created_at desc, email_id desc limit 51`

export const row: Row = {
  id: "N3",
  title: "results by mailbox provider, and mails by tag",
  needsPostgres: true,
  conditions: [
    "projects in the same tables, role api (--mails sets the number); the provider depends on the domain of the recipient",
    "one mail in ten has two tags: order, with a unique value, and kind; one in a thousand of all mails has kind:refund",
    "one connection, one request at a time, POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)",
    "the figure is the median of a run; a first page by tag has the total, which is counted",
    "baselines: the sums of the stored days in one statement; the page by keyset SQL on one connection, without a total"
  ],
  cases: Effect.gen(function* () {
    const { mail } = yield* Bench
    const { projects, url } = yield* mail
    const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    const server = yield* Server.start({ name: "N3 api", role: "api", database: url, environment })
    const load = yield* HttpLoad.start
    const raw = yield* RawStatements.start(url)

    const get = ({ key }: Mailed, path: string) =>
      latency(server, load, { url: server.url, method: "GET", path, status: 200, projects: [{ key }] })

    const tagged = (mailed: Mailed, name: string, target: string, query: string, statement: string): Case => ({
      name: `GET /emails?tag=, ${name}, ${mailed.mails} mails`,
      unit: "ms",
      target,
      posthorn: get(mailed, `/emails?${query}`),
      baselines: { "raw keyset": statements(raw, [statement]) }
    })

    const deep = Effect.fnUntraced(function* (mailed: Mailed) {
      const cursors = yield* Cursors
      const scope = JSON.stringify(["emails", mailed.id, { tag: "kind:refund" }, undefined, undefined])
      const cursor = yield* cursors.seal(scope, position)
      const statement = rawPage(mailed.id, "kind", "refund", position.key)
      return tagged(mailed, "page at 90 %", "<= 10 ms", `tag=kind:refund&cursor=${cursor}`, statement)
    })

    const largest = projects.at(-1)
    if (largest === undefined) return []
    const one = String(Math.floor(largest.mails / 20) * 10)
    return [
      ...projects.map(
        (mailed): Case => ({
          name: `GET /analytics/providers, 90 days, ${mailed.mails} mails`,
          unit: "ms",
          target: "<= 50 ms",
          curve: { line: "results by provider", size: mailed.mails },
          posthorn: get(mailed, `/analytics/providers?${range}`),
          baselines: { "raw sums": statements(raw, [rawDays(mailed.id)]) }
        })
      ),
      tagged(largest, "one mail", "<= 15 ms", `tag=order:${one}`, rawPage(largest.id, "order", one)),
      tagged(largest, "first page", "<= 15 ms", "tag=kind:refund", rawPage(largest.id, "kind", "refund")),
      yield* Effect.provide(deep(largest), Seed.core(Postgres.layer(url)))
    ]
  })
}
