/** What workflows refer to, for those who are asked before it is deleted. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { eventName } from "../../events/ChangeNotes.ts"

const Use = Schema.Struct({ id: Schema.String, name: Schema.String })
export type WorkflowUse = typeof Use.Type

const EventUse = Schema.Struct({
  ...Use.fields,
  as: Schema.Array(Schema.Literals(["trigger", "wait", "condition"]))
})

const rows = Schema.decodeUnknownEffect(Schema.Array(Use))
const eventRows = Schema.decodeUnknownEffect(Schema.Array(EventUse))

/** Workflows that name the segment, in a CONDITION or in their schedule. */
export const ofSegment = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  segment: string
): Effect.Effect<ReadonlyArray<WorkflowUse>> =>
  sql`
    select id, name from workflows
    where project_id = ${project} and (${segment}::uuid = any(refers_to) or id in (
      select workflow_id from workflow_steps
      where project_id = ${project} and ${segment}::uuid = any(refers_to)
    ))
    order by created_at, id`.pipe(Effect.flatMap(rows), Effect.orDie)

/** Workflows with a CONDITION or UPDATE_CONTACT that names the field, `data.<key>` or a standard one, or a path below. */
export const ofField = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  field: string
): Effect.Effect<ReadonlyArray<WorkflowUse>> =>
  sql`
    select id, name from workflows
    where project_id = ${project} and id in (
      select workflow_id from workflow_steps
      where project_id = ${project} and type in ('CONDITION', 'UPDATE_CONTACT')
        and ${field}::text = any(looks_at)
    )
    order by created_at, id`.pipe(Effect.flatMap(rows), Effect.orDie)

/** Workflows that the event starts, that wait for it, or that ask whether it happened. */
export const ofEvent = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  event: string
): Effect.Effect<ReadonlyArray<typeof EventUse.Type>> =>
  sql`
    select id, name, jsonb_path_query_array(
             to_jsonb(array[case when is_trigger then 'trigger' end, case when waits then 'wait' end,
               case when asks then 'condition' end]), '$[*] ? (@ != null)') as "as"
    from (
      select id, name, created_at, coalesce(event_name = ${event}, false) as is_trigger,
             exists (select from workflow_steps where project_id = ${project} and workflow_id = workflows.id
                       and type = 'WAIT_FOR_EVENT' and ${eventName(event)}::text = any(looks_at)) as waits,
             exists (select from workflow_steps where project_id = ${project} and workflow_id = workflows.id
                       and type = 'CONDITION' and ${eventName(event)}::text = any(looks_at)) as asks
      from workflows where project_id = ${project}
    ) as used
    where is_trigger or waits or asks
    order by created_at, id`.pipe(Effect.flatMap(eventRows), Effect.orDie)
