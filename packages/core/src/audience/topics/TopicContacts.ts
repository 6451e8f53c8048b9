/** The contacts of a topic, and the topics of a contact. */

import type { Contact, ContactId, ContactNotFound, ContactPage } from "@posthorn/contract/audience/contacts/Contact"
import type { ContactTopic } from "@posthorn/contract/audience/contacts/ContactConsentApi"
import type { TopicContactQuery } from "@posthorn/contract/audience/topics/TopicContacts"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { InvalidCursor, ResourceNotFound } from "@posthorn/contract/platform/Errors"
import { pageSize } from "@posthorn/contract/platform/Primitives"
import { Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { byCreation, cursorPage } from "../../platform/CursorPages.ts"
import { Cursors, type Position } from "../../platform/Cursors.ts"
import { countOf } from "../../platform/Queries.ts"
import { contactColumns, contactRows } from "../contacts/ContactRow.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { Topics } from "./Topics.ts"

const ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))

/** Up to this number of contacts, an index finds them all. Of more, the walk over the newest finds a page. */
const few = 20_000

export interface TopicContacts {
  /** The contacts of a topic, newest first. */
  readonly list: (
    project: ProjectId,
    topic: string,
    query: TopicContactQuery
  ) => Effect.Effect<ContactPage, InvalidCursor | ResourceNotFound>
  /** The topics of the project by position, with what the contact said. Archived ones are left out. */
  readonly ofContact: (
    project: ProjectId,
    contact: ContactId
  ) => Effect.Effect<ReadonlyArray<ContactTopic>, ContactNotFound>
}

export type Needs = Contacts | Cursors | SqlClient.SqlClient | Topics

export const make: Effect.Effect<TopicContacts, never, Needs> = Effect.gen(function* () {
  const contacts = yield* Contacts
  const cursors = yield* Cursors
  const sql = yield* SqlClient.SqlClient
  const topics = yield* Topics

  const listed = (column: "topics_off" | "topics_on", topic: string, total: number) =>
    total <= few
      ? sql`${sql.literal(column)} @> array[${topic}::uuid]`
      : sql`coalesce(${topic}::uuid = any(${sql.literal(column)}), false)`

  const asked = (topic: string) => sql`not coalesce(${topic}::uuid = any(topics_on), false) and id in (
    select contact_id from opt_ins
    where opt_ins.project_id = contacts.project_id and status = 'PENDING' and ${topic}::uuid = any(topics))`

  const page = (project: ProjectId, holds: Statement.Fragment, limit: number, after: Position | undefined) =>
    sql`
      select ${sql.literal(contactColumns)} from contacts
      where project_id = ${project} and ${holds}
        and ${after === undefined ? sql`true` : sql`(created_at, id) < (${after.key}::timestamptz, ${after.id}::uuid)`}
      order by created_at desc, id desc limit ${limit}`.pipe(Effect.flatMap(contactRows), Effect.orDie)

  /** Newest first. */
  const list = Effect.fn("TopicContacts.list")(function* (project: ProjectId, topic: string, query: TopicContactQuery) {
    const { state = "takes" } = query
    const found = yield* topics.get(project, topic)
    const { id, defaultSubscription, subscribedCount, unsubscribedCount, subscriberCount } = found
    const isTaken =
      defaultSubscription === "subscribed"
        ? sql`subscribed and not coalesce(${id}::uuid = any(topics_off), false)`
        : sql`subscribed and ${listed("topics_on", id, subscriberCount)}`
    const choices = {
      takes: { holds: isTaken, count: Effect.succeed(subscriberCount) },
      subscribed: { holds: listed("topics_on", id, subscribedCount), count: Effect.succeed(subscribedCount) },
      unsubscribed: { holds: listed("topics_off", id, unsubscribedCount), count: Effect.succeed(unsubscribedCount) },
      pending: {
        holds: asked(id),
        count: countOf(sql`select count(*)::int as count from contacts where project_id = ${project} and ${asked(id)}`)
      }
    }
    const { holds, count } = choices[state]
    return yield* cursorPage<Contact>(
      cursors,
      { scope: JSON.stringify(["topic-contacts", project, id, state]), cursor: query.cursor, limit: pageSize(query) },
      { count, list: (limit, after) => page(project, holds, limit, after), positionOf: byCreation }
    )
  })

  /** The topics that the contact left, by their ids. */
  const leftOf = (project: ProjectId, contact: ContactId) =>
    sql`select unnest(topics_off) as id from contacts where project_id = ${project} and id = ${contact}`.pipe(
      Effect.flatMap(ids),
      Effect.map((found) => new Set(found.map(({ id }) => id))),
      Effect.orDie
    )

  const ofContact = Effect.fn("TopicContacts.ofContact")(function* (project: ProjectId, contact: ContactId) {
    const { subscribed, topics: states } = yield* contacts.get(project, contact)
    // What the contact is asked to confirm hides what it said before.
    const left = yield* leftOf(project, contact)
    return (yield* topics.all(project)).map(({ id, key, name, defaultSubscription, visibility }): ContactTopic => {
      const state = (Object.hasOwn(states, key) ? states[key] : undefined) ?? "unset"
      const isYes = state === "subscribed" || (defaultSubscription === "subscribed" && !left.has(id))
      return { topic: { id, key, name }, state, takes: subscribed && isYes, defaultSubscription, visibility }
    })
  })

  return { list, ofContact } satisfies TopicContacts
})
