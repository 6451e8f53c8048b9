import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as RawStatements from "../baselines/RawStatements.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Case, Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import * as Campaigning from "./Campaigning.ts"
import { latency, statements } from "./Loads.ts"

const sizes = [10_000, 100_000, 1_000_000, 5_000_000]
const variants = 8
const providers = 20
const hours = 24 * 30

const columns =
  "sent, delivered, deferred, opened, clicked, bounced, complained, failed, unsubscribed, machine_opened, machine_clicked, converted"
const sums = columns
  .split(", ")
  .map((name) => `sum(${name})`)
  .join(", ")

/** The baseline of each kind of row. */
const kinds = {
  variant: { of: "campaign_results", key: "variant" },
  provider: { of: "campaign_results", key: "provider" },
  hour: { of: "campaign_hours", key: "hour" }
}

const raw = (project: string, campaign: string, { of, key }: { readonly of: string; readonly key: string }) => {
  const own = `project_id = '${project}' and campaign_id = '${campaign}'`
  return `
    select ${key}, ${sums}
    from (select ${key}, ${columns} from ${of} where ${own} union all
          select ${key}, ${columns} from campaign_deltas where ${own}) as parts group by 1`
}

/** The totals of a campaign with this many mails, and a minute of deltas that no job has added up. */
const filled = Effect.fnUntraced(function* (project: string, campaign: string, mails: number) {
  const sql = yield* SqlClient.SqlClient
  const variant = sql.literal(`chr(64 + v)`)
  const counts = (share: number) => sql.literal(Array.from({ length: 12 }, () => Math.ceil(mails / share)).join(", "))
  const own = sql`${project}::uuid, ${campaign}::uuid`
  const start = sql`date_trunc('hour', now()) - interval '30 days'`
  yield* sql`update campaigns set status = 'SENT', sent_at = ${start} where id = ${campaign}::uuid`
  yield* sql`
    insert into campaign_results (project_id, campaign_id, variant, provider, ${sql.literal(columns)})
    select ${own}, ${variant}, 'PROVIDER_' || p, ${counts(variants * providers)}
    from generate_series(1, ${variants}::int) as v cross join generate_series(1, ${providers}::int) as p`
  yield* sql`
    insert into campaign_hours (project_id, campaign_id, variant, hour, ${sql.literal(columns)})
    select ${own}, ${variant}, ${start} + h * interval '1 hour', ${counts(variants * hours)}
    from generate_series(1, ${variants}::int) as v cross join generate_series(0, ${hours - 1}::int) as h`
  yield* sql`
    insert into campaign_deltas (project_id, campaign_id, variant, provider, hour, sent)
    select ${own}, ${variant}, 'PROVIDER_' || (1 + n % ${providers}), ${start}, 1
    from generate_series(1, ${variants}::int) as v cross join generate_series(1, 250) as n`
  yield* sql.unsafe("vacuum analyze campaign_results, campaign_hours, campaign_deltas").unprepared
}, Effect.orDie)

export const row: Row = {
  id: "N4",
  title: "the report of a campaign, PostgreSQL",
  needsPostgres: true,
  conditions: [
    `campaigns with 10,000 to 5,000,000 mails in ${variants} variants to ${providers} providers over 30 days, as their totals; 2,000 deltas are not added up`,
    "one connection, one request at a time, role api, POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)",
    "the figure is the median of a run; no job adds up meanwhile",
    "baseline: the sums of the same rows in one statement"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const within = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.provide(effect, Seed.core(Postgres.layer(database)))
    const [sender] = yield* within(Seed.senders(1))
    if (sender === undefined) return []
    const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    const server = yield* Server.start({ name: "N4", role: "api", database, environment })
    const load = yield* HttpLoad.start
    const child = yield* RawStatements.start(database)
    const cases: Array<Case> = []
    for (const size of sizes) {
      const id = yield* within(Effect.tap(Campaigning.draft(sender), (campaign) => filled(sender.id, campaign, size)))
      for (const by of ["variant", "provider", "hour"] as const) {
        cases.push({
          name: `GET /campaigns/{id}/report?by=${by}, ${size} mails`,
          unit: "ms",
          target: "<= 30 ms",
          curve: { line: `report of a campaign by ${by}`, size },
          posthorn: latency(server, load, {
            url: server.url,
            method: "GET",
            path: `/campaigns/${id}/report?by=${by}`,
            status: 200,
            projects: [{ key: sender.key }]
          }),
          baselines: { "raw sums": statements(child, [raw(sender.id, id, kinds[by])]) }
        })
      }
    }
    return cases
  })
}
