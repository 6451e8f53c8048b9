/** What there is to do for campaigns in the background, of all projects, as workers find and do it. */

import { CampaignId } from "@posthorn/contract/automation/campaigns/Campaign"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { recordEnds } from "./CampaignEvents.ts"
import { counterColumns, tally } from "./CampaignRow.ts"
import { expandPart } from "./ExpandSql.ts"

const keys = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ project: ProjectId, id: CampaignId })))

/** Waiting mails that one statement cancels. */
const cancelBatch = 5_000
/** Entries that one statement adds up. */
const rollUpBatch = 10_000

/**
 * The statements of the loops. Each step is one transaction that finds its work under locks that others pass by, so that any
 * number of processes may run them; what one that dies leaves is found by the next.
 */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const names = (prefix: string) => sql.literal(counterColumns.map((column) => prefix + column).join(", "))
  const sums = sql.literal(counterColumns.map((column) => `sum(${column})`).join(", "))
  const added = sql.literal(
    counterColumns.map((column) => `${column} = held.${column} + excluded.${column}`).join(", ")
  )

  const howMany = Effect.map((found: ReadonlyArray<unknown>) => found.length)

  /** Makes the mails of one part of an audience; tells how many, 0 when none waits. */
  const expand = Effect.fn("CampaignWork.expand")(
    function* (now: DateTime.Utc) {
      const made = yield* expandPart(sql, DateTime.toDate(now))
      if (made.length > 0) return made.length
      // With the last part the audience is whole; one that is still being made is not gone yet.
      yield* sql`
        update campaigns set expanded = true, updated_at = ${DateTime.toDate(now)}
        where audience is not null and not expanded and status in ('SENDING', 'CANCELLED')
          and not exists (select from campaign_audiences as part
                          where part.project_id = campaigns.project_id and part.campaign_id = campaigns.id)`
      return 0
    },
    sql.withTransaction,
    Effect.orDie
  )

  /** One look at each of the small indexes; all mails of the campaign are never read. */
  const nothingWaits = (project: string, campaign: string) =>
    sql.literal(
      ["status = 'PENDING' and lane = 2", "status = 'SENDING'", "status = 'AMBIGUOUS' and due_at < 'infinity'"]
        .map(
          (waits) => `not exists (
            select from emails where emails.project_id = ${project} and emails.campaign_id = ${campaign}
              and recipient_id is not null and lane = 2 and emails.${waits})`
        )
        .join(" and ")
    )

  /** Mail with an ambiguous try may have left already: it is not cancelled, it rests. */
  const cancelWaiting = (now: Date) => sql`
    with waiting as materialized (
      select mail.project_id, mail.id
      from mailings cross join lateral (
        select project_id, id from emails
        where emails.project_id = mailings.project_id and emails.campaign_id = mailings.campaign_id
          and status = 'PENDING' and lane = 2
        limit ${cancelBatch} for update skip locked
      ) as mail
      where stopped
      limit ${cancelBatch}
    )
    update emails set status = case when ambiguities > 0 then 'AMBIGUOUS' else 'CANCELLED' end,
           due_at = case when ambiguities > 0 then 'infinity' else due_at end, updated_at = ${now}::timestamptz,
           cancelled_at = case when ambiguities > 0 then cancelled_at else ${now}::timestamptz end,
           error_code = case when ambiguities > 0 then 'ambiguous' else 'cancelled' end,
           error_message = case when ambiguities > 0
             then 'The campaign was cancelled before anybody knew whether the mail had left.'
             else 'The campaign was cancelled.' end
    from waiting where emails.project_id = waiting.project_id and emails.id = waiting.id
    returning emails.id`

  /** Ambiguous mail of a stopped campaign is not sent again; with nothing left on its way the stop is done. */
  const endStops = sql`
    with rested as (
      update emails set due_at = 'infinity'
      from mailings
      where stopped and emails.project_id = mailings.project_id and emails.campaign_id = mailings.campaign_id
        and emails.status = 'AMBIGUOUS' and emails.due_at < 'infinity' and emails.lane = 2
    )
    update mailings set stopped = false
    where stopped
      and not exists (select from campaign_audiences as part
                      where part.project_id = mailings.project_id and part.campaign_id = mailings.campaign_id)
      and ${nothingWaits("mailings.project_id", "mailings.campaign_id")}`

  return {
    /** The scheduled campaign whose time came first, leaving these out. */
    due: (now: DateTime.Utc, not: ReadonlyArray<CampaignId>) =>
      sql`
        select project_id as project, id from campaigns
        where status = 'SCHEDULED' and scheduled_for <= ${DateTime.toDate(now)}::timestamptz
          and id <> all(${not}::uuid[])
        order by scheduled_for, id limit 1`.pipe(Effect.flatMap(keys), Effect.map(Array.head), Effect.orDie),
    expand,
    /** Cancels up to some thousand waiting mails of a campaign that was stopped; tells how many, 0 when none waits. */
    cancelWaiting: Effect.fn("CampaignWork.cancelWaiting")(function* (now: DateTime.Utc) {
      const stopped = yield* sql`select 1 from mailings where stopped limit 1`
      if (stopped.length === 0) return 0
      const cancelled = yield* howMany(cancelWaiting(DateTime.toDate(now)))
      if (cancelled === 0) yield* endStops
      return cancelled
    }, Effect.orDie),
    /** Ends the campaigns of which no mail waits any more; tells how many. */
    complete: Effect.fn("CampaignWork.complete")(
      function* (now: DateTime.Utc) {
        // The counters say where it pays to look; then the lock, and only under it the look that counts.
        const held = yield* keys(
          yield* sql`
          select campaigns.project_id as project, campaigns.id
          from campaigns ${sql.literal(tally)}
          where status = 'SENDING' and expanded and tally.pending = 0
          limit 100 for no key update of campaigns skip locked`
        )
        if (held.length === 0) return 0
        return yield* howMany(sql`
        with done as (
          update campaigns set status = 'SENT', paused = false, completed_at = ${DateTime.toDate(now)},
                 updated_at = ${DateTime.toDate(now)}
          where id = any(${held.map(({ id }) => id)}::uuid[]) and status = 'SENDING'
            and ${nothingWaits("campaigns.project_id", "campaigns.id")}
          returning project_id, id
        ),
        told as (${recordEnds(sql, "campaign.sent", sql`select project_id, id from done`, now)})
        update mailings set is_open = false from done
        where mailings.project_id = done.project_id and mailings.campaign_id = done.id
        returning mailings.campaign_id`)
      },
      sql.withTransaction,
      Effect.orDie
    ),
    /** Adds up what transitions have left for the counters; tells how many entries it took, 0 where few are left. */
    rollUp: Effect.suspend(() =>
      howMany(sql`
        with taken as (
          delete from campaign_deltas where (project_id, campaign_id, id) in (
            select project_id, campaign_id, id from campaign_deltas limit ${rollUpBatch} for update skip locked
          )
          returning *
        ),
        rolled as (
          insert into campaign_counts as held (project_id, campaign_id, ${names("")})
          select project_id, campaign_id, ${sums} from taken group by project_id, campaign_id
          order by project_id, campaign_id
          on conflict (project_id, campaign_id) do update set ${added}
        )
        select 1 from taken`)
    ).pipe(
      // While mail goes out there is always one more, which can wait.
      Effect.map((taken) => (taken < rollUpBatch ? 0 : taken)),
      Effect.orDie
    )
  }
})
