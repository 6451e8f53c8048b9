/**
 * Finds everything that sends from a domain, before it is deleted.
 *
 * Each kind of unsent mail is counted in its own partial index, because `emails` may have many rows.
 */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { countOf } from "../../platform/Queries.ts"
import type { DomainUsage } from "./DomainStore.ts"

const namedRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String })))

const unsent = [
  "status = 'SCHEDULED'",
  "status = 'PENDING' and lane = 0",
  "status = 'PENDING' and lane = 1",
  "status = 'PENDING' and lane = 2",
  "status = 'SENDING'",
  "status = 'AMBIGUOUS' and due_at < 'infinity'"
]

export const domainUsage = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, project: ProjectId, domain: string) {
  const fromDomain = sql`project_id = ${project} and split_part(from_email, '@', 2) = ${domain}`
  const templates = yield* namedRows(
    yield* sql`select id, name from templates where ${fromDomain} order by created_at desc, id desc limit 100`
  )
  const campaigns = yield* namedRows(
    yield* sql`
      select id, name from campaigns
      where ${fromDomain} and status in ('DRAFT', 'SCHEDULED', 'SENDING')
      order by created_at desc, id desc limit 100`
  )
  const workflowSteps = yield* namedRows(
    yield* sql`
      select id, min(name) as name from workflow_used_steps
      where project_id = ${project} and template_id in (select id from templates where ${fromDomain})
      group by id order by min(created_at) desc, id desc limit 100`
  )
  const counts = unsent.map((state) => sql`(select count(*) from emails where ${fromDomain} and ${sql.literal(state)})`)
  const pendingEmails = yield* countOf(sql`select (${sql.join(" + ", false)(counts)})::int as count`)
  return { templates, workflowSteps, campaigns, pendingEmails } satisfies DomainUsage
}, Effect.orDie)
