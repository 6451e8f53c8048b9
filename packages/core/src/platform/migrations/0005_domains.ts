import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * A domain may be pending in several projects and verified in one. The partial unique index enforces this. Private keys
 * are sealed with a key that derives from the installation's secret.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table domains (
      id uuid not null,
      project_id uuid not null,
      domain text collate "C" not null,
      selector text not null,
      rsa_public_key text not null,
      rsa_private_key text not null,
      ed25519_public_key text not null,
      ed25519_private_key text not null,
      verified boolean not null,
      verified_elsewhere boolean not null default false,
      trusted boolean not null default false,
      failed_checks integer not null default 0,
      records jsonb not null,
      last_checked_at timestamptz,
      last_error text,
      verified_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_id, id),
      constraint domains_domain unique (project_id, domain)
    )`
  yield* sql`
    create unique index domains_verified on domains (domain) where verified`
})
