import { join } from "node:path"
import * as Migrations from "@posthorn/core/platform/migrations/index"
import * as Pglite from "@posthorn/pglite"
import { Array, Effect, Layer } from "effect"
import { Bench } from "../Bench.ts"
import * as RawTransactions from "../baselines/RawTransactions.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Server from "../processes/Server.ts"
import * as Sink from "../processes/Sink.ts"
import type { Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { sendBody } from "./F1SendAccepted.ts"
import { requests, transactions } from "./Loads.ts"

/** So many that each project stays below the limit of 1,000 requests a minute, which is active. */
const projects = 64

const database = (folder: string) => Layer.orDie(Migrations.layer.pipe(Layer.provideMerge(Pglite.layer({ folder }))))

export const row: Row = {
  id: "F2",
  title: "POST /v1/send accepted, embedded",
  needsPostgres: false,
  conditions: [
    `${projects} projects in turn, rate limit at its default`,
    "as F1, on the embedded database on disk, role all: the same process also delivers the mail to a sink",
    "baseline: the transaction of F1 on another embedded database, in the process of that database"
  ],
  cases: Effect.gen(function* () {
    const { folder } = yield* Bench
    const dataDir = join(folder, "F2")
    const seeded = join(folder, "F2-raw")
    const senders = yield* Effect.provide(Seed.senders(projects), Seed.core(database(dataDir)))
    const sink = yield* Sink.start
    const server = yield* Server.start({ name: "F2 all", role: "all", dataDir, smtp: sink.url })
    const load = yield* HttpLoad.start
    const raw = yield* RawTransactions.start(seeded)
    const send = { url: server.url, method: "POST", path: "/v1/send", body: sendBody, status: 200 } as const
    return [
      {
        name: "accepted",
        unit: "requests/s",
        target: ">= 300/s",
        posthorn: requests(server, load, { ...send, projects: senders }),
        baselines: {
          "raw transaction": transactions(raw, { transaction: "send", projects: Array.map(senders, ({ id }) => id) })
        }
      }
    ]
  })
}
