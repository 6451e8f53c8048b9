import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Topics } from "@posthorn/core/audience/topics/Topics"
import { Array, Effect } from "effect"
import * as HttpLoad from "../load/HttpLoad.ts"
import * as Postgres from "../Postgres.ts"
import * as Server from "../processes/Server.ts"
import type { Row } from "../Row.ts"
import * as Seed from "../Seed.ts"
import { requests } from "./Loads.ts"

/** So many that each project stays below the limit of 1,000 requests a minute, which is active. */
const count = 128

const keys = ["news", "offers", "tips"]
const contact = (name: string) => ({ email: `${name}-$n@example.com`, data: { name: "Ada", plan: "pro" } })

export const row: Row = {
  id: "P3",
  title: "POST /contacts with topics and consent, PostgreSQL",
  needsPostgres: true,
  conditions: [
    `${count} projects in turn, each with three topics, rate limit at its default`,
    "32 connections, role api; a new contact each time, with three topics and a consent",
    "baseline: the same contact without both; its own cost is row A1"
  ],
  cases: Effect.gen(function* () {
    const database = yield* Postgres.freshDatabase
    const projects = yield* Effect.gen(function* () {
      const projects = yield* Seed.projects(count)
      const topics = yield* Topics
      for (const { id } of projects) {
        for (const key of keys) {
          const topic = { name: key, key, defaultSubscription: "subscribed" as const }
          yield* Effect.orDie(topics.create(ProjectId.make(id), topic))
        }
      }
      return projects
    }).pipe(Effect.provide(Seed.core(Postgres.layer(database))))
    const server = yield* Server.start({ name: "P3 api", role: "api", database })
    const load = yield* HttpLoad.start
    const callers = Array.map(projects, ({ key }) => ({ key }))
    const post = (body: object) =>
      requests(server, load, {
        ...{ url: server.url, method: "POST", path: "/contacts", body: JSON.stringify(body) },
        ...{ status: 201, projects: callers }
      })
    const topics = Object.fromEntries(keys.map((key) => [key, "subscribed"]))
    const consent = { basis: "consent", wording: "I want the newsletter.", language: "en" }
    return [
      {
        name: "new contact with three topics and consent",
        unit: "requests/s",
        target: ">= 0.75",
        posthorn: post({ ...contact("asked"), topics, consent }),
        baselines: { "without both": post(contact("plain")) }
      }
    ]
  })
}
