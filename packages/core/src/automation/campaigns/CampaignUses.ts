/** What campaigns refer to, for those who are asked before it is deleted. */

import { CampaignId, CampaignStatus } from "@posthorn/contract/automation/campaigns/Campaign"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"

const CampaignUse = Schema.Struct({ id: CampaignId, name: Schema.String, status: CampaignStatus })
export type CampaignUse = typeof CampaignUse.Type

const rows = Schema.decodeUnknownEffect(Schema.Array(CampaignUse))

const live = (sql: SqlClient.SqlClient, project: ProjectId, uses: Statement.Fragment) =>
  sql`
    select id, name, status from campaigns
    where project_id = ${project} and status in ('DRAFT', 'SCHEDULED', 'SENDING') and ${uses}
    order by created_at, id`.pipe(Effect.flatMap(rows), Effect.orDie)

/** Campaigns in DRAFT, SCHEDULED or SENDING whose audience is, or whose condition names, the segment. */
export const ofSegment = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  segment: string
): Effect.Effect<ReadonlyArray<CampaignUse>> => live(sql, project, sql`${segment}::uuid = any(refers_to)`)

/** Those whose audience condition looks at the field, `data.<key>` or a standard name; a path below it counts. */
export const ofField = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  field: string
): Effect.Effect<ReadonlyArray<CampaignUse>> =>
  live(sql, project, sql`audience_condition is not null and ${field}::text = any(looks_at)`)
