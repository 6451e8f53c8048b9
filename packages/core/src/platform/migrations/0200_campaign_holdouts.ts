import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Holdouts of campaigns. `campaigns.holdout` is as its author wrote it. `holdout_size` is set when sending starts, and stays
 * when contacts are deleted. `campaign_holdouts` are the contacts that are held out, without those that are deleted.
 *
 * `campaign_reached` has one row for each contact that did what the goal asks, with mail or held out, and
 * `campaign_uplifts` are their counts, which stay as well.
 *
 * A trigger removes the holdouts of deleted contacts. A foreign key would check every row of a new holdout, and lock its
 * contact.
 *
 * The contacts of a part of an audience are in the order of their ids. The first and the last one tell whether a contact
 * may be in it, without reading the list.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table campaigns add column holdout jsonb, add column holdout_size integer`
  yield* sql`
    create table campaign_holdouts (
      project_id uuid not null,
      campaign_id uuid not null,
      contact_id uuid not null,
      primary key (project_id, campaign_id, contact_id)
    )`
  yield* sql`create index campaign_holdouts_contact on campaign_holdouts (project_id, contact_id)`
  yield* sql`
    create table campaign_reached (
      project_id uuid not null,
      campaign_id uuid not null,
      contact_id uuid not null,
      held_out boolean not null,
      primary key (project_id, campaign_id, contact_id),
      foreign key (project_id, contact_id) references contacts on delete cascade
    )`
  yield* sql`create index campaign_reached_contact on campaign_reached (project_id, contact_id)`
  yield* sql`
    create table campaign_uplifts (
      project_id uuid not null,
      campaign_id uuid not null,
      treated integer not null,
      held_out integer not null,
      primary key (project_id, campaign_id)
    )`
  yield* sql`
    alter table campaign_audiences
      add column first_contact uuid generated always as (contacts[1]) stored,
      add column last_contact uuid generated always as (contacts[cardinality(contacts)]) stored`

  const [row] = yield* sql`select quote_ident(current_schema()) as schema`
  const schema = sql.literal(String(row?.["schema"]))
  yield* sql`
    create function drop_holdouts() returns trigger language plpgsql as $$
    begin
      delete from ${schema}.campaign_holdouts where project_id = old.project_id and contact_id = old.id;
      return null;
    end $$`
  yield* sql`
    create trigger contact_holdouts_removed after delete on contacts for each row execute function drop_holdouts()`
})
