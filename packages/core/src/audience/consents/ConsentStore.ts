/** Reads, erases and ends records of consent, in PostgreSQL or PGlite. `ConsentSql` writes them. */
import { Consent } from "@posthorn/contract/audience/consents/Consent"
import type { ContactId, ContactSource } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { Position } from "../../platform/Cursors.ts"
import { countOf } from "../../platform/Queries.ts"
import { hashPrefix } from "../suppression/ErasureKeys.ts"
import { SuppressedAddress } from "../suppression/SuppressedAddress.ts"
import { consentColumns, firstOfContact } from "./ConsentSql.ts"

export interface ConsentFilter {
  readonly contact?: ContactId | undefined
  readonly email?: string | undefined
  /** Id or key. */
  readonly topic?: string | undefined
  readonly action?: Consent["action"] | undefined
  readonly source?: ContactSource | undefined
  readonly formId?: string | undefined
  readonly from?: DateTime.Utc | undefined
  readonly until?: DateTime.Utc | undefined
}

const { at: _, recordedAt: __, wording: ___, ...fields } = Consent.fields
const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      ...fields,
      wording: Schema.NullOr(
        Schema.Struct({
          hash: Schema.String,
          text: Schema.String,
          language: Schema.NullOr(Schema.String),
          formVersion: Schema.optionalKey(Schema.Int)
        })
      ),
      at: Schema.DateTimeUtcFromDate,
      recordedAt: Schema.DateTimeUtcFromDate
    })
  )
)

const shown = `found.id, contact_id as "contactId",
  case when starts_with(email, '${hashPrefix}') then null else email end as email, at, recorded_at as "recordedAt", action,
  case when topic_id is null then 'global' else 'topic' end as scope,
  case when topic_id is not null then jsonb_build_object('id', topic_id, 'key', topic_key, 'name', topic_name) end as topic,
  source, jsonb_strip_nulls(jsonb_build_object('type', actor, 'userId', actor_user)) as actor,
  case when wording_hash is not null then jsonb_build_object('hash', wording_hash, 'text', wording.text,
    'language', wording_language) || jsonb_strip_nulls(jsonb_build_object('formVersion', form_version)) end as wording,
  basis, evidence, ip, user_agent as "userAgent", email_id as "emailId", campaign_id as "campaignId", form_id as "formId",
  opt_in_id as "optInId", job_id as "jobId"`

/** Rows that one statement deletes. */
const batch = 5_000

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const address = yield* SuppressedAddress
  const columns = consentColumns(sql)

  const matching = (project: ProjectId, filter: ConsentFilter) => {
    const { contact, email, topic, action, source, formId, from, until } = filter
    return sql.and([
      sql`project_id = ${project}`,
      ...(contact ? [sql`contact_id = ${contact}`] : []),
      ...(email ? [sql`email = any(${address.forms(sql`${project}::text`, sql`${email}::text`)})`] : []),
      ...(topic ? [sql`(topic_key = ${topic} or topic_id::text = lower(${topic}))`] : []),
      ...(action ? [sql`action = ${action}`] : []),
      ...(source ? [sql`source = ${source}`] : []),
      ...(formId ? [sql`form_id = ${formId}`] : []),
      ...(from ? [sql`recorded_at >= ${DateTime.toDate(from)}`] : []),
      ...(until ? [sql`recorded_at < ${DateTime.toDate(until)}`] : [])
    ])
  }

  /** Contacts whose one record follows from them. Undefined if it cannot match. */
  const derived = (project: ProjectId, filter: ConsentFilter): Statement.Fragment | undefined => {
    const { contact, email, topic, action = "granted", source, formId, from, until } = filter
    if (topic !== undefined || action !== "granted") return undefined
    return sql.and([
      sql`project_id = ${project}`,
      sql`subscribed`,
      sql`proven is not true`,
      ...(contact ? [sql`id = ${contact}`] : []),
      ...(email ? [sql`email = ${email}`] : []),
      ...(source ? [sql`coalesce(origin, 'api') = ${source}`] : []),
      ...(formId ? [sql`origin = 'form'`, sql`origin_id = ${formId}`] : []),
      ...(from ? [sql`created_at >= ${DateTime.toDate(from)}`] : []),
      ...(until ? [sql`created_at < ${DateTime.toDate(until)}`] : [])
    ])
  }

  const list = (project: ProjectId, filter: ConsentFilter, limit: number, after?: Position) => {
    const behind = after === undefined ? sql`true` : sql`id < ${after.id}::uuid`
    const fromContacts = derived(project, filter)
    return sql`
      with found (${columns}) as (
        (select ${columns} from consents where ${matching(project, filter)} and ${behind}
         order by id desc limit ${limit})
        ${
          fromContacts === undefined
            ? sql``
            : sql`union all
        (select ${firstOfContact("contacts", sql`contacts.created_at`, sql)} from contacts
         where ${fromContacts} and ${behind} order by id desc limit ${limit})`
        }
      )
      select ${sql.literal(shown)} from found
      left join consent_wordings as wording on wording.project_id = found.project_id and wording.hash = wording_hash
      order by found.id desc limit ${limit}`.pipe(Effect.flatMap(rows), Effect.orDie)
  }

  const count = (project: ProjectId, filter: ConsentFilter) => {
    const fromContacts = derived(project, filter)
    return countOf(sql`
      select ((select count(*) from consents where ${matching(project, filter)})
        ${fromContacts === undefined ? sql`` : sql` + (select count(*) from contacts where ${fromContacts})`})::int as count`)
  }

  /**
   * Removes who the person is, from all records of the contact and the address. What was agreed to stays: the sender must
   * be able to prove it. The id of a first record is that of the contact, so the record gets another of the same time.
   */
  const erase = (project: ProjectId, contact: ContactId, email: string) =>
    sql`
      update consents
      set id = case when id = contact_id then (left(id::text, 15) || substr(gen_random_uuid()::text, 16))::uuid else id end,
          contact_id = null, ip = null, user_agent = null, evidence = null, email_id = null, opt_in_id = null,
          actor_user = null,
          email = case when starts_with(email, ${hashPrefix}) then email
                       else ${address.hash(sql`${project}::text`, sql`email`)} end
      where project_id = ${project} and (contact_id = ${contact} or email = ${email})
      returning 1`.pipe(
      Effect.map((erased) => erased.length),
      Effect.orDie
    )

  /** Deletes records of people without a contact, once the last of them is older than their project keeps them. */
  const sweepSome = (now: DateTime.Utc) =>
    sql`
      with limits as (
        select project_id, case
          when settings is null then ${DateTime.toDate(now)}::timestamptz - interval '1095 days'
          when settings #> '{consent,retentionDays}' = 'null' then '-infinity'
          else ${DateTime.toDate(now)}::timestamptz
            - make_interval(days => coalesce((settings #>> '{consent,retentionDays}')::int, 1095)) end as oldest
        from (select distinct project_id from consents) as present
        left join audience_settings using (project_id)
      )
      delete from consents where (project_id, id) in (
        select consents.project_id, consents.id from consents join limits using (project_id)
        where recorded_at < oldest
          and not exists (
            select from contacts where contacts.project_id = consents.project_id and contacts.id = consents.contact_id)
          and not exists (
            select from consents as later
            where later.project_id = consents.project_id and later.recorded_at >= oldest
              and (later.contact_id = consents.contact_id
                   or (consents.contact_id is null and later.email = consents.email)))
        limit ${batch}
      ) returning 1`.pipe(
      Effect.map((gone) => gone.length === batch),
      Effect.orDie
    )

  return { list, count, erase, sweepSome }
})
