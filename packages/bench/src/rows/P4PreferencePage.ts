import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Topics } from "@posthorn/core/audience/topics/Topics"
import { PublicLinks } from "@posthorn/core/platform/links/PublicLinks"
import { Array, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { BenchFailure } from "../BenchFailure.ts"
import * as RawHttp from "../baselines/RawHttp.ts"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { requests, slowRequests } from "./Loads.ts"

/** So many that each stays below the limit of 600 requests a minute of an address, which is active. */
const readers = 2_000

const addressOf = (n: number) => `10.0.${n >> 8}.${n & 255}`

export const row: Row = {
  id: "P4",
  title: "the page of preferences, PostgreSQL",
  needsPostgres: true,
  conditions: [
    `${readers} readers in turn, each from an address of its own, two topics; 32 connections, role api`,
    "a save changes both topics: it takes one and leaves the other, by turns",
    "baseline: node:http that answers JSON of half a kilobyte, without a database"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const tokens = yield* Effect.gen(function* () {
      const [project] = yield* Seed.projects(1)
      if (project === undefined) return yield* new BenchFailure({ message: "no project was created" })
      const [id, topics, sql, links] = [
        ProjectId.make(project.id),
        yield* Topics,
        yield* SqlClient.SqlClient,
        yield* PublicLinks
      ]
      for (const key of ["news", "offers"]) {
        yield* Effect.orDie(topics.create(id, { name: key, key, defaultSubscription: "subscribed" }))
      }
      const rows = yield* Effect.orDie(sql<{ readonly id: string }>`
        insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
        select gen_random_uuid(), ${id}::uuid, 'reader-' || n || '@example.com', true, '{}', now(), now()
        from generate_series(1, ${readers}::int) as n returning id`)
      return yield* Effect.forEach(rows, (row) =>
        links.token("manage", { project: id, contact: ContactId.make(row.id), email: null })
      )
    }).pipe(Effect.provide(Seed.core(Postgres.layer(database))))
    const environment = { POSTHORN_TRUST_PROXY: "1" }
    const server = yield* Server.start({ name: "P4 api", role: "api", database, environment })
    const raw = yield* RawHttp.start
    const load = yield* HttpLoad.start
    if (!Array.isReadonlyArrayNonEmpty(tokens)) return []
    const visitors = Array.map(tokens, (token, n) => ({ token, key: "sk_raw", "x-forwarded-for": addressOf(n) }))
    const saving = (topic: string) =>
      Array.map(visitors, (visitor) => ({ ...visitor, topic, "content-type": "application/x-www-form-urlencoded" }))
    const savers = Array.appendAll(saving("news"), saving("offers"))
    const visit = { method: "GET", path: "/manage/$token", projects: visitors } as const
    const save = {
      method: "POST",
      path: "/manage/$token",
      body: "action=save&shown=news&shown=offers&topic=$topic",
      projects: savers
    } as const
    const page = { ...visit, url: server.url, status: 200 }
    const saved = { ...save, url: server.url, status: 200 }
    return [
      {
        name: "visit, p95",
        unit: "ms",
        target: "<= 40 ms",
        posthorn: slowRequests(server, load, page),
        baselines: { "raw node:http": slowRequests(raw, load, { ...visit, url: raw.url, status: 404 }) }
      },
      {
        name: "save, p95",
        unit: "ms",
        target: "<= 80 ms",
        posthorn: slowRequests(server, load, saved),
        baselines: { "raw node:http": slowRequests(raw, load, { ...save, url: raw.url, status: 404 }) }
      },
      {
        name: "save",
        unit: "requests/s",
        target: ">= 600/s",
        posthorn: requests(server, load, saved),
        baselines: { "raw node:http": requests(raw, load, { ...save, url: raw.url, status: 404 }) }
      }
    ]
  })
}
