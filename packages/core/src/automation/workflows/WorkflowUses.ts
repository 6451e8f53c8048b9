/** Workflows that refer to a segment, a field or an event, which must not be deleted then. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { eventName } from "../../events/ChangeNotes.ts"
import { typesWhere } from "./steps/Steps.ts"

const Use = Schema.Struct({ id: Schema.String, name: Schema.String })
export type WorkflowUse = typeof Use.Type

const EventUse = Schema.Struct({
  ...Use.fields,
  as: Schema.Array(Schema.Literals(["trigger", "wait", "condition"]))
})

const waiting = typesWhere(({ usesEventAs }) => usesEventAs === "wait")
const asking = typesWhere(({ usesEventAs }) => usesEventAs === "condition")

const rows = Schema.decodeUnknownEffect(Schema.Array(Use))
const eventRows = Schema.decodeUnknownEffect(Schema.Array(EventUse))

/** Workflows that refer to the segment in a CONDITION or in their schedule. */
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

/** Workflows with a step that uses the field (`data.<key>` or a standard name) or a path below it. */
export const ofField = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  field: string
): Effect.Effect<ReadonlyArray<WorkflowUse>> =>
  sql`
    select id, name from workflows
    where project_id = ${project} and id in (
      select workflow_id from workflow_steps
      where project_id = ${project} and ${field}::text = any(looks_at)
    )
    order by created_at, id`.pipe(Effect.flatMap(rows), Effect.orDie)

/** Workflows that the event starts, that wait for it, or that have a CONDITION about it. */
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
                       and type = any(${waiting}::text[]) and ${eventName(event)}::text = any(looks_at)) as waits,
             exists (select from workflow_steps where project_id = ${project} and workflow_id = workflows.id
                       and type = any(${asking}::text[]) and ${eventName(event)}::text = any(looks_at)) as asks
      from workflows where project_id = ${project}
    ) as used
    where is_trigger or waits or asks
    order by created_at, id`.pipe(Effect.flatMap(eventRows), Effect.orDie)
