/**
 * The second hot query of the sender: stores many begun attempts and many results in one durable statement.
 *
 * Worker and claim fence every row: a worker that lost its lease changes no row. A begun attempt is the column `begun_at`
 * of the mail. It becomes a row of `email_attempts` when it ends, or when its worker is found dead.
 *
 * If the recipient was erased during the transmission, only the status is stored, without an event and without the reply
 * of the server.
 */
import type { SqlClient, Statement } from "effect/sql"
import { takesSql } from "../../audience/contacts/MailConsent.ts"
import type { SuppressedAddress } from "../../audience/suppression/SuppressedAddress.ts"
import { eventChanges, noteChanges } from "../../events/ChangeNotes.ts"
import { afterHeld, heldContacts } from "../../events/HeldContacts.ts"
import { asksConsentSql } from "../Eligibility.ts"
import { isNamed } from "../ledger/ErasureSql.ts"
import type { AttemptMark, Settlement } from "./DeliveryQueue.ts"

/** Sets the time of a status, unless it is set already. */
const since = (status: string, column: string) =>
  `${column} = case when settled.status = '${status}' then coalesce(${column}, settled.at) else ${column} end`

const moments = [
  since("SENT", "sent_at"),
  since("BOUNCED", "bounced_at"),
  since("FAILED", "failed_at"),
  since("SUPPRESSED", "suppressed_at"),
  since("CANCELLED", "cancelled_at"),
  // In the SMTP session, only a refused address is a bounce.
  "bounced_for_good = bounced_for_good or settled.status = 'BOUNCED'"
].join(", ")

/** A mail may be opened before its acceptance is stored, for example by a scanner of the receiving server. */
const settledStatus = `case
  when settled.status = 'SENT' and clicked_at is not null then 'CLICKED'
  when settled.status = 'SENT' and opened_at is not null then 'OPENED'
  else settled.status end`

/** The entry of a reason keeps the time at which it was made, and becomes the last one. */
const heldNow = `
  (select coalesce(jsonb_agg(entry), '[]') from jsonb_array_elements(coalesce(holds, '[]')) as earlier (entry)
   where entry ->> 'reason' <> settled.hold)
  || jsonb_build_array(jsonb_build_object('reason', settled.hold, 'until', settled."dueAt", 'at', coalesce(
    (select entry -> 'at' from jsonb_array_elements(coalesce(holds, '[]')) as earlier (entry)
     where entry ->> 'reason' = settled.hold),
    to_jsonb(settled.at))))`

/**
 * Checks the conditions of the claim again, because some time passes between the claim and the try. The shared lock on the
 * campaign makes a pause or a cancellation wait for running marks, and apply to all later ones.
 */
const mayBeSent = (sql: SqlClient.SqlClient, suppressed: SuppressedAddress["Service"]) => sql`
  (emails.project_id, emails.campaign_id) in (
    select project_id, campaign_id from open where expires_at is null or expires_at > mark.at or emails.attempts > 0)
  and exists (select from contacts where contacts.project_id = emails.project_id and contacts.id = emails.contact_id
              and (${takesSql(sql, "contacts", { column: "emails.topic_id" }, sql`mark.at`)}
                   or not ${sql.literal(asksConsentSql)}))
  and not exists (select from suppressions where suppressions.project_id = emails.project_id
                  and suppressions.email = any(${suppressed.forms(
                    sql`emails.project_id::text`,
                    sql`coalesce(mark."to", emails.to_email)`
                  )}))`

export const mark = (
  sql: SqlClient.SqlClient,
  suppressed: SuppressedAddress["Service"],
  worker: string,
  begun: ReadonlyArray<AttemptMark>,
  settled: ReadonlyArray<Settlement & { readonly eventId: string | null; readonly providerId: string | null }>
): Statement.Statement<unknown> => {
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`
  const mine = (alias: string) =>
    sql`emails.project_id = ${sql.literal(alias)}."projectId" and emails.id = ${sql.literal(alias)}.id
        and emails.status = 'SENDING' and emails.worker = ${worker}::uuid and emails.claim = ${sql.literal(alias)}.claim`
  return sql`
    with mark as materialized (
      select "projectId", id, claim, at, mailing, frozen ->> 'to' as "to", frozen ->> 'subject' as subject,
             frozen ->> 'locale' as locale,
             frozen -> 'data' as data
      from jsonb_to_recordset(${json(begun)})
        as mark("projectId" uuid, id uuid, claim int, at timestamptz, mailing uuid, frozen jsonb)
    ),
    open as materialized (
      select mailings.project_id, mailings.campaign_id, mailings.expires_at
      from mailings join projects on projects.id = mailings.project_id
      where (mailings.project_id, mailings.campaign_id) in (select "projectId", mailing from mark) and is_open
        and projects.disabled_reason is null
      order by mailings.project_id, mailings.campaign_id
      for share of mailings
    ),
    given as materialized (
      select * from jsonb_to_recordset(${json(settled)}) as settled(
        "projectId" uuid, id uuid, claim int, at timestamptz, status text, "dueAt" timestamptz, attempts int,
        "ladderStep" int, breaks int, ambiguities int, provider text, queue smallint, error jsonb, suppression text, hold text, attempt jsonb, event jsonb,
        "eventId" uuid, "providerId" text)
    ),
    held as materialized (${heldContacts(
      sql,
      sql`select "projectId", (event ->> 'contact')::uuid from given where jsonb_typeof(event) = 'object'`
    )}),
    begun as (
      update emails set begun_at = mark.at, subject = coalesce(mark.subject, emails.subject),
             locale = coalesce(mark.locale, emails.locale),
             to_email = coalesce(mark."to", emails.to_email), frozen = coalesce(mark.data, emails.frozen)
      from mark
      where ${mine("mark")} and ${afterHeld(sql)} and (emails.begun_at is null or emails.begun_at = mark.at)
        and (mark.mailing is null or ${mayBeSent(sql, suppressed)})
      returning emails.id
    ),
    moved as (
      update emails set
        status = ${sql.literal(settledStatus)}, worker = null, deaths = 0, updated_at = settled.at, attempts = settled.attempts,
        due_at = case settled.status when 'PENDING' then settled."dueAt"
                 when 'AMBIGUOUS' then coalesce(settled."dueAt", 'infinity') else due_at end,
        ladder_since = case when settled.hold is not null then settled."dueAt" else ladder_since end,
        holds = case when settled.hold is not null then ${sql.literal(heldNow)} else holds end,
        ladder_step = settled."ladderStep", breaks = settled.breaks, ambiguities = settled.ambiguities,
        provider = coalesce(emails.provider, settled.provider), queue = coalesce(settled.queue, emails.queue),
        deferred_at = case when settled.attempt ->> 'outcome' = 'deferred' then coalesce(deferred_at, settled.at)
                      else deferred_at end,
        error_code = settled.error ->> 'code',
        error_message = case when ${sql.literal(isNamed)} then settled.error ->> 'message' end,
        suppression_reason = settled.suppression, ${sql.literal(moments)}
      from given as settled
      where ${mine("settled")} and ${afterHeld(sql)}
      returning emails.project_id, emails.id, emails.begun_at, ${sql.literal(isNamed)} as is_named
    ),
    logged as (
      insert into email_attempts (project_id, email_id, number, started_at, ended_at, transport, transport_id, tls, remote_host,
                                  outcome, code, enhanced_code, reply, dialogue, reused)
      select moved.project_id, moved.id, given.attempts, coalesce(moved.begun_at, given.at), given.at,
             attempt ->> 'transport', (attempt ->> 'transportId')::uuid, attempt ->> 'tls', attempt ->> 'remoteHost',
             attempt ->> 'outcome', (attempt ->> 'code')::int,
             attempt ->> 'enhancedCode', case when moved.is_named then attempt ->> 'reply' end,
             case when moved.is_named then attempt #> '{dialogue,lines}' end, (attempt #>> '{dialogue,reused}')::boolean
      from moved join given on given.id = moved.id and given."projectId" = moved.project_id
      where jsonb_typeof(attempt) = 'object'
    ),
    named as (
      insert into provider_ids (provider_id, project_id, email_id)
      select "providerId", moved.project_id, moved.id
      from moved join given on given.id = moved.id and given."projectId" = moved.project_id
      where "providerId" is not null
      on conflict do nothing
    ),
    recorded as (
      insert into events (id, project_id, contact_id, email_id, name, source, data, created_at)
      select "eventId", moved.project_id, held.id, moved.id, event ->> 'name', event ->> 'source', event -> 'data',
             given.at
      from moved join given on given.id = moved.id and given."projectId" = moved.project_id
      left join held on held.project_id = moved.project_id and held.id = (event ->> 'contact')::uuid
      where jsonb_typeof(event) = 'object' and moved.is_named
      returning project_id, contact_id, name
    ),
    noted as (${noteChanges(sql, eventChanges(sql, "recorded"))})
    select id from begun union all select id from moved where is_named`
}
