/** For tests: what sends from a domain, as the database holds it. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const ids = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ id: Schema.String })]))

export const insertTemplate = Effect.fnUntraced(function* (project: ProjectId, name: string, from: string) {
  const sql = yield* SqlClient.SqlClient
  const [{ id }] = yield* ids(
    yield* sql`
      insert into templates (id, project_id, name, subject, body, from_email, type, created_at, updated_at)
      values (gen_random_uuid(), ${project}, ${name}, 's', 'b', ${from}, 'MARKETING', now(), now()) returning id`
  )
  return id
}, Effect.orDie)

/** A mail in a state; an ambiguous one waits for evidence unless it `rests`. */
export const insertEmail = Effect.fnUntraced(function* (
  project: ProjectId,
  from: string,
  status: string,
  { lane = 0, rests = false }: { readonly lane?: 0 | 1; readonly rests?: boolean } = {}
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into emails (id, project_id, to_email, from_email, type, source_type, tracking, status, lane, due_at,
      ladder_since, created_at, updated_at)
    values (gen_random_uuid(), ${project}, 'a@example.com', ${from}, 'TRANSACTIONAL', 'TRANSACTIONAL', true, ${status},
      ${lane}, ${rests ? "infinity" : "2026-11-20T15:00:00Z"}::timestamptz, now(), now(), now())`
}, Effect.orDie)
