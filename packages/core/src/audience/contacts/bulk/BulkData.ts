/** Sets custom data of many contacts, in one statement. */
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { maxDataBytes } from "@posthorn/contract/audience/contacts/ContactData"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dataName, noteChanges } from "../../../events/ChangeNotes.ts"
import { json } from "../ContactUpsertSql.ts"
import type { DataChange } from "../DataChange.ts"

const rows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: ContactId, isChanged: Schema.Boolean, isTooLarge: Schema.Boolean }))
)

/** The constraint of the table, for the data that it would have. */
const tooLarge = String.raw`octet_length(next::text) > ${maxDataBytes}
  and octet_length(regexp_replace(next::text, '("(?:[^"\\]|\\.)*")| ', '\1', 'g')) > ${maxDataBytes}`

export const make = Effect.map(SqlClient.SqlClient, (sql) =>
  /** What happened to each contact that exists. One whose data would be too large stays as it is. */
  Effect.fnUntraced(function* (
    project: ProjectId,
    contacts: ReadonlyArray<ContactId>,
    { set, remove }: DataChange,
    now: DateTime.Utc
  ) {
    const names = ["updatedAt", ...[...remove, ...Object.keys(set)].map(dataName)]
    return yield* rows(
      yield* sql`
        with wanted as materialized (
          select id, data, (data - ${remove}::text[]) || ${json(sql, set)} as next from contacts
          where project_id = ${project} and id = any(${contacts}::uuid[])
        ),
        judged as materialized (select *, ${sql.literal(tooLarge)} as too_large from wanted),
        changed as (
          update contacts set data = judged.next, updated_at = ${DateTime.toDate(now)}
          from judged
          where contacts.project_id = ${project} and contacts.id = judged.id
            and not too_large and judged.next is distinct from judged.data
          returning contacts.project_id, contacts.id
        ),
        noted as (${noteChanges(sql, sql`select project_id, id, ${names}::text[] from changed`)})
        select judged.id, changed.id is not null as "isChanged", too_large as "isTooLarge"
        from judged left join changed on changed.id = judged.id`
    )
  }, Effect.orDie)
)
