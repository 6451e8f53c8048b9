import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Warm-ups of sender domains.
 *
 * A row of `warmups` is a plan, with the counters of its current day; `warmup_days` has the days that are over. The
 * counters of what came back are raised by the statement that records it. `look_at` is when the plan needs a look: at
 * the end of its day, or at once after such a statement. `slots` counts the places of the day that single mails were put
 * off to, `put_off` the mails that wait for one. `notice` is what a mail to the administrators is still to say.
 *
 * `emails.warmups` are the plans that counted the mail, `emails.put_off_by` is the plan for which it waits. Both are null
 * for all other mail, so that neither the triggers nor the indexes cost anything without plans.
 *
 * `projects.warms_up` says that the project has a plan that is not completed: its mail is claimed separately.
 * `warmup_releases` are plans whose mails were put off before they changed, and are due again.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`select quote_ident(current_schema()) as schema`
  const schema = String(row?.["schema"])
  yield* sql`
    create table warmups (
      project_id uuid not null,
      id uuid not null,
      domain_id uuid not null,
      domain text collate "C" not null,
      transport text collate "C" not null,
      preset text not null,
      caps integer[] not null,
      starts_on text not null,
      timezone text not null,
      hours jsonb,
      transactional text not null,
      hold_at jsonb not null,
      pause_at jsonb not null,
      status text not null,
      step integer not null,
      day text not null,
      look_at timestamptz not null,
      closed boolean not null default false,
      taken integer not null default 0,
      bounced integer not null default 0,
      complained integer not null default 0,
      deferred integer not null default 0,
      slots integer not null default 0,
      put_off integer not null default 0,
      notice text,
      primary key (project_id, id),
      unique (project_id, domain_id, transport),
      constraint warmups_domain foreign key (project_id, domain_id) references domains (project_id, id) on delete cascade
    ) with (fillfactor = 50)`
  yield* sql`create index warmups_look_at on warmups (look_at) where status <> 'COMPLETED'`
  yield* sql`create index warmups_notice on warmups (project_id, id) where notice is not null`
  yield* sql`
    create table warmup_days (
      project_id uuid not null,
      warmup_id uuid not null,
      day text not null,
      step integer not null,
      cap integer not null,
      sent integer not null,
      bounced integer not null,
      complained integer not null,
      deferred integer not null,
      result text not null,
      primary key (project_id, warmup_id, day),
      constraint warmup_days_warmup foreign key (project_id, warmup_id) references warmups (project_id, id)
        on delete cascade
    )`
  yield* sql`
    create table warmup_releases (
      project_id uuid not null,
      warmup_id uuid not null,
      until timestamptz not null,
      primary key (project_id, warmup_id)
    )`
  yield* sql`alter table projects add column warms_up boolean not null default false`
  yield* sql`create index projects_warming_up on projects (id) where warms_up`
  yield* sql`alter table mailings add column held_until timestamptz`
  yield* sql`alter table emails add column warmups uuid[], add column put_off_by uuid`
  yield* sql`
    create index emails_put_off on emails (project_id, put_off_by)
      where put_off_by is not null and status = 'PENDING'`
  yield* sql`
    create index emails_retried_campaign on emails (project_id, campaign_id, due_at, id)
      where status = 'PENDING' and lane = 2 and claim > 0`
  yield* sql.unsafe(`
    create function warmup_came_back() returns trigger language plpgsql as $$
    begin
      update ${schema}.warmups set
        bounced = bounced + (old.bounced_at is null and new.bounced_at is not null)::int,
        complained = complained + (old.complained_at is null and new.complained_at is not null)::int,
        deferred = deferred + (old.deferred_at is null and new.deferred_at is not null)::int,
        look_at = '-infinity'
      where project_id = new.project_id and id = any(new.warmups) and status <> 'COMPLETED';
      return null;
    end $$`)
  yield* sql`
    create trigger emails_came_back after update on emails for each row
      when (new.warmups is not null
            and ((old.bounced_at is null and new.bounced_at is not null)
                 or (old.complained_at is null and new.complained_at is not null)
                 or (old.deferred_at is null and new.deferred_at is not null)))
      execute function warmup_came_back()`
  // A report of a delay after the hand-over changes no mail. Only the first one of a mail counts.
  yield* sql.unsafe(`
    create function warmup_deferred() returns trigger language plpgsql as $$
    begin
      update ${schema}.warmups set deferred = deferred + 1, look_at = '-infinity'
      from ${schema}.emails
      where emails.project_id = new.project_id and emails.id = new.email_id and emails.warmups is not null
        and emails.deferred_at is null
        and warmups.project_id = new.project_id and warmups.id = any(emails.warmups) and warmups.status <> 'COMPLETED'
        and not exists (
          select from ${schema}.email_deferrals as other
          where other.project_id = new.project_id and other.email_id = new.email_id and other.kind = 'deferred'
            and (other.at, other.detail) <> (new.at, new.detail));
      return null;
    end $$`)
  yield* sql`
    create trigger email_deferred after insert on email_deferrals for each row when (new.kind = 'deferred')
      execute function warmup_deferred()`
  yield* sql.unsafe(`
    create function warmup_waits_no_more() returns trigger language plpgsql as $$
    begin
      update ${schema}.warmups set put_off = greatest(0, put_off - 1)
      where project_id = old.project_id and id = old.put_off_by;
      return null;
    end $$`)
  yield* sql`
    create trigger emails_put_off_ends after update on emails for each row
      when (old.put_off_by is not null and old.status = 'PENDING' and new.status <> 'PENDING')
      execute function warmup_waits_no_more()`
  yield* sql`
    create trigger emails_put_off_deleted after delete on emails for each row
      when (old.put_off_by is not null and old.status = 'PENDING')
      execute function warmup_waits_no_more()`
})
