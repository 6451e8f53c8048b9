import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Migrations from "../../platform/migrations/index.ts"
import { createNext, removeBefore } from "../../platform/Partitions.ts"
import { timePrefix } from "../../platform/TimeIds.ts"
import { databases } from "../../testing/Databases.ts"
import { migratedBefore } from "../../testing/EarlierDatabase.ts"
import { attemptsTable } from "./AttemptPartitions.ts"

const project = randomUUID()
const day = 86_400_000

const idAt = (time: number) => `${timePrefix(DateTime.makeUnsafe(time))}-7${randomUUID().slice(15)}`

const tried = Effect.fnUntraced(function* (accepted: number, ended: number) {
  const sql = yield* SqlClient.SqlClient
  const id = idAt(accepted)
  yield* sql`
    insert into email_attempts (project_id, email_id, number, started_at, ended_at, outcome, reply, dialogue)
    values (${project}, ${id}, 1, ${new Date(ended)}, ${new Date(ended)}, 'accepted', '250 ok', '["hello"]')`
  return id
})

const stored = SqlClient.SqlClient.use(
  (sql) => sql`
    select email_id as id, tableoid::regclass::text as place, reply, dialogue from email_attempts order by email_id`
)

describe.each(databases())("partitions of tries on %s", (_, database) => {
  it.effect("leave with their old tries, and keep those of mail that was scheduled long before", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ readonly end: Date }>`
        select date_trunc('month', now() + interval '4 months', 'UTC') as end`
      const end = row?.end.getTime() ?? 0
      yield* TestClock.setTime(end)
      yield* createNext(attemptsTable)
      yield* tried(end - 2, end - 2)
      const scheduled = yield* tried(end - 1, end + 100 * day)
      const next = yield* tried(end, end)
      const rest = { reply: "250 ok", dialogue: ["hello"] }
      const label = `email_attempts_${new Date(end).toISOString().slice(0, 10).replaceAll("-", "")}`
      yield* removeBefore(attemptsTable, DateTime.makeUnsafe(end + 100 * day))
      assert.deepStrictEqual(yield* stored, [
        { id: scheduled, place: "email_attempts_default", ...rest },
        { id: next, place: label, ...rest }
      ])
      // A second time, nothing is left to remove.
      yield* removeBefore(attemptsTable, DateTime.makeUnsafe(end + 100 * day))
      assert.lengthOf(yield* stored, 2)
    }).pipe(Effect.provide(database))
  )

  it.effect("a database of an earlier version keeps its tries", () =>
    Effect.gen(function* () {
      yield* migratedBefore("0292")
      const id = yield* tried(Date.now(), Date.now())
      yield* Migrations.migrate
      yield* Migrations.finish
      const place = "email_attempts_first"
      assert.deepStrictEqual(yield* stored, [{ id, place, reply: "250 ok", dialogue: ["hello"] }])
      assert.deepStrictEqual((yield* Migrations.status).unfinished, [])
    }).pipe(Effect.provide(database))
  )
})
