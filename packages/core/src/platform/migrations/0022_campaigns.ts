import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `audience` is the number of contacts of the audience when it was fixed. `expanded` is whether each of them has its
 * email. A fixed audience waits as lists of ids, 16 bytes for each contact, which are deleted once their emails are
 * written.
 *
 * A mailing is a campaign as the sender sees it: its fixed text, and whether its emails may be sent. It outlives its
 * campaign, because the text of sent emails is read from it.
 *
 * Counters are sums: `campaign_counts` has the merged part, `campaign_deltas` what transitions have added since. Deltas
 * are only inserted, so that no two workers wait for one row.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table campaigns (
      id uuid not null,
      project_id uuid not null,
      name text not null,
      description text,
      subject text not null,
      body text not null,
      from_email text collate "C" not null,
      from_name text,
      reply_to text,
      type text not null,
      audience_type text not null,
      segment_id uuid,
      audience_condition jsonb,
      refers_to uuid[] not null default '{}',
      looks_at text[] not null default '{}',
      template_id uuid,
      status text not null,
      paused boolean not null default false,
      status_reason text,
      scheduled_for timestamptz,
      estimated_recipients integer not null default 0,
      audience integer,
      expanded boolean not null default false,
      sent_at timestamptz,
      completed_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_id, id)
    )`
  yield* sql`
    create index campaigns_created_at on campaigns (project_id, created_at, id)`
  yield* sql`
    create index campaigns_scheduled_for on campaigns (scheduled_for) where status = 'SCHEDULED'`
  yield* sql`
    create index campaigns_open on campaigns (project_id, id) where status = 'SENDING'`
  yield* sql`
    create index campaigns_template on campaigns (project_id, template_id) where template_id is not null`
  yield* sql`
    create table campaign_audiences (
      project_id uuid not null,
      campaign_id uuid not null,
      part integer not null,
      contacts uuid[] not null,
      primary key (project_id, campaign_id, part)
    )`
  yield* sql`
    create table mailings (
      project_id uuid not null,
      campaign_id uuid not null,
      is_open boolean not null,
      stopped boolean not null default false,
      subject text not null,
      body text not null,
      from_email text collate "C" not null,
      from_name text,
      reply_to text,
      type text not null,
      template_id uuid,
      tracking boolean not null,
      project_name text not null,
      language text not null,
      primary key (project_id, campaign_id)
    )`
  yield* sql`
    create index mailings_open on mailings (project_id, campaign_id) where is_open`
  yield* sql`
    create index mailings_stopped on mailings (project_id, campaign_id) where stopped`
  const counters = `
    pending integer not null, sent integer not null, delivered integer not null, opened integer not null,
    clicked integer not null, bounced integer not null, complained integer not null, unsubscribed integer not null,
    failed integer not null, suppressed integer not null, cancelled integer not null, ambiguous integer not null,
    machine_opened integer not null, machine_clicked integer not null`
  yield* sql`
    create table campaign_counts (
      project_id uuid not null,
      campaign_id uuid not null,
      ${sql.literal(counters)},
      primary key (project_id, campaign_id)
    ) with (fillfactor = 50)`
  yield* sql`
    create table campaign_deltas (
      project_id uuid not null,
      campaign_id uuid not null,
      id bigint generated always as identity,
      ${sql.literal(counters)},
      primary key (project_id, campaign_id, id)
    )`
})
