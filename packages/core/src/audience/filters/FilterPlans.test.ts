/** Checks on PostgreSQL that conditions use their indexes. Fails if one turns into a full table scan. */
import { assert, layer } from "@effect/vitest"
import type { Condition } from "@posthorn/contract/audience/filters/Condition"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../../testing/Databases.ts"
import { access, vacuumed } from "../../testing/Plans.ts"
import { countSql } from "./CountSql.ts"
import type { FilterScope } from "./FilterScope.ts"
import { conditionSql } from "./FilterSql.ts"

const project = ProjectId.make("019a0000-0000-7000-8000-000000000000")
const now = DateTime.makeUnsafe(Date.UTC(2026, 10, 1))
const scope: FilterScope = { project, now, topics: new Map(), segments: new Map() }

/**
 * Inserts 30,000 contacts, of which one in a hundred is on plan team, and 90,000 events over 90 days, of which one in
 * fifty is an order.
 */
const seed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select md5(n::text)::uuid, ${project}::uuid, md5('address' || n) || '@example.com', true,
           jsonb_build_object('plan', case when n % 100 = 0 then 'team' else 'free' end, 'seats', n % 50),
           timestamptz '2026-11-01' - n * interval '1 minute', now()
    from generate_series(1, 30000) as n`
  yield* sql`
    insert into events (id, project_id, contact_id, name, source, created_at, dispatched_at)
    select overlay(gen_random_uuid()::text placing '019a' from 1)::uuid, ${project}::uuid, md5((1 + n * 7 % 30000)::text)::uuid,
           case when n % 50 = 0 then 'order.placed' else 'page.viewed' end, 'tracked',
           timestamptz '2026-11-01' - n % 90 * interval '1 day', now()
    from generate_series(1, 90000) as n`
  yield* vacuumed(sql, "contacts", "events")
})

const onPlan = (value: string): Condition => ({
  _tag: "Json",
  of: "data",
  path: { key: "plan", steps: ["plan"] },
  match: { _tag: "OneOf", values: [value], periods: [] },
  negated: false
})

const ordered = (count: number): Condition => ({
  _tag: "History",
  event: "order.placed",
  where: [],
  match: { _tag: "AtLeast", count, span: { amount: 7, unit: "days" } }
})

for (const [name, database] of databases().filter(([name]) => name === "PostgreSQL")) {
  layer(Layer.provideMerge(Layer.effectDiscard(Effect.orDie(seed)), database), { timeout: "120 seconds" })(
    `Plans of conditions on ${name}`,
    (it) => {
      const matching = (sql: SqlClient.SqlClient, condition: Condition, few = false) =>
        sql`contacts.project_id = ${project} and ${conditionSql(sql, condition, { ...scope, few })}`

      const count = (condition: Condition) =>
        SqlClient.SqlClient.use((sql) =>
          access(sql, sql`select count(*)::int as count from contacts where ${matching(sql, condition)}`)
        )

      const page = (condition: Condition) =>
        SqlClient.SqlClient.use((sql) =>
          access(
            sql,
            sql`select * from contacts where ${matching(sql, condition)}
                order by created_at desc, id desc limit 20 offset 0`
          )
        )

      it.effect("custom data uses the index on data, for a count and within a larger condition", () =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* count(onPlan("team")), ["contacts_data"])
          const both: Condition = { _tag: "AllOf", conditions: [onPlan("team"), { _tag: "Subscribed", is: true }] }
          assert.deepStrictEqual(yield* count(both), ["contacts_data"])
        })
      )

      it.effect("a page of members walks the list when many match, and uses an index when few do", () =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* page(onPlan("free")), ["contacts_created_at"])
          const none = yield* page(onPlan("enterprise"))
          assert.deepStrictEqual(none, ["contacts_data"])
        })
      )

      it.effect("events within some days read only the index, no rows", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          for (const condition of [ordered(1), ordered(3)]) {
            const used = yield* count(condition)
            assert.include(used, "events_history")
            assert.notInclude(used, "every row of events")
            const [text, values] = sql`select count(*) from contacts where ${matching(sql, condition)}`.compile()
            const plan = yield* sql.unsafe(`explain ${text}`, values).unprepared
            assert.match(JSON.stringify(plan), /Index Only Scan using events_first_history/)
          }
        })
      )

      it.effect("counts of one event, of everybody and of the subscribed read no contacts", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const never: Condition = { _tag: "History", event: "order.placed", where: [], match: { _tag: "Never" } }
          const everybody: Condition = { _tag: "AllOf", conditions: [] }
          for (const condition of [
            ordered(1),
            ordered(3),
            never,
            everybody,
            { _tag: "Subscribed", is: false } as const
          ]) {
            const used = yield* access(sql, countSql(sql, { condition, scope }))
            assert.notInclude(used.join(), "contacts")
            assert.notInclude(used, "every row of events")
          }
        })
      )

      it.effect("events of a few contacts read only the events of those", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const used = yield* access(
            sql,
            sql`select id from contacts where ${matching(sql, ordered(1), true)}
                and contacts.id = any(${[project]}::uuid[])`
          )
          assert.include(used, "contacts_pkey")
          for (const table of ["contacts", "events"]) assert.notInclude(used, `every row of ${table}`)
        })
      )
    }
  )
}
