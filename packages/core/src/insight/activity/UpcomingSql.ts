/** Lists scheduled campaigns, workflows and steps, and the decisions of experiments. */

import { UpcomingType } from "@posthorn/contract/insight/activity/Activity"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { currentStep } from "../../automation/workflows/executions/CurrentStepSql.ts"
import { campaignMetadata } from "./ActivityMetadata.ts"

const text = Schema.NullOr(Schema.String)
const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      type: UpcomingType,
      timestamp: Schema.NullOr(Schema.DateTimeUtcFromDate),
      contactId: text,
      contactEmail: text,
      metadata: Schema.JsonObject
    })
  )
)

/** An instant as the API prints it. */
const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Each part lists the first entries of its kind. */
const partsOf = (sql: SqlClient.SqlClient) => {
  const dueCampaigns = (project: ProjectId, until: DateTime.Utc, limit: number) => sql`
    select campaigns.id || '_scheduled' as id, 'campaign.scheduled' as type, coalesce(starts_at, scheduled_for) as timestamp,
           null::uuid as "contactId", null as "contactEmail", ${sql.literal(campaignMetadata)}
           || jsonb_build_object('scheduledFor', ${sql.literal(iso("scheduled_for"))},
                                 'startsAt', ${sql.literal(iso("coalesce(starts_at, scheduled_for)"))}) as metadata
    from campaigns
    left join segments on segments.project_id = campaigns.project_id and segments.id = campaigns.segment_id
    where campaigns.project_id = ${project} and status = 'SCHEDULED' and coalesce(starts_at, scheduled_for) < ${DateTime.toDate(until)}
    order by coalesce(starts_at, scheduled_for), campaigns.id limit ${limit}`

  const recurringCampaigns = (project: ProjectId, until: DateTime.Utc, limit: number) => sql`
    select campaigns.id || '_recurrence', 'campaign.recurrence', recurs_at, null, null,
           ${sql.literal(campaignMetadata)}
           || jsonb_build_object('scheduledFor', recurrence -> 'nextAt', 'startsAt', ${sql.literal(iso("recurs_at"))})
    from campaigns
    left join segments on segments.project_id = campaigns.project_id and segments.id = campaigns.segment_id
    where campaigns.project_id = ${project} and status = 'DRAFT' and recurs_at < ${DateTime.toDate(until)}
    order by recurs_at, campaigns.id limit ${limit}`

  const dueDecisions = (project: ProjectId, until: DateTime.Utc, limit: number) => sql`
    select campaigns.id || '_decision', 'campaign.decision', decide_at, null::uuid, null,
           ${sql.literal(campaignMetadata)}
    from campaigns
    left join segments on segments.project_id = campaigns.project_id and segments.id = campaigns.segment_id
    where campaigns.project_id = ${project} and experiment_look_at is not null and experiment_state = 'TESTING'
      and decide_at < ${DateTime.toDate(until)}
    order by decide_at, campaigns.id limit ${limit}`

  const dueEmails = (project: ProjectId, until: DateTime.Utc, limit: number) => sql`
    select emails.id || '_scheduled', 'email.scheduled', emails.scheduled_for, contacts.id, contacts.email,
           jsonb_build_object(
             'emailId', emails.id, 'subject', emails.subject, 'to', emails.to_email, 'groupId', emails.group_id
           )
    from (
      select * from emails
      where project_id = ${project} and status = 'SCHEDULED' and scheduled_for < ${DateTime.toDate(until)}
        and mode = 'LIVE'
      order by scheduled_for, id limit ${limit}
    ) as emails
    left join contacts on contacts.project_id = emails.project_id and contacts.id = emails.contact_id`

  const dueWorkflows = (project: ProjectId, until: DateTime.Utc, limit: number) => sql`
    select id || '_scheduled', 'workflow.scheduled', next_run_at, null, null,
           jsonb_build_object('workflowId', id, 'workflowName', name)
    from workflows
    where project_id = ${project} and enabled and trigger_type = 'SCHEDULE' and next_run_at < ${DateTime.toDate(until)}
    order by next_run_at, id limit ${limit}`

  /** Executions with a due time, and executions without one. Both are read in the order of an index. */
  const activeExecutions = (project: ProjectId, until: DateTime.Utc, limit: number) => {
    const live = sql`select * from workflow_executions where project_id = ${project} and status in ('RUNNING', 'WAITING')`
    return sql`
      select live.id || '_scheduled', 'workflow.step.scheduled', live.resume_at, contacts.id, contacts.email,
             jsonb_build_object('workflowName', workflows.name, 'executionId', live.id, 'stepName', step.name,
                                'stepType', step.type)
      from (
        (${live} and resume_at < ${DateTime.toDate(until)} order by resume_at, id limit ${limit}) union all
        (${live} and resume_at is null order by id limit ${limit})
      ) as live
      join contacts on contacts.project_id = ${project} and contacts.id = live.contact_id
      join workflows on workflows.project_id = ${project} and workflows.id = live.workflow_id
      left join lateral ${currentStep(sql, "live")} as step on true`
  }

  return { dueCampaigns, recurringCampaigns, dueDecisions, dueEmails, dueWorkflows, activeExecutions }
}

/** The first entries over all kinds. */
export const upcomingStatement = (sql: SqlClient.SqlClient) => {
  const { dueCampaigns, recurringCampaigns, dueDecisions, dueEmails, dueWorkflows, activeExecutions } = partsOf(sql)
  return (project: ProjectId, until: DateTime.Utc, limit: number): Statement.Statement<unknown> => sql`
    select * from (
      (${dueCampaigns(project, until, limit)}) union all
      (${recurringCampaigns(project, until, limit)}) union all
      (${dueDecisions(project, until, limit)}) union all
      (${dueEmails(project, until, limit)}) union all
      (${dueWorkflows(project, until, limit)}) union all
      ${activeExecutions(project, until, limit)}
    ) as upcoming
    order by timestamp nulls last, id limit ${limit}`
}

export const upcomingOf = (sql: SqlClient.SqlClient) => {
  const statement = upcomingStatement(sql)
  return Effect.fn("ActivityFeed.upcoming")(
    (project: ProjectId, until: DateTime.Utc, limit: number) => Effect.flatMap(statement(project, until, limit), rows),
    Effect.orDie
  )
}
