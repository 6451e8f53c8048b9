/** The row format shared by all statements on contacts. */

import {
  type Contact,
  ContactId,
  ContactSource,
  type ContactSubscription,
  TopicState
} from "@posthorn/contract/audience/contacts/Contact"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Id } from "@posthorn/contract/platform/Primitives"
import { DateTime, Effect, Schema } from "effect"
import { localeIn, timezoneIn } from "./NamedData.ts"

const instant = Schema.DateTimeUtcFromDate

/** A row of `contactColumns`. */
const Row = Schema.Struct({
  id: ContactId,
  projectId: ProjectId,
  email: Schema.String,
  externalId: Schema.NullOr(Schema.String),
  subscribed: Schema.Boolean,
  pendingUntil: Schema.NullOr(instant),
  topics: Schema.NullOr(Schema.Record(Schema.String, TopicState)),
  snoozedUntil: Schema.NullOr(instant),
  origin: Schema.NullOr(ContactSource),
  originId: Schema.NullOr(Id),
  data: Schema.JsonObject,
  createdAt: instant,
  updatedAt: instant
})

/**
 * The columns of a contact. `of` is the table or its alias. Topics are looked up only for a contact that has some, and
 * archived or deleted ones are left out. What it is asked to confirm is read from its open opt-in.
 */
export const contactColumnsOf = (
  of: string
): string => `id, project_id as "projectId", email, external_id as "externalId",
  subscribed, case when pending_until is not null and not subscribed then (
    select opt_in.expires_at from opt_ins as opt_in
    where opt_in.project_id = ${of}.project_id and opt_in.contact_id = ${of}.id and opt_in.status = 'PENDING'
      and opt_in.subscribe
  ) end as "pendingUntil", snoozed_until as "snoozedUntil", origin, origin_id as "originId", data,
  created_at as "createdAt", updated_at as "updatedAt",
  case when topics_on is not null or topics_off is not null or pending_until is not null then (
    select jsonb_object_agg(topic.key, case when topic.id = any(${of}.topics_on) then 'subscribed'
                                            when topic.id = any(asked.topics) then 'pending' else 'unsubscribed' end)
    from (select case when ${of}.pending_until is not null then (
            select opt_in.topics from opt_ins as opt_in
            where opt_in.project_id = ${of}.project_id and opt_in.contact_id = ${of}.id and opt_in.status = 'PENDING'
          ) end as topics) as asked
    cross join topics as topic
    where topic.project_id = ${of}.project_id and not topic.archived
      and topic.id = any(${of}.topics_on || ${of}.topics_off || asked.topics)
  ) end as topics`

export const contactColumns = contactColumnsOf("contacts")

const isLater = (instant: DateTime.Utc | null, now: DateTime.Utc): instant is DateTime.Utc =>
  instant !== null && DateTime.isGreaterThan(instant, now)

const subscriptionOf = (
  { subscribed, pendingUntil }: Pick<typeof Row.Type, "pendingUntil" | "subscribed">,
  now: DateTime.Utc
): ContactSubscription => (subscribed ? "subscribed" : isLater(pendingUntil, now) ? "pending" : "unsubscribed")

const contactOf = (
  { pendingUntil, topics, snoozedUntil, origin, originId, data, ...row }: typeof Row.Type,
  now: DateTime.Utc
): Contact => ({
  ...row,
  subscription: subscriptionOf({ ...row, pendingUntil }, now),
  topics: topics ?? {},
  snoozedUntil: isLater(snoozedUntil, now) ? snoozedUntil : null,
  locale: localeIn(data),
  timezone: timezoneIn(data),
  origin: origin && { source: origin, id: originId },
  data
})

/** Decodes rows of `contactColumns` and other columns. */
export const contactRowsWith = <const Fields extends Schema.Struct.Fields>(others: Fields) => {
  const decode = Schema.decodeUnknownEffect(
    Schema.Array(Schema.Struct({ contact: Row, others: Schema.Struct(others) }))
  )
  return (rows: ReadonlyArray<unknown>) =>
    Effect.gen(function* () {
      const now = yield* DateTime.now
      const found = yield* decode(rows.map((row) => ({ contact: row, others: row })))
      return found.map(({ contact, others }) => ({ contact: contactOf(contact, now), ...others }))
    })
}

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))

export const contactRows = (rows: unknown): Effect.Effect<ReadonlyArray<Contact>, Schema.SchemaError> =>
  Effect.gen(function* () {
    const now = yield* DateTime.now
    return (yield* decodeRows(rows)).map((row) => contactOf(row, now))
  })
