/** Stored totals always equal counted totals, also under concurrent writes and rollbacks. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Arbitrary, Array, Data, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../../testing/Databases.ts"
import * as TopicStore from "../topics/TopicStore.ts"
import * as ContactBatchStore from "./ContactBatchStore.ts"
import { ContactStore } from "./ContactStore.ts"
import * as ContactStoreSql from "./ContactStoreSql.ts"
import { noDataChange } from "./DataChange.ts"
import { talliedByStatement } from "./TalliesSql.ts"

const now = DateTime.makeUnsafe(Date.UTC(2026, 10, 20, 15))

const Address = Schema.Literals(["c0@example.com", "c1@example.com", "c2@example.com", "c3@example.com"])
/** What a contact says about a topic. */
const State = Schema.Literals(["no", "nothing", "yes"])
const Step = Schema.Union([
  Schema.Struct({
    do: Schema.Literal("upsert"),
    emails: Schema.UniqueArray(Address).check(Schema.isMinLength(1)),
    subscribed: Schema.UndefinedOr(Schema.Boolean)
  }),
  Schema.Struct({ do: Schema.Literals(["unsubscribe", "delete", "delete in every project", "move"]), email: Address }),
  Schema.Struct({ do: Schema.Literal("set"), email: Address, subscribed: Schema.Boolean }),
  Schema.Struct({ do: Schema.Literal("bulk"), emails: Schema.UniqueArray(Address), subscribed: Schema.Boolean }),
  Schema.Struct({ do: Schema.Literal("tally"), by: Schema.Literals(["row", "statement"]) }),
  Schema.Struct({ do: Schema.Literal("say"), email: Address, states: Schema.Tuple([State, State]) }),
  Schema.Struct({ do: Schema.Literal("absorb"), email: Address, other: Address }),
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

const idRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ContactId })))
const tallyRows = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ rows: Schema.Int })]))

const topicRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      key: Schema.String,
      subscribedCount: Schema.Int,
      unsubscribedCount: Schema.Int,
      subscriberCount: Schema.Int
    })
  )
)

for (const [name, database] of databases()) {
  layer(Layer.provideMerge(ContactStoreSql.layer, database), { timeout: "120 seconds" })(
    `Stored totals of contacts on ${name}`,
    (it) => {
      /** Of the topic `n`. */
      const topicId = (sql: SqlClient.SqlClient, project: ProjectId) =>
        sql`overlay(overlay(md5(${project}::text || n) placing '7' from 13) placing '8' from 17)::uuid`

      /** Topics that contacts take by default, and do not. */
      const addTopics = (project: ProjectId) =>
        SqlClient.SqlClient.use(
          (sql) => sql`
            insert into topics (project_id, id, key, name, translations, default_on, is_public, position, archived,
              created_at, updated_at)
            select ${project}::uuid, ${topicId(sql, project)}, 'topic-' || n, 'Topic', '{}', n = 0, true, n, false,
                   now(), now()
            from generate_series(0, 1) as n`
        )

      /** As a step of a bulk job. Returns the number of contacts that it changed. */
      const setSubscribed = Effect.fnUntraced(function* (
        project: ProjectId,
        emails: ReadonlyArray<string>,
        subscribed: boolean
      ) {
        const sql = yield* SqlClient.SqlClient
        const batch = yield* ContactBatchStore.make
        const found = yield* idRows(
          yield* sql`select id from contacts where project_id = ${project} and email = any(${emails}::text[])`
        )
        const records = new Map(found.map(({ id }) => [id, randomUUID()]))
        const changed = yield* batch.setSubscribed(project, records, subscribed, { source: "bulk", actor: "key" }, now)
        return changed.length
      })

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
              return yield* store.unsubscribe(
                project,
                step.email,
                { entries: [{ id: randomUUID(), to: "unsubscribed" }], proof: { source: "api", actor: "key" } },
                now
              )
            case "set":
              return yield* sql`
                update contacts set subscribed = ${step.subscribed} where project_id = ${project} and email = ${step.email}`
            case "bulk":
              return yield* setSubscribed(project, step.emails, step.subscribed)
            case "tally":
              return step.by === "row"
                ? yield* sql`select set_config('posthorn.tallies', '', true)`
                : yield* sql`select ${talliedByStatement(sql)}`
            case "say": {
              const listed = (wanted: typeof State.Type) => sql`
                nullif(array(
                  select ${topicId(sql, project)}
                  from unnest(array[0, 1], ${step.states}::text[]) as said(n, state) where state = ${wanted}
                ), '{}')`
              return yield* sql`
                update contacts set topics_on = ${listed("yes")}, topics_off = ${listed("no")}
                where project_id = ${project} and email = ${step.email}`
            }
            case "absorb":
              return yield* sql`
                with gone as (
                  delete from contacts where project_id = ${project} and email = ${step.other} and email <> ${step.email}
                  returning *
                )
                update contacts as stays set subscribed = stays.subscribed and gone.subscribed,
                  topics_on = nullif(array(select unnest(stays.topics_on) except select unnest(gone.topics_off)), '{}'),
                  topics_off = nullif(array(select unnest(stays.topics_off) union select unnest(gone.topics_off)), '{}')
                from gone where stays.project_id = ${project} and stays.email = ${step.email}`
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
              return yield* sql`select fold_contact_tallies(${project}), fold_topic_tallies(${project})`
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

      const countedTopics = (project: ProjectId) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          return yield* topicRows(
            yield* sql`
              select topics.key, (count(*) filter (where topics.id = any(topics_on)))::int as "subscribedCount",
                     (count(*) filter (where topics.id = any(topics_off)))::int as "unsubscribedCount",
                     (count(*) filter (where subscribed and (
                       topics.id = any(topics_on) or default_on and topics.id = any(topics_off) is not true
                     )))::int as "subscriberCount"
              from topics left join contacts on contacts.project_id = topics.project_id
              where topics.project_id = ${project} group by topics.key order by topics.key`
          )
        })

      const keptTopics = (project: ProjectId) =>
        Effect.gen(function* () {
          const store = yield* TopicStore.make
          const topics = yield* store.listCounted(project, undefined)
          return topics.map(({ key, subscribedCount, unsubscribedCount, subscriberCount }) => ({
            key,
            subscribedCount,
            unsubscribedCount,
            subscriberCount
          }))
        })

      it.effect.prop(
        "are exact after any mix of concurrent writers, some of which roll back",
        [Writer, Writer, Writer],
        (writers) =>
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            const [project, other] = [ProjectId.make(randomUUID()), ProjectId.make(randomUUID())] as const
            yield* addTopics(project)
            yield* addTopics(other)
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
            for (const each of [project, other]) {
              assert.deepStrictEqual(yield* keptTopics(each), yield* countedTopics(each))
            }
          })
      )

      it.effect("equal a full count after 10,000 random writes, merges and deletions", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const [project, other] = [ProjectId.make(randomUUID()), ProjectId.make(randomUUID())] as const
          yield* addTopics(project)
          yield* addTopics(other)
          const steps = yield* Arbitrary.sampleEffect(Arbitrary.schema(Step), { count: 10_000, seed: 19 })
          for (const some of Array.chunksOf(steps, 500)) {
            yield* sql.withTransaction(Effect.forEach(some, (step) => run(project, other, step), { discard: true }))
            for (const each of [project, other]) {
              assert.deepStrictEqual(yield* kept(each), yield* counted(each))
              assert.deepStrictEqual(yield* keptTopics(each), yield* countedTopics(each))
            }
          }
        })
      )

      it.effect("are exact around a bulk change, which appends one row for all of its contacts", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const project = ProjectId.make(randomUUID())
          yield* addTopics(project)
          const emails = Array.makeBy(300, (n) => `bulk-${n}@example.com`)
          const [some, few, none] = [emails.slice(0, 200), emails.slice(0, 50), ["unknown@example.com"]]
          yield* sql`
            insert into contacts (id, project_id, email, subscribed, topics_on, data, created_at, updated_at)
            select gen_random_uuid(), ${project}, email, true, array[${topicId(sql, project)}], '{}', now(), now()
            from unnest(${emails}::text[]) with ordinality as given(email, place), lateral (select place % 2 as n) as topic`
          const rows = Effect.flatMap(
            sql`
              select ((select count(*) from contact_tallies where project_id = ${project})
                      + (select count(*) from topic_tallies where project_id = ${project}))::int as rows`,
            tallyRows
          )
          /** The number of rows that the change appends. One append in 128 folds them, so there may be fewer. */
          const appended = <A, E, R>(change: Effect.Effect<A, E, R>, atMost: number) =>
            Effect.gen(function* () {
              const [before] = yield* rows
              const result = yield* change
              const [after] = yield* rows
              assert.isAtMost(after.rows - before.rows, atMost)
              assert.deepStrictEqual(yield* kept(project), yield* counted(project))
              assert.deepStrictEqual(yield* keptTopics(project), yield* countedTopics(project))
              return result
            })
          const flip = sql`
            update contacts set subscribed = not subscribed where project_id = ${project} and email = 'bulk-7@example.com'`
          const isSet = sql`select coalesce(current_setting('posthorn.tallies', true), '') as value`

          assert.strictEqual(yield* appended(setSubscribed(project, few, false), 3), 50)
          assert.strictEqual(yield* appended(setSubscribed(project, some, false), 3), 150)
          assert.strictEqual(yield* appended(setSubscribed(project, some, false), 0), 0)
          assert.strictEqual(yield* appended(setSubscribed(project, none, false), 0), 0)
          assert.strictEqual(yield* appended(setSubscribed(project, emails, true), 3), 200)
          assert.strictEqual(yield* appended(setSubscribed(project, emails, true), 0), 0)
          assert.deepStrictEqual(yield* kept(project), { all: 300, subscribed: 300, unsubscribed: 0 })

          const undone = Effect.andThen(setSubscribed(project, some, false), new RolledBack())
          yield* appended(Effect.exit(sql.withTransaction(undone)), 0)
          assert.deepStrictEqual(yield* kept(project), { all: 300, subscribed: 300, unsubscribed: 0 })
          const faulty = Effect.andThen(setSubscribed(project, some, false), sql`select 1 / (random() * 0)::int`)
          yield* appended(Effect.exit(sql.withTransaction(faulty)), 0)
          assert.deepStrictEqual(yield* isSet, [{ value: "" }])

          // In the same transaction, in a savepoint that is rolled back, and after it.
          const both = Effect.andThen(
            setSubscribed(project, few, false),
            Effect.andThen(Effect.exit(sql.withTransaction(Effect.andThen(flip, new RolledBack()))), flip)
          )
          yield* appended(sql.withTransaction(both), 6)
          assert.deepStrictEqual(yield* kept(project), { all: 300, subscribed: 251, unsubscribed: 49 })
          assert.deepStrictEqual(yield* isSet, [{ value: "" }])
          yield* appended(flip, 3)
          assert.deepStrictEqual(yield* kept(project), { all: 300, subscribed: 250, unsubscribed: 50 })
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
