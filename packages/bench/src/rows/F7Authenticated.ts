import { Effect } from "effect"
import * as RawHttp from "../baselines/RawHttp.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { requests } from "./Loads.ts"

export const row: Row = {
  id: "F7",
  title: "authenticated request without a query",
  needsPostgres: true,
  conditions: [
    "GET /contacts/not-an-id: 404 after the check of the key and before any query; the key is looked up once a second",
    "32 connections, one key, POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)",
    "baseline: node:http that checks the key's prefix and answers JSON of the same kind"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const projects = yield* Effect.provide(Seed.projects(1), Seed.core(Postgres.layer(database)))
    const environment = { POSTHORN_RATE_LIMIT_PER_MINUTE: "0" }
    const server = yield* Server.start({ name: "F7 api", role: "api", database, environment })
    const raw = yield* RawHttp.start
    const load = yield* HttpLoad.start
    const get = { method: "GET", path: "/contacts/not-an-id", status: 404, projects } as const
    return [
      {
        name: "404 after the check of the key",
        unit: "requests/s",
        target: ">= 0.3",
        posthorn: requests(server, load, { ...get, url: server.url }),
        baselines: { "raw node:http": requests(raw, load, { ...get, url: raw.url }) }
      }
    ]
  })
}
