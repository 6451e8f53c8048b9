import { randomUUID } from "node:crypto"
import { assert, describe, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import * as EventTotals from "../../events/EventTotals.ts"
import { databases } from "../../testing/Databases.ts"
import { access, vacuumed } from "../../testing/Plans.ts"
import { eventStatements } from "./EventStatements.ts"
import * as EventStore from "./EventStore.ts"

const begin = Date.UTC(2026, 2, 1)

describe.each(databases())("events on %s", (_, database) => {
  layer(database, { timeout: "120 seconds" })((it) => {
    /** Records one event a minute, cycling through the names, which include names of the service. */
    const record = Effect.fnUntraced(function* (project: ProjectId, names: ReadonlyArray<string>, at = begin) {
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        insert into events (id, project_id, name, source, created_at)
        select overlay(gen_random_uuid()::text placing '019a' from 1)::uuid, ${project}::uuid, name, case when name like 'email.%' then 'system' else 'tracked' end,
               ${new Date(at)}::timestamptz + n * interval '1 minute'
        from unnest(${names}::text[]) with ordinality as event (name, n)`
    })

    it.effect("are listed in pages of any size, newest first, each once", () =>
      Effect.gen(function* () {
        const store = yield* EventStore.make
        const project = ProjectId.make(randomUUID())
        const names = ["a", "email.sent", "b", "a", "email.open", "email.sent", "z", "a"]
        yield* record(project, names)
        yield* record(ProjectId.make(randomUUID()), ["foreign"])
        for (const source of [undefined, "system", "tracked"] as const) {
          const expected = names
            .filter((name) => !source || name.startsWith("email.") === (source === "system"))
            .reverse()
          for (const size of [1, 3, 100]) {
            const found: Array<string> = []
            let page = yield* store.list(project, { source }, size)
            while (page.length > 0) {
              found.push(...page.map(({ name }) => name))
              const last = page.at(-1)
              if (last === undefined) break
              page = yield* store.list(project, { source }, size, {
                key: DateTime.formatIso(last.createdAt),
                id: last.id
              })
            }
            assert.deepStrictEqual(found, expected)
          }
          assert.strictEqual(yield* store.count(project, { source }), expected.length)
        }
      })
    )

    it.effect("have names ordered by frequency, counted or not, until all are deleted", () =>
      Effect.gen(function* () {
        const store = yield* EventStore.make
        const totals = yield* EventTotals.make
        const project = ProjectId.make(randomUUID())
        const names = (filter: object = {}) => store.names(project, filter, 10)
        yield* record(project, ["rare", "often", "often", "email.sent", "email.sent", "email.sent"])
        for (const at of [begin, begin + 86_400_000, begin + 86_400_000]) {
          yield* TestClock.setTime(at)
          yield* totals.countFinished
          assert.deepStrictEqual(yield* names(), ["email.sent", "often", "rare"])
        }
        yield* record(project, ["rare", "rare"], begin + 2 * 86_400_000)
        assert.deepStrictEqual(yield* names({ source: "tracked" }), ["rare", "often"])
        assert.deepStrictEqual(yield* names({ search: "SENT" }), ["email.sent"])
        yield* store.retract(project, "rare", DateTime.makeUnsafe(begin + 3 * 86_400_000))
        assert.deepStrictEqual(yield* names({ source: "tracked" }), ["often"])
        yield* store.remove(project, "often", DateTime.makeUnsafe(begin + 3 * 86_400_000), 10)
        assert.deepStrictEqual(yield* names(), ["email.sent"])
      })
    )

    it.effect("are read by index in every query", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const project = ProjectId.make(randomUUID())
        yield* record(
          project,
          Array.from({ length: 20_000 }, (_, n) => (n % 2 ? "email.sent" : `event ${n % 9}`))
        )
        yield* vacuumed(sql, "events")
        const { count, names, newest, stats } = eventStatements(sql, project)
        const month = { from: DateTime.makeUnsafe(begin + 13 * 86_400_000) }
        const ofEvents = Effect.fnUntraced(function* (statement: Statement.Statement<unknown>) {
          return (yield* access(sql, statement)).filter((each) => /\bevents(?:_|$)/.test(each))
        })
        for (const source of [undefined, "system"] as const) {
          const asked = [
            newest({ source }, 20),
            count({ source }),
            stats({ source, ...month }, 1_000),
            names({}, 1_000)
          ]
          for (const statement of asked) assert.deepStrictEqual(yield* ofEvents(statement), ["events_history"])
        }
        assert.deepStrictEqual(yield* ofEvents(newest({ source: "tracked" }, 20)), ["events_tracked"])
      })
    )
  })
})
