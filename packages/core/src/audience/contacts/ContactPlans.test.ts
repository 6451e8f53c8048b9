/**
 * Checks on PostgreSQL that hot queries use their indexes, with one large project and many small ones in the same
 * tables.
 *
 * A full table scan is fast on test data but takes seconds at a million contacts, so the test checks the plan.
 */
import { assert, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../../testing/Databases.ts"
import { access, vacuumed } from "../../testing/Plans.ts"
import { type ContactList, contactListSql, type ListOrder } from "./ContactListSql.ts"
import type { ContactFilter } from "./ContactStore.ts"

const large = ProjectId.make("019a0000-0000-7000-8000-000000000000")
const small = ProjectId.make("019a0000-0000-7000-8000-000000000001")

/**
 * Inserts 40,000 contacts in one project and 100 in each of 200 others. One in 20 is not subscribed, one in 100 is on
 * plan team. Adds tallies of 5,000 other projects.
 */
const seed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select gen_random_uuid(), project_id, md5(project_id::text || n) || '@' || (array['gmail.com', 'example.com'])[1 + n % 2],
           n % 20 > 0, jsonb_build_object('plan', case when n % 100 = 0 then 'team' else 'free' end, 'seats', n % 50),
           timestamptz '2026-01-01' + n * interval '1 minute', timestamptz '2026-01-01' + n * interval '1 minute'
    from (
      select ${large}::uuid as project_id, n from generate_series(1, 40000) as n
      union all
      select (left(${small}, 33) || lpad(to_hex(project), 3, '0'))::uuid, n
      from generate_series(1, 200) as project, generate_series(1, 100) as n
    ) as contact`
  yield* sql`
    insert into contact_tallies (project_id, contacts, subscribed)
    select gen_random_uuid(), 1, 1 from generate_series(1, 5000)`
  yield* vacuumed(sql, "contacts", "contact_tallies")
})

const position = {
  createdAt: { key: "2026-01-25T00:00:00.000Z", id: large },
  updatedAt: { key: "2026-01-25T00:00:00.000Z", id: large },
  email: { key: "e@example.com", id: large }
}
const orders: ReadonlyArray<ListOrder> = [
  { sort: "createdAt", dir: "desc" },
  { sort: "createdAt", dir: "asc" },
  { sort: "email", dir: "desc" },
  { sort: "email", dir: "asc" }
]

/** One contact in 100 is on plan team. */
const onTeam = (sql: SqlClient.SqlClient) => () => sql`contacts.data @> '{"plan": "team"}'`

const usual: ListOrder = { sort: "createdAt", dir: "desc" }
const found = (search: string, project = large): ContactList => ({
  project,
  filter: { search },
  order: usual,
  limit: 101,
  after: undefined,
  total: undefined
})

for (const [name, database] of databases().filter(([name]) => name === "PostgreSQL")) {
  layer(Layer.provideMerge(Layer.effectDiscard(Effect.orDie(seed)), database), { timeout: "120 seconds" })(
    `Plans of contacts on ${name}`,
    (it) => {
      // The topics and the open opt-in of a contact are looked up by their keys, and only for a contact that has some.
      const of = (statement: (sql: SqlClient.SqlClient) => Parameters<typeof access>[1]) =>
        SqlClient.SqlClient.use((sql) =>
          Effect.map(access(sql, statement(sql)), (used) => used.filter((index) => !/^(?:opt_ins|topics)_/.test(index)))
        )
      const statements = (sql: SqlClient.SqlClient) => contactListSql(sql).statements

      it.effect.each(orders)("every page, first or last, walks the index of its order: %j", (order) =>
        Effect.gen(function* () {
          const byEmail = order.sort === "email"
          const rows: ReadonlyArray<readonly [ContactFilter, string]> = [
            [{}, byEmail ? "contacts_email" : "contacts_created_at"],
            [{ subscribed: true }, byEmail ? "contacts_email" : "contacts_created_at"],
            [{ subscribed: false }, byEmail ? "contacts_unsubscribed_email" : "contacts_unsubscribed_created_at"]
          ]
          for (const [filter, index] of rows) {
            for (const after of [undefined, position[order.sort]]) {
              const list: ContactList = { project: large, filter, order, limit: 101, after, total: undefined }
              assert.deepStrictEqual(yield* of((sql) => statements(sql).page(list)), [index])
              if (filter.subscribed === false) continue
              const search: ContactList = { ...list, filter: { ...filter, search: "abcdef" } }
              assert.deepStrictEqual(yield* of((sql) => statements(sql).nearby(search)), [index])
            }
          }
        })
      )

      it.effect.each(
        ["asc", "desc"].flatMap((dir) => (["createdAt", "updatedAt", "email"] as const).map((sort) => ({ sort, dir })))
      )("a condition with many matches walks the index of its order: %j", (order) =>
        Effect.gen(function* () {
          const indexes = {
            createdAt: "contacts_created_at",
            updatedAt: "contacts_updated_at",
            email: "contacts_email"
          }
          for (const after of [undefined, position[order.sort]]) {
            const list = { ...found(""), order: order as ListOrder, after }
            for (const rows of [undefined, 20_000]) {
              const used = yield* of((sql) =>
                statements(sql).nearby({ ...list, filter: { subscribed: true, holds: onTeam(sql) } }, rows)
              )
              assert.deepStrictEqual(used, [indexes[order.sort]])
            }
          }
        })
      )

      it.effect("a condition with few matches uses the index on data, for its page and its total", () =>
        Effect.gen(function* () {
          for (const sort of ["createdAt", "updatedAt", "email"] as const) {
            const list = { ...found(""), order: { sort, dir: "desc" } as const }
            const used = yield* of((sql) => statements(sql).anywhere({ ...list, filter: { holds: onTeam(sql) } }))
            assert.deepStrictEqual(used, ["contacts_data"])
          }
          const total = yield* of((sql) => statements(sql).counted(large, { holds: onTeam(sql) }))
          assert.deepStrictEqual(total, ["contacts_data"])
        })
      )

      it.effect("a search with few matches uses the trigram index, for its page and its total", () =>
        Effect.gen(function* () {
          const rare = found("abcdef")
          assert.deepStrictEqual(yield* of((sql) => statements(sql).anywhere(rare)), ["contacts_search"])
          assert.deepStrictEqual(yield* of((sql) => statements(sql).counted(large, rare.filter)), ["contacts_search"])
        })
      )

      it.effect("the size of one project does not affect the plans of another", () =>
        Effect.gen(function* () {
          const common = found("gmail", small)
          const [page] = yield* of((sql) => statements(sql).anywhere(common))
          const [total] = yield* of((sql) => statements(sql).counted(small, common.filter))
          const [team] = yield* of(
            (sql) => sql`select count(*) from contacts where project_id = ${small} and data @> '{"plan": "free"}'`
          )
          const ofProject = ["contacts_created_at", "contacts_email", "contacts_pkey", "contacts_updated_at"]
          for (const index of [page, total, team]) assert.include(ofProject, index)
        })
      )

      it.effect("a stored total reads the tallies of its project", () =>
        Effect.gen(function* () {
          for (const filter of [{}, { subscribed: true }, { subscribed: false }]) {
            assert.deepStrictEqual(yield* of((sql) => statements(sql).kept(large, filter)), ["contact_tallies_pkey"])
          }
        })
      )

      it.effect("a filter on custom data uses the index on data", () =>
        Effect.gen(function* () {
          const used = yield* of(
            (sql) => sql`select id from contacts where project_id = ${large} and data @> '{"plan": "team"}'`
          )
          assert.deepStrictEqual(used, ["contacts_data"])
        })
      )

      it.effect("one contact is found by its id and by its address", () =>
        Effect.gen(function* () {
          const byId = yield* of((sql) => sql`select * from contacts where project_id = ${large} and id = ${large}`)
          const byAddress = yield* of(
            (sql) =>
              sql`update contacts set subscribed = false where project_id = ${large} and email = 'a' and subscribed`
          )
          assert.deepStrictEqual([byId, byAddress], [["contacts_pkey"], ["contacts_email"]])
        })
      )
    }
  )
}
