/** Two processes on one database: one that takes requests, and one with the loops. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { make } from "@posthorn/core/Nudge"
import { freshDatabase, poolOptions } from "@posthorn/core/testing/Databases"
import type {} from "@posthorn/core/testing/template"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { eventually } from "../testing/Program.ts"
import * as NotifyCarrier from "./NotifyCarrier.ts"

const server = inject("postgres")

/** A process, as far as its nudges go. */
const processOn = (url: string) => {
  const pool = Layer.orDie(PgClient.layer(poolOptions(url)))
  return Layer.build(Layer.provideMerge(NotifyCarrier.layer("posthorn"), pool))
}

const here = Effect.fnUntraced(function* () {
  const url = yield* server === undefined ? Effect.die(new Error("No PostgreSQL answers")) : freshDatabase(server)
  return { api: yield* processOn(url), worker: yield* processOn(url) }
})

type Process = Effect.Success<ReturnType<typeof processOn>>
const nudge = (process: Process, topic: string) => Effect.provide(make(topic), process)

/** Connections that listen, as the database sees them. */
const listening = SqlClient.SqlClient.use((sql) =>
  Effect.orDie(sql<{ readonly pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and query ilike 'listen %'`)
)

describe.skipIf(server === undefined)("Nudges by NOTIFY", () => {
  it.live("wake who listens in another process, each its own topic", () =>
    Effect.gen(function* () {
      const { api, worker } = yield* here()
      const mail = yield* nudge(api, "mail")
      const events = yield* nudge(api, "events")
      const woken: Array<string> = []
      const listen = Effect.fnUntraced(function* (topic: string) {
        const { listen } = yield* nudge(worker, topic)
        const one = yield* listen
        yield* Effect.forkScoped(Effect.forever(Effect.andThen(one, () => Effect.sync(() => void woken.push(topic)))))
      })
      yield* listen("mail")
      yield* listen("events")
      // All are woken once when listening begins: whatever was told before was heard by nobody.
      yield* eventually(
        Effect.sync(() => woken.length),
        (count) => count === 2
      )
      yield* mail.wake
      yield* eventually(
        Effect.sync(() => woken.length),
        (count) => count === 3
      )
      yield* events.wake
      yield* eventually(
        Effect.sync(() => woken.length),
        (count) => count === 4
      )
      assert.deepStrictEqual(woken.slice(2), ["mail", "events"])
    })
  )

  it.live("are told to nobody outside where a loop of the same process listens", () =>
    Effect.gen(function* () {
      const { api, worker } = yield* here()
      const near = yield* nudge(api, "mail")
      const far = yield* nudge(worker, "mail")
      const nearby = yield* near.listen
      const away = yield* far.listen
      yield* eventually(Effect.provide(listening, api), (found) => found.length === 2)
      yield* away
      yield* nearby
      yield* near.wake
      yield* nearby
      // The next one that does go out is the next one that arrives.
      const other = yield* nudge(api, "events")
      const events = yield* (yield* nudge(worker, "events")).listen
      yield* other.wake
      yield* events
      assert.isFalse(yield* Effect.raceFirst(Effect.as(away, true), Effect.as(Effect.yieldNow, false)))
    })
  )

  it.live("go on when the connection that listens has ended, and tell of what was missed", () =>
    Effect.gen(function* () {
      const { api, worker } = yield* here()
      const mail = yield* nudge(api, "mail")
      const woken = yield* (yield* nudge(worker, "mail")).listen
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

  it.live("of a transaction come when it commits, and not where it is undone", () =>
    Effect.gen(function* () {
      const { api, worker } = yield* here()
      const sql = Context.get(api, SqlClient.SqlClient)
      const woken = yield* (yield* nudge(worker, "mail")).listen
      yield* woken
      const tell = sql`select pg_notify('posthorn', ${NotifyCarrier.everything})`
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
