/** The query of the public pages, in PostgreSQL or PGlite. */
import { type Contact, ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { SuppressionReason } from "@posthorn/contract/audience/suppressions/Suppression"
import { Array, DateTime, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Bearer } from "../../platform/links/PublicLinks.ts"
import { SuppressedAddress } from "../suppression/SuppressedAddress.ts"

const nullable = Schema.NullOr(Schema.String)
const ids = Schema.NullOr(Schema.Array(Schema.String))

const Words = Schema.Struct({ name: Schema.String, description: nullable })

const TopicRow = Schema.Struct({
  ...Words.fields,
  id: Schema.String,
  key: Schema.String,
  /** By language. */
  translations: Schema.Record(Schema.String, Words),
  defaultOn: Schema.Boolean,
  isPublic: Schema.Boolean,
  archived: Schema.Boolean
})

/** A topic, and what the contact said about it. */
export interface PageTopic extends Omit<typeof TopicRow.Type, "archived" | "defaultOn" | "isPublic"> {
  readonly state: "pending" | "subscribed" | "unsubscribed" | "unset"
  /** Whether it gets mail of the topic, apart from a pause. */
  readonly takes: boolean
}

export interface SubscriptionState {
  readonly projectName: string
  /** The language of the project. */
  readonly language: string
  /** The time zone of the contact, else of the project. */
  readonly timezone: string
  readonly email: string
  readonly subscribed: boolean
  /** Whether an open request asks the contact to confirm that it is subscribed. */
  readonly isPending: boolean
  /** The locale in the data of the contact. */
  readonly locale: string | null
  /** The end of an open pause. */
  readonly snoozedUntil: DateTime.Utc | null
  readonly suppression: SuppressionReason | null
  /** The topic that the link names. Null without one, and once it is deleted. */
  readonly topic: PageTopic | null
  /** The topics that the page offers, by position. */
  readonly topics: ReadonlyArray<PageTopic>
  /** The mail that contained the link. Null if the link names no mail or the mail is deleted. */
  readonly mail: { readonly test: boolean; readonly campaignId: string | null; readonly topicId: string | null } | null
}

/** A state, and whose it is. */
export interface FoundState {
  /** The contact of the link, or the one that it was merged into. */
  readonly contact: ContactId
  readonly state: SubscriptionState
  /**
   * The state after a write has returned the contact. `hasLocale`: the write has set its locale. None if the contact does
   * not say all of it, so that the state must be read.
   */
  readonly after: (contact: Contact, hasLocale: boolean) => Option.Option<SubscriptionState>
}

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      contact: ContactId,
      projectName: Schema.String,
      language: Schema.String,
      projectZone: Schema.String,
      contactZone: nullable,
      email: Schema.String,
      subscribed: Schema.Boolean,
      locale: nullable,
      snoozedUntil: Schema.NullOr(Schema.DateTimeUtcFromDate),
      asked: Schema.NullOr(Schema.Struct({ subscribe: Schema.Boolean, topics: Schema.Array(Schema.String) })),
      topicsOn: ids,
      topicsOff: ids,
      topics: Schema.Array(TopicRow),
      suppression: Schema.NullOr(SuppressionReason),
      test: Schema.NullOr(Schema.Boolean),
      campaignId: nullable,
      topicId: nullable
    })
  )
)
type Row = Effect.Success<ReturnType<typeof rows>>[number]

const topicOf = (
  { id, key, name, description, translations, defaultOn }: typeof TopicRow.Type,
  { subscribed, topicsOn, topicsOff, asked }: Row
): PageTopic => {
  const stored = topicsOn?.includes(id) ? "subscribed" : topicsOff?.includes(id) ? "unsubscribed" : "unset"
  const takes = subscribed && (stored === "unset" ? defaultOn : stored === "subscribed")
  const state = stored !== "subscribed" && asked?.topics.includes(id) ? "pending" : stored
  return { id, key, name, description, translations, state, takes }
}

const isZone = (name: string | null): name is string => name !== null && Option.isSome(DateTime.zoneFromString(name))

/** A private topic is shown only to a contact that takes it or has said something about it. */
const isOffered = ({ archived, isPublic }: typeof TopicRow.Type, { state, takes }: PageTopic) =>
  !archived && (isPublic || takes || state !== "unset")

const stateOf = (row: Row, named: string | undefined, now: DateTime.Utc): SubscriptionState => {
  const known = row.topics.map((topic) => ({ row: topic, topic: topicOf(topic, row) }))
  const { test, campaignId, topicId, snoozedUntil, contactZone, projectZone } = row
  return {
    projectName: row.projectName,
    language: row.language,
    email: row.email,
    subscribed: row.subscribed,
    isPending: !row.subscribed && row.asked?.subscribe === true,
    locale: row.locale,
    suppression: row.suppression,
    timezone: isZone(contactZone) ? contactZone : projectZone,
    snoozedUntil: snoozedUntil !== null && DateTime.isGreaterThan(snoozedUntil, now) ? snoozedUntil : null,
    topic: known.find(({ topic }) => topic.id === named)?.topic ?? null,
    topics: known.flatMap(({ row, topic }) => (isOffered(row, topic) ? [topic] : [])),
    mail: test === null ? null : { test, campaignId, topicId }
  }
}

/** The row of a contact without an open request, apart from archived topics. */
const rowAfter = (row: Row, { locale, snoozedUntil, subscribed, topics: states }: Contact, hasLocale: boolean): Row => {
  const having = (state: "subscribed" | "unsubscribed") =>
    row.topics.flatMap(({ id, key }) => (states[key] === state ? [id] : []))
  return {
    ...row,
    subscribed,
    snoozedUntil,
    locale: hasLocale ? locale : row.locale,
    topicsOn: having("subscribed"),
    topicsOff: having("unsubscribed")
  }
}

/** A contact does not show what it said about a topic that waits for a confirmation, or is archived. */
const showsAll = (row: Row, named: string | undefined, { subscription, topics }: Contact) =>
  row.asked === null &&
  subscription !== "pending" &&
  !Object.values(topics).includes("pending") &&
  !row.topics.some(({ archived, id }) => archived && id === named)

export const make = Effect.map(Effect.all([SqlClient.SqlClient, SuppressedAddress]), ([sql, addresses]) => ({
  /** None if the project or the contact is deleted. */
  find: Effect.fn("PageStore.find")(function* ({
    project,
    contact,
    email,
    topic
  }: Bearer): Effect.fn.Return<Option.Option<FoundState>, unknown> {
    const now = yield* DateTime.now
    const found = yield* rows(
      yield* sql`
          select contacts.id as contact, projects.name as "projectName", projects.language, projects.timezone as "projectZone",
                 contacts.data ->> 'timezone' as "contactZone", contacts.email, contacts.subscribed,
                 contacts.snoozed_until as "snoozedUntil", contacts.topics_on as "topicsOn",
                 contacts.topics_off as "topicsOff",
                 case when contacts.pending_until is not null then (
                   select jsonb_build_object('subscribe', subscribe, 'topics', topics) from opt_ins
                   where opt_ins.project_id = contacts.project_id and opt_ins.contact_id = contacts.id
                     and opt_ins.status = 'PENDING' and opt_ins.expires_at > ${DateTime.toDate(now)}
                 ) end as asked,
                 (select coalesce(jsonb_agg(jsonb_build_object(
                           'id', id, 'key', key, 'name', name, 'description', description,
                           'translations', translations, 'defaultOn', default_on, 'isPublic', is_public,
                           'archived', archived) order by position, created_at, id), '[]')
                  from topics where topics.project_id = projects.id) as topics,
                 contacts.data ->> 'locale' as locale, suppression.reason as suppression, emails.test,
                 emails.campaign_id as "campaignId", emails.topic_id as "topicId"
          from projects
          join contacts on contacts.project_id = projects.id and contacts.id = coalesce(
            (select contact_id from contact_merges where project_id = ${project}::uuid and id = ${contact}::uuid),
            ${contact}::uuid)
          ${addresses.join(sql`projects.id`, sql`contacts.email`)}
          left join emails on emails.project_id = projects.id and emails.id = ${email}::uuid
          where projects.id = ${project}::uuid and projects.deleted_at is null`
    )
    return Option.map(
      Array.head(found),
      (row): FoundState => ({
        contact: row.contact,
        state: stateOf(row, topic, now),
        after: (contact, hasLocale) =>
          showsAll(row, topic, contact)
            ? Option.some(stateOf(rowAfter(row, contact, hasLocale), topic, now))
            : Option.none()
      })
    )
  }, Effect.orDie)
}))
