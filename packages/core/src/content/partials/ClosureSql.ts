/** The partials that texts name, and those that these name. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { SqlClient, Statement } from "effect/sql"

/**
 * The parts of a `with recursive` that end in `used_partials (name, body, text)`. `names` is a query of one column, and
 * the project can be a column of another row.
 *
 * `union` removes names that were found before, so a circle ends.
 */
export const usedPartials = (
  sql: SqlClient.SqlClient,
  project: ProjectId | Statement.Fragment,
  names: Statement.Fragment
): Statement.Fragment => sql`
  named_partials (name) as (
    select name from (${names}) as asked (name)
    union
    select inner_name from named_partials
    join partials on partials.project_id = ${project} and partials.name = named_partials.name
    cross join lateral unnest(partials.partials) as inner_name
  ),
  used_partials as materialized (
    select name, body, text from partials
    where project_id = ${project} and name in (select name from named_partials)
  )`
