/**
 * The second hot query of the sender: all attempts that begin and all mails that settle since the last time, in one
 * durable statement, however many there are.
 *
 * Every row is fenced by worker and claim: what a worker writes after its lease was taken away meets no row. A begun
 * attempt is a time on the mail; it becomes a row of the log when it ends, or when the worker is found dead.
 */
import type { SqlClient, Statement } from "effect/sql"
import { noteChanges } from "../segments/ChangeNotes.ts"
import type { AttemptMark, Settlement } from "./DeliveryQueue.ts"

/** The column that says when a mail came into a state for the first time. */
const since = (status: string, column: string) =>
  `${column} = case when settled.status = '${status}' then coalesce(${column}, settled.at) else ${column} end`

const moments = [
  since("SENT", "sent_at"),
  since("BOUNCED", "bounced_at"),
  since("FAILED", "failed_at"),
  since("SUPPRESSED", "suppressed_at"),
  since("CANCELLED", "cancelled_at"),
  // At hand-over only a refused address is a bounce.
  "bounced_for_good = bounced_for_good or settled.status = 'BOUNCED'"
].join(", ")

/** Mail may be opened before its hand-over is on record; a scanner on the way is enough. */
const settledStatus = `case
  when settled.status = 'SENT' and clicked_at is not null then 'CLICKED'
  when settled.status = 'SENT' and opened_at is not null then 'OPENED'
  else settled.status end`

export const mark = (
  sql: SqlClient.SqlClient,
  worker: string,
  begun: ReadonlyArray<AttemptMark>,
  settled: ReadonlyArray<Settlement & { readonly eventId: string | null; readonly providerId: string | null }>
): Statement.Statement<unknown> => {
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`
  const mine = (alias: string) =>
    sql`emails.project_id = ${sql.literal(alias)}."projectId" and emails.id = ${sql.literal(alias)}.id
        and emails.status = 'SENDING' and emails.worker = ${worker}::uuid and emails.claim = ${sql.literal(alias)}.claim`
  return sql`
    with begun as (
      update emails set begun_at = mark.at
      from jsonb_to_recordset(${json(begun)}) as mark("projectId" uuid, id uuid, claim int, at timestamptz)
      where ${mine("mark")} and (emails.begun_at is null or emails.begun_at = mark.at)
      returning emails.id
    ),
    given as materialized (
      select * from jsonb_to_recordset(${json(settled)}) as settled(
        "projectId" uuid, id uuid, claim int, at timestamptz, status text, "dueAt" timestamptz, attempts int,
        "ladderStep" int, breaks int, ambiguities int, error jsonb, suppression text, attempt jsonb, event jsonb,
        "eventId" uuid, "providerId" text)
    ),
    moved as (
      update emails set
        status = ${sql.literal(settledStatus)}, worker = null, deaths = 0, updated_at = settled.at, attempts = settled.attempts,
        due_at = case settled.status when 'PENDING' then settled."dueAt"
                 when 'AMBIGUOUS' then coalesce(settled."dueAt", 'infinity') else due_at end,
        ladder_step = settled."ladderStep", breaks = settled.breaks, ambiguities = settled.ambiguities,
        error_code = settled.error ->> 'code', error_message = settled.error ->> 'message',
        suppression_reason = settled.suppression, ${sql.literal(moments)}
      from given as settled
      where ${mine("settled")}
      returning emails.project_id, emails.id, emails.begun_at
    ),
    logged as (
      insert into email_attempts (project_id, email_id, number, started_at, ended_at, transport, remote_host, outcome,
                                  code, enhanced_code, reply)
      select moved.project_id, moved.id, given.attempts, coalesce(moved.begun_at, given.at), given.at,
             attempt ->> 'transport', attempt ->> 'remoteHost', attempt ->> 'outcome', (attempt ->> 'code')::int,
             attempt ->> 'enhancedCode', attempt ->> 'reply'
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
    told as (
      insert into events (id, project_id, contact_id, email_id, name, source, data, created_at)
      select "eventId", moved.project_id, contacts.id, moved.id, event ->> 'name', event ->> 'source', event -> 'data',
             given.at
      from moved join given on given.id = moved.id and given."projectId" = moved.project_id
      left join contacts
        on contacts.project_id = moved.project_id and contacts.id = (event ->> 'contact')::uuid
      where jsonb_typeof(event) = 'object'
      returning project_id, contact_id, name
    ),
    noted as (${noteChanges(sql, sql`select project_id, contact_id, array['event.' || name] from told`)})
    select id from begun union all select id from moved`
}
