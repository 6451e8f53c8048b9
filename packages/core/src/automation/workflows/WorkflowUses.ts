/** Workflows that refer to a segment, a topic, a field or an event, which must not be deleted then. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { eventName } from "../../events/ChangeNotes.ts"
import { typesWhere } from "./steps/Steps.ts"

const Use = Schema.Struct({ id: Schema.String, name: Schema.String })
export type WorkflowUse = typeof Use.Type

const EventUse = Schema.Struct({
  ...Use.fields,
  as: Schema.Array(Schema.Literals(["trigger", "wait", "condition", "goal", "exit"]))
})

const waiting = typesWhere(({ usesEventAs }) => usesEventAs === "wait")
const asking = ["TRIGGER", ...typesWhere(({ usesEventAs }) => usesEventAs === "condition")]

const rows = Schema.decodeUnknownEffect(Schema.Array(Use))
const eventRows = Schema.decodeUnknownEffect(Schema.Array(EventUse))

/** Workflows that refer to the segment in a condition, an exit rule or their schedule. */
export const ofSegment = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  segment: string
): Effect.Effect<ReadonlyArray<WorkflowUse>> =>
  sql`
    select id, name from workflows
    where project_id = ${project} and id in (
      select workflow_id from workflow_used_settings
      where project_id = ${project} and ${segment}::uuid = any(refers_to)
      union all
      select workflow_id from workflow_used_steps
      where project_id = ${project} and ${segment}::uuid = any(refers_to)
    )
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
      select workflow_id from workflow_used_steps
      where project_id = ${project} and ${field}::text = any(looks_at)
    )
    order by created_at, id`.pipe(Effect.flatMap(rows), Effect.orDie)

const StepUse = Schema.Struct({ ...Use.fields, workflowId: Schema.String })

const stepRows = Schema.decodeUnknownEffect(Schema.Array(StepUse))

/** Steps that name the topic in their config, by its id or its key, or ask for it in a condition; at most 100. */
export const ofTopic = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  { id, key }: { readonly id: string; readonly key: string }
): Effect.Effect<ReadonlyArray<typeof StepUse.Type>> =>
  sql`
    select id, min(name) as name, workflow_id as "workflowId" from workflow_used_steps
    where project_id = ${project} and (
      config ->> 'topicId' = any(${[id, key]}::text[]) or config -> 'topics' ?| ${[id, key]}::text[]
      or ${`topic.${key}`}::text = any(looks_at))
    group by id, workflow_id order by min(created_at), id limit 100`.pipe(Effect.flatMap(stepRows), Effect.orDie)

/** Workflows that the event starts, converts or ends, that wait for it, or that have a condition about it. */
export const ofEvent = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  event: string
): Effect.Effect<ReadonlyArray<typeof EventUse.Type>> =>
  sql`
    select id, name, jsonb_path_query_array(
             to_jsonb(array[case when is_trigger then 'trigger' end, case when waits then 'wait' end,
               case when asks then 'condition' end, case when is_goal then 'goal' end,
               case when ends then 'exit' end]), '$[*] ? (@ != null)') as "as"
    from (
      select workflow_id as id, name, created_at, bool_or(coalesce(event_name = ${event}, false)) as is_trigger,
             exists (select from workflow_used_steps as step where project_id = ${project}
                       and step.workflow_id = used.workflow_id
                       and type = any(${waiting}::text[]) and ${eventName(event)}::text = any(looks_at)) as waits,
             exists (select from workflow_used_steps as step where project_id = ${project}
                       and step.workflow_id = used.workflow_id
                       and type = any(${asking}::text[]) and ${eventName(event)}::text = any(looks_at)) as asks,
             bool_or(coalesce(goal ->> 'eventName' = ${event}, false)) as is_goal,
             bool_or(exit_rules @> ${JSON.stringify([{ eventName: event }])}::text::jsonb) as ends
      from workflow_used_settings as used where project_id = ${project}
      group by workflow_id, name, created_at
    ) as used
    where is_trigger or waits or asks or is_goal or ends
    order by created_at, id`.pipe(Effect.flatMap(eventRows), Effect.orDie)
