/** What the month left behind: rows of the ledger and the events, the answers of the reports, and what the peer got. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Sent } from "./Campaigns.ts"
import type { Plan } from "./Plan.ts"
import type { Project } from "./Project.ts"
import type { Service } from "./Service.ts"

const millis = Schema.Finite
const maybe = Schema.NullOr(millis)

const Mail = Schema.Struct({
  id: Schema.String,
  contact: Schema.NullOr(Schema.String),
  to: Schema.String,
  type: Schema.String,
  source: Schema.String,
  status: Schema.String,
  error: Schema.NullOr(Schema.String),
  campaign: Schema.NullOr(Schema.String),
  workflow: Schema.NullOr(Schema.String),
  execution: Schema.NullOr(Schema.String),
  visit: Schema.NullOr(Schema.String),
  step: Schema.NullOr(Schema.String),
  topic: Schema.NullOr(Schema.String),
  variant: Schema.NullOr(Schema.String),
  provider: Schema.NullOr(Schema.String),
  createdAt: millis,
  sentAt: maybe,
  /** When each try began. */
  tries: Schema.Array(millis),
  outcomes: Schema.Array(Schema.String)
})
export type Mail = typeof Mail.Type

const Contact = Schema.Struct({ id: Schema.String, email: Schema.String, zone: Schema.String, cohort: Schema.String })
const Place = Schema.Struct({
  contact: Schema.String,
  mail: Schema.String,
  topic: Schema.NullOr(Schema.String),
  at: millis
})
const Event = Schema.Struct({
  id: Schema.String,
  contact: Schema.NullOr(Schema.String),
  name: Schema.String,
  at: millis,
  total: Schema.NullOr(Schema.Finite)
})
export type Event = typeof Event.Type
const Suppression = Schema.Struct({ email: Schema.String, reason: Schema.String, at: millis })
const Campaign = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  status: Schema.String,
  parent: Schema.NullOr(Schema.String),
  occurrence: maybe,
  scheduledFor: maybe,
  startedAt: maybe,
  completedAt: maybe,
  expiresAt: maybe,
  winner: Schema.NullOr(Schema.String),
  decidedAt: maybe
})
export type CampaignRow = typeof Campaign.Type
const Execution = Schema.Struct({
  id: Schema.String,
  workflow: Schema.String,
  contact: Schema.String,
  status: Schema.String,
  reason: Schema.NullOr(Schema.String),
  trigger: Schema.NullOr(Schema.String),
  startedAt: millis,
  completedAt: maybe,
  converted: Schema.Boolean
})
export type Execution = typeof Execution.Type
const Visit = Schema.Struct({
  id: Schema.String,
  execution: Schema.String,
  workflow: Schema.String,
  step: Schema.String,
  type: Schema.String,
  iteration: Schema.Int,
  status: Schema.String,
  skipped: Schema.Boolean,
  branch: Schema.NullOr(Schema.String),
  until: maybe,
  startedAt: maybe,
  completedAt: maybe
})
export type Visit = typeof Visit.Type
const Conversion = Schema.Struct({
  owner: Schema.String,
  ownerId: Schema.String,
  contact: Schema.NullOr(Schema.String),
  execution: Schema.NullOr(Schema.String),
  event: Schema.NullOr(Schema.String)
})

const Revenue = Schema.Array(Schema.Struct({ currency: Schema.String, amount: Schema.Finite }))
const Counts = {
  sent: Schema.Int,
  bounced: Schema.Int,
  deferred: Schema.Int,
  converted: Schema.Int
}
const CampaignStats = Schema.Struct({
  totalRecipients: Schema.Int,
  sentCount: Schema.Int,
  pendingCount: Schema.Int,
  bouncedCount: Schema.Int,
  failedCount: Schema.Int,
  suppressedCount: Schema.Int,
  cancelledCount: Schema.Int,
  convertedCount: Schema.Int,
  conversionEvents: Schema.Int,
  revenue: Revenue,
  audienceSize: Schema.Int,
  holdoutSize: Schema.Int,
  uplift: Schema.NullOr(
    Schema.Struct({
      treated: Schema.Int,
      holdout: Schema.Int,
      treatedRate: Schema.Finite,
      holdoutRate: Schema.Finite,
      difference: Schema.Finite
    })
  )
})
const CampaignReport = Schema.Struct({ rows: Schema.Array(Schema.Struct({ key: Schema.String, ...Counts })) })
const WorkflowReport = Schema.Struct({
  executions: Schema.Struct({
    started: Schema.Int,
    live: Schema.Int,
    completed: Schema.Int,
    exited: Schema.Int,
    failed: Schema.Int,
    cancelled: Schema.Int,
    converted: Schema.Int
  }),
  steps: Schema.Array(
    Schema.Struct({
      stepId: Schema.String,
      type: Schema.String,
      entered: Schema.Int,
      waiting: Schema.Int,
      completed: Schema.Int,
      skipped: Schema.Int,
      failed: Schema.Int,
      left: Schema.Int,
      mail: Schema.NullOr(Schema.Struct({ sent: Schema.Int, bounced: Schema.Int }))
    })
  ),
  branches: Schema.Array(
    Schema.Struct({ stepId: Schema.String, branch: Schema.NullOr(Schema.String), taken: Schema.Int })
  )
})
const Data = <A extends Schema.Constraint>(data: A) => Schema.Struct({ data })

export interface Ledger {
  readonly plan: Plan
  readonly start: number
  readonly end: number
  readonly topics: Project["topics"]
  readonly workflows: Project["workflows"]
  readonly sent: ReadonlyArray<Sent>
  readonly contacts: ReadonlyArray<typeof Contact.Type>
  readonly mails: ReadonlyArray<Mail>
  readonly places: ReadonlyArray<typeof Place.Type>
  readonly events: ReadonlyArray<Event>
  readonly suppressions: ReadonlyArray<typeof Suppression.Type>
  readonly campaigns: ReadonlyArray<CampaignRow>
  readonly executions: ReadonlyArray<Execution>
  readonly visits: ReadonlyArray<Visit>
  readonly conversions: ReadonlyArray<typeof Conversion.Type>
  /** How often a provider was slowed down. */
  readonly slowed: number
  /** Single sends that the API accepted. */
  readonly accepted: ReadonlyArray<string>
  /** Copies that the peer accepted, by mail. */
  readonly arrivals: ReadonlyMap<string, number>
  readonly stats: ReadonlyMap<string, typeof CampaignStats.Type>
  /** By campaign: by variant, by hour, by provider. */
  readonly reports: ReadonlyMap<string, ReadonlyArray<typeof CampaignReport.Type>>
  readonly journeys: ReadonlyMap<string, typeof WorkflowReport.Type>
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

export const load = Effect.fnUntraced(function* (given: {
  readonly plan: Plan
  readonly project: Project
  readonly service: Service
  readonly start: number
  readonly end: number
  readonly sent: ReadonlyArray<Sent>
  readonly accepted: ReadonlyArray<string>
  readonly arrivals: ReadonlyMap<string, number>
}) {
  const sql = yield* SqlClient.SqlClient
  const { project, service, ...known } = given
  const rows = <A>(schema: Schema.ConstraintDecoder<A>, statement: string) =>
    Effect.orDie(Effect.flatMap(sql.unsafe(statement), Schema.decodeUnknownEffect(Schema.Array(schema))))

  const mails = yield* rows(
    Mail,
    `select id, contact_id as contact, to_email as "to", type, source_type as source, status, error_code as error,
            campaign_id as campaign, workflow_id as workflow, workflow_execution_id as execution,
            workflow_step_execution_id as visit, workflow_step_id as step, topic_id as topic, variant, provider,
            ${ms("created_at")} as "createdAt", ${ms("sent_at")} as "sentAt",
            coalesce(tries, '{}') as tries, coalesce(outcomes, '{}') as outcomes
     from emails
     left join (
       select email_id, array_agg(${ms("started_at")} order by number) as tries, array_agg(outcome order by number) as outcomes
       from email_attempts group by email_id
     ) as tried on tried.email_id = emails.id`
  )
  const campaigns = yield* rows(
    Campaign,
    `select campaigns.id, name, status, parent_id as parent, ${ms("occurrence")} as occurrence,
            ${ms("scheduled_for")} as "scheduledFor", ${ms("sent_at")} as "startedAt", ${ms("completed_at")} as "completedAt",
            ${ms("(delivery ->> 'expiresAt')::timestamptz")} as "expiresAt", experiment_result ->> 'winner' as winner,
            ${ms("decided.at")} as "decidedAt"
     from campaigns
     left join (
       select data ->> 'campaignId' as id, min(created_at) as at from events where name = 'campaign.experiment_decided' group by 1
     ) as decided on decided.id = campaigns.id::text`
  )
  const stats = new Map<string, typeof CampaignStats.Type>()
  const reports = new Map<string, ReadonlyArray<typeof CampaignReport.Type>>()
  for (const { id, status } of campaigns) {
    if (status === "DRAFT") continue
    stats.set(id, (yield* service.ask({ path: `/campaigns/${id}/stats` }, Data(CampaignStats))).data)
    const by = (what: string) =>
      Effect.map(service.ask({ path: `/campaigns/${id}/report?by=${what}` }, Data(CampaignReport)), ({ data }) => data)
    reports.set(id, [yield* by("variant"), yield* by("hour"), yield* by("provider")])
  }
  const journeys = new Map<string, typeof WorkflowReport.Type>()
  for (const id of Object.values(project.workflows)) {
    journeys.set(id, yield* service.ask({ path: `/workflows/${id}/report` }, WorkflowReport))
  }
  const [slowed] = yield* rows(Schema.Struct({ count: Schema.Int }), "select count(*)::int as count from shaping_log")

  return {
    ...known,
    topics: project.topics,
    workflows: project.workflows,
    contacts: yield* rows(
      Contact,
      `select id, email, data ->> 'timezone' as zone, data ->> 'cohort' as cohort from contacts`
    ),
    mails,
    places: yield* rows(
      Place,
      `select contact_id as contact, entry ->> 'emailId' as mail, entry ->> 'topicId' as topic, (entry ->> 'at')::float8 as at
       from contact_frequency cross join lateral jsonb_array_elements(entries) as each (entry)`
    ),
    events: yield* rows(
      Event,
      `select id, contact_id as contact, name, ${ms("occurred_at")} as at, (data ->> 'total')::float8 as total from events
       where name in ('purchase', 'activated', 'signed_up', 'cart', 'trial', 'contact.unsubscribed', 'topic.offers.unsubscribed')`
    ),
    suppressions: yield* rows(Suppression, `select email, reason, ${ms("created_at")} as at from suppressions`),
    campaigns,
    executions: yield* rows(
      Execution,
      `select id, workflow_id as workflow, contact_id as contact, status, exit_reason as reason,
              trigger_event_id as trigger, ${ms("started_at")} as "startedAt", ${ms("completed_at")} as "completedAt", converted
       from workflow_executions`
    ),
    visits: yield* rows(
      Visit,
      `select id, execution_id as execution, workflow_id as workflow, step_id as step, step_type as type, iteration, status,
              coalesce((output ->> 'skipped')::boolean, false) as skipped, branch, ${ms("scheduled_for")} as until,
              ${ms("started_at")} as "startedAt", ${ms("completed_at")} as "completedAt"
       from workflow_step_executions`
    ),
    conversions: yield* rows(
      Conversion,
      `select owner, owner_id as "ownerId", contact_id as contact, execution_id as execution, event_id as event from conversions`
    ),
    slowed: slowed?.count ?? 0,
    stats,
    reports,
    journeys
  } satisfies Ledger
})
