/** The statements of opens and clicks. The caller runs them in one transaction. */

import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Record, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SourceContent } from "../../content/links/LinkTotals.ts"
import { textsOf } from "../../content/links/SourceLinks.ts"
import type { NewEvent } from "../../events/EventLog.ts"
import { heldContacts } from "../../events/HeldContacts.ts"
import { type NextDue, nextDue } from "../../platform/jobs/Agenda.ts"
import { isNamed } from "../ledger/ErasureSql.ts"
import type { LedgerEntry } from "../ledger/Ledger.ts"
import { entryColumns, entryFields } from "../ledger/LedgerRow.ts"
import type { BotVerdict } from "./BotDetection.ts"
import type { KnownHit } from "./EngagementRules.ts"

/** A mail with hits. It is locked until the transaction ends, so hits of one mail are written one after the other. */
export interface HitMail extends LedgerEntry {
  readonly projectId: ProjectId
  readonly sentAt: DateTime.Utc | null
  readonly openedAt: DateTime.Utc | null
  readonly clickedAt: DateTime.Utc | null
  readonly opens: number
  readonly clicks: number
  readonly test: boolean
  readonly variant: string | null
  readonly workflowStepId: string | null
}

/** A stored hit that new hits are compared with. */
export interface RecentHit extends KnownHit {
  readonly emailId: EmailId
}

export interface NewHit {
  readonly projectId: ProjectId
  readonly emailId: EmailId
  readonly id: string
  readonly at: DateTime.Utc
  readonly kind: "open" | "click"
  readonly link: number | null
  readonly url: string | null
  readonly verdict: BotVerdict
  readonly ordinal: number
  readonly eventDueAt: DateTime.Utc | null
}

/** The owners for whose totals the clicks of a mail count. */
export interface Owners {
  readonly campaignId: string | null
  readonly templateId: string | null
  readonly stepId: string | null
  /** Of the mail, by which the campaign counts it. */
  readonly variant: string | null
}

/** A click that counts for links of owners. `first`: no earlier click of this batch is on that link of the mail. */
export interface LinkHit extends Owners {
  readonly id: string
  readonly projectId: ProjectId
  readonly emailId: EmailId
  readonly machine: boolean
  readonly campaignLink: string | null
  readonly campaignFirst: boolean
  readonly templateLink: string | null
  readonly templateFirst: boolean
}

/** The changes that hits make to a mail. The numbers are added to its counters. */
export interface MailChange {
  readonly projectId: ProjectId
  readonly id: EmailId
  readonly opens: number
  readonly clicks: number
  readonly machineOpens: number
  readonly machineClicks: number
  readonly openedAt: DateTime.Utc | null
  readonly clickedAt: DateTime.Utc | null
}

export interface Changes {
  readonly hits: ReadonlyArray<NewHit>
  readonly links: ReadonlyArray<LinkHit>
  readonly corrected: ReadonlyArray<
    Owners & { readonly projectId: ProjectId; readonly emailId: EmailId; readonly id: string }
  >
  readonly mails: ReadonlyArray<MailChange>
  readonly events: ReadonlyArray<NewEvent & { readonly id: string; readonly projectId: ProjectId }>
}

/** A click with its final verdict, and the current mail. */
export interface DueClick {
  readonly projectId: ProjectId
  readonly at: DateTime.Utc
  readonly url: string | null
  readonly verdict: BotVerdict
  readonly ordinal: number
  readonly mail: LedgerEntry
  readonly clickedAt: DateTime.Utc | null
}

type MailKey = { readonly projectId: ProjectId; readonly emailId: EmailId }

const nullable = Schema.NullOr(Schema.String)
const moment = Schema.NullOr(Schema.DateTimeUtcFromDate)

const mailRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      ...entryFields,
      projectId: ProjectId,
      sentAt: moment,
      openedAt: moment,
      clickedAt: moment,
      opens: Schema.Int,
      clicks: Schema.Int,
      test: Schema.Boolean,
      variant: nullable,
      workflowStepId: nullable
    })
  )
)

const sourceRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      body: Schema.String,
      translations: Schema.Record(Schema.String, Schema.Struct({ body: Schema.String })),
      layout: nullable,
      partials: Schema.NullOr(Schema.Record(Schema.String, Schema.Struct({ body: Schema.String })))
    })
  )
)

const heldRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))

const verdict = Schema.Literals(["human", "machine"])

const recentRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      emailId: EmailId,
      id: Schema.String,
      target: Schema.String,
      isClick: Schema.Boolean,
      at: Schema.Finite,
      verdict
    })
  )
)

const dueRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      ...entryFields,
      projectId: ProjectId,
      at: Schema.DateTimeUtcFromDate,
      url: nullable,
      verdict,
      ordinal: Schema.Int,
      clickedAt: moment
    })
  )
)

/** The statuses that an open or a click changes: the mail was sent, or the hit proves that it was. */
const beforeOpen = `('SENT', 'DELIVERED', 'AMBIGUOUS', 'FAILED')`
const beforeClick = `('SENT', 'DELIVERED', 'OPENED', 'AMBIGUOUS', 'FAILED')`
/** A copy belongs to no contact. Once its recipient was erased, its hits are not recorded. */
const isCopy = `emails.recipient_type <> 'TO' and ${isNamed}`
const isUncertain = `emails.status in ('AMBIGUOUS', 'FAILED')`

/** When the event of the next click is due. */
export const nextClick = (sql: SqlClient.SqlClient): NextDue =>
  nextDue(sql`select min(event_due_at) from email_hits where event_due_at is not null`)

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`
  const textsIn = (statement: Effect.Effect<unknown, unknown>) =>
    Effect.map(
      Effect.flatMap(statement, sourceRows),
      (found): SourceContent => ({
        texts: found.flatMap(textsOf),
        layout: found[0]?.layout ?? null,
        partials: found[0]?.partials ? Record.map(found[0].partials, ({ body }) => body) : undefined
      })
    )
  const keys = (mails: unknown) => sql`jsonb_to_recordset(${json(mails)}) as wanted("projectId" uuid, "emailId" uuid)`

  return {
    /** Locks the mails that exist, and still have their contact or are copies. */
    lock: Effect.fn("EngagementSql.lock")(function* (
      mails: ReadonlyArray<MailKey>
    ): Effect.fn.Return<ReadonlyArray<HitMail>, unknown> {
      // Contacts first, then mails in the order of their key, so that two transactions do not deadlock. The second statement
      // sees the mails that lost their contact meanwhile.
      const contacts = sql`
        select project_id, contact_id from emails
        join ${keys(mails)} on project_id = wanted."projectId" and emails.id = wanted."emailId"`
      const held = yield* heldRows(yield* heldContacts(sql, contacts))
      const rows = yield* sql`
        select ${sql.literal(entryColumns)}, project_id as "projectId", sent_at as "sentAt", opened_at as "openedAt",
               clicked_at as "clickedAt", opens, clicks, test, variant, workflow_step_id as "workflowStepId"
        from emails join ${keys(mails)} on project_id = wanted."projectId" and emails.id = wanted."emailId"
        where contact_id = any(${held.map(({ id }) => id)}::uuid[]) or ${sql.literal(isCopy)}
        order by project_id, emails.id for no key update of emails`
      return yield* mailRows(rows)
    }, Effect.orDie),
    /** The texts that the mail of a campaign is made from. */
    campaignTexts: (project: ProjectId, id: string) =>
      textsIn(sql`
        select body, translations, layout, partials from mailings where project_id = ${project} and campaign_id = ${id}::uuid
        union all
        select body, translations, null, null from mailing_variants where project_id = ${project} and campaign_id = ${id}::uuid`),
    /** The texts of a version of a template. Those of the live version, if it is not kept or there was none. */
    templateTexts: (project: ProjectId, id: string, version: number | null) =>
      textsIn(sql`
        select coalesce(content ->> 'body', templates.body) as body,
               coalesce(content -> 'translations', templates.translations) as translations,
               case when content is null then layout else content ->> 'layout' end as layout, null as partials
        from templates left join content_versions
          on content_versions.project_id = ${project} and owner_id = templates.id
             and content_versions.version = ${version}::int
        where templates.project_id = ${project} and templates.id = ${id}::uuid`),
    /** Hits of these mails from `from` until `until`, both included. */
    around: Effect.fn("EngagementSql.around")(function* (
      mails: ReadonlyArray<MailKey>,
      from: DateTime.Utc,
      until: DateTime.Utc
    ): Effect.fn.Return<ReadonlyArray<RecentHit>, unknown> {
      const rows = yield* sql`
        select email_id as "emailId", id, kind || ' ' || coalesce(link::text, url, '') as target,
               kind = 'click' as "isClick", (extract(epoch from at) * 1000)::float8 as at, verdict
        from email_hits join ${keys(mails)} on project_id = wanted."projectId" and email_id = wanted."emailId"
        where at between ${DateTime.toDate(from)}::timestamptz and ${DateTime.toDate(until)}::timestamptz`
      return yield* recentRows(rows)
    }, Effect.orDie),
    /** Writes everything in one statement. A status only advances, to OPENED or CLICKED. */
    write: Effect.fn("EngagementSql.write")(function* (
      { hits, links, corrected, mails, events }: Changes,
      now: DateTime.Utc
    ) {
      const at = DateTime.toDate(now)
      const linked = sql`
        linked as materialized (
          select * from jsonb_to_recordset(${json(links)}) as linked(id uuid, "projectId" uuid, "emailId" uuid,
            machine boolean, "campaignId" uuid, "templateId" uuid, "stepId" uuid, variant text, "campaignLink" uuid,
            "templateLink" uuid, "campaignFirst" boolean, "templateFirst" boolean)
        ),`
      const isNew = (column: "campaign_link" | "template_link", link: string) => sql`
        not exists (select from email_hits where project_id = "projectId" and email_id = "emailId"
                    and ${sql.literal(`${column} = "${link}"`)})`
      const ownersOf = (campaignLink: string, templateLink: string) => sql`
        cross join lateral (
          values ("campaignId", ${sql.literal(campaignLink)}, true), ("templateId", ${sql.literal(templateLink)}, false),
                 ("stepId", ${sql.literal(templateLink)}, false)
        ) as owners (owner, link, is_campaign)
        where owner is not null and link is not null`
      // The hits of this statement are not in `email_hits` yet, and corrected ones are there as they were.
      const people = sql`
        people as (
          select project_id, owner, link, case when is_campaign then variant end as variant,
                 after::int - before::int as people
          from (
            select "projectId" as project_id, "emailId" as email_id, variant, owner, link, is_campaign
            from linked ${ownersOf('"campaignLink"', '"templateLink"')}
            union
            select project_id, email_id, variant, owner, link, is_campaign
            from corrected ${ownersOf("campaign_link", "template_link")}
          ) as touched
          cross join lateral (
            select count(*) > 0 as before,
                   count(*) filter (where not exists (select from corrected where corrected.id = hit.id)) > 0 as remains
            from email_hits as hit
            where hit.project_id = touched.project_id and hit.email_id = touched.email_id and hit.verdict = 'human'
              and case when is_campaign then hit.campaign_link else hit.template_link end = touched.link
          ) as known
          cross join lateral (
            select remains or exists (
              select from linked
              where linked."emailId" = touched.email_id and not machine
                and case when is_campaign then "campaignLink" else "templateLink" end = touched.link
            ) as after
          ) as afterwards
          where before <> after
        ),`
      const counted = sql`
        counted as (
          insert into link_deltas (project_id, owner_id, link, variant, clicks, unique_clicks, machine_clicks, human_clicks)
          select "projectId", owner, link, coalesce(of_variant, ''), sum(clicks), sum(uniques), sum(machines), sum(people)
          from (
            select "projectId", owner, link, of_variant, 1 as clicks, is_first::int as uniques, machine::int as machines, 0 as people
            from linked cross join lateral (
              values ("campaignId", "campaignLink", "campaignFirst" and ${isNew("campaign_link", "campaignLink")}, variant),
                     ("templateId", "templateLink", "templateFirst" and ${isNew("template_link", "templateLink")}, null),
                     ("stepId", "templateLink", "templateFirst" and ${isNew("template_link", "templateLink")}, null)
            ) as owners (owner, link, is_first, of_variant)
            union all
            select project_id, owner, link, variant, 0, 0, 0, people from people
            union all
            select project_id, owner, link, of_variant, 0, 0, 1, 0
            from corrected cross join lateral (
              values ("campaignId", campaign_link, variant), ("templateId", template_link, null),
                     ("stepId", template_link, null)
            ) as owners (owner, link, of_variant)
          ) as parts
          where owner is not null and link is not null
          group by 1, 2, 3, 4
        ),`
      const countsLinks = links.length + corrected.length > 0
      yield* sql`
        with ${countsLinks ? linked : sql``} hit as (
          insert into email_hits (project_id, email_id, at, id, kind, link, url, verdict, ordinal, event_due_at${
            countsLinks ? sql`, campaign_link, template_link` : sql``
          })
          select hit."projectId", hit."emailId", at, hit.id, kind, link, url, verdict, ordinal, "eventDueAt"${
            countsLinks ? sql`, "campaignLink", "templateLink"` : sql``
          }
          from jsonb_to_recordset(${json(hits)}) as hit("projectId" uuid, "emailId" uuid, at timestamptz, id uuid,
            kind text, link int, url text, verdict text, ordinal int, "eventDueAt" timestamptz)
          ${countsLinks ? sql`left join linked on linked.id = hit.id` : sql``}
        ),
        corrected as (
          update email_hits set verdict = 'machine'
          from jsonb_to_recordset(${json(corrected)}) as given("projectId" uuid, "emailId" uuid, id uuid,
            "campaignId" uuid, "templateId" uuid, "stepId" uuid, variant text)
          where project_id = given."projectId" and email_id = given."emailId" and email_hits.id = given.id
          returning email_hits.project_id, email_hits.email_id, email_hits.id, campaign_link, template_link, "campaignId",
                    "templateId", "stepId", given.variant
        ),
        ${countsLinks ? sql`${people} ${counted}` : sql``}
        recorded as (
          insert into events (id, project_id, contact_id, email_id, name, source, data, created_at)
          select id, "projectId", contact, email, name, source, data, ${at}::timestamptz
          from jsonb_to_recordset(${json(events)}) as event(id uuid, "projectId" uuid, contact uuid, email uuid,
            name text, source text, data jsonb)
        )
        update emails set
          opens = emails.opens + change.opens, clicks = emails.clicks + change.clicks,
          machine_opens = machine_opens + "machineOpens", machine_clicks = machine_clicks + "machineClicks",
          opened_at = coalesce(opened_at, "openedAt"), clicked_at = coalesce(clicked_at, "clickedAt"),
          status = case
            when "clickedAt" is not null and status in ${sql.literal(beforeClick)} then 'CLICKED'
            when "openedAt" is not null and status in ${sql.literal(beforeOpen)} then 'OPENED'
            else status end,
          sent_at = case when ${sql.literal(isUncertain)} then coalesce(sent_at, "openedAt", "clickedAt")
                    else sent_at end,
          failed_at = case when status = 'FAILED' then null else failed_at end,
          updated_at = ${at}::timestamptz
        from jsonb_to_recordset(${json(mails)}) as change("projectId" uuid, id uuid, opens int, clicks int,
          "machineOpens" int, "machineClicks" int, "openedAt" timestamptz, "clickedAt" timestamptz)
        where emails.project_id = change."projectId" and emails.id = change.id
          and (change.opens > 0 or change.clicks > 0)`
    }, Effect.orDie),
    takeDueClicks: Effect.fn("EngagementSql.takeDueClicks")(function* (
      now: DateTime.Utc,
      limit: number
    ): Effect.fn.Return<ReadonlyArray<DueClick>, unknown> {
      const rows = yield* sql`
        with due as materialized (
          select project_id, email_id, at, id from email_hits
          where event_due_at <= ${DateTime.toDate(now)}::timestamptz
          order by event_due_at limit ${limit} for update skip locked
        ),
        taken as (
          update email_hits set event_due_at = null from due
          where email_hits.project_id = due.project_id and email_hits.email_id = due.email_id
            and email_hits.at = due.at and email_hits.id = due.id
          returning email_hits.*
        )
        select ${sql.literal(entryColumns)}, taken.project_id as "projectId", taken.at, taken.url, taken.verdict,
               taken.ordinal, clicked_at as "clickedAt"
        from taken join emails on emails.project_id = taken.project_id and emails.id = taken.email_id
        where emails.contact_id is not null or ${sql.literal(isCopy)}
        order by taken.at, taken.id`
      const found = yield* dueRows(rows)
      return found.map(({ projectId, at, url, verdict, ordinal, clickedAt, ...mail }) => ({
        projectId,
        at,
        url,
        verdict,
        ordinal,
        clickedAt,
        mail
      }))
    }, Effect.orDie)
  }
})
