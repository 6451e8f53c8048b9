/** Contacts that a condition or a segment selects: pages of them, and their number. */

import type {
  ContactCount,
  CountContacts,
  IntendedMail,
  QueryContacts,
  SelectedContactPage
} from "@posthorn/contract/audience/contacts/ContactSelection"
import type { FilterTree } from "@posthorn/contract/audience/filters/FilterTree"
import { SegmentId, type SegmentNotFound } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type InvalidCursor, ValidationError } from "@posthorn/contract/platform/Errors"
import { pageSize } from "@posthorn/contract/platform/Primitives"
import { DateTime, Duration, Effect, Option, type Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { cursorPage } from "../../platform/CursorPages.ts"
import { Cursors } from "../../platform/Cursors.ts"
import { readCount } from "../../platform/Queries.ts"
import { reading } from "../../platform/ReadSqlClient.ts"
import { countSql } from "../filters/CountSql.ts"
import { conditionSql } from "../filters/FilterSql.ts"
import { liveQuery, QueryTimeout } from "../filters/LiveQuery.ts"
import * as Audiences from "../segments/Audiences.ts"
import { Segments } from "../segments/Segments.ts"
import type { AudienceRules } from "../settings/AudienceRules.ts"
import { SuppressedAddress } from "../suppression/SuppressedAddress.ts"
import * as TopicChoice from "../topics/TopicChoice.ts"
import { topicFault } from "../topics/TopicOfMail.ts"
import { contactListSql } from "./ContactListSql.ts"
import { contactRows } from "./ContactRow.ts"
import { eligibilitySql, readEligibility } from "./EligibilitySql.ts"

export interface ContactSelections {
  /**
   * Returns one page of the selected contacts. A contact that exists during the whole walk over the pages, and keeps
   * its place in the order, appears exactly once. The total of the first page is null if counting takes more than 2
   * seconds.
   */
  readonly page: (
    project: ProjectId,
    query: QueryContacts
  ) => Effect.Effect<SelectedContactPage, InvalidCursor | SegmentNotFound | ValidationError>
  /**
   * Counts the selected contacts and, with `for`, who would get a campaign with such mail, in one pass. The count is
   * null if that takes more than 5 seconds.
   */
  readonly count: (
    project: ProjectId,
    query: CountContacts
  ) => Effect.Effect<ContactCount, SegmentNotFound | ValidationError>
}

const totalTimeout = Duration.seconds(2)
const countTimeout = Duration.seconds(5)

/** Null when the time is up. */
const withinTime = Effect.fnUntraced(function* <A>(
  sql: SqlClient.SqlClient,
  timeout: Duration.Duration,
  query: Effect.Effect<A, Schema.SchemaError | SqlError.SqlError>
): Effect.fn.Return<A | null> {
  const shortest = Duration.min(timeout, yield* QueryTimeout)
  return yield* liveQuery(sql, query).pipe(
    Effect.provideService(QueryTimeout, shortest),
    Effect.catchReason("SqlError", "StatementTimeoutError", () => Effect.succeed(null)),
    Effect.orDie
  )
})

export type Needs = AudienceRules | Audiences.Needs | Cursors | Segments | SqlClient.SqlClient | SuppressedAddress

export const make: Effect.Effect<ContactSelections, never, Needs> = Effect.gen(function* () {
  const audiences = yield* Audiences.make
  const cursors = yield* Cursors
  const segments = yield* Segments
  const sql = yield* SqlClient.SqlClient
  const suppressed = yield* SuppressedAddress
  const topics = yield* TopicChoice.make
  const lists = contactListSql(sql)
  const reader = yield* reading(SqlClient.SqlClient)

  /** Undefined for all contacts. */
  const selected = Effect.fnUntraced(function* (
    project: ProjectId,
    { condition, segmentId }: Pick<CountContacts, "condition" | "segmentId">
  ) {
    const tree: FilterTree | undefined = condition ?? (segmentId ? Audiences.membersOf(segmentId) : undefined)
    if (tree === undefined) return undefined
    if (condition && segmentId) {
      return yield* ValidationError.one("segmentId", "custom", "Give a condition or a segment, not both.")
    }
    if (segmentId) yield* segments.get(project, SegmentId.make(segmentId))
    else yield* audiences.requireSound(project, tree, "condition")
    const audience: Audiences.Audience = yield* audiences.of(project, tree, yield* DateTime.now)
    return audience
  })

  const holding = (audience: Audiences.Audience | undefined) =>
    audience && ((few: boolean) => conditionSql(sql, audience.condition, { ...audience.scope, few }))

  /** Reads no contact if the count of the segment is kept. */
  const numberOf = Effect.fnUntraced(function* (
    client: SqlClient.SqlClient,
    project: ProjectId,
    { segmentId }: Pick<CountContacts, "segmentId">,
    audience: Audiences.Audience | undefined
  ) {
    const kept = segmentId ? yield* segments.keptCount(project, SegmentId.make(segmentId)) : Option.none<number>()
    if (Option.isSome(kept)) return kept.value
    return yield* Effect.flatMap(
      audience === undefined ? contactListSql(client).count(project, {}) : countSql(client, audience).unprepared,
      readCount
    )
  })

  const page = Effect.fn("ContactSelections.page")(function* (project: ProjectId, query: QueryContacts) {
    const { condition, segmentId } = query
    const sort = query.sort ?? "createdAt"
    const dir = query.dir ?? "desc"
    const subscribed = query.subscribed ?? undefined
    const search = query.search ?? undefined
    const audience = yield* selected(project, query)
    const filter = { search, subscribed, holds: holding(audience) }
    const isFiltered = search !== undefined || subscribed !== undefined
    const scope = JSON.stringify(["contacts/query", project, condition, segmentId, search, subscribed, sort, dir])
    return yield* cursorPage(
      cursors,
      { scope, cursor: query.cursor ?? undefined, limit: pageSize(query.limit ? { limit: query.limit } : {}) },
      {
        count: withinTime(
          sql,
          totalTimeout,
          isFiltered ? Effect.flatMap(lists.count(project, filter), readCount) : numberOf(sql, project, query, audience)
        ),
        list: (limit, after, total) =>
          liveQuery(sql, lists.list({ project, filter, order: { sort, dir }, limit, after, total })).pipe(
            Effect.flatMap(contactRows),
            Effect.orDie
          ),
        positionOf: ({ email, id, ...times }) => ({
          key: sort === "email" ? email : DateTime.formatIso(times[sort]),
          id
        })
      }
    )
  })

  const topicOf = Effect.fnUntraced(function* (project: ProjectId, { type, topic: name }: IntendedMail) {
    if (name == null) return null
    const fault = topicFault(type, name, false, "topic")
    if (fault !== undefined) return yield* new ValidationError({ errors: [{ ...fault, field: "for.topic" }] })
    const topic = Option.getOrUndefined(yield* topics.find(project, name))
    return topic ?? (yield* TopicChoice.unknownTopic("for.topic", name))
  })

  const count = Effect.fn("ContactSelections.count")(function* (project: ProjectId, query: CountContacts) {
    const now = yield* DateTime.now
    const audience = yield* selected(project, query)
    const mail = query.for && { type: query.for.type, topic: yield* topicOf(project, query.for) }
    const counted = yield* withinTime(
      reader,
      countTimeout,
      mail
        ? Effect.flatMap(
            eligibilitySql(reader, suppressed, project, mail, DateTime.toDate(now), holding(audience)).unprepared,
            readEligibility
          )
        : Effect.map(numberOf(reader, project, query, audience), (count) => ({ count }))
    )
    return counted ?? { count: null, timedOut: true as const }
  })

  return { page, count } satisfies ContactSelections
})
