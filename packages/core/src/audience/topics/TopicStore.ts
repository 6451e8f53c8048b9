/** Topics in PostgreSQL or PGlite, and their totals. */
import {
  DefaultSubscription,
  type Topic,
  TopicId,
  TopicName,
  TopicText,
  TopicVisibility
} from "@posthorn/contract/audience/topics/Topic"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { changedAt, countOf } from "../../platform/Queries.ts"

/** A topic without its totals. */
const Stored = Schema.Struct({
  id: TopicId,
  projectId: ProjectId,
  key: Schema.String,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  translations: Schema.Record(Schema.String, TopicText),
  defaultSubscription: DefaultSubscription,
  visibility: TopicVisibility,
  doubleOptIn: Schema.NullOr(Schema.Boolean),
  position: Schema.Int,
  archived: Schema.Boolean,
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate
})
export type StoredTopic = typeof Stored.Type

export type TopicTotals = Pick<Topic, "subscribedCount" | "subscriberCount" | "unsubscribedCount">

const rows = Schema.decodeUnknownEffect(Schema.Array(Stored))
const countedRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      ...Stored.fields,
      subscribedCount: Schema.Int,
      unsubscribedCount: Schema.Int,
      subscriberCount: Schema.Int
    })
  )
)
const keyRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ key: Schema.String })))

/** The fields that a change may have. */
export type TopicFields = Omit<StoredTopic, "createdAt" | "id" | "projectId" | "updatedAt">

const topicColumns = `topic.id, topic.project_id as "projectId", topic.key, topic.name, topic.description,
  topic.translations, case when topic.default_on then 'subscribed' else 'unsubscribed' end as "defaultSubscription",
  case when topic.is_public then 'public' else 'private' end as visibility, topic.double_opt_in as "doubleOptIn",
  topic.position, topic.archived, topic.created_at as "createdAt", topic.updated_at as "updatedAt"`

export interface TopicStore {
  /** No topic of the project is created or deleted by another transaction until this one ends. */
  readonly lock: (project: ProjectId) => Effect.Effect<void>
  readonly count: (project: ProjectId) => Effect.Effect<number>
  /** The keys that equal this one or continue it with `-`. */
  readonly takenKeys: (project: ProjectId, key: string) => Effect.Effect<ReadonlySet<string>>
  /** Without a position, the topic is the last. */
  readonly insert: (
    project: ProjectId,
    id: TopicId,
    fields: Omit<TopicFields, "position"> & { readonly position: number | undefined },
    now: DateTime.Utc
  ) => Effect.Effect<void>
  /** By position. `archived` undefined: all. */
  readonly list: (project: ProjectId, archived: boolean | undefined) => Effect.Effect<ReadonlyArray<StoredTopic>>
  readonly listCounted: (project: ProjectId, archived: boolean | undefined) => Effect.Effect<ReadonlyArray<Topic>>
  readonly find: (project: ProjectId, name: string) => Effect.Effect<Option.Option<Topic>>
  /** Topics with these ids or keys. */
  readonly named: (project: ProjectId, names: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<StoredTopic>>
  /** The topic, which no other transaction changes or deletes until this one ends. */
  readonly hold: (project: ProjectId, name: string) => Effect.Effect<Option.Option<StoredTopic>>
  /** Stores the fields. `updatedAt` changes if one of them does. */
  readonly update: (project: ProjectId, id: TopicId, fields: TopicFields, now: DateTime.Utc) => Effect.Effect<void>
  readonly delete: (project: ProjectId, id: TopicId) => Effect.Effect<void>
}

/** How `named` and `find` read a name: ids are texts of 36 characters. */
const idForm = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

export const isTopicId = (name: string): boolean => idForm.test(name)

export const make: Effect.Effect<TopicStore, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(topicColumns)

  const byId = (project: ProjectId, id: TopicId) => sql`project_id = ${project} and id = ${id}`

  const isNamed = (project: ProjectId, given: ReadonlyArray<string>) => {
    const names = given.filter(Schema.is(TopicName))
    const ids = names.filter(isTopicId).map((name) => name.toLowerCase())
    return sql`topic.project_id = ${project} and (topic.key = any(${names}::text[]) or topic.id = any(${ids}::uuid[]))`
  }

  const isArchived = (archived: boolean | undefined) =>
    archived === undefined ? sql`true` : sql`topic.archived = ${archived}`

  /** The topic with this id, else the one with this key. */
  const preferred = <A extends Pick<StoredTopic, "id">>(found: ReadonlyArray<A>, name: string) =>
    Option.fromNullishOr(found.find(({ id }) => id === name.toLowerCase()) ?? found[0])

  const counted = (condition: Statement.Fragment) =>
    sql`
      select ${columns}, coalesce(totals.topic_on, 0)::int as "subscribedCount",
             coalesce(totals.topic_off, 0)::int as "unsubscribedCount",
             case when topic.default_on then (
               select coalesce(sum(contact_tallies.subscribed), 0) from contact_tallies
               where contact_tallies.project_id = topic.project_id
             ) - coalesce(totals.subscribed_off, 0) else coalesce(totals.subscribed_on, 0) end::int as "subscriberCount"
      from topics as topic
      left join lateral (
        select sum(topic_on) as topic_on, sum(topic_off) as topic_off, sum(subscribed_on) as subscribed_on,
               sum(subscribed_off) as subscribed_off
        from topic_tallies where project_id = topic.project_id and topic_id = topic.id
      ) as totals on true
      where ${condition}
      order by topic.position, topic.created_at, topic.id`.pipe(Effect.flatMap(countedRows), Effect.orDie)

  const record = ({ defaultSubscription, visibility, doubleOptIn, ...fields }: Partial<TopicFields>) =>
    JSON.stringify({
      ...fields,
      ...(defaultSubscription !== undefined && { default_on: defaultSubscription === "subscribed" }),
      ...(visibility !== undefined && { is_public: visibility === "public" }),
      double_opt_in: doubleOptIn
    })

  return {
    lock: (project) =>
      sql`select pg_advisory_xact_lock(hashtextextended('posthorn:topics:' || ${project}::text, 0))`.pipe(
        Effect.asVoid,
        Effect.orDie
      ),
    count: (project) => countOf(sql`select count(*)::int as count from topics where project_id = ${project}`),
    takenKeys: (project, key) =>
      sql`
        select key from topics
        where project_id = ${project} and (key = ${key} or starts_with(key, ${key}::text || '-'))`.pipe(
        Effect.flatMap(keyRows),
        Effect.map((found) => new Set(found.map((row) => row.key))),
        Effect.orDie
      ),
    insert: (project, id, { position, ...fields }, now) => {
      const at = DateTime.toDate(now)
      const place =
        position === undefined
          ? sql`(select coalesce(max(position) + 1, 0) from topics where project_id = ${project})`
          : sql`${position}::int`
      return sql`
        insert into topics (project_id, id, key, name, description, translations, default_on, is_public, double_opt_in,
          position, archived, created_at, updated_at)
        select ${project}::uuid, ${id}::uuid, key, name, description, translations, default_on, is_public, double_opt_in,
               ${place}, archived, ${at}::timestamptz, ${at}::timestamptz
        from jsonb_populate_record(null::topics, ${record(fields)}::text::jsonb)`.pipe(Effect.asVoid, Effect.orDie)
    },
    list: (project, archived) =>
      sql`
        select ${columns} from topics as topic where topic.project_id = ${project} and ${isArchived(archived)}
        order by topic.position, topic.created_at, topic.id`.pipe(Effect.flatMap(rows), Effect.orDie),
    listCounted: (project, archived) => counted(sql`topic.project_id = ${project} and ${isArchived(archived)}`),
    find: (project, name) =>
      counted(isNamed(project, [name])).pipe(Effect.map((found) => preferred<Topic>(found, name))),
    named: (project, names) =>
      sql`select ${columns} from topics as topic where ${isNamed(project, names)}`.pipe(
        Effect.flatMap(rows),
        Effect.orDie
      ),
    hold: (project, name) =>
      sql`select ${columns} from topics as topic where ${isNamed(project, [name])} for update`.pipe(
        Effect.flatMap(rows),
        Effect.map((found) => preferred(found, name)),
        Effect.orDie
      ),
    update: (project, id, fields, now) =>
      sql`
        update topics as stored set (name, description, translations, is_public, double_opt_in, position, archived,
          updated_at) = (
          select name, description, translations, is_public, double_opt_in, position, archived,
                 case when next is distinct from stored then ${changedAt(sql, "stored.updated_at", now)}
                      else stored.updated_at end
          from jsonb_populate_record(stored, ${record(fields)}::text::jsonb) as next
        )
        where ${byId(project, id)}`.pipe(Effect.asVoid, Effect.orDie),
    delete: (project, id) => sql`delete from topics where ${byId(project, id)}`.pipe(Effect.asVoid, Effect.orDie)
  }
})

/** The topics by the names that were asked for. A name without a topic is absent. An id wins over a key. */
export const topicsByName = (
  names: ReadonlyArray<string>,
  found: ReadonlyArray<StoredTopic>
): ReadonlyMap<string, StoredTopic> => {
  const known = new Map([
    ...found.map((topic) => [topic.key, topic] as const),
    ...found.map((topic) => [topic.id as string, topic] as const)
  ])
  return new Map(
    names.flatMap((name) => {
      const topic = known.get(name) ?? known.get(name.toLowerCase())
      return topic === undefined || (topic.key !== name && !isTopicId(name)) ? [] : [[name, topic] as const]
    })
  )
}
