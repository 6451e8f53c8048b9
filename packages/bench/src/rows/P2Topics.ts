import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Topics } from "@posthorn/core/audience/topics/Topics"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import * as RawStatements from "../baselines/RawStatements.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import * as Campaigning from "./Campaigning.ts"
import { latency, statements } from "./Loads.ts"

/** One contact in this many takes the topic that is off by default. */
const rarity = 200

export const row: Row = {
  id: "P2",
  title: "topics with their totals, and the contacts of a topic",
  needsPostgres: true,
  conditions: [
    `--audience sets the number of contacts; one in ${rarity} takes one of the two topics, role api`,
    "one connection, one request at a time, POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)",
    "baseline: the records without totals, and the first page by SQL without a total"
  ],
  cases: Effect.gen(function* () {
    const { audienceSizes } = yield* Bench
    const contacts = audienceSizes.at(-1) ?? 0
    const database = yield* Postgres.freshDatabase
    const services = yield* Layer.build(Seed.core(Postgres.layer(database)))
    const { sender, rare } = yield* Effect.gen(function* () {
      const [sender] = yield* Seed.senders(1)
      if (sender === undefined) return yield* new BenchFailure({ message: "no sender was created" })
      const topics = yield* Topics
      const sql = yield* SqlClient.SqlClient
      const make = (name: string, defaultSubscription: "subscribed" | "unsubscribed") =>
        Effect.orDie(topics.create(ProjectId.make(sender.id), { name, defaultSubscription }))
      yield* make("News", "subscribed")
      const { id } = yield* make("Tips", "unsubscribed")
      yield* Campaigning.audience(sender, contacts)
      yield* Effect.orDie(sql`
        update contacts set topics_on = array[${id}::uuid]
        where project_id = ${sender.id}::uuid and (data ->> 'name') like '%00' and hashtext(email) % 2 = 0`)
      yield* Effect.orDie(sql.unsafe("vacuum analyze contacts"))
      return { sender, rare: id }
    }).pipe(Effect.provideContext(services))
    const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    const server = yield* Server.start({ name: "P2 api", role: "api", database, environment })
    const load = yield* HttpLoad.start
    const raw = yield* RawStatements.start(database)
    const read = (path: string) =>
      latency(server, load, { url: server.url, method: "GET", path, status: 200, projects: [{ key: sender.key }] })
    return [
      {
        name: `topics of ${contacts} contacts`,
        unit: "ms",
        target: "<= 10 ms",
        posthorn: read("/topics"),
        baselines: { "records alone": statements(raw, [`select * from topics where project_id = '${sender.id}'`]) }
      },
      {
        name: `first page of the contacts of a topic, one in ${rarity} of ${contacts}`,
        unit: "ms",
        target: "<= 15 ms",
        posthorn: read("/topics/tips/contacts?limit=100"),
        baselines: {
          "raw page": statements(raw, [
            `select * from contacts where project_id = '${sender.id}' and topics_on @> array['${rare}'::uuid] and subscribed
             order by created_at desc, id desc limit 101`
          ])
        }
      }
    ]
  })
}
