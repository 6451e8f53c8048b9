/**
 * Which events of a batch reach a goal, end executions, or are judged before they start a workflow, by their names. If
 * there are none, one lookup in two small tables is all that a batch costs.
 */

import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { isJudged } from "@posthorn/contract/automation/workflows/EventMatch"
import { ExitRule, WorkflowGoal } from "@posthorn/contract/automation/workflows/Journey"
import type { EventTrigger } from "@posthorn/contract/automation/workflows/Trigger"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { isNotFeigned } from "../../../audience/filters/ServiceEvents.ts"
import { batchRows, type EventBatch } from "../../../events/EventHandler.ts"
import { eventOf } from "../graph/TriggerContents.ts"
import type { VersionedSettings } from "../versions/VersionContent.ts"

const ListenerHit = Schema.Struct({
  project: ProjectId,
  event: Schema.String,
  contact: ContactId,
  workflow: WorkflowId,
  kind: Schema.Literals(["start", "exit", "goal", "campaign"])
})
/** An event, and a workflow that takes notice of it. With the kind `campaign`, the workflow is a campaign. */
export type ListenerHit = typeof ListenerHit.Type

const hits = Schema.decodeUnknownEffect(Schema.Array(ListenerHit))

/**
 * The events of the batch that workflows and goals of campaigns take notice of, in the order of the batch. Feigned ones
 * are missing. An event may have happened before the end of a goal, and be dispatched later.
 */
export const probe = Effect.fn("Listeners.probe")(function* (sql: SqlClient.SqlClient, batch: EventBatch) {
  const projects = [...new Set(batch.events.map(({ project }) => project))]
  const listening = sql`
    select project_id, event_name, workflow_id, kind from workflow_listeners
    where project_id = any(${projects}::uuid[])
    union all
    select project_id, event_name, owner_id, 'goal' from goals
    where project_id = any(${projects}::uuid[]) and owner = 'WORKFLOW'
    union all
    select project_id, event_name, owner_id, 'campaign' from goals
    where project_id = any(${projects}::uuid[]) and owner = 'CAMPAIGN'
      and (active_until is null or active_until > ${DateTime.toDate(DateTime.subtract(batch.now, { days: 1 }))}::timestamptz)`
  const some = yield* sql`select 1 from (${listening}) as listening limit 1`.unprepared
  if (some.length === 0) return []
  return yield* hits(
    yield* sql`
      with taken as materialized (
        select event.project_id, event.id, event.contact_id, event.name, position
        from ${batchRows(sql, batch)} join events as event using (project_id, id)
        where event.contact_id is not null and ${isNotFeigned(sql, "event")}
      )
      select taken.project_id as project, taken.id as event, contact_id as contact, workflow_id as workflow, kind
      from taken
      join (${listening}) as listening on listening.project_id = taken.project_id and event_name = taken.name
      order by position`.unprepared
  )
}, Effect.orDie)

/** Whether every event of the name simply starts the workflow. */
const startsPlainly = ({ eventName, where, verdict, condition, entryKey }: EventTrigger): boolean =>
  where == null &&
  condition == null &&
  entryKey == null &&
  (eventName == null || !isJudged(eventName) || verdict === "any")

const journeyRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ goal: Schema.NullOr(WorkflowGoal), exitRules: Schema.Array(ExitRule) }))
)

/**
 * Stores which events the workflow takes notice of: those of this content, and the goals and exit rules of published
 * versions, which executions may still follow. Joins the caller's transaction.
 */
export const store = Effect.fn("Listeners.store")(function* (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  id: WorkflowId,
  content: VersionedSettings
) {
  const started = eventOf(content)
  const journeys = [
    content,
    ...(yield* journeyRows(
      yield* sql`
        select goal, exit_rules as "exitRules" from workflow_versions
        where project_id = ${project} and workflow_id = ${id} and published`
    ))
  ]
  const exitRules = journeys.flatMap((journey) => journey.exitRules)
  const goals = [...new Set(journeys.flatMap(({ goal }) => goal?.eventName ?? []))]
  const names = exitRules.flatMap(({ type, eventName }) =>
    type === "UNSUBSCRIBED" ? ["contact.unsubscribed"] : (eventName ?? [])
  )
  const segments = exitRules.flatMap(({ segmentId }) => segmentId ?? [])
  const topics = exitRules.flatMap(({ topicId }) => topicId ?? [])
  yield* remove(sql, project, id)
  if (started !== null && !startsPlainly(content.triggerConfig as EventTrigger)) {
    yield* sql`
      insert into workflow_listeners (project_id, event_name, workflow_id, kind)
      values (${project}, ${started}, ${id}, 'start')`
  }
  if (exitRules.length > 0) {
    yield* sql`
      insert into workflow_listeners (project_id, event_name, workflow_id, kind)
      select ${project}::uuid, name, ${id}::uuid, 'exit'
      from (
        select unnest(${names}::text[]) as name
        union
        select 'segment.' || slug || '.exit' from segments
        where project_id = ${project} and id = any(${segments}::uuid[])
        union
        select 'topic.' || key || '.unsubscribed' from topics
        where project_id = ${project} and (key = any(${topics}::text[]) or id::text = any(${topics.map((topic) => topic.toLowerCase())}::text[]))
      ) as named`
  }
  if (goals.length > 0) {
    yield* sql`
      insert into goals (project_id, event_name, owner, owner_id)
      select ${project}::uuid, name, 'WORKFLOW', ${id}::uuid from unnest(${goals}::text[]) as goal(name)`
  }
}, Effect.orDie)

/** Joins the caller's transaction. */
export const remove = Effect.fn("Listeners.remove")(function* (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  id: WorkflowId
) {
  yield* sql`delete from workflow_listeners where project_id = ${project} and workflow_id = ${id}`
  yield* sql`delete from goals where project_id = ${project} and owner = 'WORKFLOW' and owner_id = ${id}`
}, Effect.orDie)
