import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * DMARC aggregate reports. A row of `dmarc_reports` is one report: its key is the hash of its maker and its id, so that it
 * counts once. `dmarc_rows` has the sums by day, source, From domain and result; it has no foreign key, which would cost more
 * than the rows. The mails themselves are not kept.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index domains_id on domains (id)`
  yield* sql`
    create table dmarc_reports (
      project_id uuid not null,
      domain_id uuid not null,
      key bytea not null,
      reporter text not null,
      day timestamptz not null,
      policy text not null,
      received_at timestamptz not null,
      messages bigint not null,
      passed bigint not null,
      dkim_aligned bigint not null,
      spf_aligned bigint not null,
      quarantined bigint not null,
      rejected bigint not null,
      primary key (project_id, domain_id, key),
      constraint dmarc_reports_domain foreign key (project_id, domain_id) references domains (project_id, id)
        on delete cascade
    )`
  yield* sql`create index dmarc_reports_received on dmarc_reports (project_id, domain_id, received_at)`
  yield* sql`create index dmarc_reports_day on dmarc_reports (day)`
  yield* sql`
    create table dmarc_rows (
      project_id uuid not null,
      domain_id uuid not null,
      day timestamptz not null,
      source text collate "C" not null,
      from_domain text collate "C" not null,
      disposition text collate "C" not null,
      dkim boolean not null,
      spf boolean not null,
      messages bigint not null,
      own boolean not null,
      primary key (project_id, domain_id, day, source, from_domain, disposition, dkim, spf)
    )`
  yield* sql`create index dmarc_rows_day on dmarc_rows (day)`
})
