import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Totals of topics: how many contacts said yes and no, and how many of each are subscribed. As with the totals of
 * contacts, a trigger appends the change of a contact in its transaction, without a lock, and one append in 128 folds
 * the newest tallies. A contact without topics costs the condition of the trigger alone.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`select quote_ident(current_schema()) as schema`
  const schema = sql.literal(String(row?.["schema"]))
  yield* sql`
    create table topic_tallies (
      project_id uuid not null,
      id bigint generated always as identity,
      topic_id uuid not null,
      topic_on bigint not null,
      topic_off bigint not null,
      subscribed_on bigint not null,
      subscribed_off bigint not null,
      primary key (project_id, id)
    )`
  yield* sql`
    create function fold_topic_tallies(project uuid) returns void language sql as $$
      with newest as materialized (
        select id from ${schema}.topic_tallies where project_id = project
        order by id desc limit 1000 for update skip locked
      ),
      gone as (
        delete from ${schema}.topic_tallies as tally using newest
        where tally.project_id = project and tally.id = newest.id
          and current_setting('transaction_isolation') = 'read committed'
        returning topic_id, topic_on, topic_off, subscribed_on, subscribed_off
      )
      insert into ${schema}.topic_tallies (project_id, topic_id, topic_on, topic_off, subscribed_on, subscribed_off)
      select project, topic_id, sum(topic_on), sum(topic_off), sum(subscribed_on), sum(subscribed_off)
      from gone group by topic_id
      having (sum(topic_on), sum(topic_off), sum(subscribed_on), sum(subscribed_off)) <> (0, 0, 0, 0)
    $$`
  yield* sql`
    create function tally_topics() returns trigger language plpgsql as $$
    begin
      insert into ${schema}.topic_tallies (project_id, topic_id, topic_on, topic_off, subscribed_on, subscribed_off)
      select project_id, topic_id, sum(topic_on), sum(topic_off), sum(topic_on * subscribed), sum(topic_off * subscribed)
      from (
        select new.project_id, unnest(new.topics_on) as topic_id, 1 as topic_on, 0 as topic_off,
               new.subscribed::int as subscribed
        where tg_op <> 'DELETE'
        union all
        select new.project_id, unnest(new.topics_off), 0, 1, new.subscribed::int where tg_op <> 'DELETE'
        union all
        select old.project_id, unnest(old.topics_on), -1, 0, old.subscribed::int where tg_op <> 'INSERT'
        union all
        select old.project_id, unnest(old.topics_off), 0, -1, old.subscribed::int where tg_op <> 'INSERT'
      ) as state
      group by project_id, topic_id
      having (sum(topic_on), sum(topic_off), sum(topic_on * subscribed), sum(topic_off * subscribed)) <> (0, 0, 0, 0);
      if not found then
        return null;
      end if;
      if hashint8(lastval()) & 127 = 0 then
        perform ${schema}.fold_topic_tallies(coalesce(new.project_id, old.project_id));
      end if;
      return null;
    end $$`
  yield* sql`
    create function tally_no_topics() returns trigger language plpgsql as $$
    begin
      truncate ${schema}.topic_tallies;
      return null;
    end $$`
  yield* sql`
    create trigger contact_topics_added after insert on contacts for each row
    when (new.topics_on is not null or new.topics_off is not null) execute function tally_topics()`
  yield* sql`
    create trigger contact_topics_removed after delete on contacts for each row
    when (old.topics_on is not null or old.topics_off is not null) execute function tally_topics()`
  yield* sql`
    create trigger contact_topics_changed after update on contacts for each row
    when (
      old.topics_on is distinct from new.topics_on or old.topics_off is distinct from new.topics_off
      or ((old.subscribed <> new.subscribed or old.project_id <> new.project_id)
          and (new.topics_on is not null or new.topics_off is not null))
    )
    execute function tally_topics()`
  yield* sql`
    create trigger contact_topics_truncated after truncate on contacts for each statement
    execute function tally_no_topics()`
})
