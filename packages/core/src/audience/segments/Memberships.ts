/** Ends or moves the memberships of contacts that are about to be deleted. */
import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

export interface Memberships {
  /**
   * Ends the memberships of contacts that are about to be deleted, without events, and updates the counts of their
   * segments. Returns how many memberships there were. Joins the caller's transaction and must come first in it,
   * because segments are locked before contacts. The contacts stay locked, so that none can become a member again.
   */
  readonly forget: (project: ProjectId, contacts: ReadonlyArray<ContactId>) => Effect.Effect<number>
  /**
   * Locks the segments of both contacts, and returns the static ones that only `from` is in. Joins the caller's
   * transaction and must come first in it.
   */
  readonly joined: (project: ProjectId, from: ContactId, to: ContactId) => Effect.Effect<ReadonlyArray<SegmentId>>
}

const segments = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: SegmentId, isJoined: Schema.Boolean })))

export const make = Effect.map(
  SqlClient.SqlClient,
  (sql): Memberships => ({
    joined: Effect.fn("Memberships.joined")(function* (project, from, to) {
      const members = (contact: ContactId) => sql`
        select segment_id from segment_members where project_id = ${project} and contact_id = ${contact}`
      const found = yield* segments(
        yield* sql`
          select id, type = 'STATIC' and id not in (${members(to)}) as "isJoined" from segments
          where project_id = ${project} and id in (${members(from)} union ${members(to)})
          order by id for no key update`
      )
      return found.flatMap(({ id, isJoined }) => (isJoined ? [id] : []))
    }, Effect.orDie),
    forget: Effect.fn("Memberships.forget")(function* (project, contacts) {
      const theirs = sql`project_id = ${project} and contact_id = any(${contacts}::uuid[])`
      yield* sql`
        select id from segments
        where project_id = ${project} and id in (select segment_id from segment_members where ${theirs})
        order by id for no key update`
      yield* sql`
        select id from contacts where project_id = ${project} and id = any(${contacts}::uuid[])
        order by email for update`
      const gone = yield* sql`
        with gone as (delete from segment_members where ${theirs} returning segment_id),
        counted as (
          update segments set member_count = member_count - gone.count
          from (select segment_id, count(*)::int as count from gone group by segment_id) as gone
          where project_id = ${project} and id = segment_id and settled
        )
        select segment_id from gone`
      return gone.length
    }, Effect.orDie)
  })
)
