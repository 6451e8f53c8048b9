/** Stored totals always equal counted totals, also under concurrent writes and rollbacks. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, Data, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../../testing/Databases.ts"
import { ContactStore } from "./ContactStore.ts"
import * as ContactStoreSql from "./ContactStoreSql.ts"
import { noDataChange } from "./DataChange.ts"

const now = DateTime.makeUnsafe(Date.UTC(2026, 10, 20, 15))

const Address = Schema.Literals(["c0@example.com", "c1@example.com", "c2@example.com", "c3@example.com"])
const Step = Schema.Union([
  Schema.Struct({
    do: Schema.Literal("upsert"),
    emails: Schema.UniqueArray(Address).check(Schema.isMinLength(1)),
    subscribed: Schema.UndefinedOr(Schema.Boolean)
  }),
  Schema.Struct({ do: Schema.Literals(["unsubscribe", "delete", "delete in every project", "move"]), email: Address }),
  Schema.Struct({ do: Schema.Literal("set"), email: Address, subscribed: Schema.Boolean }),
  Schema.Struct({ do: Schema.Literals(["touch", "flip all", "fold"]) }),
  Schema.Struct({ do: Schema.Literal("import"), rows: Schema.Literals([0, 1, 5]), subscribed: Schema.Boolean })
])
type Step = typeof Step.Type

const Unit = Schema.Struct({ steps: Schema.Array(Step).check(Schema.isMaxLength(4)), rollsBack: Schema.Boolean })
const Writer = Schema.Array(Unit).check(Schema.isMaxLength(4))

class RolledBack extends Data.TaggedError("RolledBack") {}

const Totals = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ all: Schema.Int, subscribed: Schema.Int, unsubscribed: Schema.Int })])
)

for (const [name, database] of databases()) {
  layer(Layer.provideMerge(ContactStoreSql.layer, database), { timeout: "120 seconds" })(
    `Stored totals of contacts on ${name}`,
    (it) => {
      const run = (project: ProjectId, other: ProjectId, step: Step) =>
        Effect.gen(function* () {
          const store = yield* ContactStore
          const sql = yield* SqlClient.SqlClient
          switch (step.do) {
            case "upsert": {
              const upserts = step.emails.map((email) => ({
                id: ContactId.make(randomUUID()),
                email,
                subscribed: step.subscribed,
                data: noDataChange
              }))
              return Array.isReadonlyArrayNonEmpty(upserts) ? yield* store.upsert(project, upserts, now) : undefined
            }
            case "unsubscribe":
              return yield* store.unsubscribe(project, step.email, now)
            case "set":
              return yield* sql`
                update contacts set subscribed = ${step.subscribed} where project_id = ${project} and email = ${step.email}`
            case "touch":
              return yield* sql`update contacts set updated_at = now() where project_id in (${project}, ${other})`
            case "flip all":
              return yield* sql`
                update contacts set subscribed = not subscribed where project_id in (${project}, ${other})`
            case "import":
              return yield* sql`
                insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
                select gen_random_uuid(), project, 'import-' || n || '@example.com', ${step.subscribed}, '{}', now(), now()
                from generate_series(1, ${step.rows}::int) as n, unnest(array[${project}, ${other}]::uuid[]) as project
                on conflict do nothing`
            case "delete":
              return yield* sql`delete from contacts where project_id = ${project} and email = ${step.email}`
            case "delete in every project":
              return yield* sql`
                delete from contacts where project_id in (${project}, ${other}) and email = ${step.email}`
            case "move":
              return yield* sql`
                update contacts set project_id = ${other} where project_id = ${project} and email = ${step.email}
                and not exists (select from contacts where project_id = ${other} and email = ${step.email})`
            case "fold":
              return yield* sql`select fold_contact_tallies(${project})`
          }
        })

      const counted = (project: ProjectId) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const rows = yield* sql`
            select count(*)::int as all, (count(*) filter (where subscribed))::int as subscribed,
                   (count(*) filter (where not subscribed))::int as unsubscribed
            from contacts where project_id = ${project}`
          return (yield* Totals(rows))[0]
        })

      const kept = (project: ProjectId) =>
        Effect.gen(function* () {
          const { count } = yield* ContactStore
          return {
            all: yield* count(project, {}),
            subscribed: yield* count(project, { subscribed: true }),
            unsubscribed: yield* count(project, { subscribed: false })
          }
        })

      it.effect.prop(
        "are exact after any mix of concurrent writers, some of which roll back",
        [Writer, Writer, Writer],
        (writers) =>
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            const [project, other] = [ProjectId.make(randomUUID()), ProjectId.make(randomUUID())] as const
            const written = (unit: typeof Unit.Type) =>
              Effect.forEach(unit.steps, (step) => run(project, other, step), { discard: true }).pipe(
                Effect.andThen(unit.rollsBack ? Effect.fail(new RolledBack()) : Effect.void),
                sql.withTransaction,
                // Two writers may deadlock. One of them then rolls back, which is a valid case.
                Effect.exit
              )
            yield* Effect.forEach(writers, (units) => Effect.forEach(units, written, { discard: true }), {
              concurrency: "unbounded",
              discard: true
            })
            assert.deepStrictEqual(yield* kept(project), yield* counted(project))
            assert.deepStrictEqual(yield* kept(other), yield* counted(other))
          })
      )

      it.effect("use at most a few hundred rows after thousands of single writes", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const project = ProjectId.make(randomUUID())
          const add = (n: number) => sql`
            insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
            values (gen_random_uuid(), ${project}, ${`one-${n}@example.com`}, ${n % 4 > 0}, '{}', now(), now())`
          yield* Effect.forEach(Array.range(1, 2_000), add, { concurrency: 8, discard: true })
          const [row] = yield* sql`select count(*)::int as rows from contact_tallies where project_id = ${project}`
          assert.isBelow(Number(row?.["rows"]), 1_500)
          assert.deepStrictEqual(yield* kept(project), { all: 2_000, subscribed: 1_500, unsubscribed: 500 })
          yield* sql`delete from contacts where project_id = ${project}`
          assert.deepStrictEqual(yield* kept(project), { all: 0, subscribed: 0, unsubscribed: 0 })
        })
      )
    }
  )
}
