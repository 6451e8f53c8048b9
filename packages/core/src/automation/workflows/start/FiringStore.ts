/** The statements of schedule firings. The `take` statements lock their row until the caller's transaction ends. */

import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { conditionSql } from "../../../audience/filters/FilterSql.ts"
import type { Audience } from "../../../audience/segments/Audiences.ts"
import { nextDue } from "../../../platform/jobs/Agenda.ts"
import { candidateColumns, heldWorkflow, startParts } from "./StartSql.ts"

interface WorkflowKey {
  readonly project: ProjectId
  readonly workflow: WorkflowId
}

/** A workflow that is due. */
const DueSchedule = Schema.Struct({
  project: ProjectId,
  workflow: WorkflowId,
  config: Schema.JsonObject,
  nextRunAt: Schema.DateTimeUtcFromDate,
  /** Whether the project is disabled. The firing is skipped then. */
  disabled: Schema.Boolean
})
export type DueSchedule = typeof DueSchedule.Type

/** A firing that has not started all executions yet. */
const Firing = Schema.Struct({
  project: ProjectId,
  workflow: WorkflowId,
  config: Schema.JsonObject,
  scheduledFor: Schema.DateTimeUtcFromDate,
  failures: Schema.Int
})
export type DueFiring = typeof Firing.Type

const schedules = Schema.decodeUnknownEffect(Schema.Array(DueSchedule))
const firings = Schema.decodeUnknownEffect(Schema.Array(Firing))
const counts = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ started: Schema.Int })))

/** Contacts in one transaction. */
const batch = 1_000

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const isOf = ({ project, workflow }: WorkflowKey, scheduledFor: DateTime.Utc) => sql`
    project_id = ${project} and workflow_id = ${workflow} and scheduled_for = ${DateTime.toDate(scheduledFor)}`

  return {
    /** When the next schedule is due. */
    nextSchedule: nextDue(sql`select min(next_run_at) from workflows where enabled and next_run_at is not null`),
    /** When the next firing is due. */
    nextFiring: nextDue(sql`select min(due_at) from workflow_firings where due_at is not null`),
    takeSchedule: Effect.fn("FiringStore.takeSchedule")(function* (now: DateTime.Utc) {
      const found = yield* sql`
        select project_id as project, id as workflow, trigger_config as config, next_run_at as "nextRunAt",
               exists (
                 select from projects where projects.id = project_id and disabled_reason is not null
               ) as disabled
        from workflows where enabled and next_run_at is not null and next_run_at <= ${DateTime.toDate(now)}
        order by next_run_at limit 1 for update skip locked`
      return Array.head(yield* schedules(found))
    }, Effect.orDie),
    reschedule: ({ project, workflow }: WorkflowKey, next: DateTime.Utc | null) =>
      sql`
        update workflows set next_run_at = ${next && DateTime.toDate(next)}
        where project_id = ${project} and id = ${workflow}`.pipe(Effect.asVoid, Effect.orDie),
    /** Stores a firing. An existing one does not change. */
    fire: ({ project, workflow }: WorkflowKey, scheduledFor: DateTime.Utc, now: DateTime.Utc) =>
      sql`
        insert into workflow_firings (project_id, workflow_id, scheduled_for, due_at, created_at)
        values (${project}, ${workflow}, ${DateTime.toDate(scheduledFor)}, ${DateTime.toDate(now)},
          ${DateTime.toDate(now)})
        on conflict do nothing`.pipe(Effect.asVoid, Effect.orDie),
    takeFiring: Effect.fn("FiringStore.takeFiring")(function* (now: DateTime.Utc) {
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
    /**
     * Starts executions for the next batch of contacts that were created before the firing. Returns the number started.
     * A firing without further contacts is not due any more.
     */
    startSome: Effect.fn("FiringStore.startSome")(function* (
      firing: DueFiring,
      audience: Audience | undefined,
      now: DateTime.Utc
    ) {
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
            -- Skips contacts that another transaction deletes.
            for key share of contacts
          ),
          candidates as (
            select ${sql.literal(candidateColumns)}
            from (
              select held.*, asked.id as contact_id, false as is_keyed, '' as entry_key,
                     null::timestamptz as entered_at, null::uuid as event_id, ${context}::text::jsonb as context,
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
    /** Delays a firing that failed, and stores the reason. */
    postpone: (firing: DueFiring, error: string, dueAt: DateTime.Utc) =>
      sql`
        update workflow_firings
        set error = ${error}, failures = failures + 1, due_at = ${DateTime.toDate(dueAt)}
        where ${isOf(firing, firing.scheduledFor)}`.pipe(Effect.asVoid, Effect.orDie)
  }
})
