/** Stored counts equal a count of the rows, for any writers and any outcome of their transactions. */
import { randomUUID } from "node:crypto"
import { assert, describe, layer } from "@effect/vitest"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Data, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { databases } from "../testing/Databases.ts"
import { access } from "../testing/Plans.ts"
import * as RowCounts from "./RowCounts.ts"

/** One of three contacts. The first two share a project. */
const Who = Schema.Literals([0, 1, 2])
const Rows = Schema.Literals([0, 1, 3])
const Status = Schema.Literals(["PENDING", "SENT", "FAILED"])
const State = Schema.Literals(["RUNNING", "WAITING", "COMPLETED"])
const Step = Schema.Union([
  Schema.Struct({ do: Schema.Literal("record"), who: Who, rows: Rows, name: Schema.Literals(["a", "b"]) }),
  Schema.Struct({ do: Schema.Literal("accept"), who: Who, rows: Rows, status: Status }),
  Schema.Struct({ do: Schema.Literal("move"), from: Status, to: Status }),
  Schema.Struct({ do: Schema.Literal("start"), who: Who, state: State }),
  Schema.Struct({ do: Schema.Literal("advance"), from: State, to: State }),
  Schema.Struct({ do: Schema.Literal("addDeliveries"), who: Who, rows: Rows }),
  Schema.Struct({ do: Schema.Literal("endDeliveries"), status: Schema.Literals(["PENDING", "SUCCEEDED", "FAILED"]) }),
  Schema.Struct({ do: Schema.Literal("forget"), who: Who }),
  Schema.Struct({
    do: Schema.Literal("remove"),
    table: Schema.Literals(["events", "emails", "workflow_executions", "webhook_deliveries", "webhook_endpoints"])
  }),
  Schema.Struct({ do: Schema.Literal("add up") })
])
type Step = typeof Step.Type

const Unit = Schema.Struct({ steps: Schema.Array(Step).check(Schema.isMaxLength(4)), rollsBack: Schema.Boolean })
const Writer = Schema.Array(Unit).check(Schema.isMaxLength(4))

class RolledBack extends Data.TaggedError("RolledBack") {}

const Counts = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ relation: Schema.String, key: Schema.Array(Schema.String), count: Schema.Int }))
)

interface Person {
  readonly id: string
  readonly project: ProjectId
}

const workflow = randomUUID()

describe.each(databases())("stored counts on %s", (_, database) => {
  layer(database, { timeout: "120 seconds" })((it) => {
    const run = Effect.fnUntraced(function* (people: ReadonlyArray<Person>, step: Step) {
      const sql = yield* SqlClient.SqlClient
      const whose = "who" in step ? people[step.who] : undefined
      const projects = people.map(({ project }) => project)
      switch (step.do) {
        case "record":
          return yield* sql`
            insert into events (id, project_id, contact_id, name, source, created_at)
            select gen_random_uuid(), ${whose?.project}::uuid, ${whose?.id}::uuid, ${step.name}, 'tracked', now()
            from generate_series(1, ${step.rows}::int)`
        case "accept":
          return yield* sql`
            insert into emails (id, project_id, contact_id, to_email, from_email, type, source_type, tracking, status,
                                lane, due_at, ladder_since, created_at, updated_at)
            select gen_random_uuid(), ${whose?.project}::uuid, ${whose?.id}::uuid, 'a@example.com', 'b@shop.example',
                   'MARKETING', case when n = 1 then 'WORKFLOW' else 'CAMPAIGN' end, true, ${step.status}, 1, now(), now(),
                   now(), now()
            from generate_series(1, ${step.rows}::int) as n`
        case "move":
          return yield* sql`
            update emails set status = ${step.to}
            where project_id = any(${projects}::uuid[]) and status = ${step.from}`
        case "start":
          return yield* sql`
            insert into workflow_executions (project_id, id, workflow_id, contact_id, nth, status, source, chain,
              step_execution_id, current_since, started_at, created_at, updated_at)
            select ${whose?.project}::uuid, gen_random_uuid(), ${workflow}::uuid, ${whose?.id}::uuid,
                   1 + (select count(*) from workflow_executions where contact_id = ${whose?.id}::uuid), ${step.state},
                   'EVENT', 0, gen_random_uuid(), now(), now(), now(), now()
            on conflict do nothing`
        case "advance":
          return yield* sql`
            update workflow_executions set status = ${step.to}, steps_taken = steps_taken + 1
            where project_id = any(${projects}::uuid[]) and status = ${step.from}`
        case "addDeliveries":
          return yield* sql`
            insert into webhook_deliveries (project_id, id, endpoint_id, event_id, type, status, body, created_at)
            select project_id, gen_random_uuid(), id, gen_random_uuid(), 'event.tracked', 'PENDING', '{}', now()
            from webhook_endpoints, generate_series(1, ${step.rows}::int) where project_id = ${whose?.project}`
        case "endDeliveries":
          return yield* sql`
            update webhook_deliveries set status = ${step.status}, attempts = attempts + 1
            where project_id = any(${projects}::uuid[])`
        case "forget":
          return yield* sql`delete from contacts where id = ${whose?.id}::uuid`
        case "remove":
          return yield* sql`
            delete from ${sql(step.table)} where project_id = any(${projects}::uuid[]) and id::text < 'a'`
        case "add up":
          return yield* RowCounts.rollUp
      }
    })

    it.effect.prop(
      "are exact after any mix of concurrent writers, some of which roll back",
      [Writer, Writer, Writer],
      (writers) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const [one, other] = [ProjectId.make(randomUUID()), ProjectId.make(randomUUID())] as const
          const people: ReadonlyArray<Person> = [one, one, other].map((project) => ({ project, id: randomUUID() }))
          for (const { project, id } of people) {
            yield* sql`
              insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
              values (${id}, ${project}, ${`${id}@example.com`}, true, '{}', now(), now())`
          }
          for (const project of [one, other]) {
            yield* sql`
              insert into webhook_endpoints (project_id, id, url, events, enabled, secret, secret_hint, created_at, updated_at)
              values (${project}, ${randomUUID()}, 'https://hooks.example', '{*}', true, 'x', 'x', now(), now())`
          }
          const written = (unit: typeof Unit.Type) =>
            Effect.forEach(unit.steps, (step) => run(people, step), { discard: true }).pipe(
              Effect.andThen(unit.rollsBack ? Effect.fail(new RolledBack()) : Effect.void),
              sql.withTransaction,
              // Two writers may deadlock. One of them then rolls back, which is also tested.
              Effect.exit
            )
          yield* Effect.forEach(writers, (units) => Effect.forEach(units, written, { discard: true }), {
            concurrency: "unbounded",
            discard: true
          })
          for (const project of [one, other]) {
            const kept = yield* Counts(
              yield* sql`
                select relation, key, sum(count)::int as count from (
                  select * from row_counts union all select project_id, relation, key, count from row_count_deltas
                ) as kept
                where project_id = ${project} and relation <> 'workflow_starts'
                group by 1, 2 having sum(count) <> 0 order by 1, 2`
            )
            const counted = yield* Counts(
              yield* sql`
                select * from (
                  select 'events' as relation, array[source, name] as key, count(*)::int as count from events
                  where project_id = ${project} group by 1, 2
                  union all
                  select 'emails', array[status, source_type], count(*)::int from emails
                  where project_id = ${project} group by 1, 2
                  union all
                  select 'webhook_deliveries', array[endpoint_id::text, status], count(*)::int from webhook_deliveries
                  where project_id = ${project} group by 1, 2
                  union all
                  select 'workflow_executions',
                         array[workflow_id::text, case when completed.over then 'over' else 'live' end], count(*)::int
                  from workflow_executions cross join lateral (select status = 'COMPLETED' as over) as completed
                  where project_id = ${project} group by 1, 2
                ) as counted order by 1, 2`
            )
            assert.deepStrictEqual(kept, counted)
          }
        })
    )

    it.effect("need one row for each key once merged, and are read by index", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const project = ProjectId.make(randomUUID())
        yield* Effect.forEach(
          Array.from({ length: 300 }, (_, n) => `name ${n % 3}`),
          (name) => sql`
            insert into events (id, project_id, name, source, created_at)
            values (gen_random_uuid(), ${project}, ${name}, 'tracked', now())`,
          { concurrency: 8, discard: true }
        )
        const all = sql`select key, sum(count)::int as count from ${RowCounts.rowCounts(sql, project, "events")} as kept
                        group by 1 order by 1`
        const expected = [0, 1, 2].map((n) => ({ key: ["tracked", `name ${n}`], count: 100 }))
        assert.deepStrictEqual(yield* all, expected)
        yield* RowCounts.rollUp
        assert.deepStrictEqual(yield* all, expected)
        assert.lengthOf(yield* sql`select from row_counts where project_id = ${project}`, 3)
        assert.lengthOf(yield* sql`select from row_count_deltas where project_id = ${project}`, 0)
        yield* sql`
          insert into row_counts
          select gen_random_uuid(), 'events', array['tracked', 'name ' || n], n from generate_series(1, 5000) as n`
        yield* sql`analyze row_counts`
        assert.deepStrictEqual(yield* access(sql, all), ["row_count_deltas_pkey", "row_counts_pkey"])
      })
    )
  })
})
