/**
 * Lets events reach the goals of workflows and campaigns and end executions, in the transaction that takes the events out
 * of the outbox. It locks the executions, so that a step that runs has either ended before or never begins.
 */
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { ExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import { ExitRule, WorkflowGoal } from "@posthorn/contract/automation/workflows/Journey"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { type DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { failpoint } from "../../../platform/Failpoint.ts"
import { candidates } from "../../campaigns/goals/GoalSql.ts"
import { countReached } from "../../campaigns/holdout/HoldoutSql.ts"
import { endExecutions } from "../executions/EndSql.ts"
import { graphKey } from "../run/RunStore.ts"
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
      /** Null for the graph of the workflow. */
      version: Schema.NullOr(Schema.Int),
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
      /** The version that it is pinned to. */
      version: Schema.NullOr(Schema.Int),
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

  /** By workflow and version: those of the graphs, and those of published versions. */
  const journeysOf = Effect.fnUntraced(function* (hits: ReadonlyArray<ListenerHit>) {
    const projects = [...new Set(hits.map(({ project }) => project))]
    const workflows = [...new Set(hits.map(({ workflow }) => workflow))]
    const found = yield* journeyRows(
      yield* sql`
        select project_id as project, id as workflow, null::int as version, goal, exit_rules as "exitRules" from workflows
        where project_id = any(${projects}::uuid[]) and id = any(${workflows}::uuid[])
        union all
        select project_id, workflow_id, version, goal, exit_rules from workflow_versions
        where project_id = any(${projects}::uuid[]) and workflow_id = any(${workflows}::uuid[]) and published`
        .unprepared
    )
    const journeys = new Map<string, Journey>()
    const hours = new Map<WorkflowId, number>()
    for (const { workflow, version, goal, exitRules } of found) {
      journeys.set(graphKey(workflow, version), { goal, exitRules })
      if (goal !== null) hours.set(workflow, Math.max(hours.get(workflow) ?? 0, windowHours(goal)))
    }
    return { journeys, hours }
  })

  /** Contacts before executions and conversions, as everywhere. */
  const lockContacts = (hits: ReadonlyArray<ListenerHit>) =>
    sql`
      select from contacts
      where project_id = any(${[...new Set(hits.map(({ project }) => project))]}::uuid[])
        and id = any(${[...new Set(hits.map(({ contact }) => contact))]}::uuid[])
      order by email for key share`.unprepared

  /** The executions that the events may concern, locked in a common order. Goals also concern those that have ended. */
  const concerned = Effect.fnUntraced(function* (
    hits: ReadonlyArray<ListenerHit>,
    hours: ReadonlyMap<WorkflowId, number>
  ) {
    const asked = new Map(hits.map((hit) => [`${hit.event} ${hit.workflow}`, hit]))
    const goals = new Set(hits.flatMap((hit) => (hit.kind === "goal" ? [`${hit.event} ${hit.workflow}`] : [])))
    const rows = [...asked].map(([key, { project, event, contact, workflow }]) => {
      return { project, event, contact, workflow, hours: goals.has(key) ? (hours.get(workflow) ?? null) : null }
    })
    return yield* pairRows(
      yield* sql`
        select execution.project_id as project, execution.id, execution.workflow_id as workflow,
               case when execution.pinned then execution.version end as version, execution.contact_id as contact, coalesce(execution.context, '{}') as context, converted,
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
    const hits = all.filter(({ kind }) => kind === "exit" || kind === "goal")
    const ofCampaigns = all.flatMap(({ kind, workflow: campaign, ...hit }) =>
      kind === "campaign" ? [{ ...hit, campaign }] : []
    )
    if (hits.length + ofCampaigns.length === 0) return
    yield* lockContacts(all.filter(({ kind }) => kind !== "start"))
    const counting = yield* candidates(sql, ofCampaigns, now)
    const store = Effect.fnUntraced(function* (conversions: ReadonlyArray<Conversion>) {
      yield* countReached(sql, ofCampaigns, now)
      yield* storeConversions(sql, conversions, counting, now)
    })
    if (hits.length === 0) return yield* store([])
    const { journeys, hours } = yield* journeysOf(hits)
    const conversions: Array<Conversion> = []
    const ended: Array<Ended> = []
    for (const pair of yield* concerned(hits, hours)) {
      const { project, id, workflow, version, contact, eventId, startedAt, isSpent } = pair
      const journey = journeys.get(graphKey(workflow, version))
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
    yield* store(conversions)
    if (ended.length === 0) return yield* failpoint("after_goals")
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
