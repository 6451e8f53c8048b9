/** Two processes on one database: one that takes requests, and one with the loops. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { layer as wakeups } from "@posthorn/core/platform/Wakeups"
import { freshDatabase, sessionOptions } from "@posthorn/core/testing/Databases"
import type {} from "@posthorn/core/testing/template"
import * as NotifyWakeups from "@posthorn/platform-node/wakeups/NotifyWakeups"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { eventually } from "../testing/Program.ts"
import { wakeup, wakeupsSuite } from "./WakeupsSuite.ts"

const server = inject("postgres")

/** The wake-up part of a process. */
const processOn = (url: string) => {
  const pool = Layer.orDie(PgClient.layer(sessionOptions(url)))
  return Layer.build(Layer.provideMerge(wakeups, Layer.provideMerge(NotifyWakeups.layer("posthorn"), pool)))
}

const here = Effect.fnUntraced(function* () {
  const url = yield* server === undefined ? Effect.die(new Error("No PostgreSQL answers")) : freshDatabase(server)
  return { api: yield* processOn(url), worker: yield* processOn(url) }
})

/** Connections that listen, according to the database. */
const listening = SqlClient.SqlClient.use((sql) =>
  Effect.orDie(sql<{ readonly pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and query ilike 'listen %'`)
)

describe.skipIf(server === undefined)("Wake-ups by NOTIFY", () => {
  wakeupsSuite(Effect.suspend(here))

  it.live("continue when the listening connection has ended, and signal missed wake-ups", () =>
    Effect.gen(function* () {
      const { api, worker } = yield* here()
      const mail = yield* wakeup(api, "mail")
      const woken = yield* (yield* wakeup(worker, "mail")).listen
      yield* woken
      const [first] = yield* eventually(Effect.provide(listening, api), (found) => found.length === 1)
      yield* Effect.provide(
        SqlClient.SqlClient.use((sql) => sql`select pg_terminate_backend(${first?.pid ?? 0}::int)`),
        api
      )
      yield* woken
      yield* mail.wake
      yield* woken
    })
  )

  it.live("of a transaction arrive after its commit, and never after a rollback", () =>
    Effect.gen(function* () {
      const { api, worker } = yield* here()
      const sql = Context.get(api, SqlClient.SqlClient)
      const woken = yield* (yield* wakeup(worker, "mail")).listen
      yield* woken
      const tell = sql`select pg_notify('posthorn', ${NotifyWakeups.everything})`
      const isWoken = Effect.raceFirst(Effect.as(woken, true), Effect.as(Effect.sleep("200 millis"), false))
      yield* Effect.exit(sql.withTransaction(Effect.andThen(tell, Effect.fail("undone"))))
      assert.isFalse(yield* isWoken)
      yield* sql.withTransaction(
        Effect.andThen(
          tell,
          Effect.map(isWoken, (early) => assert.isFalse(early))
        )
      )
      yield* woken
    })
  )
})
