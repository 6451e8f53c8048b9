import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Hosts of customers in the links of their mail. A domain has at most one, and a host belongs to one domain. `link_hosts`
 * also has former hosts, whose links stay valid. An email keeps the host that was chosen when it was accepted.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table domains add column link_host text, add column link_status text, add column link_checked_at timestamptz,
      add column link_error text, add column link_failures integer not null default 0`
  yield* sql`create unique index domains_link_host on domains (link_host) where link_host is not null`
  yield* sql`
    create index domains_link_active on domains (project_id, domain, link_host) where link_status = 'ACTIVE'`
  yield* sql`
    create table link_hosts (host text not null, project_id uuid not null, primary key (host, project_id))`
  yield* sql`create index link_hosts_project on link_hosts (project_id)`
  yield* sql`alter table emails add column link_host text`
  yield* sql`alter table mailings add column link_host text`
})
