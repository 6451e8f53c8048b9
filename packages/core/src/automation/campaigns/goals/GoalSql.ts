/** The statements of goals of campaigns: which events count for which mail, and until when. */
import type { Campaign, CampaignId } from "@posthorn/contract/automation/campaigns/Campaign"
import { CampaignGoal, type WriteGoal } from "@posthorn/contract/automation/campaigns/CampaignGoal"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { type DateTime, Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { fits } from "../../workflows/goals/EventTests.ts"
import { type RevenueAmount, revenueOf } from "../../workflows/goals/Journeys.ts"

/** A goal of a request, with its defaults. */
export const storedGoal = (given: WriteGoal | null | undefined): CampaignGoal | null =>
  given == null
    ? null
    : {
        eventName: given.eventName,
        ...(given.where != null && { where: given.where }),
        windowHours: given.windowHours ?? 120,
        attribution: given.attribution ?? "CLICKED",
        revenue: given.revenue ?? null
      }

/** An event, and a campaign whose goal names it. */
export interface GoalHit {
  readonly project: ProjectId
  readonly event: string
  readonly contact: string
  readonly campaign: string
}

/** An event that counts for a mail of a campaign, if no other mail has a later moment. */
export interface CampaignCandidate extends GoalHit {
  readonly email: string
  readonly variant: string | null
  /** When the mail was sent, or when a person last opened or clicked it before the event. */
  readonly moment: DateTime.Utc
  readonly money: RevenueAmount | undefined
  readonly occurredAt: DateTime.Utc
}

const at = Schema.DateTimeUtcFromDate
const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      project: ProjectId,
      event: Schema.String,
      contact: Schema.String,
      campaign: Schema.String,
      email: Schema.String,
      variant: Schema.NullOr(Schema.String),
      goal: CampaignGoal,
      moment: at,
      name: Schema.String,
      data: Schema.Json,
      occurredAt: at
    })
  )
)

/** What a conversion itself records must not convert again. */
const ownEvents = "('campaign.converted', 'workflow.execution.converted')"

/** The `event` may count for the goal of its row of `goals`: that has not ended, and the event is no record of a conversion. */
export const countsForGoals = (sql: SqlClient.SqlClient): Statement.Fragment => sql`
  not (event.source = 'system' and event.name in ${sql.literal(ownEvents)})
  and event.occurred_at <= coalesce(goals.active_until, 'infinity')`

const lastHit = (kind: "open" | "click") => `(
  select max(hit.at) from email_hits as hit
  where hit.project_id = mail.project_id and hit.email_id = mail.id and hit.kind = '${kind}' and hit.verdict = 'human'
    and hit.at <= event.occurred_at)`

/** The mail of a merged contact is the mail of the contact that stays. */
export const candidates = Effect.fn("GoalSql.candidates")(function* (
  sql: SqlClient.SqlClient,
  hits: ReadonlyArray<GoalHit>,
  now: DateTime.Utc
): Effect.fn.Return<ReadonlyArray<CampaignCandidate>, unknown> {
  if (hits.length === 0) return []
  const found = yield* rows(
    yield* sql`
      select asked.project, asked.event, asked.contact, asked.campaign, mail.id as email, mail.variant, campaigns.goal,
             reached.moment, event.name, event.data, event.occurred_at as "occurredAt"
      from jsonb_to_recordset(${JSON.stringify(hits)}::text::jsonb)
        as asked(project uuid, event uuid, contact uuid, campaign uuid)
      join events as event on event.project_id = asked.project and event.id = asked.event
      join campaigns on campaigns.project_id = asked.project and campaigns.id = asked.campaign
      join goals on goals.project_id = asked.project and goals.owner = 'CAMPAIGN' and goals.owner_id = asked.campaign
      cross join lateral (
        select emails.project_id, emails.id, emails.variant, emails.sent_at from emails
        where emails.project_id = asked.project and emails.campaign_id = asked.campaign
          and emails.recipient_id = any(asked.contact || array(
            select id from contact_merges as merge
            where merge.project_id = asked.project and merge.contact_id = asked.contact))
          and emails.contact_id = asked.contact and emails.sent_at <= event.occurred_at
        order by emails.sent_at desc limit 1
      ) as mail
      cross join lateral (
        select case campaigns.goal ->> 'attribution' when 'SENT' then mail.sent_at
                    when 'OPENED' then ${sql.literal(lastHit("open"))} else ${sql.literal(lastHit("click"))} end as moment
      ) as reached
      where reached.moment is not null and campaigns.goal is not null and ${countsForGoals(sql)}
        and event.occurred_at <= reached.moment + make_interval(hours => (campaigns.goal ->> 'windowHours')::int)`
      .unprepared
  )
  return found.flatMap(({ goal, name, data, ...candidate }) => {
    const event = { name, data }
    if (!fits({ eventName: goal.eventName, where: goal.where ?? null }, event, {}, now)) return []
    return [{ ...candidate, money: goal.revenue == null ? undefined : revenueOf(goal.revenue, event) }]
  })
}, Effect.orDie)

/** Lets events reach the goal of a campaign whose sending starts. Joins the caller's transaction. */
export const openGoal = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  { id, goal }: Pick<Campaign, "id" | "goal">
): Effect.Effect<void> =>
  goal === null
    ? Effect.void
    : sql`
        insert into goals (project_id, event_name, owner, owner_id)
        values (${project}, ${goal.eventName}, 'CAMPAIGN', ${id}) on conflict do nothing`.pipe(
        Effect.asVoid,
        Effect.orDie
      )

/** Sets the end of the goals of campaigns whose sending has ended. `ended` selects `project_id` and `id`. */
export const closeGoals = (sql: SqlClient.SqlClient, ended: Statement.Fragment): Effect.Effect<void> =>
  sql`
    update goals
    set active_until = campaigns.completed_at + make_interval(hours => (campaigns.goal ->> 'windowHours')::int)
    from (${ended}) as ended join campaigns using (project_id, id)
    where goals.project_id = campaigns.project_id and goals.owner = 'CAMPAIGN' and goals.owner_id = campaigns.id
      and campaigns.completed_at is not null`.pipe(Effect.asVoid, Effect.orDie)

/** The goal of a campaign that is sent again has no end. */
export const reopenGoal = (sql: SqlClient.SqlClient, project: ProjectId, id: CampaignId): Effect.Effect<void> =>
  sql`
    update goals set active_until = null
    where project_id = ${project} and owner = 'CAMPAIGN' and owner_id = ${id}`.pipe(Effect.asVoid, Effect.orDie)

/** Removes the goal of a campaign and what it counted. */
export const removeGoal = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, project: ProjectId, id: CampaignId) {
  for (const table of ["goals", "conversions", "conversion_totals"]) {
    yield* sql`delete from ${sql(table)} where project_id = ${project} and owner = 'CAMPAIGN' and owner_id = ${id}`
  }
}, Effect.orDie)
