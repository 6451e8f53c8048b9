/**
 * The statements of holdouts of campaigns: who is held out, and who of both groups did what the goal asks. Whether mail
 * arrived does not matter, so that the groups differ by nothing but the campaign.
 */
import { CampaignId } from "@posthorn/contract/automation/campaigns/Campaign"
import { CampaignGoal } from "@posthorn/contract/automation/campaigns/CampaignGoal"
import type { CampaignHoldout } from "@posthorn/contract/automation/campaigns/CampaignHoldout"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { type DateTime, Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { bucketSql } from "../../../platform/Bucket.ts"
import { fits } from "../../workflows/goals/EventTests.ts"
import { countsForGoals, type GoalHit } from "../goals/GoalSql.ts"

/** Whether a contact of the audience will be held out. `contact` is an expression of type `uuid`. */
export const isHeldOut = (
  sql: SqlClient.SqlClient,
  campaign: CampaignId,
  holdout: CampaignHoldout | null,
  contact: Statement.Fragment
): Statement.Fragment =>
  holdout === null ? sql`false` : sql`${bucketSql(sql, `holdout:${campaign}`, contact)} < ${holdout.share}::float8`

/** Whether a contact is held out of a campaign whose audience is fixed. */
export const isInHoldout = (
  sql: SqlClient.SqlClient,
  of: {
    readonly project: Statement.Fragment
    readonly campaign: Statement.Fragment
    readonly contact: Statement.Fragment
  }
): Statement.Fragment => sql`
  exists (
    select from campaign_holdouts as held
    where held.project_id = ${of.project} and held.campaign_id = ${of.campaign} and held.contact_id = ${of.contact}
  )`

const candidateRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      project: ProjectId,
      campaign: CampaignId,
      contact: Schema.String,
      goal: CampaignGoal,
      name: Schema.String,
      data: Schema.Json,
      isHeldOut: Schema.Boolean
    })
  )
)

/**
 * Counts the contacts of both groups that did what the goal asks, each once. A contact that has taken the place of one
 * with mail belongs to its group, unless it is held out itself. Joins the caller's transaction, which has locked the
 * contacts.
 */
export const countReached = Effect.fn("HoldoutSql.countReached")(function* (
  sql: SqlClient.SqlClient,
  hits: ReadonlyArray<GoalHit>,
  now: DateTime.Utc
) {
  if (hits.length === 0) return
  const asked = { project: sql`asked.project`, campaign: sql`asked.campaign`, contact: sql`asked.contact` }
  const found = yield* candidateRows(
    yield* sql`
      select asked.project, asked.campaign, asked.contact, campaigns.goal, event.name, event.data, held.is_held as "isHeldOut"
      from jsonb_to_recordset(${JSON.stringify(hits)}::text::jsonb)
        as asked(project uuid, event uuid, contact uuid, campaign uuid)
      join campaigns on campaigns.project_id = asked.project and campaigns.id = asked.campaign
      join events as event on event.project_id = asked.project and event.id = asked.event
      join goals on goals.project_id = asked.project and goals.owner = 'CAMPAIGN' and goals.owner_id = asked.campaign
      cross join lateral (
        select ${isInHoldout(sql, asked)} as is_held, asked.contact || array(
          select id from contact_merges as merge
          where merge.project_id = asked.project and merge.contact_id = asked.contact) as people
      ) as held
      where campaigns.holdout_size > 0 and campaigns.goal is not null and ${countsForGoals(sql)}
        and event.occurred_at >= campaigns.sent_at
        and (
          held.is_held
          or exists (
            select from emails
            where emails.project_id = asked.project and emails.campaign_id = asked.campaign
              and emails.recipient_id = any(held.people))
          or exists (
            select from campaign_audiences as part cross join unnest(held.people) as person(id)
            where part.project_id = asked.project and part.campaign_id = asked.campaign
              and person.id between part.first_contact and part.last_contact and person.id = any(part.contacts))
        )`.unprepared
  )
  const reached = found.flatMap(({ goal, name, data, ...contact }) =>
    fits({ eventName: goal.eventName, where: goal.where ?? null }, { name, data }, {}, now) ? [contact] : []
  )
  if (reached.length === 0) return
  yield* sql`
    with stored as (
      insert into campaign_reached (project_id, campaign_id, contact_id, held_out)
      select distinct project, campaign, contact, "isHeldOut"
      from jsonb_to_recordset(${JSON.stringify(reached)}::text::jsonb)
        as reached(project uuid, campaign uuid, contact uuid, "isHeldOut" boolean)
      order by 1, 2, 3
      on conflict do nothing
      returning project_id, campaign_id, held_out
    )
    insert into campaign_uplifts as kept (project_id, campaign_id, treated, held_out)
    select project_id, campaign_id, count(*) filter (where not held_out), count(*) filter (where held_out)
    from stored group by project_id, campaign_id order by project_id, campaign_id
    on conflict (project_id, campaign_id) do update
      set treated = kept.treated + excluded.treated, held_out = kept.held_out + excluded.held_out`
}, Effect.orDie)

/** Gives what a contact reached to the one that takes its place, as far as that has not. Joins the caller's transaction. */
export const moveReached = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  from: string,
  to: string
): Statement.Statement<unknown> => sql`
  with gone as (
    delete from campaign_reached where project_id = ${project} and contact_id = ${from} returning *
  )
  insert into campaign_reached (project_id, campaign_id, contact_id, held_out)
  select project_id, campaign_id, ${to}::uuid, held_out from gone
  on conflict do nothing`
