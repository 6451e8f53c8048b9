import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Campaigns } from "@posthorn/core/automation/campaigns/Campaigns"
import { Array, type Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as RawStatements from "../baselines/RawStatements.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Letter from "../load/Letter.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import * as Sink from "../processes/Sink.ts"
import type { Case, Row, Run } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { hits, paths, senders as trackedSenders } from "./C5Tracking.ts"
import * as Campaigning from "./Campaigning.ts"
import { drained, ofDisabled } from "./Draining.ts"
import { latency, statements } from "./Loads.ts"

/** Triggers of the table of emails that write what totals are added up from. The counts of campaigns are not among them. */
const triggers = ["emails_totals", "emails_results_made", "emails_results_moved"]

const switched = (how: "enable" | "disable") =>
  SqlClient.SqlClient.use((sql) =>
    Effect.orDie(sql.unsafe(`alter table emails ${triggers.map((name) => `${how} trigger ${name}`).join(", ")}`))
  )

/** A run while nothing is added to the totals of this database. */
const withoutTotals =
  (database: Context.Context<SqlClient.SqlClient>, run: Run): Run =>
  (effort) =>
    Effect.acquireRelease(switched("disable"), () => switched("enable")).pipe(
      Effect.provideContext(database),
      Effect.andThen(run(effort))
    )

const links = 40
const clicks = 1_000_000
/** Clicks of a minute, which no job has added up. */
const pending = 10_000

/** A campaign with that many clicks on its links, of as many mails. */
const clicked = Effect.fnUntraced(function* (sender: Seed.Sender) {
  const sql = yield* SqlClient.SqlClient
  const project = ProjectId.make(sender.id)
  const list = Array.makeBy(links, (n) => `<a href="https://shop.example.com/items/{{id}}?place=${n}">Item ${n}</a>`)
  const campaigns = yield* Campaigns
  const { id } = yield* Effect.orDie(
    campaigns.create(project, {
      ...{ name: "Links", subject: Letter.subject("Ada"), from: sender.from, type: "MARKETING", audienceType: "ALL" },
      body: `<p>${list.join(" ")}</p>`
    })
  )
  // Reading them once stores the links, as their first click does.
  yield* Effect.orDie(campaigns.links(project, id, {}))
  const owner = sql`${project}::uuid, ${id}::uuid`
  const chosen = sql`(array(select link from source_links where source_id = ${id}::uuid order by link))[1 + n % ${links}]`
  const numbers = (from: number, to: number) => sql`generate_series(${from}::int, ${to}::int) as n`
  yield* sql`
    insert into email_hits (project_id, email_id, at, id, kind, link, verdict, ordinal, campaign_link)
    select ${project}::uuid, gen_random_uuid(), now(), gen_random_uuid(), 'click', 1, 'human', 1, ${chosen}
    from ${numbers(1, clicks)}`
  yield* sql`
    insert into link_totals (project_id, owner_id, link, clicks, unique_clicks, machine_clicks)
    select ${owner}, ${chosen}, count(*), count(*), count(*) / 20 from ${numbers(1, clicks - pending)} group by 3`
  yield* sql`
    insert into link_deltas (project_id, owner_id, link, clicks, unique_clicks, machine_clicks)
    select ${owner}, ${chosen}, 1, 1, 0 from ${numbers(clicks - pending + 1, clicks)}`
  yield* sql`vacuum (analyze) link_totals, link_deltas, email_hits`.unprepared
  return id
}, Effect.orDie)

export const row: Row = {
  id: "C8",
  title: "with totals of links, owners and mailbox providers",
  needsPostgres: true,
  conditions: [
    "the work of C1, F4 and C5 as in these rows, in one database with one worker; C5 with role api",
    `baseline: the same while the triggers ${triggers.join(", ")} are disabled; hits of mails without a template, whose clicks no owner counts`,
    `links: a campaign with ${clicks} clicks on ${links} links, ${pending} of them not added up yet; one connection, POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)`,
    "baseline of the links: the sums by link in one statement on one connection"
  ],
  cases: Effect.gen(function* () {
    const stage = yield* Campaigning.stage("C8", Sink.start, 20)
    const { other, sender, services, sink, worker } = stage
    const campaign = Campaigning.sent(stage)
    const delivery: Run = ({ mails }) =>
      Effect.andThen(Campaigning.clear(), drained(worker, sink, ofDisabled([sender, other]), mails)).pipe(
        Effect.provideContext(services)
      )

    const database = yield* Postgres.freshDatabase
    const tracked = yield* Layer.build(Seed.core(Postgres.layer(database)))
    const { id, owner, plain, templated } = yield* Effect.gen(function* () {
      const all = yield* trackedSenders
      const own = ({ from }: Seed.Sender) => ({ from, subject: Letter.subject("Ada"), body: Letter.html("Ada", "pro") })
      const templated = yield* paths(all)
      return { templated, plain: yield* paths(all, own), owner: all[0], id: yield* clicked(all[0]) }
    }).pipe(Effect.provideContext(tracked))
    const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    const server = yield* Server.start({ name: "C8 api", role: "api", database, environment })
    const load = yield* HttpLoad.start
    const raw = yield* RawStatements.start(database)

    const beside = (name: string, unit: Case["unit"], posthorn: Run, without: Run): Case => ({
      ...{ name, unit, posthorn, target: ">= 0.97" },
      baselines: { "without totals": without }
    })
    const hit = (name: string, of: "pixel" | "click") =>
      beside(
        name,
        "requests/s",
        hits(server, load, templated, of),
        withoutTotals(tracked, hits(server, load, plain, of))
      )

    return [
      beside("campaign (C1)", "mails/s", campaign, withoutTotals(services, campaign)),
      beside("delivery (F4)", "mails/s", delivery, withoutTotals(services, delivery)),
      hit("open (C5)", "pixel"),
      hit("click (C5)", "click"),
      {
        name: `GET /campaigns/{id}/links, ${clicks} clicks`,
        unit: "ms",
        target: "<= 20 ms",
        posthorn: latency(server, load, {
          url: server.url,
          method: "GET",
          path: `/campaigns/${id}/links`,
          status: 200,
          projects: [{ key: owner.key }]
        }),
        baselines: {
          "raw sums": statements(raw, [
            `select link, sum(clicks), sum(unique_clicks), sum(machine_clicks)
             from (select project_id, owner_id, link, clicks, unique_clicks, machine_clicks from link_totals union all
                   select project_id, owner_id, link, clicks, unique_clicks, machine_clicks from link_deltas) as parts
             where project_id = '${owner.id}' and owner_id = '${id}' group by link`
          ])
        }
      }
    ]
  })
}
