import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * A statement that changes many contacts appends one tally for all of them, if its transaction has set
 * `posthorn.tallies` to `by_statement`. Otherwise, each changed row appends its own.
 *
 * The triggers look at the setting, and exactly one of the two ways counts a row. So the totals are exact with either
 * value, wherever it was set. It may only not change within a statement that has already updated a contact.
 *
 * Not by statement always: the trigger would run for each update of a contact, and most change no total. Its transition
 * tables cost such an update about 3 us.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`select quote_ident(current_schema()) as schema`
  const schema = sql.literal(String(row?.["schema"]))
  const byStatement = sql.literal("coalesce(current_setting('posthorn.tallies', true), '') = 'by_statement'")
  yield* sql`
    create function tally_updated_contacts() returns trigger language plpgsql as $$
    begin
      insert into ${schema}.contact_tallies (project_id, contacts, subscribed)
      select project_id, sum(contacts), sum(subscribed)
      from (
        select project_id, -1 as contacts, -subscribed::int as subscribed from before
        union all
        select project_id, 1, subscribed::int from after
      ) as state
      group by project_id;
      if not found then
        return null;
      end if;
      if hashint8(lastval()) & 127 = 0 then
        perform ${schema}.fold_contact_tallies(project_id) from (select distinct project_id from after) as touched;
      end if;
      return null;
    end $$`
  yield* sql`
    create function tally_updated_topics() returns trigger language plpgsql as $$
    begin
      insert into ${schema}.topic_tallies (project_id, topic_id, topic_on, topic_off, subscribed_on, subscribed_off)
      select project_id, topic_id, sum(topic_on), sum(topic_off), sum(topic_on * subscribed), sum(topic_off * subscribed)
      from (
        select project_id, unnest(topics_on) as topic_id, 1 as topic_on, 0 as topic_off, subscribed::int from after
        union all
        select project_id, unnest(topics_off), 0, 1, subscribed::int from after
        union all
        select project_id, unnest(topics_on), -1, 0, subscribed::int from before
        union all
        select project_id, unnest(topics_off), 0, -1, subscribed::int from before
      ) as state
      group by project_id, topic_id
      having (sum(topic_on), sum(topic_off), sum(topic_on * subscribed), sum(topic_off * subscribed)) <> (0, 0, 0, 0);
      if not found then
        return null;
      end if;
      if hashint8(lastval()) & 127 = 0 then
        perform ${schema}.fold_topic_tallies(project_id) from (select distinct project_id from after) as touched;
      end if;
      return null;
    end $$`
  yield* sql`
    create or replace trigger contact_flipped after update on contacts for each row
    when ((old.subscribed <> new.subscribed or old.project_id <> new.project_id) and not ${byStatement})
    execute function tally_flipped_contact()`
  yield* sql`
    create or replace trigger contact_topics_changed after update on contacts for each row
    when (
      (old.topics_on is distinct from new.topics_on or old.topics_off is distinct from new.topics_off
       or ((old.subscribed <> new.subscribed or old.project_id <> new.project_id)
           and (new.topics_on is not null or new.topics_off is not null)))
      and not ${byStatement}
    )
    execute function tally_topics()`
  yield* sql`
    create trigger contacts_updated after update on contacts
    referencing old table as before new table as after for each statement
    when (${byStatement}) execute function tally_updated_contacts()`
  yield* sql`
    create trigger contact_topics_updated after update on contacts
    referencing old table as before new table as after for each statement
    when (${byStatement}) execute function tally_updated_topics()`
})
