/** What campaigns refer to, for those who are asked before it is deleted. */

import { CampaignId, CampaignStatus } from "@posthorn/contract/automation/campaigns/Campaign"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"

export interface CampaignUse {
  readonly id: string
  readonly name: string
  readonly status: string
}

export class CampaignUses extends Context.Service<
  CampaignUses,
  {
    /** Campaigns in DRAFT, SCHEDULED or SENDING whose audience is, or whose condition names, the segment. */
    readonly ofSegment: (project: ProjectId, segment: string) => Effect.Effect<ReadonlyArray<CampaignUse>>
    /** Those whose audience condition looks at the field, `data.<key>` or a standard name; a path below it counts. */
    readonly ofField: (project: ProjectId, field: string) => Effect.Effect<ReadonlyArray<CampaignUse>>
  }
>()("@posthorn/core/automation/campaigns/CampaignUses") {}

const rows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: CampaignId, name: Schema.String, status: CampaignStatus }))
)

export const layerSql: Layer.Layer<CampaignUses, never, SqlClient.SqlClient> = Layer.effect(
  CampaignUses,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const live = (project: ProjectId, uses: Statement.Fragment) =>
      sql`
        select id, name, status from campaigns
        where project_id = ${project} and status in ('DRAFT', 'SCHEDULED', 'SENDING') and ${uses}
        order by created_at, id`.pipe(Effect.flatMap(rows), Effect.orDie)
    return CampaignUses.of({
      ofSegment: (project, segment) => live(project, sql`${segment}::uuid = any(refers_to)`),
      ofField: (project, field) => live(project, sql`audience_condition is not null and ${field}::text = any(looks_at)`)
    })
  })
)
