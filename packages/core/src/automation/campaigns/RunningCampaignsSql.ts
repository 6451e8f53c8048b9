/** RunningCampaigns in PostgreSQL, on a server or embedded. */
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { RunningCampaigns } from "../../mail/reputation/RunningCampaigns.ts"
import { recordEnds } from "./CampaignEvents.ts"

export const layer: Layer.Layer<RunningCampaigns, never, SqlClient.SqlClient> = Layer.effect(
  RunningCampaigns,
  Effect.map(SqlClient.SqlClient, (sql) =>
    RunningCampaigns.of({
      cancelAll: Effect.fn("RunningCampaigns.cancelAll")(function* (project, now) {
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
        const ended = sql`select ${project}::uuid as project_id, id from unnest(${ids}::uuid[]) as id`
        yield* recordEnds(sql, "campaign.cancelled", ended, now)
      }, Effect.orDie)
    })
  )
)
