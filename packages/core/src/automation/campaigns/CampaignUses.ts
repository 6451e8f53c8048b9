/** Campaigns that refer to a segment, a topic or a field, which must not be deleted then. */

import { CampaignId, CampaignStatus } from "@posthorn/contract/automation/campaigns/Campaign"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"

const CampaignUse = Schema.Struct({ id: CampaignId, name: Schema.String, status: CampaignStatus })
export type CampaignUse = typeof CampaignUse.Type

const rows = Schema.decodeUnknownEffect(Schema.Array(CampaignUse))

const live = (sql: SqlClient.SqlClient, project: ProjectId, uses: Statement.Fragment) =>
  sql`
    select id, name, status from campaigns
    where project_id = ${project} and status in ('DRAFT', 'SCHEDULED', 'SENDING') and ${uses}
    order by created_at, id`.pipe(Effect.flatMap(rows), Effect.orDie)

/** Campaigns in DRAFT, SCHEDULED or SENDING whose audience or condition refers to the segment. */
export const ofSegment = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  segment: string
): Effect.Effect<ReadonlyArray<CampaignUse>> => live(sql, project, sql`${segment}::uuid = any(refers_to)`)

/** Campaigns whose audience condition uses the field (`data.<key>` or a standard name) or a path below it. */
export const ofField = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  field: string
): Effect.Effect<ReadonlyArray<CampaignUse>> =>
  live(sql, project, sql`audience_condition is not null and ${field}::text = any(looks_at)`)

/** Campaigns whose goal is the event: drafts, those that are sent, and others until the goal ends. */
export const ofGoal = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  event: string,
  now: DateTime.Utc
): Effect.Effect<ReadonlyArray<CampaignUse>> =>
  sql`
    select id, name, status from campaigns
    where project_id = ${project} and goal ->> 'eventName' = ${event}
      and (status in ('DRAFT', 'SCHEDULED', 'SENDING') or exists (
        select from goals
        where goals.project_id = ${project} and owner = 'CAMPAIGN' and owner_id = campaigns.id
          and active_until > ${DateTime.toDate(now)}::timestamptz))
    order by created_at, id`.pipe(Effect.flatMap(rows), Effect.orDie)

/** Campaigns whose mail has the topic, or whose audience condition asks for it. */
export const ofTopic = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  { id, key }: { readonly id: string; readonly key: string }
): Effect.Effect<ReadonlyArray<CampaignUse>> =>
  live(
    sql,
    project,
    sql`(topic_id = ${id}::uuid or audience_condition is not null and ${`topic.${key}`}::text = any(looks_at))`
  )
