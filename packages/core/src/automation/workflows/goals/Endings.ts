/**
 * Lets events reach the goals of workflows and end executions, in the transaction that takes the events out of the
 * outbox. It locks the executions, so that a step that runs has either ended before or never begins.
 */
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { ExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import { ExitRule, WorkflowGoal } from "@posthorn/contract/automation/workflows/Journey"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { type DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { failpoint } from "../../../platform/Failpoint.ts"
import { endExecutions } from "../executions/EndSql.ts"
import { type Conversion, storeConversions } from "./Conversions.ts"
import { consequenceOf, type Exit, type Journey, revenueOf, windowHours } from "./Journeys.ts"
import type { ListenerHit } from "./Listeners.ts"
import { cancelUnsent } from "./UnsentMail.ts"

const at = Schema.DateTimeUtcFromDate

const journeyRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      project: ProjectId,
      workflow: WorkflowId,
      goal: Schema.NullOr(WorkflowGoal),
      exitRules: Schema.Array(ExitRule)
    })
  )
)

const pairRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      project: ProjectId,
      id: ExecutionId,
      workflow: WorkflowId,
      contact: ContactId,
      context: Schema.JsonObject,
      converted: Schema.Boolean,
      isLive: Schema.Boolean,
      triggerEventId: Schema.NullOr(Schema.String),
      enteredAt: at,
      startedAt: at,
      eventId: Schema.String,
      name: Schema.String,
      data: Schema.Json,
      occurredAt: at,
      /** Whether the event has already ended a wait of the execution. */
      isSpent: Schema.Boolean
    })
  )
)

interface Ended {
  readonly project: ProjectId
  readonly id: ExecutionId
  readonly exit: Exit
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const journeysOf = Effect.fnUntraced(function* (hits: ReadonlyArray<ListenerHit>) {
    const found = yield* journeyRows(
      yield* sql`
        select project_id as project, id as workflow, goal, exit_rules as "exitRules" from workflows
        where project_id = any(${[...new Set(hits.map(({ project }) => project))]}::uuid[])
          and id = any(${[...new Set(hits.map(({ workflow }) => workflow))]}::uuid[])`.unprepared
    )
    return new Map(found.map(({ project: _, workflow, ...journey }) => [workflow, journey satisfies Journey]))
  })

  /** The executions that the events may concern, locked in a common order. Goals also concern those that have ended. */
  const concerned = Effect.fnUntraced(function* (
    hits: ReadonlyArray<ListenerHit>,
    journeys: ReadonlyMap<WorkflowId, Journey>
  ) {
    const asked = new Map(hits.map((hit) => [`${hit.event} ${hit.workflow}`, hit]))
    const goals = new Set(hits.flatMap((hit) => (hit.kind === "goal" ? [`${hit.event} ${hit.workflow}`] : [])))
    const rows = [...asked].map(([key, { project, event, contact, workflow }]) => {
      const goal = goals.has(key) ? journeys.get(workflow)?.goal : null
      return { project, event, contact, workflow, hours: goal == null ? null : windowHours(goal) }
    })
    // Contacts before executions, as everywhere.
    yield* sql`
      select from contacts
      where project_id = any(${[...new Set(hits.map(({ project }) => project))]}::uuid[])
        and id = any(${[...new Set(hits.map(({ contact }) => contact))]}::uuid[])
      order by email for key share`.unprepared
    return yield* pairRows(
      yield* sql`
        select execution.project_id as project, execution.id, execution.workflow_id as workflow,
               execution.contact_id as contact, coalesce(execution.context, '{}') as context, converted,
               status in ('RUNNING', 'WAITING') as "isLive", trigger_event_id as "triggerEventId",
               coalesce(entered_at, started_at) as "enteredAt", started_at as "startedAt", event.id as "eventId",
               event.name, event.data, event.occurred_at as "occurredAt",
               exists (
                 select from workflow_step_executions as visit
                 where visit.project_id = execution.project_id and visit.resumed_by = event.id
                   and visit.execution_id = execution.id) as "isSpent"
        from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
          as asked(project uuid, event uuid, contact uuid, workflow uuid, hours int)
        join events as event on event.project_id = asked.project and event.id = asked.event
        join workflow_executions as execution
          on execution.project_id = asked.project and execution.contact_id = asked.contact
            and execution.workflow_id = asked.workflow
        where execution.trigger_event_id is distinct from event.id
          and (execution.status in ('RUNNING', 'WAITING')
            or (asked.hours is not null and not execution.converted
              and coalesce(entered_at, started_at) >= event.occurred_at - asked.hours * interval '1 hour'))
        order by execution.id
        for update of execution`.unprepared
    )
  })

  /** Joins the caller's transaction. An execution meets at most one of the events. */
  return Effect.fn("Endings.follow")(function* (all: ReadonlyArray<ListenerHit>, now: DateTime.Utc) {
    const hits = all.filter(({ kind }) => kind !== "start")
    if (hits.length === 0) return
    const journeys = yield* journeysOf(hits)
    const conversions: Array<Conversion> = []
    const ended: Array<Ended> = []
    for (const pair of yield* concerned(hits, journeys)) {
      const { project, id, workflow, contact, eventId, startedAt, isSpent } = pair
      const journey = journeys.get(workflow)
      if (journey === undefined) continue
      const event = { ...pair, id: eventId }
      const { converts, exit } = consequenceOf(journey, event, pair, now)
      const revenue = journey.goal?.revenue
      if (converts) {
        const money = revenue == null ? undefined : revenueOf(revenue, event)
        const { occurredAt } = pair
        conversions.push({ project, workflow, execution: id, contact, event: eventId, money, occurredAt, startedAt })
      }
      if (exit !== undefined && !isSpent) ended.push({ project, id, exit })
    }
    if (conversions.length > 0) yield* storeConversions(sql, conversions, now)
    if (ended.length === 0) return
    yield* endExecutions(
      sql,
      ended.map(({ project, id, exit: { reason, ruleId } }) => ({
        project,
        id,
        status: "EXITED",
        reason,
        ruleId,
        because: reason
      })),
      now
    )
    yield* cancelUnsent(sql, ended, now)
    yield* failpoint("after_goals")
  }, Effect.orDie)
})
