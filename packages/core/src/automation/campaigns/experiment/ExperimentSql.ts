/** The statements of experiments of campaigns: their state, their figures, and the rest of their audience. */
import { CampaignId } from "@posthorn/contract/automation/campaigns/Campaign"
import {
  CampaignExperiment,
  CampaignExperimentState,
  VariantKey
} from "@posthorn/contract/automation/campaigns/CampaignExperiment"
import { DecidedBy } from "@posthorn/contract/automation/workflows/SplitExperiment"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { projectEvent, recordServiceEvents } from "../../../events/ServiceEvents.ts"
import type { VariantCount } from "../../experiments/Proportions.ts"
import { isHeld } from "../../workflows/run/DueSql.ts"

const Count = Schema.Struct({ key: Schema.String, sent: Schema.Int, successes: Schema.Int })

/** What was decided, with the figures of that moment. */
const ExperimentDecision = Schema.Struct({
  winner: VariantKey,
  decidedBy: DecidedBy,
  significant: Schema.Boolean,
  counts: Schema.Array(Count)
})
export type ExperimentDecision = typeof ExperimentDecision.Type

const moment = Schema.NullOr(Schema.DateTimeUtcFromDate)

const states = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      experiment: CampaignExperiment,
      state: Schema.NullOr(CampaignExperimentState),
      decideAt: moment,
      lookAt: moment,
      result: Schema.NullOr(ExperimentDecision)
    })
  )
)

const keys = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ project: ProjectId, id: CampaignId })))
const counts = Schema.decodeUnknownEffect(Schema.Array(Count))
const progressRows = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ tested: Schema.Int, left: Schema.Int })]))

const successes: { readonly [Metric in CampaignExperiment["metric"]]: string } = {
  HUMAN_CLICK: "clicked - machine_clicked",
  HUMAN_OPEN: "opened - machine_opened",
  GOAL: "converted"
}

/** What becomes of the rest of an audience: mail of a variant, or none. */
export type Release = { readonly variant: VariantKey } | { readonly ended: "experiment_abandoned" | "cancelled" }

/** Ends the waiting of the rest of an audience. Joins the caller's transaction. */
export const release = Effect.fn("ExperimentSql.release")(function* (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  campaigns: ReadonlyArray<string>,
  of: Release,
  now: DateTime.Utc
) {
  yield* sql`
    update campaign_audiences
    set waits = false, variant = ${"variant" in of ? of.variant : null}, ended = ${"ended" in of ? of.ended : null},
        released_at = ${DateTime.toDate(now)}
    where project_id = ${project} and campaign_id = any(${campaigns}::uuid[]) and waits`
}, Effect.orDie)

/** Ends the experiments of cancelled campaigns. Joins the caller's transaction. */
export const cancelExperiments = Effect.fn("ExperimentSql.cancelExperiments")(function* (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  campaigns: ReadonlyArray<string>,
  now: DateTime.Utc
) {
  const open = yield* sql`
    update campaigns set experiment_state = 'CANCELLED', experiment_look_at = null
    where project_id = ${project} and id = any(${campaigns}::uuid[]) and experiment_state in ('TESTING', 'WAITING')
    returning id`
  if (open.length > 0) yield* release(sql, project, campaigns, { ended: "cancelled" }, now)
}, Effect.orDie)

/** Ends the experiments of expired campaigns. Joins the caller's transaction. */
export const expireExperiments = Effect.fn("ExperimentSql.expireExperiments")(function* (sql: SqlClient.SqlClient) {
  yield* sql`
    update campaigns set experiment_state = 'CANCELLED', experiment_look_at = null
    from mailings
    where mailings.expiring and campaigns.project_id = mailings.project_id and campaigns.id = mailings.campaign_id
      and experiment_state in ('TESTING', 'WAITING')`
  yield* sql`
    update campaign_audiences as part set waits = false, ended = 'cancelled'
    from mailings
    where mailings.expiring and part.project_id = mailings.project_id and part.campaign_id = mailings.campaign_id
      and part.waits`
}, Effect.orDie)

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const byId = (project: ProjectId, id: CampaignId) => sql`project_id = ${project} and id = ${id}`
  const ofCampaign = (project: ProjectId, id: CampaignId) => sql`project_id = ${project} and campaign_id = ${id}`

  return {
    /** The experiment that has been due for longest, except those of the given campaigns. */
    due: (now: DateTime.Utc, not: ReadonlyArray<CampaignId>) =>
      sql`
        select project_id as project, id from campaigns
        where id <> all(${not}::uuid[]) and experiment_look_at <= ${DateTime.toDate(now)}::timestamptz and not ${isHeld(sql, sql`campaigns.project_id`)}
        order by experiment_look_at limit 1`.pipe(Effect.flatMap(keys), Effect.map(Array.head), Effect.orDie),
    /** None for a campaign without an experiment. */
    find: (project: ProjectId, id: CampaignId) =>
      sql`
        select experiment, experiment_state as state, decide_at as "decideAt", experiment_look_at as "lookAt",
               experiment_result as result
        from campaigns where ${byId(project, id)} and experiment is not null`.pipe(
        Effect.flatMap(states),
        Effect.map(Array.head),
        Effect.orDie
      ) as Effect.Effect<Option.Option<Effect.Success<ReturnType<typeof states>>[number]>>,
    /** Mail of the test that left, and its successes, by variant, from the totals. Variants without any are missing. */
    counts: (project: ProjectId, id: CampaignId, metric: CampaignExperiment["metric"]) => {
      const columns = sql.literal(`variant, sent, ${successes[metric]} as successes`)
      return sql`
        select variant as key, sum(sent)::int as sent, sum(successes)::int as successes
        from (
          select ${columns} from campaign_results where ${ofCampaign(project, id)}
          union all
          select ${columns} from campaign_deltas where ${ofCampaign(project, id)}
        ) as parts
        where variant <> '' group by variant`.pipe(
        Effect.flatMap(counts),
        Effect.map((found): ReadonlyArray<VariantCount> => found),
        Effect.orDie
      )
    },
    /** Contacts of the test, and those whose mail has left or ended. */
    progress: Effect.fn("ExperimentSql.progress")(function* (project: ProjectId, id: CampaignId) {
      const [found] = yield* progressRows(
        yield* sql`
          select mails.made + parts.unmade as tested, mails.made - mails.pending as left
          from (
            select count(*)::int as made, (count(*) filter (where status in ('PENDING', 'SENDING')))::int as pending
            from emails where ${ofCampaign(project, id)} and recipient_id is not null
          ) as mails
          cross join (
            select coalesce(sum(size), 0)::int as unmade from campaign_audiences
            where ${ofCampaign(project, id)} and not waits
          ) as parts`
      )
      return found
    }, Effect.orDie),
    /** Under the lock of the campaign. */
    setState: (
      project: ProjectId,
      id: CampaignId,
      state: CampaignExperimentState,
      lookAt: DateTime.Utc | null,
      now: DateTime.Utc
    ) =>
      sql`
        update campaigns set experiment_state = ${state}, experiment_look_at = ${lookAt && DateTime.toDate(lookAt)},
          updated_at = greatest(updated_at, ${DateTime.toDate(now)}::timestamptz)
        where ${byId(project, id)}`.pipe(Effect.asVoid, Effect.orDie),
    /** Stores the decision, and tells webhooks. Under the lock of the campaign. */
    decide: Effect.fn("ExperimentSql.decide")(function* (
      project: ProjectId,
      id: CampaignId,
      decision: ExperimentDecision,
      now: DateTime.Utc
    ) {
      yield* sql`
        update campaigns set experiment_state = 'DECIDED', experiment_look_at = null,
          experiment_result = ${JSON.stringify(decision)}::text::jsonb,
          updated_at = greatest(updated_at, ${DateTime.toDate(now)}::timestamptz)
        where ${byId(project, id)}`
      const data = { campaignId: id, winner: decision.winner, significant: decision.significant }
      yield* recordServiceEvents(sql, projectEvent(sql, project, "campaign.experiment_decided", data), now)
    }, Effect.orDie),
    release: (project: ProjectId, id: CampaignId, of: Release, now: DateTime.Utc) =>
      release(sql, project, [id], of, now)
  }
})
