/** How long messages without a contact are kept, and which belong to a contact. `IngestStore.ts` holds and releases them. */
import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Id } from "@posthorn/contract/platform/Primitives"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** The most rows that one statement deletes. */
const batch = 5_000

/** Deletes the messages that have waited as long as their project lets them, 7 days by default. */
export const sweep: Effect.Effect<void, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDate(yield* DateTime.now)
  const sweepSome = sql`
    delete from held_messages where (project_id, id) in (
      select held.project_id, held.id from held_messages as held
      left join audience_settings using (project_id)
      where received_at < ${now}::timestamptz - make_interval(days => coalesce((settings #>> '{ingest,holdDays}')::int, 7))
      order by received_at limit ${batch}
    ) returning 1`
  while ((yield* sweepSome).length === batch);
}).pipe(Effect.orDie)

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: Id,
      personId: Schema.String,
      content: Schema.Json,
      receivedAt: Schema.DateTimeUtcFromDate
    })
  )
)

/** The messages under the ids of a contact. */
export const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const ofPerson = (project: ProjectId, contact: ContactId) => sql`
    project_id = ${project} and person_id in (
      select external_id from contacts where project_id = ${project} and id = ${contact} and external_id is not null
      union all
      select alias from contact_aliases where project_id = ${project} and contact_id = ${contact}
    )`
  return {
    /** Oldest first. */
    of: (project: ProjectId, contact: ContactId) =>
      sql`
        select id, person_id as "personId", content, received_at as "receivedAt" from held_messages
        where ${ofPerson(project, contact)} order by received_at, id`.pipe(Effect.flatMap(rows), Effect.orDie),
    /** Deletes them. Call it before the contact is deleted, which takes its aliases. */
    forget: (project: ProjectId, contact: ContactId) =>
      Effect.asVoid(Effect.orDie(sql`delete from held_messages where ${ofPerson(project, contact)}`))
  }
})
