/** Batches of contacts in PostgreSQL, served or embedded. */

import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { noteChanges } from "../../events/ChangeNotes.ts"
import { ContactBatchStore } from "./ContactBatchStore.ts"

const ids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: ContactId })))
const emailRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ email: Schema.String })))

export const layer: Layer.Layer<ContactBatchStore, never, SqlClient.SqlClient> = Layer.effect(
  ContactBatchStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const idsOf = (statement: Effect.Effect<unknown, unknown>) =>
      statement.pipe(
        Effect.flatMap(ids),
        Effect.map((rows) => rows.map(({ id }) => id)),
        Effect.orDie
      )
    const among = (project: ProjectId, wanted: ReadonlyArray<ContactId>) =>
      sql`project_id = ${project} and id = any(${wanted}::uuid[])`

    return ContactBatchStore.of({
      known: (project, emails) =>
        sql`select email from contacts where project_id = ${project} and email = any(${emails}::text[])`.pipe(
          Effect.flatMap(emailRows),
          Effect.map((rows) => new Set(rows.map(({ email }) => email))),
          Effect.orDie
        ),
      // Locks in the order of addresses, as every writer of many contacts does, to avoid deadlocks.
      hold: (project, wanted, to) =>
        Effect.map(
          idsOf(sql`
            select id from contacts where ${among(project, wanted)}
            order by email for ${to === "delete" ? sql`update` : sql`no key update`}`),
          (held) => new Set(held)
        ),
      setSubscribed: (project, wanted, subscribed, now) =>
        idsOf(sql`
          with changed as (
            update contacts set was_subscribed = subscribed, subscribed = ${subscribed},
                   updated_at = ${DateTime.toDate(now)}
            where ${among(project, wanted)} and subscribed <> ${subscribed} returning project_id, id
          ),
          noted as (${noteChanges(sql, sql`select project_id, id, array['subscribed', 'updatedAt'] from changed`)})
          select id from changed`),
      delete: (project, wanted) =>
        Effect.asVoid(Effect.orDie(sql`delete from contacts where ${among(project, wanted)}`))
    })
  })
)
