/**
 * Notes of changes to contacts, for the tracked segments that react to them. The statement that makes the change writes
 * the note.
 *
 * A name is `email`, `externalId`, `subscribed`, `subscription`, `snoozedUntil`, `updatedAt`, `topic.<key>`,
 * `data.<key>` with a top-level key, `event.<name>` or `segment.<id>`. `origin.source` never changes. `*` means everything, as for a new contact. If no tracked segment reacts, nothing is written, and the cost is one
 * lookup in a small index.
 */
import type { SqlClient, Statement } from "effect/sql"

/** Every segment reacts to this name. */
export const anything = "*"

export const eventName = (event: string): string => `event.${event}`

/** `key` is the key of a topic. */
export const topicName = (key: string): string => `topic.${key}`

export const segmentName = (id: string): string => `segment.${id}`

export const dataName = (key: string): string => `data.${key}`

/** The changes for `noteChanges` from the events in a part of a `with` that has project_id, contact_id and name. */
export const eventChanges = (sql: SqlClient.SqlClient, events: string): Statement.Fragment =>
  sql`select project_id, contact_id, array[${sql.literal(`'${eventName("")}'`)} || name] from ${sql(events)}`

/** A statement or a part of a `with`. `changes` selects project, contact and names, in this order. */
export const noteChanges = (sql: SqlClient.SqlClient, changes: Statement.Fragment): Statement.Statement<unknown> => sql`
  insert into segment_changes (project_id, contact_id, names)
  select project_id, contact_id, names from (${changes}) as change (project_id, contact_id, names)
  where contact_id is not null and exists (
    select from segments
    where segments.project_id = change.project_id and track_membership and type = 'DYNAMIC'
      and reacts_to && change.names
  )`
