/** Stores conversions of executions and of campaigns, with the money that they bring. */
import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { recordServiceEvents } from "../../../events/ServiceEvents.ts"
import { hasEndpoint } from "../../../events/WebhookEndpoints.ts"
import { hourFormat } from "../../campaigns/CampaignRow.ts"
import type { CampaignCandidate } from "../../campaigns/goals/GoalSql.ts"
import type { RevenueAmount } from "./Journeys.ts"

export interface Conversion {
  readonly project: ProjectId
  readonly workflow: WorkflowId
  readonly execution: ExecutionId
  readonly contact: ContactId
  readonly event: string
  readonly money: RevenueAmount | undefined
  readonly occurredAt: DateTime.Utc
  readonly startedAt: DateTime.Utc
}

const sentRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ execution: Schema.String, sentAt: Schema.DateTimeUtcFromDate }))
)

/** When the last mail of each execution before the conversion was sent. */
const lastSent = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, conversions: ReadonlyArray<Conversion>) {
  const rows = conversions.map(({ project, execution, occurredAt }) => ({
    project,
    execution,
    before: DateTime.formatIso(occurredAt)
  }))
  const found = yield* sentRows(
    yield* sql`
      select asked.execution, max(emails.sent_at) as "sentAt"
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as asked(project uuid, execution uuid, before timestamptz)
      join workflow_step_executions as visit
        on visit.project_id = asked.project and visit.execution_id = asked.execution and visit.step_type = 'SEND_EMAIL'
      join emails on emails.project_id = visit.project_id and emails.workflow_step_execution_id = visit.id
      where emails.sent_at <= asked.before
      group by asked.execution`
  )
  return new Map(found.map(({ execution, sentAt }) => [execution, sentAt.epochMilliseconds]))
})

const latest = (candidates: ReadonlyArray<CampaignCandidate>): CampaignCandidate | undefined =>
  candidates.reduce<CampaignCandidate | undefined>(
    (best, each) => (best === undefined || each.moment.epochMilliseconds > best.moment.epochMilliseconds ? each : best),
    undefined
  )

/**
 * One event counts for one mail, however many goals it fits: for the one whose moment was the last before it. The moment
 * of an execution is when its last mail was sent. Executions convert in any case, but the money goes to that mail alone;
 * without any mail, to the execution that started last.
 */
const attributed = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  conversions: ReadonlyArray<Conversion>,
  candidates: ReadonlyArray<CampaignCandidate>
) {
  const byExecutions = Map.groupBy(conversions, ({ event }) => event)
  const byCampaigns = Map.groupBy(candidates, ({ event }) => event)
  const shared = [...byExecutions].flatMap(([event, group]) =>
    group.length > 1 || byCampaigns.has(event) ? group : []
  )
  const sent = shared.length === 0 ? new Map<string, number>() : yield* lastSent(sql, shared)
  const paid = new Set<Conversion>()
  const won: Array<CampaignCandidate> = []
  for (const event of new Set([...byExecutions.keys(), ...byCampaigns.keys()])) {
    const campaign = latest(byCampaigns.get(event) ?? [])
    const group = byExecutions.get(event) ?? []
    const last = Math.max(0, ...group.map(({ execution }) => sent.get(execution) ?? 0))
    if (campaign !== undefined && campaign.moment.epochMilliseconds >= last) {
      won.push(campaign)
      continue
    }
    const paying = group.filter(({ money }) => money !== undefined)
    if (paying.length === 0) continue
    paid.add(
      paying.reduce((best, each) => {
        const [one, other] = [sent.get(best.execution) ?? 0, sent.get(each.execution) ?? 0]
        if (one !== other) return one > other ? best : each
        return best.startedAt.epochMilliseconds >= each.startedAt.epochMilliseconds ? best : each
      })
    )
  }
  return {
    executions: conversions.map((each) => (paid.has(each) ? each : { ...each, money: undefined })),
    campaigns: won
  }
})

/** One row for each contact, and the sums of all events. Joins the caller's transaction. */
const storeOfCampaigns = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  won: ReadonlyArray<CampaignCandidate>,
  at: DateTime.Utc
) {
  if (won.length === 0) return
  const now = DateTime.toDate(at)
  const rows = won.map((each) => ({
    project_id: each.project,
    owner_id: each.campaign,
    contact_id: each.contact,
    event_id: each.event,
    email_id: each.email,
    variant: each.variant,
    amount: each.money?.amount ?? null,
    currency: each.money?.currency ?? null,
    occurred_at: DateTime.formatIso(each.occurredAt)
  }))
  yield* sql`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as given(project_id uuid, owner_id uuid,
        contact_id uuid, event_id uuid, email_id uuid, variant text, amount numeric, currency text,
        occurred_at timestamptz)
    ),
    stored as (
      insert into conversions (project_id, owner, owner_id, contact_id, event_id, email_id, variant, amount, currency,
        occurred_at, created_at)
      select distinct on (project_id, owner_id, contact_id) project_id, 'CAMPAIGN', owner_id, contact_id, event_id,
             email_id, variant, amount, currency, occurred_at, ${now}::timestamptz
      from given order by project_id, owner_id, contact_id, occurred_at, event_id
      on conflict (project_id, owner_id, contact_id) where owner = 'CAMPAIGN' do nothing
      returning project_id, owner_id, event_id, email_id, variant
    ),
    counted as (
      insert into campaign_deltas (project_id, campaign_id, variant, provider, hour, converted)
      select stored.project_id, owner_id, coalesce(stored.variant, ''), emails.provider,
             date_trunc('hour', ${now}::timestamptz, 'UTC'), count(*)
      from stored join emails on emails.project_id = stored.project_id and emails.id = stored.email_id
      group by 1, 2, 3, 4
    ),
    earned as (
      insert into campaign_revenues as kept (project_id, campaign_id, kind, key, variant, currency, amount)
      select given.project_id, owner_id, kind, key, coalesce(given.variant, ''), currency, sum(amount)
      from given
      left join emails on emails.project_id = given.project_id and emails.id = given.email_id
      cross join lateral (
        values ('hour', to_char(date_trunc('hour', ${now}::timestamptz, 'UTC') at time zone 'UTC', ${hourFormat})),
               ('provider', emails.provider)
      ) as place (kind, key)
      where amount is not null and key is not null
      group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
      on conflict (project_id, campaign_id, kind, key, variant, currency) do update
        set amount = kept.amount + excluded.amount
    ),
    summed as (
      insert into conversion_totals as kept (project_id, owner, owner_id, day, currency, variant, conversions, events,
        amount)
      select project_id, 'CAMPAIGN', owner_id, (${now}::timestamptz at time zone 'UTC')::date, coalesce(currency, ''),
             coalesce(variant, ''), count(is_first), count(*), coalesce(sum(amount), 0)
      from given
      left join (select project_id, owner_id, event_id, true as is_first from stored) as first
        using (project_id, owner_id, event_id)
      group by project_id, owner_id, coalesce(currency, ''), coalesce(variant, '')
      order by 1, 3, 5, 6
      on conflict (project_id, owner, owner_id, day, currency, variant) do update
        set conversions = kept.conversions + excluded.conversions, events = kept.events + excluded.events,
            amount = kept.amount + excluded.amount
    )
    ${recordServiceEvents(
      sql,
      sql`
        select project_id, contact_id, 'campaign.converted' as name,
               jsonb_build_object('campaignId', owner_id, 'eventId', event_id, 'revenue',
                 case when amount is not null then jsonb_build_object('amount', amount, 'currency', currency) end) as data
        from given where ${hasEndpoint(sql, sql`given.project_id`)}`,
      at
    )}`
})

/**
 * Marks the executions, counts for the campaigns, and tells webhooks. Joins the caller's transaction, which has locked the
 * executions.
 */
export const storeConversions = Effect.fn("Conversions.store")(function* (
  sql: SqlClient.SqlClient,
  all: ReadonlyArray<Conversion>,
  candidates: ReadonlyArray<CampaignCandidate>,
  at: DateTime.Utc
) {
  if (all.length + candidates.length === 0) return
  const { executions, campaigns } = yield* attributed(sql, all, candidates)
  yield* storeOfCampaigns(sql, campaigns, at)
  if (executions.length === 0) return
  const now = DateTime.toDate(at)
  const rows = executions.map((each) => ({
    project_id: each.project,
    owner_id: each.workflow,
    execution_id: each.execution,
    contact_id: each.contact,
    event_id: each.event,
    amount: each.money?.amount ?? null,
    currency: each.money?.currency ?? null,
    occurred_at: DateTime.formatIso(each.occurredAt)
  }))
  yield* sql`
    with stored as (
      insert into conversions (project_id, owner, owner_id, contact_id, execution_id, event_id, amount, currency,
        occurred_at, created_at)
      select project_id, 'WORKFLOW', owner_id, contact_id, execution_id, event_id, amount, currency, occurred_at,
             ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as conversion(project_id uuid, owner_id uuid,
        contact_id uuid, execution_id uuid, event_id uuid, amount numeric, currency text, occurred_at timestamptz)
      on conflict do nothing
      returning *
    ),
    marked as (
      update workflow_executions as execution set converted = true, updated_at = greatest(execution.updated_at, ${now}::timestamptz)
      from stored where execution.project_id = stored.project_id and execution.id = stored.execution_id
    ),
    mailed as (
      insert into result_deltas (project_id, owner_id, version, day, converted)
      select stored.project_id, step, version, (${now}::timestamptz at time zone 'UTC')::date, count(*)
      from stored
      cross join lateral (
        select coalesce(execution.version, 1) as version from workflow_executions as execution
        where execution.project_id = stored.project_id and execution.id = stored.execution_id
      ) as converting
      cross join lateral (
        select mail.workflow_step_id as step
        from workflow_step_executions as visit
        join emails as mail on mail.project_id = visit.project_id and mail.workflow_step_execution_id = visit.id
        where visit.project_id = stored.project_id and visit.execution_id = stored.execution_id
          and visit.step_type = 'SEND_EMAIL' and mail.sent_at <= stored.occurred_at and not mail.test
        order by mail.sent_at desc limit 1
      ) as last
      where step is not null group by 1, 2, 3
    ),
    summed as (
      insert into conversion_totals as kept (project_id, owner, owner_id, day, currency, conversions, events, amount)
      select project_id, owner, owner_id, (${now}::timestamptz at time zone 'UTC')::date, coalesce(currency, ''),
             count(*), count(*), coalesce(sum(amount), 0)
      from stored group by project_id, owner, owner_id, coalesce(currency, '')
      order by 1, 2, 3, 5
      on conflict (project_id, owner, owner_id, day, currency, variant) do update
        set conversions = kept.conversions + excluded.conversions, events = kept.events + excluded.events, amount = kept.amount + excluded.amount
    )
    ${recordServiceEvents(
      sql,
      sql`
        select project_id, contact_id, 'workflow.execution.converted' as name,
               jsonb_build_object('workflowId', owner_id, 'executionId', execution_id, 'eventId', event_id, 'revenue',
                 case when amount is not null then jsonb_build_object('amount', amount, 'currency', currency) end) as data
        from stored where ${hasEndpoint(sql, sql`stored.project_id`)}`,
      at
    )}`
}, Effect.orDie)
