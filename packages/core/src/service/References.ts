/** Finds the campaigns and workflows that refer to segments, topics, fields and events. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { formsOffering } from "../audience/forms/FormUses.ts"
import { References } from "../audience/References.ts"
import * as SegmentUses from "../audience/segments/SegmentUses.ts"
import * as CampaignUses from "../automation/campaigns/CampaignUses.ts"
import * as WorkflowUses from "../automation/workflows/WorkflowUses.ts"
import * as TemplateUses from "../content/templates/TemplateUses.ts"
import { eventName } from "../events/ChangeNotes.ts"

/** Campaigns whose condition or goal names the event. */
const campaignsOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, project: ProjectId, event: string) {
  const byCondition = yield* CampaignUses.ofField(sql, project, eventName(event))
  const byGoal = yield* CampaignUses.ofGoal(sql, project, event, yield* DateTime.now)
  const known = new Set(byCondition.map(({ id }) => id))
  return [...byCondition, ...byGoal.filter(({ id }) => !known.has(id))]
})

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
          usedInCampaigns: campaignsOf(sql, project, event),
          usedInWorkflows: WorkflowUses.ofEvent(sql, project, event)
        }),
      ofTopic: (project, topic) =>
        Effect.all({
          campaigns: CampaignUses.ofTopic(sql, project, topic),
          templates: TemplateUses.ofTopic(sql, project, topic.id),
          workflowSteps: WorkflowUses.ofTopic(sql, project, topic),
          forms: formsOffering(sql)(project, topic.id),
          segments: SegmentUses.ofName(sql, project, `topic.${topic.key}`)
        })
    })
  )
)
