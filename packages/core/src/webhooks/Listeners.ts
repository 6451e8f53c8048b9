/** Whether anybody outside may want to hear of a project, for who would otherwise record events that nobody asks for. */
import type { SqlClient, Statement } from "effect/sql"

/** Disabled ones count: they may be told later of what they missed. */
export const hasEndpoint = (sql: SqlClient.SqlClient, project: Statement.Fragment): Statement.Fragment => sql`
  exists (select from webhook_endpoints as endpoint where endpoint.project_id = ${project})`
