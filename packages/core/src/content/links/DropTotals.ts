/** Parts of a `with` that delete the totals of templates, campaigns or steps: they go with their owner. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { SqlClient, Statement } from "effect/sql"

export const dropTotals = (
  sql: SqlClient.SqlClient,
  project: ProjectId,
  owners: Statement.Fragment
): Statement.Fragment => {
  const of = (table: string, column: string) => sql`
    ${sql(`${table}_dropped`)} as (delete from ${sql(table)} where project_id = ${project} and ${sql(column)} in (${owners}))`
  return sql.csv([
    of("link_totals", "owner_id"),
    of("link_deltas", "owner_id"),
    of("result_totals", "owner_id"),
    of("result_deltas", "owner_id"),
    of("result_days", "owner_id"),
    of("source_links", "source_id")
  ])
}
