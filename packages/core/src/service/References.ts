/** Finds the campaigns and workflows that refer to segments, fields and events. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { References } from "../audience/References.ts"
import * as CampaignUses from "../automation/campaigns/CampaignUses.ts"
import * as WorkflowUses from "../automation/workflows/WorkflowUses.ts"
import { eventName } from "../events/ChangeNotes.ts"

export const layer: Layer.Layer<References, never, SqlClient.SqlClient> = Layer.effect(
  References,
  Effect.map(SqlClient.SqlClient, (sql) =>
    References.of({
      ofSegment: (project, segment) =>
        Effect.all({
          usedInCampaigns: CampaignUses.ofSegment(sql, project, segment),
          usedInWorkflows: WorkflowUses.ofSegment(sql, project, segment)
        }),
      ofField: (project, field) =>
        Effect.all({
          usedInCampaigns: CampaignUses.ofField(sql, project, field),
          usedInWorkflows: WorkflowUses.ofField(sql, project, field)
        }),
      ofEvent: (project, event) =>
        Effect.all({
          usedInCampaigns: CampaignUses.ofField(sql, project, eventName(event)),
          usedInWorkflows: WorkflowUses.ofEvent(sql, project, event)
        })
    })
  )
)
