/** A migration in steps of the two largest tables, as a later version may have it. */
import {
  backfill,
  constraint,
  index,
  type Migration,
  transaction,
  validate
} from "@posthorn/core/platform/migrations/Steps"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const name = "9000_recipient_domains"

/** `seen` counts how often a batch took effect on a row that was there before. */
const columns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table emails add column recipient_domain text, add column seen int`
  yield* sql`alter table events add column day date, add column seen int`
  yield* sql.unsafe(`
    create function emails_recipient_domain() returns trigger language plpgsql as $$
    begin
      new.recipient_domain := split_part(new.to_email, '@', 2);
      return new;
    end $$`).unprepared
  yield* sql`
    create trigger emails_recipient_domain before insert on emails
      for each row execute function emails_recipient_domain()`
  yield* sql.unsafe(`
    create function events_day() returns trigger language plpgsql as $$
    begin
      new.day := (new.created_at at time zone 'UTC')::date;
      return new;
    end $$`).unprepared
  yield* sql`create trigger events_day before insert on events for each row execute function events_day()`
})

export const migration: Migration = {
  expand: [
    transaction("columns", columns),
    constraint("emails", "emails_recipient_domain", "check (recipient_domain <> '')")
  ],
  background: [
    index("emails_recipient_domain", "on emails (project_id, split_part(to_email, '@', 2), id)"),
    backfill(
      "emails",
      (sql, rows) => sql`
        update emails set recipient_domain = split_part(to_email, '@', 2), seen = coalesce(seen, 0) + 1 where ${rows}`
    ),
    backfill(
      "events",
      (sql, rows) => sql`
        update events set day = (created_at at time zone 'UTC')::date, seen = coalesce(seen, 0) + 1 where ${rows}`
    ),
    index("events_days", "on events (project_id, day)"),
    validate("emails", "emails_recipient_domain")
  ]
}
