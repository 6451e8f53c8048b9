/** Cancels the running campaigns of a project. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { recordCampaignEnds } from "./CampaignEvents.ts"
import { cancelExperiments } from "./experiment/ExperimentSql.ts"
import { closeGoals } from "./goals/GoalSql.ts"

/** Cancels campaigns in SENDING, including paused ones: no further mail is created or sent. Joins a transaction. */
export const cancelRunning = Effect.fn("RunningCampaigns.cancelRunning")(function* (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  now: DateTime.Utc
) {
  const at = DateTime.toDate(now)
  const cancelled = yield* sql`
    update campaigns set status = 'CANCELLED', paused = false, completed_at = ${at}, updated_at = ${at}
    where project_id = ${project} and status = 'SENDING'
    returning id`
  if (cancelled.length === 0) return
  const ids = cancelled.map(({ id }) => String(id))
  yield* sql`
    update mailings set is_open = false, stopped = true
    where project_id = ${project} and campaign_id = any(${ids}::uuid[])`
  yield* cancelExperiments(sql, project, ids, now)
  const ended = sql`select ${project}::uuid as project_id, id from unnest(${ids}::uuid[]) as id`
  yield* closeGoals(sql, ended)
  yield* recordCampaignEnds(sql, "campaign.cancelled", ended, now)
}, Effect.orDie)
