/**
 * The statements of the live stream. One statement finds out whether anything is new: the newest entry of each source
 * of the activity feed, by index, and the states of what is followed.
 */

import { LiveCampaign, LiveDomain, LiveJob } from "@posthorn/contract/insight/live/Live"
import { DisabledReason, type ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { countersOf, tally } from "../../automation/campaigns/CampaignRow.ts"
import { newestRows, sourcesOf } from "../activity/ActivitySources.ts"

/** Whether the last change of a record is in the asked time. */
const isRecent = { isRecent: Schema.Boolean }

const LookRow = Schema.Struct({
  newest: Schema.Array(Schema.String),
  project: Schema.NullOr(
    Schema.Struct({ disabled: Schema.Boolean, reason: Schema.NullOr(DisabledReason), resetting: Schema.Boolean })
  ),
  campaigns: Schema.Array(Schema.Struct({ ...LiveCampaign.fields, ...isRecent })),
  jobs: Schema.Array(Schema.Struct({ ...LiveJob.fields, ...isRecent })),
  domains: Schema.Array(Schema.Struct({ ...LiveDomain.fields, ...isRecent }))
})
/** What one look at a project finds. */
export type Look = typeof LookRow.Type

const rows = Schema.decodeUnknownEffect(Schema.Tuple([LookRow]))

/**
 * The newest entry of each source since `entriesFrom`; campaigns that are sent, jobs that have not ended and all
 * domains; and other campaigns and jobs that changed since `statesFrom`.
 */
export const lookStatement = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  entriesFrom: DateTime.Utc,
  statesFrom: DateTime.Utc
) => {
  const from = DateTime.toDate(entriesFrom)
  const since = DateTime.toDate(statesFrom)
  const newest = sourcesOf(sql, project).map(
    (source) => sql`
      (select ${source.type}::text || ' ' || id || ' ' || ${sql(source.at)} as entry
       from ${newestRows(sql, source, [source.rows, sql`${sql(source.at)} >= ${from}`], 1)})`
  )
  const list = (name: string) =>
    sql.literal(`(select coalesce(jsonb_agg(to_jsonb(live_${name})), '[]') from live_${name}) as ${name}`)
  const stateOfJob = sql.literal(`
    case when started_at is null then 'waiting' when finished_at is null then 'active'
         when failed_reason is null then 'completed' else 'failed' end as state`)
  const job = sql`id, name as type, ${stateOfJob}, progress`
  const campaign = sql.literal(`campaigns.id, status, paused, ${countersOf}`)
  return sql`
    with live_campaigns as (
      select ${campaign}, campaigns.updated_at >= ${since} as "isRecent" from campaigns ${sql.literal(tally)}
      where campaigns.project_id = ${project} and status = 'SENDING'
      union all
      select ${campaign}, true from campaigns ${sql.literal(tally)}
      where campaigns.project_id = ${project} and status <> 'SENDING' and campaigns.updated_at >= ${since}
    ),
    live_jobs as (
      select ${job}, true as "isRecent" from jobs where project_id = ${project} and finished_at is null
      union all
      select ${job}, true from jobs where project_id = ${project} and finished_at >= ${since}
    ),
    live_domains as (
      select id, case when verified then 'VERIFIED' else 'PENDING' end as status, updated_at >= ${since} as "isRecent"
      from domains where project_id = ${project}
    )
    select array(${sql.join(" union all ", false)(newest)}) as newest,
           ${list("campaigns")}, ${list("jobs")}, ${list("domains")},
           (select jsonb_build_object('disabled', disabled_reason is not null, 'reason', disabled_reason,
                                      'resetting', resetting_since is not null)
            from projects where id = ${project} and deleted_at is null) as project`
}

export const look = (
  sql: SqlClient.SqlClient,
  ...parameters: [project: ProjectId, entriesFrom: DateTime.Utc, statesFrom: DateTime.Utc]
): Effect.Effect<Look> =>
  lookStatement(sql, ...parameters).pipe(
    Effect.flatMap(rows),
    Effect.map(([found]) => found),
    Effect.orDie
  )
