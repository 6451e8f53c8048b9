import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Caps and usage.
 *
 * The usage of a project is the count of its emails in `emails` plus `billing_charges`: inbound mail, emails that were
 * tried again, and usage before a reset. Only where there is a cap, `billing_usage` also has the number. It is raised
 * in the transaction that stores an email; null means that it must be counted again. Cancelling an email must not wait
 * for that row, so returns are inserted into `billing_returns` and counted from there.
 *
 * `billing_meter` has the units that are not reported to the payment provider yet.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table billing_limits (
      project_id uuid primary key,
      workflows integer,
      campaigns integer,
      transactional integer,
      inbound integer
    )`
  yield* sql`
    create table billing_accounts (
      project_id uuid primary key,
      customer_id text collate "C" not null unique,
      subscription_id text collate "C",
      currency text,
      period_start timestamptz,
      period_end timestamptz,
      updated_at timestamptz not null
    )`
  yield* sql`
    create table billing_usage (
      project_id uuid not null,
      category text not null,
      period_start timestamptz not null,
      period_end timestamptz not null,
      used integer,
      primary key (project_id, category, period_start)
    ) with (fillfactor = 50)`
  yield* sql`
    create table billing_returns (
      project_id uuid not null,
      category text not null,
      period_start timestamptz not null,
      id bigint generated always as identity,
      primary key (project_id, category, period_start, id)
    )`
  yield* sql`
    create table billing_charges (
      project_id uuid not null,
      category text not null,
      at timestamptz not null,
      id uuid not null,
      count integer not null,
      primary key (project_id, at, id)
    )`
  yield* sql`
    create table billing_warnings (
      project_id uuid not null,
      category text not null,
      period_start timestamptz not null,
      primary key (project_id, category, period_start)
    )`
  yield* sql`
    create table billing_meter (
      project_id uuid not null,
      unit_id uuid not null,
      at timestamptz not null,
      due_at timestamptz not null,
      primary key (project_id, unit_id)
    )`
  yield* sql`
    create index billing_meter_due on billing_meter (due_at)`

  yield* sql.unsafe(`
    create function billing_give_back() returns trigger language plpgsql as $$
    begin
      insert into billing_returns (project_id, category, period_start)
      select project_id, category, period_start from billing_usage
      where project_id = new.project_id and period_start <= new.created_at and period_end > new.created_at
        and category in ('total', case new.source_type when 'CAMPAIGN' then 'campaigns' when 'WORKFLOW' then 'workflows'
                                                       else 'transactional' end);
      return null;
    end $$`)
  // A condition that is false costs almost nothing, since no function is called.
  yield* sql`
    create trigger emails_made_cancelled after insert on emails for each row
      when (new.status = 'CANCELLED' and not new.test)
      execute function billing_give_back()`
  yield* sql`
    create trigger emails_given_back after update on emails for each row
      when (new.status in ('CANCELLED', 'SUPPRESSED') and old.status not in ('CANCELLED', 'SUPPRESSED') and not new.test)
      execute function billing_give_back()`

  yield* sql.unsafe(`
    create function billing_note_sent() returns trigger language plpgsql as $$
    begin
      if not exists (select from billing_accounts where subscription_id is not null) then return null; end if;
      insert into billing_meter (project_id, unit_id, at, due_at)
      select new_mails.project_id, new_mails.id, new_mails.sent_at, new_mails.sent_at
      from new_mails
      join old_mails on old_mails.project_id = new_mails.project_id and old_mails.id = new_mails.id
      join billing_accounts on billing_accounts.project_id = new_mails.project_id and subscription_id is not null
      where new_mails.sent_at is not null and old_mails.sent_at is null and not new_mails.test
      on conflict do nothing;
      return null;
    end $$`)
  yield* sql`
    create trigger emails_metered after update on emails
      referencing old table as old_mails new table as new_mails for each statement execute function billing_note_sent()`
})
