/**
 * The parts of a statement that record consent: the statement that changes contacts writes what proves the change, so
 * that there is no change without its record, and no record without a change.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { SqlClient, Statement } from "effect/sql"
import type { StoredProof } from "./ConsentProof.ts"

/** A change that a statement may make. Recorded if it does. */
export interface ConsentEntry {
  /** The id of the record. */
  readonly id: string
  /** Absent: the subscription itself. */
  readonly topic?: string | undefined
  readonly to: "subscribed" | "unset" | "unsubscribed"
  /** The event about a change of a topic. `quiet`: not for a new contact. */
  readonly event?: { readonly id: string; readonly quiet?: true } | undefined
}

export interface ConsentGiven {
  readonly entries: ReadonlyArray<ConsentEntry>
  /** Whether a new contact has its first record at once. */
  readonly atCreation?: true
  readonly proof: StoredProof
  /** The id of the event about a change of the subscription, where the caller records it. */
  readonly flipId?: string | undefined
}

/** What a changed row of `contacts` has to return for `consentParts`. */
export const stateColumns = `topics_on, topics_off, was_topics_on, was_topics_off, was_subscribed, proven, was_proven`

/** Sets what the write finds. The new values follow from `next`, the old ones are in `stored`. */
export const isProven = (sql: SqlClient.SqlClient, consent: Statement.Fragment): Statement.Fragment => sql`
  case when (next.subscribed, next.topics_on, next.topics_off)
            is distinct from (stored.subscribed, stored.topics_on, stored.topics_off)
         or ${consent} #> '{proof,repeats}' is not null
       then true else stored.proven end`

const columns = `project_id, id, contact_id, email, at, recorded_at, action, topic_id, topic_key, topic_name, source,
  actor, actor_user, wording_hash, wording_language, form_version, basis, evidence, ip, user_agent, email_id,
  campaign_id, form_id, opt_in_id, job_id`

/** The columns from `source` on. */
const ofProof = `proof ->> 'source', proof ->> 'actor', proof ->> 'actorUser',
  encode(sha256(convert_to(proof #>> '{wording,text}', 'UTF8')), 'hex'), proof #>> '{wording,language}',
  (proof #>> '{wording,formVersion}')::int, proof ->> 'basis', nullif(proof -> 'evidence', 'null'), proof ->> 'ip',
  proof ->> 'userAgent', (proof ->> 'emailId')::uuid, (proof ->> 'campaignId')::uuid, (proof ->> 'formId')::uuid,
  (proof ->> 'optInId')::uuid, (proof ->> 'jobId')::uuid`

/** The record that follows from a contact which has none. Its source is how the contact was made. */
export const firstOfContact = (contact: string, recordedAt: Statement.Fragment, sql: SqlClient.SqlClient) => {
  const of = (column: string) => sql.literal(`${contact}.${column}`)
  return sql`
    ${of("project_id")}, ${of("id")}, ${of("id")}, ${of("email")}, ${of("created_at")}, ${recordedAt}, 'granted',
    null::uuid, null, null, coalesce(${of("origin")}, 'api'), 'service', null, null, null, null::int, null, null::jsonb,
    null, null, null::uuid, null::uuid, case when ${of("origin")} = 'form' then ${of("origin_id")} end, null::uuid,
    case when ${of("origin")} in ('import', 'bulk') then ${of("origin_id")} end`
}

/** The columns from `source` on, of a row that has `proof`. */
export const proofColumns = (sql: SqlClient.SqlClient): Statement.Fragment => sql.literal(ofProof)

export const consentColumns = (sql: SqlClient.SqlClient): Statement.Fragment => sql.literal(columns)

/**
 * Parts of a `with`. `rows` selects the changed contacts, as the columns of a contact, `isNew`, `flipped`,
 * `stateColumns`, and `consent` (`ConsentGiven` as JSON). Afterwards `state_changes` has the changes.
 */
export const consentParts = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  rows: Statement.Fragment,
  now: Date,
  hasWording: boolean
): Statement.Fragment => sql`
  consenting as (${rows}),
  state_changes as (
    select * from (
      select contact.id as contact_id, contact.email, contact."isNew", contact.subscribed, consent -> 'proof' as proof,
             (entry ->> 'id')::uuid as id, entry ->> 'to' as target, entry -> 'event' as event,
             topic.id as topic_id, topic.key as topic_key, topic.name as topic_name, topic.default_on,
             case
               when not entry ? 'topic' then flipped and subscribed = (entry ->> 'to' = 'subscribed')
               when entry ->> 'to' = 'subscribed'
                 then coalesce(topic.id = any(topics_on), false) and not coalesce(topic.id = any(was_topics_on), false)
               when entry ->> 'to' = 'unsubscribed'
                 then coalesce(topic.id = any(topics_off), false) and not coalesce(topic.id = any(was_topics_off), false)
               else coalesce(topic.id = any(was_topics_on || was_topics_off), false)
                 and not coalesce(topic.id = any(topics_on || topics_off), false)
             end as is_change,
             consent #> '{proof,repeats}' is not null and entry ->> 'to' = 'subscribed'
               and case when entry ? 'topic' then coalesce(topic.id = any(topics_on), false)
                        else subscribed and not "isNew" end as is_repeat
      from consenting as contact
      cross join jsonb_array_elements(consent -> 'entries') as entry
      left join topics as topic on topic.project_id = ${project} and topic.id = (entry ->> 'topic')::uuid
      where not entry ? 'topic' or topic.id is not null
    ) as possible
    where is_change or is_repeat
  ),
  consented as (
    insert into consents (${sql.literal(columns)})
    select ${project}::uuid, id, contact_id, email, coalesce((proof ->> 'at')::timestamptz, ${now}::timestamptz),
           ${now}::timestamptz,
           case when target = 'subscribed' or (target = 'unset' and default_on) then 'granted' else 'withdrawn' end,
           topic_id, topic_key, topic_name, ${sql.literal(ofProof)}
    from state_changes
  ),
  first_consented as (
    insert into consents (${sql.literal(columns)})
    select ${firstOfContact("contact", sql`${now}::timestamptz`, sql)}
    from (
      select *, "projectId" as project_id, "createdAt" as created_at, "originId" as origin_id from consenting
    ) as contact
    where not "isNew" and was_subscribed and proven and was_proven is not true
    on conflict do nothing
  ),
  created_consented as (
    insert into consents (${sql.literal(columns)})
    select ${project}::uuid, contact.id, contact.id, email, coalesce((proof ->> 'at')::timestamptz, ${now}::timestamptz),
           ${now}::timestamptz, 'granted', null::uuid, null, null, ${sql.literal(ofProof)}
    from consenting as contact, lateral (select consent -> 'proof' as proof) as given
    where "isNew" and subscribed and consent ? 'atCreation'
  )${
    hasWording
      ? sql`,
  worded as (
    insert into consent_wordings (project_id, hash, text)
    select distinct ${project}::uuid, encode(sha256(convert_to(consent #>> '{proof,wording,text}', 'UTF8')), 'hex'),
           consent #>> '{proof,wording,text}'
    from consenting where consent #>> '{proof,wording,text}' is not null
    on conflict do nothing
  )`
      : sql``
  }`

/** The events about changed topics, as columns of `events`. They follow from `state_changes`. */
export const topicEvents = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  now: Date,
  isDated = false
): Statement.Fragment => sql`
  select (event ->> 'id')::uuid, ${project}::uuid, contact_id, (proof ->> 'emailId')::uuid,
         'topic.' || topic_key || case when target = 'subscribed' then '.subscribed' else '.unsubscribed' end, 'system',
         jsonb_strip_nulls(jsonb_build_object(
           'topicId', topic_id, 'topicKey', topic_key, 'reason', proof -> 'source', 'emailId', proof -> 'emailId',
           'campaignId', proof -> 'campaignId', 'formId', proof -> 'formId', 'optInId', proof -> 'optInId')),
         ${now}::timestamptz ${isDated ? sql`, null::timestamptz, null::timestamptz` : sql``}
  from state_changes
  where is_change and topic_id is not null and target <> 'unset' and event is not null
    and not ("isNew" and event ? 'quiet')`

/** The notes about changed topics, as `noteChanges` takes them. */
export const topicNotes = (sql: SqlClient.SqlClient, project: ProjectId): Statement.Fragment => sql`
  select ${project}::uuid, contact_id, array['topic.' || topic_id]
  from state_changes where is_change and topic_id is not null`
