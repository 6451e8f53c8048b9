/** Finds out whether an event was recorded, for a caller that lost the connection during the write. */
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Array, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { isTaken } from "../platform/Transaction.ts"

const Contacts = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ contact: ContactId })))

export const make = Effect.map(SqlClient.SqlClient, (sql) => ({
  /** None if there is no such event. Waits for transactions that may be about to commit it. */
  contactOf: Effect.fn("RecordedEvents.contactOf")(function* (project: ProjectId, event: string) {
    const place = sql`
      insert into events (project_id, id, name, source, created_at)
      values (${project}, ${event}, '', 'system', clock_timestamp())
      on conflict do nothing returning id`
    if (!(yield* isTaken(sql, place))) return Option.none<ContactId>()
    const rows = yield* sql`
      select contact_id as contact from events
      where project_id = ${project} and id = ${event} and contact_id is not null`
    return Option.map(Array.head(yield* Contacts(rows)), ({ contact }) => contact)
  }, Effect.orDie)
}))
