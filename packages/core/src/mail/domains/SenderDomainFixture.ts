/** For tests: a sender domain as the database holds it once it is verified, or while it is not. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const insertDomain = Effect.fnUntraced(function* (project: ProjectId, domain: string, verified = true) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into domains (id, project_id, domain, selector, rsa_public_key, rsa_private_key, ed25519_public_key,
      ed25519_private_key, verified, records, created_at, updated_at)
    values (gen_random_uuid(), ${project}, ${domain}, 'ph', '', '', '', '', ${verified}, '[]', now(), now())`
}, Effect.orDie)
