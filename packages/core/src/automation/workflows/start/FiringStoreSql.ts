/** Firings of schedules in PostgreSQL, served or embedded. */

import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { conditionSql } from "../../../audience/filters/FilterSql.ts"
import { FiringStore, type WorkflowKey } from "./FiringStore.ts"
import { candidateColumns, heldWorkflow, startParts } from "./StartSql.ts"

const schedules = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      project: ProjectId,
      workflow: WorkflowId,
      config: Schema.JsonObject,
      nextRunAt: Schema.DateTimeUtcFromDate,
      disabled: Schema.Boolean
    })
  )
)
const firings = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      project: ProjectId,
      workflow: WorkflowId,
      config: Schema.JsonObject,
      scheduledFor: Schema.DateTimeUtcFromDate,
      failures: Schema.Int
    })
  )
)
const counts = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ started: Schema.Int })))

/** Contacts that one transaction asks. */
const batch = 1_000

export const layer: Layer.Layer<FiringStore, never, SqlClient.SqlClient> = Layer.effect(
  FiringStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const isOf = ({ project, workflow }: WorkflowKey, scheduledFor: DateTime.Utc) => sql`
      project_id = ${project} and workflow_id = ${workflow} and scheduled_for = ${DateTime.toDate(scheduledFor)}`

    return FiringStore.of({
      takeSchedule: Effect.fn("FiringStore.takeSchedule")(function* (now) {
        const found = yield* sql`
          select project_id as project, id as workflow, trigger_config as config, next_run_at as "nextRunAt",
                 exists (
                   select from projects where projects.id = project_id and disabled_reason is not null
                 ) as disabled
          from workflows where enabled and next_run_at is not null and next_run_at <= ${DateTime.toDate(now)}
          order by next_run_at limit 1 for update skip locked`
        return Array.head(yield* schedules(found))
      }, Effect.orDie),
      reschedule: ({ project, workflow }, next) =>
        sql`
          update workflows set next_run_at = ${next && DateTime.toDate(next)}
          where project_id = ${project} and id = ${workflow}`.pipe(Effect.asVoid, Effect.orDie),
      fire: ({ project, workflow }, scheduledFor, now) =>
        sql`
          insert into workflow_firings (project_id, workflow_id, scheduled_for, due_at, created_at)
          values (${project}, ${workflow}, ${DateTime.toDate(scheduledFor)}, ${DateTime.toDate(now)},
            ${DateTime.toDate(now)})
          on conflict do nothing`.pipe(Effect.asVoid, Effect.orDie),
      takeFiring: Effect.fn("FiringStore.takeFiring")(function* (now) {
        const found = yield* sql`
          select firing.project_id as project, workflow_id as workflow, scheduled_for as "scheduledFor", failures,
                 coalesce(trigger_config, '{}') as config
          from workflow_firings as firing
          left join workflows on workflows.project_id = firing.project_id and workflows.id = workflow_id
          where due_at <= ${DateTime.toDate(now)} and not exists (
            select from projects where projects.id = firing.project_id and disabled_reason is not null)
          order by due_at limit 1 for update of firing skip locked`
        return Array.head(yield* firings(found))
      }, Effect.orDie),
      startSome: Effect.fn("FiringStore.startSome")(function* (firing, audience, now) {
        const { project, workflow, scheduledFor } = firing
        const at = DateTime.toDate(scheduledFor)
        const context = JSON.stringify({ scheduledFor: DateTime.formatIso(scheduledFor) })
        const condition = audience === undefined ? sql`true` : conditionSql(sql, audience.condition, audience.scope)
        const [counted] = yield* counts(
          yield* sql`
            with ${heldWorkflow(sql, project, workflow)},
            asked as materialized (
              select contacts.id from contacts
              where project_id = ${project} and created_at < ${at} and exists (select from held)
                and id > coalesce(
                  (select reached from workflow_firings where ${isOf(firing, scheduledFor)}),
                  '00000000-0000-0000-0000-000000000000')
                and ${condition}
              order by id limit ${batch}
              -- One that is being deleted is gone.
              for key share of contacts
            ),
            candidates as (
              select ${sql.literal(candidateColumns)}
              from (
                select held.*, asked.id as contact_id, null::uuid as event_id, ${context}::text::jsonb as context,
                       false as context_dropped, 0 as chain, row_number() over (order by asked.id) as position
                from held cross join asked
              ) as asked
            ),
            ${startParts(sql, "SCHEDULE", DateTime.toDate(now))},
            tally as (
              select (select count(*)::int from asked) as asked, (select count(*)::int from started) as started
            )
            update workflow_firings
            set reached = coalesce((select id from asked order by id desc limit 1), reached),
                started = workflow_firings.started + tally.started,
                blocked = blocked + tally.asked - tally.started, failures = 0, error = null,
                due_at = case when tally.asked = ${batch} then ${DateTime.toDate(now)}::timestamptz end
            from tally where ${isOf(firing, scheduledFor)}
            returning tally.started`
        )
        return counted?.started ?? 0
      }, Effect.orDie),
      putOff: (firing, error, dueAt) =>
        sql`
          update workflow_firings
          set error = ${error}, failures = failures + 1, due_at = ${DateTime.toDate(dueAt)}
          where ${isOf(firing, firing.scheduledFor)}`.pipe(Effect.asVoid, Effect.orDie)
    })
  })
)
