/** Checks whether a project has webhook endpoints, so that events which only they need are not recorded without one. */
import type { SqlClient, Statement } from "effect/sql"

/** Disabled endpoints count too, because they may receive missed events later. */
export const hasEndpoint = (sql: SqlClient.SqlClient, project: Statement.Fragment): Statement.Fragment => sql`
  exists (select from webhook_endpoints as endpoint where endpoint.project_id = ${project})`
