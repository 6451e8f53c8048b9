/** The statements about opt-ins, in PostgreSQL or PGlite. */
import { type ContactData, ContactId, ContactSource } from "@posthorn/contract/audience/contacts/Contact"
import type { OptIn, OptInQuery } from "@posthorn/contract/audience/optins/OptIn"
import { OptInId, OptInStatus } from "@posthorn/contract/audience/optins/RequestedOptIn"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, DateTime, Effect, Option, Schema, Struct } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type Statement } from "effect/sql"
import { noteChanges } from "../../events/ChangeNotes.ts"
import { deleteInBatches } from "../../platform/Batches.ts"
import type { Position } from "../../platform/Cursors.ts"
import type { DateRange } from "../../platform/DateRange.ts"
import { countOf } from "../../platform/Queries.ts"
import { rowCounts } from "../../platform/RowCounts.ts"
import type { StoredProof } from "../consents/ConsentProof.ts"
import { consentColumns, proofColumns } from "../consents/ConsentSql.ts"
import { hashPrefix } from "../suppression/ErasureKeys.ts"
import { SuppressedAddress } from "../suppression/SuppressedAddress.ts"

const instant = Schema.DateTimeUtcFromDate
const nullable = Schema.NullOr

/** An opt-in as it is stored. */
const Stored = Schema.Struct({
  id: OptInId,
  projectId: ProjectId,
  contactId: nullable(ContactId),
  email: nullable(Schema.String),
  status: OptInStatus,
  subscribe: Schema.Boolean,
  topicIds: Schema.Array(Schema.String),
  topics: Schema.Array(Schema.String),
  source: ContactSource,
  formId: nullable(Schema.String),
  redirectUrl: nullable(Schema.String),
  templateId: nullable(Schema.String),
  madeContact: Schema.Boolean,
  isPublic: Schema.Boolean,
  proof: nullable(Schema.Unknown),
  values: nullable(Schema.JsonObject),
  mailsSent: Schema.Int,
  lastMailAt: nullable(instant),
  emailIds: Schema.Array(EmailId),
  requestedAt: instant,
  expiresAt: instant,
  settledAt: nullable(instant)
})
export type StoredOptIn = typeof Stored.Type
const decode = Schema.decodeUnknownEffect(Schema.Array(Stored))

const Held = Schema.Struct({
  id: ContactId,
  email: Schema.String,
  subscribed: Schema.Boolean,
  data: Schema.JsonObject,
  topicsOn: nullable(Schema.Array(Schema.String)),
  topicsOff: nullable(Schema.Array(Schema.String)),
  isSuppressed: Schema.Boolean
})
const heldRows = Schema.decodeUnknownEffect(Schema.Array(Held))

const Named = Schema.Struct({
  id: Schema.String,
  key: Schema.String,
  name: Schema.String,
  doubleOptIn: nullable(Schema.Boolean),
  translations: Schema.Record(Schema.String, Schema.Struct({ name: Schema.String }))
})
const namedRows = Schema.decodeUnknownEffect(Schema.Array(Named))
const timeRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ at: instant })))
const flagRow = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ is: Schema.Boolean })]))

const standingRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ContactId, email: Schema.String })))

/** What a new opt-in is, or what is added to an open one. */
export interface OptInFields {
  readonly id: OptInId
  readonly email: string
  readonly subscribe: boolean
  readonly topicIds: ReadonlyArray<string>
  readonly source: ContactSource
  readonly formId: string | null
  readonly redirectUrl: string | null
  readonly templateId: string | null
  readonly madeContact: boolean
  readonly isPublic: boolean
  readonly proof: unknown
  readonly values: ContactData | null
  /** Null once the reminder is sent, or if there is none. */
  readonly remindAt: DateTime.Utc | null
  readonly expiresAt: DateTime.Utc
}

/** How many confirmation mails an address gets within a time. */
export type MailLimit = readonly [within: DateTime.Utc, count: number]

const columns = `id, project_id as "projectId", contact_id as "contactId",
  case when starts_with(email, '${hashPrefix}') then null else email end as email, status, subscribe,
  topics as "topicIds", array(
    select topic.key from topics as topic
    where topic.project_id = opt_ins.project_id and topic.id = any(opt_ins.topics) order by topic.position, topic.key
  ) as topics, source, form_id as "formId", redirect_url as "redirectUrl", template_id as "templateId",
  made_contact as "madeContact", is_public as "isPublic", proof, field_values as "values", mails_sent as "mailsSent",
  last_mail_at as "lastMailAt", email_ids as "emailIds", requested_at as "requestedAt", expires_at as "expiresAt",
  settled_at as "settledAt"`

/** The record as callers see it. */
export const recordOf: (stored: StoredOptIn) => OptIn = Struct.pick([
  ...(["id", "contactId", "email", "status", "subscribe", "topics", "source", "formId", "mailsSent"] as const),
  ...(["lastMailAt", "emailIds", "requestedAt", "expiresAt", "settledAt"] as const)
])

export type OptInStore = Effect.Success<typeof make>

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const addresses = yield* SuppressedAddress
  const random = yield* SecureRandom.SecureRandom
  const all = sql.literal(columns)
  const json = (value: unknown) => sql`${value == null ? null : JSON.stringify(value)}::text::jsonb`

  const found = (statement: Effect.Effect<ReadonlyArray<unknown>, unknown>) =>
    statement.pipe(Effect.flatMap(decode), Effect.orDie)
  const one = (statement: Effect.Effect<ReadonlyArray<unknown>, unknown>) => Effect.map(found(statement), Array.head)

  /** The address of a row, or its hash if it is hashed already. */
  const hashed = (project: ProjectId) =>
    sql`case when starts_with(email, ${hashPrefix}) then email
             else ${addresses.hash(sql`${project}::text`, sql`email`)} end`

  const isAddress = (project: ProjectId, email: string) =>
    sql`email = any(${addresses.forms(sql`${project}::text`, sql`${email}::text`)})`

  /** The contact, which nothing else changes until the transaction ends. */
  const holdContact = (project: ProjectId, id: ContactId) =>
    sql`
      with held as materialized (
        select project_id, id, email, subscribed, data, topics_on, topics_off from contacts
        where project_id = ${project} and id = ${id} for no key update
      )
      select held.id, held.email, subscribed, data, topics_on as "topicsOn",
             topics_off as "topicsOff", suppression.reason is not null as "isSuppressed"
      from held ${addresses.join(sql`held.project_id`, sql`held.email`)}`.pipe(
      Effect.flatMap(heldRows),
      Effect.map(Array.head),
      Effect.orDie
    )

  const topics = (project: ProjectId, ids: ReadonlyArray<string>) =>
    ids.length === 0
      ? Effect.succeed([])
      : sql`
          select id, key, name, double_opt_in as "doubleOptIn", translations from topics where project_id = ${project} and id = any(${[...ids]}::uuid[])
          order by position, key`.pipe(Effect.flatMap(namedRows), Effect.orDie)

  const open = (project: ProjectId, contact: ContactId) =>
    one(sql`
      select ${all} from opt_ins where project_id = ${project} and contact_id = ${contact} and status = 'PENDING'`)

  const openOf = (project: ProjectId, contacts: ReadonlyArray<ContactId>) =>
    found(sql`
      select ${all} from opt_ins
      where project_id = ${project} and contact_id = any(${[...contacts]}::uuid[]) and status = 'PENDING'`)

  const openAt = (project: ProjectId, emails: ReadonlyArray<string>) =>
    found(sql`
      select ${all} from opt_ins
      where project_id = ${project} and status = 'PENDING' and email = any(${[...emails]}::text[])`)

  /** Which of the addresses belong to contacts. */
  const standing = (project: ProjectId, emails: ReadonlyArray<string>) =>
    sql`
      select id, email from contacts
      where project_id = ${project} and email = any(${[...emails]}::text[]) order by email`.pipe(
      Effect.flatMap(standingRows),
      Effect.orDie
    )

  /** Records what happened to the request, for each thing that it asks for. */
  const noteConsent = Effect.fnUntraced(function* (
    { projectId, contactId, email, subscribe, topicIds }: StoredOptIn,
    action: "declined" | "expired" | "requested",
    proof: StoredProof,
    now: DateTime.Utc
  ) {
    if (contactId === null) return
    const scopes = [...(subscribe ? [null] : []), ...topicIds]
    const entries = yield* Effect.forEach(scopes, (topic) => Effect.map(random.uuidV7(), (id) => ({ id, topic })))
    const at = sql`${DateTime.toDate(now)}::timestamptz`
    yield* sql`
      with given as (select ${json(proof)} as proof), worded as (
        insert into consent_wordings (project_id, hash, text)
        select ${projectId}::uuid, encode(sha256(convert_to(proof #>> '{wording,text}', 'UTF8')), 'hex'),
               proof #>> '{wording,text}'
        from given where proof #>> '{wording,text}' is not null
        on conflict do nothing
      )
      insert into consents (${consentColumns(sql)})
      select ${projectId}::uuid, (entry ->> 'id')::uuid, ${contactId}::uuid, ${email}::text,
             coalesce((proof ->> 'at')::timestamptz, ${at}), ${at}, ${action}::text,
             topic.id, topic.key, topic.name, ${proofColumns(sql)}
      from given cross join jsonb_array_elements(${json(entries)}) as entry
      left join topics as topic on topic.project_id = ${projectId} and topic.id = (entry ->> 'topic')::uuid
      where entry ->> 'topic' is null or topic.id is not null`
  }, Effect.orDie)

  const insert = (project: ProjectId, contact: ContactId, fields: OptInFields, now: DateTime.Utc) =>
    one(sql`
      insert into opt_ins (project_id, id, contact_id, email, status, subscribe, topics, source, form_id, redirect_url,
        template_id, made_contact, is_public, proof, field_values, mails_sent, email_ids, remind_at, requested_at, expires_at)
      values (${project}, ${fields.id}, ${contact}, ${fields.email}, 'PENDING', ${fields.subscribe},
        ${[...fields.topicIds]}::uuid[], ${fields.source}, ${fields.formId}, ${fields.redirectUrl}, ${fields.templateId},
        ${fields.madeContact}, ${fields.isPublic}, ${json(fields.proof)}, ${json(fields.values)}, 0, '{}',
        ${fields.remindAt && DateTime.toDate(fields.remindAt)}, ${DateTime.toDate(now)},
        ${DateTime.toDate(fields.expiresAt)})
      returning ${all}`)

  /** Adds what is asked for again. What the new call says wins. */
  const join = (project: ProjectId, fields: OptInFields) =>
    one(sql`
      update opt_ins set subscribe = subscribe or ${fields.subscribe},
        topics = array(select unnest(topics) union select unnest(${[...fields.topicIds]}::uuid[])),
        form_id = coalesce(${fields.formId}::uuid, form_id),
        redirect_url = coalesce(${fields.redirectUrl}::text, redirect_url),
        template_id = coalesce(${fields.templateId}::uuid, template_id),
        proof = coalesce(${json(fields.proof)}, proof),
        field_values = case when field_values is null then ${json(fields.values)}
                            else field_values || coalesce(${json(fields.values)}, '{}') end,
        expires_at = ${DateTime.toDate(fields.expiresAt)}
      where project_id = ${project} and id = ${fields.id}
      returning ${all}`)

  const keepTopics = (project: ProjectId, id: OptInId, topicIds: ReadonlyArray<string>) =>
    Effect.orDie(sql`
      update opt_ins set topics = ${[...topicIds]}::uuid[]
      where project_id = ${project} and id = ${id} and status = 'PENDING'`)

  /** Sets until when the contact counts as pending, and tells the segments. */
  const setPending = (
    project: ProjectId,
    contact: ContactId,
    until: DateTime.Utc | null,
    topicIds: ReadonlyArray<string>
  ) =>
    Effect.orDie(sql`
      with pending as (
        update contacts set pending_until = ${until && DateTime.toDate(until)}::timestamptz
        where project_id = ${project} and id = ${contact} returning project_id, id
      )
      ${noteChanges(
        sql,
        sql`select project_id, id, ${["subscription", ...topicIds.map((id) => `topic.${id}`)]}::text[] from pending`
      )}`)

  const mailed = (
    project: ProjectId,
    optIn: Pick<StoredOptIn, "id">,
    mail: EmailId,
    email: string,
    slot: DateTime.Utc | null,
    now: DateTime.Utc
  ) =>
    one(sql`
      with mail as (
        insert into opt_in_mails (project_id, id, opt_in_id, email, slot_at, created_at)
        values (${project}, ${mail}, ${optIn.id}, ${email}, ${slot && DateTime.toDate(slot)}, ${DateTime.toDate(now)})
      )
      update opt_ins set mails_sent = mails_sent + 1, last_mail_at = ${DateTime.toDate(now)},
        email_ids = email_ids || ${mail}::uuid
      where project_id = ${project} and id = ${optIn.id}
      returning ${all}`)

  /** When the address got its newest confirmation mails, newest first. */
  const mailTimes = (project: ProjectId, email: string, since: DateTime.Utc, limit: number) =>
    sql`
      select created_at as at from opt_in_mails
      where project_id = ${project} and ${isAddress(project, email)} and created_at > ${DateTime.toDate(since)}
      order by created_at desc limit ${limit}`.pipe(
      Effect.flatMap(timeRows),
      Effect.map((times) => times.map(({ at }) => at)),
      Effect.orDie
    )

  const hasDeclined = (project: ProjectId, email: string, since: DateTime.Utc) =>
    sql`
      select exists (
        select from opt_ins where project_id = ${project} and ${isAddress(project, email)} and status = 'DECLINED'
          and settled_at > ${DateTime.toDate(since)}
      ) as is`.pipe(
      Effect.flatMap(flagRow),
      Effect.map(([{ is }]) => is),
      Effect.orDie
    )

  /** The number of open opt-ins of the project. */
  const openCount = (project: ProjectId) =>
    countOf(sql`
      select coalesce(sum(count), 0)::int as count from ${rowCounts(sql, project, "opt_ins", sql`key = array['open']`)} as kept`)

  /** The time of the n-th newest mail of public requests, from 0. */
  const slotAt = (project: ProjectId, n: number) =>
    sql`
      select slot_at as at from opt_in_mails where project_id = ${project} and slot_at is not null
      order by slot_at desc offset ${n} limit 1`.pipe(
      Effect.flatMap(timeRows),
      Effect.map((times) => times[0]?.at),
      Effect.orDie
    )

  /** No other request of the project takes a slot until the transaction ends. */
  const holdSlots = (project: ProjectId) =>
    Effect.orDie(sql`select pg_advisory_xact_lock(hashtextextended(${`opt_in_slots:${project}`}, 0))`)

  const find = (project: ProjectId, id: string) =>
    one(sql`select ${all} from opt_ins where project_id = ${project} and id = ${id}`)

  /**
   * Ends an open opt-in and returns it with what was asked for. None if it has ended already. Values and proof are removed;
   * after a refusal the address is kept as a hash only.
   */
  const settle = Effect.fnUntraced(function* (
    project: ProjectId,
    id: string,
    status: Exclude<OptInStatus, "PENDING">,
    now: DateTime.Utc,
    valid: Statement.Fragment = sql`true`
  ) {
    const held = yield* one(sql`
      select ${all} from opt_ins where project_id = ${project} and id = ${id} and status = 'PENDING' and ${valid}
      for no key update`)
    if (Option.isNone(held)) return held
    const { contactId, topicIds } = held.value
    const email = status === "DECLINED" ? hashed(project) : sql`email`
    yield* Effect.orDie(sql`
      update opt_ins set status = ${status}, settled_at = ${DateTime.toDate(now)}, proof = null, field_values = null,
        remind_at = null, email = ${email}
      where project_id = ${project} and id = ${id}`)
    if (status === "DECLINED") yield* hashMails(project, [id])
    if (contactId !== null) yield* setPending(project, contactId, null, topicIds)
    return Option.some({ ...held.value, status, settledAt: now })
  })

  const hashMails = (project: ProjectId, ids: ReadonlyArray<string>) =>
    Effect.orDie(sql`
      update opt_in_mails set email = ${hashed(project)}
      where project_id = ${project} and opt_in_id = any(${[...ids]}::uuid[]) and not starts_with(email, ${hashPrefix})`)

  return {
    holdContact,
    topics,
    open,
    openCount,
    openOf,
    openAt,
    standing,
    noteConsent,
    insert,
    join,
    keepTopics,
    setPending,
    mailed,
    mailTimes,
    hasDeclined,
    slotAt,
    holdSlots,
    find,
    settle: (project: ProjectId, id: string, status: Exclude<OptInStatus, "PENDING">, now: DateTime.Utc) =>
      settle(project, id, status, now),
    /** As `settle`, but only before its expiry. */
    confirm: (project: ProjectId, id: string, now: DateTime.Utc) =>
      settle(project, id, "CONFIRMED", now, sql`expires_at > ${DateTime.toDate(now)}::timestamptz`),
    ofContact: (project: ProjectId, contact: ContactId) =>
      found(sql`
        select ${all} from opt_ins where project_id = ${project} and contact_id = ${contact}
        order by requested_at desc, id desc`),
    list: (project: ProjectId, query: OptInQuery, range: DateRange, limit: number, after: Position | undefined) =>
      found(sql`
        select ${all} from opt_ins where ${where(project, query, range)}
        ${
          after === undefined
            ? sql``
            : sql`and (date_trunc('milliseconds', requested_at), id) < (${after.key}::timestamptz, ${after.id}::uuid)`
        }
        order by date_trunc('milliseconds', requested_at) desc, id desc limit ${limit}`),
    count: (project: ProjectId, query: OptInQuery, range: DateRange) =>
      countOf(sql`select count(*)::int as count from opt_ins where ${where(project, query, range)}`),
    /** Open opt-ins whose time is over, of contacts that no other statement holds. */
    overdue: (now: DateTime.Utc, limit: number) =>
      found(sql`
        select ${all} from opt_ins
        where status = 'PENDING' and expires_at <= ${DateTime.toDate(now)} order by expires_at limit ${limit}`),
    /** Open opt-ins whose reminder is due, of projects that are enabled. */
    toRemind: (now: DateTime.Utc, limit: number) =>
      found(sql`
        select ${all} from opt_ins
        where status = 'PENDING' and remind_at <= ${DateTime.toDate(now)} and expires_at > ${DateTime.toDate(now)}
          and exists (select from projects where projects.id = opt_ins.project_id and disabled_reason is null
                      and deleted_at is null)
        order by remind_at limit ${limit}`),
    /**
     * Contacts that their own request created, which has expired since before this time, and to whom nothing else
     * happened: no other event, no other mail, no later change.
     */
    unconfirmed: (project: ProjectId, before: DateTime.Utc, limit: number) =>
      sql`
        select contacts.id, contacts.email, contacts.subscribed from opt_ins as ended
        join contacts on contacts.project_id = ended.project_id and contacts.id = ended.contact_id
        where ended.project_id = ${project} and ended.status = 'EXPIRED' and ended.made_contact
          and ended.settled_at <= ${DateTime.toDate(before)} and not contacts.subscribed
          and contacts.updated_at = contacts.created_at
          and not exists (select from opt_ins as other where other.project_id = ended.project_id
                          and other.contact_id = ended.contact_id and other.requested_at > ended.requested_at)
          and not exists (select from events where events.project_id = ended.project_id
                          and events.contact_id = ended.contact_id and events.created_at > ended.requested_at
                          and events.name not in ('contact.opt_in_requested', 'contact.opt_in_expired'))
          and not exists (select from emails where emails.project_id = ended.project_id
                          and emails.contact_id = ended.contact_id and emails.id <> all(ended.email_ids))
        limit ${limit}`.pipe(Effect.flatMap(standingRows), Effect.orDie),
    /** Times of mails that no rule counts any more, and ended opt-ins of contacts that are gone. */
    sweep: (mailsBefore: DateTime.Utc, goneBefore: DateTime.Utc) =>
      Effect.orDie(
        Effect.all(
          [
            deleteInBatches(sql, "opt_in_mails", sql`created_at < ${DateTime.toDate(mailsBefore)}`),
            deleteInBatches(
              sql,
              "opt_ins",
              sql`contact_id is null and status <> 'PENDING' and settled_at < ${DateTime.toDate(goneBefore)}`
            )
          ],
          { discard: true }
        )
      ),
    reminded: (project: ProjectId, id: OptInId) =>
      Effect.orDie(sql`update opt_ins set remind_at = null where project_id = ${project} and id = ${id}`),
    /** The contact is gone: the open opt-in ends, and of all of them only hashes stay. */
    forget: Effect.fnUntraced(function* (project: ProjectId, contacts: ReadonlyArray<ContactId>, now: DateTime.Utc) {
      const gone = yield* sql`
        update opt_ins set contact_id = null, email = ${hashed(project)}, proof = null, field_values = null,
          remind_at = null, redirect_url = null,
          status = case when status = 'PENDING' then 'CANCELLED' else status end,
          settled_at = coalesce(settled_at, ${DateTime.toDate(now)}::timestamptz)
        where project_id = ${project} and contact_id = any(${[...contacts]}::uuid[])
        returning id`
      const ids = gone.flatMap(({ id }) => (typeof id === "string" ? [id] : []))
      if (ids.length > 0) yield* hashMails(project, ids)
    }, Effect.orDie)
  }

  function where(project: ProjectId, { status, source }: OptInQuery, { from, until }: DateRange) {
    return sql.and([
      sql`project_id = ${project}`,
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(source === undefined ? [] : [sql`source = ${source}`]),
      ...(from === undefined ? [] : [sql`requested_at >= ${DateTime.toDate(from)}`]),
      ...(until === undefined ? [] : [sql`requested_at < ${DateTime.toDate(until)}`])
    ])
  }
})
