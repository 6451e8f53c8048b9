/** Background work for the campaigns of all projects. */

import { CampaignId } from "@posthorn/contract/automation/campaigns/Campaign"
import { EmailType } from "@posthorn/contract/content/templates/Template"
import { mailPolicy, WriteMailPolicy } from "@posthorn/contract/mail/sending/MailPolicy"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Projects } from "../../accounts/projects/Projects.ts"
import { timezoneIn } from "../../audience/contacts/NamedData.ts"
import { isUnderPolicy } from "../../mail/Eligibility.ts"
import { quietUntil } from "../../mail/policy/QuietHours.ts"
import { SendingPolicy } from "../../mail/policy/SendingPolicy.ts"
import { anyOf, earliest, nextDue } from "../../platform/jobs/Agenda.ts"
import { recordCampaignEnds } from "./CampaignEvents.ts"
import { expireUnsent } from "./CampaignExpiry.ts"
import * as CampaignReports from "./CampaignReports.ts"
import { tally } from "./CampaignRow.ts"
import { localDue, MailTiming } from "./CampaignTiming.ts"
import { expandPart, nextPart, type ZoneTimes, zonesOf } from "./ExpandSql.ts"
import { closeGoals } from "./goals/GoalSql.ts"

const keys = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ project: ProjectId, id: CampaignId })))

const parts = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      project: ProjectId,
      campaign: CampaignId,
      part: Schema.Int,
      type: EmailType,
      policy: Schema.NullOr(WriteMailPolicy),
      timing: Schema.NullOr(MailTiming),
      variants: Schema.NullOr(Schema.Int),
      variant: Schema.NullOr(Schema.String),
      ended: Schema.NullOr(Schema.String),
      releasedAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
      /** Whether the rest of an experiment waits for the mail of this part. */
      isTest: Schema.Boolean
    })
  )
)
type Part = Effect.Success<ReturnType<typeof parts>>[number]

const isoOf = (instant: number | undefined): string | null =>
  instant === undefined ? null : DateTime.formatIso(DateTime.makeUnsafe(instant))

const zones = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ zone: Schema.String })))

/** The test of an experiment is not spread. The spread of the rest begins with the decision. */
const spreadOf = ({ timing, releasedAt, isTest }: Part): MailTiming["spread"] => {
  if (isTest || timing === null || timing.spread === null) return null
  return releasedAt === null ? timing.spread : { ...timing.spread, start: releasedAt.epochMilliseconds }
}

/** Mails that one statement cancels. */
const cancelBatch = 5_000

/**
 * The statements of the loops. Each step is one transaction that locks its rows and skips rows locked by others, so any
 * number of processes may run them. If a process dies, another finds its work again.
 */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const policy = yield* SendingPolicy
  const projects = yield* Projects
  const rowCount = Effect.map((found: ReadonlyArray<unknown>) => found.length)

  /** The quiet hours that mail of a part waits for. With SKIP, mail is judged when it is sent. */
  const quietHoursOf = Effect.fnUntraced(function* (part: Part) {
    if (!isUnderPolicy({ type: part.type, sourceType: "CAMPAIGN", test: false })) return undefined
    const { quietHours } = yield* policy.getCached(part.project)
    return quietHours?.action !== "WAIT" || mailPolicy(part.policy).quietHours === "BYPASS" ? undefined : quietHours
  })

  /** When mail of a part is due in each of its zones, without those where it is due at once. */
  const zoneTimes = Effect.fnUntraced(function* (part: Part, now: DateTime.Utc) {
    const { timing } = part
    const quietHours = yield* quietHoursOf(part)
    if (quietHours === undefined && (timing === null || timing.local === null)) return []
    const { timezone } = yield* Effect.orDie(projects.getCached(part.project))
    return (yield* zones(yield* zonesOf(sql, part))).flatMap(({ zone }): ReadonlyArray<ZoneTimes> => {
      const data = { timezone: zone }
      const local = timing === null ? undefined : localDue(timing, timezoneIn(data) ?? timezone)
      const begins = Math.max(now.epochMilliseconds, local ?? 0)
      const quiet = quietHours === undefined ? undefined : quietUntil(quietHours, begins, data, timezone)
      return local === undefined && quiet === undefined ? [] : [{ zone, local: isoOf(local), quiet: isoOf(quiet) }]
    })
  })

  /** The audience is frozen, and not all of its mails are made. A partial index has this condition. */
  const isUnexpanded = sql`audience is not null and not expanded and status in ('SENDING', 'CANCELLED')`

  /** Creates the mails of one part of an audience. Returns their number, 0 if no part is left. */
  const expand = Effect.fn("CampaignWork.expand")(
    function* (now: DateTime.Utc) {
      const [part] = yield* parts(yield* nextPart(sql))
      if (part !== undefined) {
        const times = yield* zoneTimes(part, now)
        return (yield* expandPart(sql, part, times, spreadOf(part), DateTime.toDate(now))).length
      }
      // A campaign without parts is complete, but for the rest of an experiment. A part that another process works on still
      // exists.
      yield* sql`
        update campaigns set expanded = true, updated_at = ${DateTime.toDate(now)}
        where ${isUnexpanded}
          and not exists (select from campaign_audiences as part
                          where part.project_id = campaigns.project_id and part.campaign_id = campaigns.id
                            and not waits)`
      return 0
    },
    sql.withTransaction,
    Effect.orDie
  )

  /** Each condition uses a partial index, so the query does not read all mails of the campaign. */
  const noneUnfinished = (project: string, campaign: string) =>
    sql.literal(
      ["status = 'PENDING' and lane = 2", "status = 'SENDING'", "status = 'AMBIGUOUS' and due_at < 'infinity'"]
        .map(
          (unfinished) => `not exists (
            select from emails where emails.project_id = ${project} and emails.campaign_id = ${campaign}
              and recipient_id is not null and lane = 2 and emails.${unfinished})`
        )
        .join(" and ")
    )

  /** A mail with an ambiguous try may have been sent already. It becomes AMBIGUOUS for good instead of CANCELLED. */
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
             then 'The campaign was cancelled before it was known whether the mail was sent.'
             else 'The campaign was cancelled.' end
    from waiting where emails.project_id = waiting.project_id and emails.id = waiting.id
    returning emails.id`

  /** Ambiguous mail of a stopped campaign is not tried again. The stop is complete when no mail is unfinished. */
  const endStops = sql`
    with settled as (
      update emails set due_at = 'infinity'
      from mailings
      where stopped and emails.project_id = mailings.project_id and emails.campaign_id = mailings.campaign_id
        and emails.status = 'AMBIGUOUS' and emails.due_at < 'infinity' and emails.lane = 2
    )
    update mailings set stopped = false
    where stopped
      and not exists (select from campaign_audiences as part
                      where part.project_id = mailings.project_id and part.campaign_id = mailings.campaign_id)
      and ${noneUnfinished("mailings.project_id", "mailings.campaign_id")}`

  return {
    /** When each of the loops has its next work. */
    next: {
      occurrence: nextDue(sql`select min(recurs_at) from campaigns where status = 'DRAFT'`),
      start: nextDue(sql`select min(coalesce(starts_at, scheduled_for)) from campaigns where status = 'SCHEDULED'`),
      decision: nextDue(sql`select min(experiment_look_at) from campaigns`),
      part: nextDue(
        earliest(sql, [
          anyOf(sql, sql`campaign_audiences where not waits order by part`),
          anyOf(sql, sql`campaigns where ${isUnexpanded} order by project_id`)
        ])
      ),
      stopped: nextDue(anyOf(sql, sql`mailings where stopped order by project_id`)),
      expiry: nextDue(sql`select min(expires_at) from mailings`),
      completion: nextDue(anyOf(sql, sql`campaigns where status = 'SENDING' order by project_id`)),
      delta: nextDue(anyOf(sql, sql`campaign_deltas order by project_id`))
    },
    /** The campaign that has been due for longest, except the given ones. */
    due: (now: DateTime.Utc, not: ReadonlyArray<CampaignId>) =>
      sql`
        select project_id as project, id from campaigns
        where status = 'SCHEDULED' and coalesce(starts_at, scheduled_for) <= ${DateTime.toDate(now)}::timestamptz
          and id <> all(${not}::uuid[])
        order by coalesce(starts_at, scheduled_for), id limit 1`.pipe(
        Effect.flatMap(keys),
        Effect.map(Array.head),
        Effect.orDie
      ),
    expand,
    /** Cancels one batch of waiting mails of stopped campaigns. Returns their number, 0 if none is left. */
    cancelWaiting: Effect.fn("CampaignWork.cancelWaiting")(function* (now: DateTime.Utc) {
      const stopped = yield* sql`select 1 from mailings where stopped limit 1`
      if (stopped.length === 0) return 0
      const cancelled = yield* rowCount(cancelWaiting(DateTime.toDate(now)))
      if (cancelled === 0) yield* endStops
      return cancelled
    }, Effect.orDie),
    /** Cancels one batch of the untried mails of expired campaigns. Returns their number, 0 if none is left. */
    expire: Effect.fn("CampaignWork.expire")((now: DateTime.Utc) => expireUnsent(sql, now), Effect.orDie),
    /** Completes campaigns without unfinished mails. Returns their number. */
    complete: Effect.fn("CampaignWork.complete")(
      function* (now: DateTime.Utc) {
        // Counters select candidates cheaply. The exact check follows under the lock.
        const candidates = yield* keys(
          yield* sql`
          select campaigns.project_id as project, campaigns.id
          from campaigns ${sql.literal(tally)}
          where status = 'SENDING' and expanded and tally.pending = 0
          limit 100 for no key update of campaigns skip locked`
        )
        if (candidates.length === 0) return 0
        const completed = yield* rowCount(sql`
        with done as (
          update campaigns set status = 'SENT', paused = false, completed_at = ${DateTime.toDate(now)},
                 updated_at = ${DateTime.toDate(now)}
          where id = any(${candidates.map(({ id }) => id)}::uuid[]) and status = 'SENDING'
            and ${noneUnfinished("campaigns.project_id", "campaigns.id")}
          returning project_id, id
        ),
        recorded as (${recordCampaignEnds(sql, "campaign.sent", sql`select project_id, id from done`, now)})
        update mailings set is_open = false from done
        where mailings.project_id = done.project_id and mailings.campaign_id = done.id
        returning mailings.campaign_id`)
        const projects = candidates.map(({ project }) => project)
        const ids = candidates.map(({ id }) => id)
        yield* closeGoals(sql, sql`select * from unnest(${projects}::uuid[], ${ids}::uuid[]) as done(project_id, id)`)
        return completed
      },
      sql.withTransaction,
      Effect.orDie
    ),
    /** Adds up the deltas of counters. Returns whether a full batch was taken. */
    rollUp: Effect.orDie(CampaignReports.rollUp(sql))
  }
})
