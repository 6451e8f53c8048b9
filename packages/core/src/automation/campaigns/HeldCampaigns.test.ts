import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { SuppressedAddress } from "../../audience/suppression/SuppressedAddress.ts"
import { claimLane, claimMailings } from "../../mail/sending/ClaimSql.ts"
import { databases } from "../../testing/Databases.ts"
import { servicesOn } from "../../testing/Services.ts"
import { wireOver } from "../../testing/TestClient.ts"
import { sendingProject, work } from "./CampaignsFixture.ts"
import * as CampaignWork from "./CampaignWork.ts"

interface Node {
  readonly "Relation Name"?: string
  readonly "Actual Rows"?: number
  readonly "Actual Loops"?: number
  readonly "Rows Removed by Filter"?: number
  readonly Plans?: ReadonlyArray<Node>
}

/** Rows of the ledger that a plan reads. */
const read = (node: Node): number => {
  const own =
    node["Relation Name"] === "emails"
      ? ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0)) * (node["Actual Loops"] ?? 1)
      : 0
  return (node.Plans ?? []).reduce((sum, each) => sum + read(each), own)
}

const plans = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ "QUERY PLAN": Schema.Unknown })]))

const many = 20_000

for (const [name, database] of databases()) {
  layer(wireOver(servicesOn(database)), { timeout: "120 seconds" })(`Campaigns that are held, on ${name}`, (it) => {
    it.effect(
      "are not read: a claim reads only mails of campaigns that may send, for any number of other waiting mails",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const suppressed = yield* SuppressedAddress
          const { ask, create, project, outcome } = yield* sendingProject(3)
          const open = yield* create()
          yield* ask("POST", `/campaigns/${open}/send`)
          yield* work
          yield* sql`
            insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
            select gen_random_uuid(), ${project}::uuid, 'held-' || n || '@example.com', true, '{}', now(), now()
            from generate_series(1, ${many}::int) as n`
          const held = yield* create()
          yield* ask("POST", `/campaigns/${held}/send`)
          const stopped = yield* create()
          yield* ask("POST", `/campaigns/${stopped}/send`)
          const jobs = yield* CampaignWork.make
          const now = new Date(4_000_000_000_000)
          while ((yield* jobs.expand(DateTime.makeUnsafe(0))) > 0);
          assert.strictEqual(yield* outcome("POST", `/campaigns/${held}/pause`), "200 ok")
          assert.strictEqual(yield* outcome("POST", `/campaigns/${stopped}/cancel`), "200 ok")
          // A queue without mail costs a probe.
          yield* sql`update mailings set queues = '{0,7,8,9}' where project_id = ${project}`
          yield* sql.unsafe("analyze emails")
          const claim = { worker: randomUUID(), limit: 50, now, pivot: randomUUID(), defaultRate: 0, rooms: [] }
          const visited = (statement: Statement.Statement<unknown>) =>
            sql`explain (analyze, format json) ${statement}`.pipe(
              Effect.flatMap(plans),
              Effect.map(([row]) => {
                const [found] = row["QUERY PLAN"] as ReadonlyArray<{ readonly Plan: Node }>
                return found === undefined ? Number.POSITIVE_INFINITY : read(found.Plan)
              })
            )
          assert.isBelow(yield* visited(claimLane(sql, suppressed, { ...claim, lane: 1 })), 50)
          assert.isBelow(yield* visited(claimMailings(sql, suppressed, claim)), 50)
          const taken = yield* sql`select campaign_id from emails where status = 'SENDING'`
          assert.deepStrictEqual(
            taken.map((row) => row["campaign_id"]),
            [open, open, open]
          )
        }),
      { timeout: 120_000 }
    )
  })
}
