/** Campaigns in PostgreSQL or PGlite. */

import { CampaignApproval, type CampaignId, CampaignRecipient } from "@posthorn/contract/automation/campaigns/Campaign"
import { CampaignDelivery } from "@posthorn/contract/automation/campaigns/CampaignDelivery"
import { CampaignRecurrence } from "@posthorn/contract/automation/campaigns/CampaignRecurrence"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { liveQuery } from "../../audience/filters/LiveQuery.ts"
import { TopicOfMail, topicJson } from "../../audience/topics/TopicOfMail.ts"
import { dropTotals } from "../../content/links/DropTotals.ts"
import { usedPartials } from "../../content/partials/ClosureSql.ts"
import { mailingHeld } from "../../mail/ledger/MailingHolds.ts"
import type { Position } from "../../platform/Cursors.ts"
import { changedAt, contains, countOf, isUnchanged } from "../../platform/Queries.ts"
import { Settings } from "../../platform/Settings.ts"
import { recordApproval, recordCampaignEnds } from "./CampaignEvents.ts"
import {
  CampaignRow,
  CampaignSummaryRow,
  CountersRow,
  campaignColumns,
  campaignSummaryColumns,
  countersOf,
  ProviderRow,
  providerColumns,
  providerSums,
  resultColumns,
  sizes,
  tally
} from "./CampaignRow.ts"
import {
  type CampaignContent,
  type CampaignFilter,
  type CampaignOrder,
  type CampaignState,
  CampaignStore,
  type RecipientFilter
} from "./CampaignStore.ts"
import { beginExperiment } from "./experiment/BeginSql.ts"
import { audienceSql, freezeAudience } from "./FreezeSql.ts"
import { openGoal, removeGoal } from "./goals/GoalSql.ts"
import { isHeldOut } from "./holdout/HoldoutSql.ts"

const timestampOrNull = Schema.NullOr(Schema.DateTimeUtcFromDate)
const rows = Schema.decodeUnknownEffect(Schema.Array(CampaignRow))
const summaryRows = Schema.decodeUnknownEffect(Schema.Array(CampaignSummaryRow))
const oneRow = Schema.decodeUnknownEffect(Schema.Tuple([CampaignRow]))
const topicRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ topic: TopicOfMail })))
const providerRows = Schema.decodeUnknownEffect(Schema.Array(ProviderRow))
const counterRows = Schema.decodeUnknownEffect(Schema.Array(CountersRow))
const sumRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({ currency: Schema.String, converted: Schema.Int, events: Schema.Int, amount: Schema.Finite })
  )
)
const frozenRow = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ recipients: Schema.Int, heldOut: Schema.Int })])
)
const reachedRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ treated: Schema.Int, heldOut: Schema.Int }))
)
const recipientRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      ...CampaignRecipient.fields,
      sentAt: timestampOrNull,
      deliveredAt: timestampOrNull,
      openedAt: timestampOrNull,
      clickedAt: timestampOrNull,
      bouncedAt: timestampOrNull,
      key: Schema.String
    })
  )
)

const sortColumns = { name: "name", createdAt: "created_at", updatedAt: "updated_at" }

const encodeDelivery = Schema.encodeSync(Schema.NullOr(CampaignDelivery))

/** Content as JSON, by column name. */
const record = (content: CampaignContent) =>
  JSON.stringify({
    name: content.name,
    description: content.description,
    subject: content.subject,
    preheader: content.preheader,
    format: content.format,
    body: content.body,
    source: content.source,
    text: content.text,
    language: content.language,
    translations: content.translations,
    from_email: content.from,
    from_name: content.fromName,
    reply_to: content.replyTo,
    type: content.type,
    layout: content.layout,
    audience_type: content.audienceType,
    segment_id: content.segmentId,
    audience_condition: content.audienceCondition,
    recipients_of: content.recipientsOf,
    refers_to: content.refersTo,
    looks_at: content.looksAt,
    template_id: content.templateId,
    template_version: content.templateVersion,
    topic_id: content.topicId,
    archive: content.archive,
    policy: content.policy,
    delivery: encodeDelivery(content.delivery),
    priority: content.priority,
    experiment: content.experiment,
    goal: content.goal,
    holdout: content.holdout,
    estimated_recipients: content.estimatedRecipients
  })

const hashedColumns = `name, description, subject, preheader, format, body, source, text, language, translations, from_email, from_name, reply_to, type, layout, audience_type,
  segment_id, audience_condition, recipients_of, refers_to, looks_at, template_id, template_version, topic_id, archive, policy, experiment, goal, delivery, priority`

const contentColumns = `${hashedColumns}, holdout, estimated_recipients`

/**
 * Content and audience as text. The size of the audience is no part of it. An absent holdout is none either, so that
 * approvals from before there were holdouts still hold.
 */
const contentHash = `encode(sha256(convert_to(
  (jsonb_build_array(${hashedColumns}) || coalesce(holdout, '[]'))::text, 'UTF8')), 'hex')`

const encodeRecurrence = Schema.encodeSync(Schema.NullOr(CampaignRecurrence))

const encodeApproval = Schema.encodeSync(CampaignApproval)

const date = (at: DateTime.Utc | null) => (at === null ? null : DateTime.toDate(at).toISOString())

/** As JSON, by column name. Absent fields stay absent. */
const stateRecord = (state: CampaignState) =>
  JSON.stringify({
    status: state.status,
    paused: state.paused,
    status_reason: state.statusReason,
    estimated_recipients: state.estimatedRecipients,
    ...(state.scheduledFor !== undefined && { scheduled_for: date(state.scheduledFor) }),
    ...(state.startsAt !== undefined && { starts_at: date(state.startsAt) }),
    ...(state.sentAt !== undefined && { sent_at: date(state.sentAt) }),
    ...(state.completedAt !== undefined && { completed_at: date(state.completedAt) })
  })

const stateColumns = `status, paused, status_reason, scheduled_for, starts_at, estimated_recipients, sent_at, completed_at`

const recipientColumns = `recipient_id as key, contact_id as "contactId", nullif(to_email, '') as email, id as "emailId", variant,
  status, case when status = 'SUPPRESSED' then suppression_reason end as reason, sent_at as "sentAt",
  delivered_at as "deliveredAt", opened_at as "openedAt", clicked_at as "clickedAt", bounced_at as "bouncedAt",
  case when error_code is not null then jsonb_build_object('code', error_code, 'message', coalesce(error_message, ''))
    end as error`

export const layer: Layer.Layer<CampaignStore, never, SqlClient.SqlClient> = Layer.effect(
  CampaignStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { publicUrl } = yield* Settings
    const archiveUrl = sql`
      case when archive and type = 'MARKETING' then ${`${publicUrl}/archive/`}::text || campaigns.project_id || '/' || campaigns.id
        end as "archiveUrl"`
    const columns = sql`${sql.literal(campaignColumns)}, ${archiveUrl}`
    const from = sql.literal(`from campaigns ${tally}`)

    const byId = (project: ProjectId, id: CampaignId) => sql`project_id = ${project} and id = ${id}`
    const ofCampaign = (project: ProjectId, id: CampaignId) => sql`project_id = ${project} and campaign_id = ${id}`
    const one = (project: ProjectId, id: CampaignId) =>
      sql`select ${columns} ${from} where campaigns.${byId(project, id)}`

    const matching = (project: ProjectId, { parentId, status, search }: CampaignFilter) =>
      sql.and([
        sql`campaigns.project_id = ${project}`,
        ...(status === undefined ? [] : [sql`status = ${status}`]),
        ...(parentId === undefined ? [] : [sql`parent_id = ${parentId}`]),
        ...(search ? [sql.or(["name", "subject", "from_email"].map((column) => contains(sql, column, search)))] : [])
      ])

    const ordered = ({ sort, dir }: CampaignOrder) => sql.literal(`${sortColumns[sort]} ${dir}, id ${dir}`)

    const recipients = (project: ProjectId, id: CampaignId, { status, variant, search }: RecipientFilter) =>
      sql.and([
        ofCampaign(project, id),
        sql`recipient_id is not null`,
        ...(status === undefined ? [] : [sql`status = ${status}`]),
        ...(variant === undefined ? [] : [sql`variant = ${variant}`]),
        ...(search ? [contains(sql, "to_email", search)] : [])
      ])

    const isAfter = ({ id }: Position) => sql`recipient_id > ${id}::uuid`

    return CampaignStore.of({
      insert: Effect.fn("CampaignStore.insert")(function* (project, id, content, now) {
        const at = DateTime.toDate(now)
        yield* sql`
          insert into campaigns (id, project_id, status, created_at, updated_at, ${sql.literal(contentColumns)})
          select ${id}::uuid, ${project}::uuid, 'DRAFT', ${at}::timestamptz, ${at}::timestamptz,
                 ${sql.literal(contentColumns)}
          from jsonb_populate_record(null::campaigns, ${record(content)}::text::jsonb)`
        const [campaign] = yield* oneRow(yield* one(project, id))
        return campaign
      }, Effect.orDie),
      find: (project, id) => one(project, id).pipe(Effect.flatMap(rows), Effect.map(Array.head), Effect.orDie),
      lock: Effect.fn("CampaignStore.lock")(function* (project, id) {
        yield* sql`select id from campaigns where ${byId(project, id)} for no key update`
        return Array.head(yield* rows(yield* one(project, id)))
      }, Effect.orDie),
      list: (project, filter, order, { limit, offset }) =>
        sql`
          with page as materialized (
            select * from campaigns where ${matching(project, filter)}
            order by ${ordered(order)} limit ${limit} offset ${offset}
          )
          select ${sql.literal(campaignSummaryColumns)}, ${archiveUrl} from page as campaigns ${sql.literal(tally)}
          order by ${ordered(order)}`.pipe(Effect.flatMap(summaryRows), Effect.orDie),
      count: (project, filter) =>
        countOf(sql`select count(*)::int as count from campaigns where ${matching(project, filter)}`),
      update: (project, id, content, now, updatedAt) =>
        sql`
          update campaigns as stored set (${sql.literal(contentColumns)}, updated_at) = (
            select ${sql.literal(contentColumns)},
                   case when next is distinct from stored then ${changedAt(sql, "stored.updated_at", now)}
                        else stored.updated_at end
            from jsonb_populate_record(stored, ${record(content)}::text::jsonb) as next
          )
          where ${byId(project, id)} and ${isUnchanged(sql, "updated_at", updatedAt)} returning id`.pipe(
          Effect.map(Array.isReadonlyArrayNonEmpty),
          Effect.orDie
        ),
      setState: (project, id, state, now) =>
        sql`
          update campaigns as stored set (${sql.literal(stateColumns)}, updated_at, scheduled_at) = (
            select ${sql.literal(stateColumns)},
                   case when next is distinct from stored then ${changedAt(sql, "stored.updated_at", now)}
                        else stored.updated_at end,
                   case when next.status = 'SCHEDULED' then ${DateTime.toDate(now)}::timestamptz
                        else stored.scheduled_at end
            from jsonb_populate_record(stored, ${stateRecord(state)}::text::jsonb) as next
          )
          where ${byId(project, id)}`.pipe(Effect.asVoid, Effect.orDie),
      setApproval: (project, id, approval, now) =>
        sql`
          update campaigns
          set approval = ${JSON.stringify(encodeApproval(approval))}::text::jsonb
                         || jsonb_build_object('content', ${sql.literal(contentHash)}),
              updated_at = ${changedAt(sql, "updated_at", now)}
          where ${byId(project, id)}`.pipe(Effect.asVoid, Effect.orDie),
      endApproval: (project, id) =>
        sql`
          update campaigns set approval = null
          where ${byId(project, id)} and approval ->> 'state' <> 'REJECTED'
            and approval ->> 'content' <> ${sql.literal(contentHash)}`.pipe(Effect.asVoid, Effect.orDie),
      recordApproval: (project, id, name, now) =>
        recordApproval(sql, name, byId(project, id), now).pipe(Effect.asVoid, Effect.orDie),
      setRecurrence: (project, id, recurrence, dueAt, now) => {
        const encoded = encodeRecurrence(recurrence)
        return sql`
          update campaigns
          set recurrence = ${encoded && JSON.stringify(encoded)}::text::jsonb, recurs_at = ${date(dueAt)}::timestamptz,
              updated_at = ${changedAt(sql, "updated_at", now)}
          where ${byId(project, id)}`.pipe(Effect.asVoid, Effect.orDie)
      },
      countRecurring: Effect.fn("CampaignStore.countRecurring")(function* (project) {
        yield* sql`select id from projects where id = ${project} for no key update`
        return yield* countOf(sql`
          select count(*)::int as count from campaigns
          where project_id = ${project} and recurs_at is not null and status = 'DRAFT'`)
      }, Effect.orDie),
      setOccurrence: (project, id, parent, occurrence) =>
        sql`
          update campaigns set parent_id = ${parent}::uuid, occurrence = ${date(occurrence)}::timestamptz
          where ${byId(project, id)}`.pipe(Effect.asVoid, Effect.orDie),
      delete: Effect.fn("CampaignStore.delete")(function* (project, id) {
        yield* removeGoal(sql, project, id)
        yield* sql`delete from campaign_audiences where ${ofCampaign(project, id)}`
        yield* sql`
          with ${dropTotals(sql, project, sql`${id}::uuid`)} delete from campaigns where ${byId(project, id)}`
        for (const table of [
          "campaign_counts",
          "campaign_results",
          "campaign_hours",
          "campaign_deltas",
          "campaign_holdouts",
          "campaign_reached",
          "campaign_revenues",
          "campaign_uplifts",
          "mailing_rates"
        ]) {
          yield* sql`delete from ${sql(table)} where ${ofCampaign(project, id)}`
        }
      }, Effect.orDie),
      topic: Effect.fn("CampaignStore.topic")(function* (project, topicId) {
        if (topicId === null) return null
        const [row] = yield* topicRows(
          yield* sql`
            select ${topicJson(sql)} as topic from topics as topic where project_id = ${project} and id = ${topicId}`
        )
        return row?.topic ?? null
      }, Effect.orDie),
      countAudience: (audience, consent, { id, holdout, recipientsOf }) =>
        countOf(
          liveQuery(
            sql,
            sql`
              select count(*)::int as count from contacts
              where ${audienceSql(sql, audience, consent, recipientsOf)}
                and not ${isHeldOut(sql, id, holdout, sql`contacts.id`)}`
          )
        ),
      freeze: Effect.fn("CampaignStore.freeze")(function* (project, campaign, audience, consent, terms) {
        const { id, experiment, holdout, recipientsOf } = campaign
        const cohorts = { holdout, testShare: experiment?.testShare ?? 1 }
        const [frozen] = yield* frozenRow(
          yield* freezeAudience(sql, project, id, audience, consent, recipientsOf, cohorts)
        )
        const { recipients, heldOut } = frozen
        yield* sql`
          with recursive ${usedPartials(sql, project, sql`select unnest(partials) from campaigns where ${byId(project, id)}`)}
          insert into mailings (project_id, campaign_id, is_open, subject, preheader, body, text, text_language, translations,
                                layout, partials, from_email, from_name, reply_to, type, template_id, template_version, tracking,
                                project_name, language, link_host, topic_id, topic, preferences_url, policy, timing, expires_at, priority,
                                variants)
          select project_id, id, true, subject, preheader, body, text, language,
                 (select coalesce(jsonb_object_agg(tag, texts - 'source'), '{}')
                  from jsonb_each(translations) as local(tag, texts)), layout,
                 coalesce((select jsonb_object_agg(name, jsonb_build_object('body', body, 'text', text))
                           from used_partials), '{}'), from_email,
                 coalesce(from_name, ${terms.projectName}), reply_to, type, template_id, template_version, ${terms.tracking}, ${terms.projectName}, ${terms.language},
                 (select link_host from domains where domains.project_id = campaigns.project_id
                  and domains.domain = split_part(from_email, '@', 2) and link_status = 'ACTIVE'),
                 topic_id, ${consent.topic && JSON.stringify(consent.topic)}::text::jsonb, ${terms.preferencesUrl}, policy,
                 ${terms.timing && JSON.stringify(terms.timing)}::text::jsonb, (delivery ->> 'expiresAt')::timestamptz, priority,
                 ${experiment?.variants.length ?? null}::smallint
          from campaigns where ${byId(project, id)}`
        yield* sql`
          insert into mailing_rates (project_id, campaign_id, per_minute)
          select project_id, id, (delivery ->> 'ratePerMinute')::int from campaigns
          where ${byId(project, id)} and delivery ->> 'ratePerMinute' is not null`
        yield* sql`
          update campaigns
          set audience = ${recipients}, estimated_recipients = ${recipients},
              holdout_size = ${holdout === null ? null : heldOut}
          where ${byId(project, id)}`
        if (recipients + heldOut === 0) return frozen
        if (experiment !== null && recipients > 0) {
          yield* beginExperiment(sql, project, campaign, experiment, terms.projectName, audience.scope.now)
        }
        yield* openGoal(sql, project, campaign)
        return frozen
      }, Effect.orDie),
      setOpen: (project, id, open) =>
        sql`update mailings set is_open = ${open} and not expiring where ${ofCampaign(project, id)}`.pipe(
          Effect.asVoid,
          Effect.orDie
        ),
      recordPause: (project, id, paused, now) => {
        const at = DateTime.toDate(now)
        return sql`
          update mailings set holds = ${mailingHeld(sql, "PAUSED", at, paused ? null : at)}
          where ${ofCampaign(project, id)}`.pipe(Effect.asVoid, Effect.orDie)
      },
      stop: (project, id) =>
        sql`update mailings set is_open = false, stopped = true where ${ofCampaign(project, id)}`.pipe(
          Effect.asVoid,
          Effect.orDie
        ),
      recordCancelled: (project, id, now) =>
        recordCampaignEnds(
          sql,
          "campaign.cancelled",
          sql`select ${project}::uuid as project_id, ${id}::uuid as id`,
          now
        ).pipe(Effect.asVoid, Effect.orDie),
      retry: (project, id, includeAmbiguous, now) =>
        countOf(sql`
          with retried as (
            update emails set status = 'PENDING', lane = 2, due_at = ${DateTime.toDate(now)},
                   ladder_since = ${DateTime.toDate(now)}, ladder_step = 0, breaks = 0, ambiguities = 0, deaths = 0,
                   error_code = null, error_message = null, updated_at = ${DateTime.toDate(now)},
                   retried_at = retried_at || ${DateTime.toDate(now)}::timestamptz
            where ${ofCampaign(project, id)} and recipient_id is not null
              and status in ${sql.in(includeAmbiguous ? ["FAILED", "AMBIGUOUS"] : ["FAILED"])}
            returning id
          )
          select count(*)::int as count from retried`),
      counters: (project, id) =>
        sql`select ${sql.literal(`${sizes}, ${countersOf}`)} ${from} where campaigns.${byId(project, id)}`.pipe(
          Effect.flatMap(counterRows),
          Effect.map(Array.head),
          Effect.orDie
        ),
      conversions: (project, id) =>
        sql`
          select currency, sum(conversions)::int as converted, sum(events)::int as events, sum(amount)::float8 as amount
          from conversion_totals where project_id = ${project} and owner = 'CAMPAIGN' and owner_id = ${id}
          group by currency order by currency`.pipe(
          Effect.flatMap(sumRows),
          Effect.map((sums) => ({
            convertedCount: sums.reduce((total, { converted }) => total + converted, 0),
            conversionEvents: sums.reduce((total, { events }) => total + events, 0),
            revenue: sums.flatMap(({ currency, amount }) => (currency === "" ? [] : [{ currency, amount }]))
          })),
          Effect.orDie
        ),
      reached: (project, id) =>
        sql`select treated, held_out as "heldOut" from campaign_uplifts where ${ofCampaign(project, id)}`.pipe(
          Effect.flatMap(reachedRows),
          Effect.map(([counts = { treated: 0, heldOut: 0 }]) => counts),
          Effect.orDie
        ),
      providers: (project, id) => {
        const list = sql.literal(resultColumns.join(", "))
        const own = sql`${ofCampaign(project, id)} and provider <> ''`
        return sql`
          select provider, ${sql.literal(providerSums)}
          from (
            select provider, ${list} from campaign_results where ${own}
            union all
            select provider, ${list} from campaign_deltas where ${own}
          ) as parts
          group by provider having (${sql.literal(providerColumns.map((name) => `sum(${name})`).join(", "))})
            is distinct from (${sql.literal(providerColumns.map(() => "0").join(", "))})
          order by sent desc, provider`.pipe(Effect.flatMap(providerRows), Effect.orDie)
      },
      recipients: (project, id, filter, limit, after) =>
        sql`
          select ${sql.literal(recipientColumns)} from emails
          where ${sql.and([recipients(project, id, filter), ...(after ? [isAfter(after)] : [])])}
          order by recipient_id limit ${limit}`.pipe(
          Effect.flatMap(recipientRows),
          Effect.map((found) => found.map(({ key, ...recipient }) => ({ key, recipient }))),
          Effect.orDie
        ),
      countRecipients: (project, id, filter) =>
        countOf(sql`select count(*)::int as count from emails where ${recipients(project, id, filter)}`)
    })
  })
)
