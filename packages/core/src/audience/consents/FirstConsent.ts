/** Deletes contacts. The statement writes the first record of those that were subscribed and have no record yet. */
import type { SqlClient, Statement } from "effect/sql"
import { consentColumns, firstOfContact } from "./ConsentSql.ts"

export const deleteContacts = (
  sql: SqlClient.SqlClient,
  which: Statement.Fragment,
  now: Date
): Statement.Statement<unknown> => sql`
  with deleted as (
    delete from contacts where ${which}
    returning id, project_id, email, subscribed, proven, origin, origin_id, created_at
  ),
  consented as (
    insert into consents (${consentColumns(sql)})
    select ${firstOfContact("deleted", sql`${now}::timestamptz`, sql)}
    from deleted where subscribed and proven is not true
    on conflict do nothing
  )
  select id from deleted`
