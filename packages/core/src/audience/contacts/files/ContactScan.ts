/** Walks over contacts in PostgreSQL or PGlite, by primary key, so that every page costs the same. */

import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { contactColumns, contactRows } from "../ContactRow.ts"
import type { ContactFilter } from "../ContactStore.ts"

export interface ScanFilter extends ContactFilter {
  /** A condition on rows of `contacts`. */
  readonly members?: Statement.Fragment | undefined
}

const keyRow = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ keys: Schema.Array(Schema.String), last: Schema.NullOr(ContactId) })])
)

export const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const matching = (project: ProjectId, { members, search, subscribed }: ScanFilter, after: ContactId | undefined) =>
    sql.and([
      sql`project_id = ${project}`,
      ...(after === undefined ? [] : [sql`id > ${after}`]),
      ...(search ? [sql`strpos(email, ${search.toLowerCase()}) > 0`] : []),
      ...(subscribed === undefined ? [] : [sql`subscribed = ${subscribed}`]),
      ...(members === undefined ? [] : [members])
    ])

  return {
    page: (project: ProjectId, filter: ScanFilter, after: ContactId | undefined, limit: number) =>
      sql`
        select ${sql.literal(contactColumns)} from contacts where ${matching(project, filter, after)}
        order by id limit ${limit}`.pipe(Effect.flatMap(contactRows), Effect.orDie),
    /**
     * Returns up to `most` top-level keys of the first `limit` contacts after `after`, and the id of the last of these
     * contacts.
     */
    keys: (project: ProjectId, filter: ScanFilter, after: ContactId | undefined, limit: number, most: number) =>
      sql`
        with page as materialized (
          select id, data from contacts where ${matching(project, filter, after)} order by id limit ${limit}
        )
        select array(select distinct key from page, jsonb_object_keys(data) as key limit ${most}) as keys,
               (select id from page order by id desc limit 1) as last`.pipe(
        Effect.flatMap(keyRow),
        Effect.map(([{ keys, last }]) => ({ keys, last: last ?? undefined })),
        Effect.orDie
      )
  }
})
