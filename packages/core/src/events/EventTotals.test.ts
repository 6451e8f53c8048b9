import { randomUUID } from "node:crypto"
import { assert, describe, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { databases } from "../testing/Databases.ts"
import { access, vacuumed } from "../testing/Plans.ts"
import * as EventTotals from "./EventTotals.ts"

const begin = Date.UTC(2026, 2, 1)
/** A minute within four days. */
const Minute = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4 * 24 * 60 }))
const Event = Schema.Struct({ name: Schema.Literals(["a", "b", "c"]), at: Minute })

const at = (minutes: number) => DateTime.makeUnsafe(begin + minutes * 60_000)

describe.each(databases())("totals of events on %s", (_, database) => {
  layer(database, { timeout: "120 seconds" })((it) => {
    it.effect.prop(
      "of a window equal counted rows, to the minute, added up or not",
      [
        Schema.Array(Event).check(Schema.isMaxLength(20)),
        Schema.Array(Minute).check(Schema.isMaxLength(3)),
        Minute,
        Minute
      ],
      ([events, counts, one, other]) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const totals = yield* EventTotals.make
          const project = ProjectId.make(randomUUID())
          yield* sql`
            insert into projects (id, name, public_key, secret_key_hash, secret_hint, created_at, updated_at)
            values (${project}, 'P', ${`pk_${project}`}, ${project}, 'x', now(), now())`
          yield* sql`update event_totals_mark set counted_until = '-infinity'`
          yield* sql`truncate event_totals, event_days`
          const stored = [...events].sort((a, b) => a.at - b.at)
          for (const { name, at: minutes } of stored) {
            yield* sql`
              insert into events (id, project_id, name, source, created_at)
              values (gen_random_uuid(), ${project}, ${name}, 'tracked', ${DateTime.toDate(at(minutes))})`
          }
          for (const minutes of [...counts].sort((a, b) => a - b)) {
            yield* TestClock.setTime(DateTime.toEpochMillis(at(minutes)))
            yield* totals.countFinished
          }
          const [from, until] = [Math.min(one, other), Math.max(one, other)]
          const within = (from: number, until: number) => stored.filter(({ at }) => at >= from && at < until)
          const window = { from: at(from), until: at(until) }
          assert.strictEqual(yield* totals.total(project, window), within(from, until).length)
          const of = (name: string, from: number, until: number) =>
            within(from, until).filter((event) => event.name === name).length
          const expected = ["a", "b", "c"]
            .map((name) => ({ name, count: of(name, from, until), before: of(name, 2 * from - until, from) }))
            .filter(({ count }) => count > 0)
            .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
          assert.deepStrictEqual(yield* totals.mostFrequent(project, window, 10), expected)
          // Midnight is 18:15 UTC in the second zone.
          for (const offset of [0, 18 * 60 + 15]) {
            const starts = [0, 1, 2, 3].map((day) => offset + day * 24 * 60)
            const days = starts.slice(0, -1).flatMap((start, day) => {
              const count = of("b", start, start + 24 * 60)
              return count === 0 ? [] : [[day, count] as const]
            })
            assert.deepStrictEqual(yield* totals.byDay(project, "b", starts.map(at)), new Map(days))
          }
          yield* totals.forget(project, "a")
          const left = sql`
            select from event_totals where project_id = ${project} and name = 'a' union all
            select from event_days where project_id = ${project} and name = 'a'`
          assert.lengthOf(yield* left, 0)
        })
    )

    it.effect("of one event by day are read from the index by its name", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const project = ProjectId.make(randomUUID())
        yield* sql`
          insert into event_totals (project_id, quarter, name, count)
          select ${project}::uuid, timestamptz '2026-03-01 00:00:00+00' + n * interval '15 minutes', 'e' || m, 1
          from generate_series(0, 95) as n, generate_series(1, 100) as m`
        yield* vacuumed(sql, "event_totals")
        const used = yield* access(sql, EventTotals.eventDaysStatement(sql, project, "e1", [at(0), at(24 * 60)]))
        assert.include(used, "event_totals_name")
        assert.notInclude(used, "every row of event_totals")
      })
    )
  })
})
