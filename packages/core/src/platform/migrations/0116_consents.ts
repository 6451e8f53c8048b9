import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Records of consent: one row for each real change of a subscription or a topic, written by the statement that changes
 * it. A row is never changed, apart from erasure, and removed only when its time is over.
 *
 * `email` is the address at that time, or a keyed hash after erasure, as in `suppressions`. Ids of mail, forms and jobs
 * are plain references. The text that a person saw is stored once.
 *
 * `was_topics_on`, `was_topics_off` and `was_proven` are what the last write found, as `was_subscribed` is. `proven`
 * says that the contact has records; while it has none, its first one follows from the contact itself.
 *
 * Existing contacts are not rewritten.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table contacts
      add column was_topics_on uuid[],
      add column was_topics_off uuid[],
      add column proven boolean,
      add column was_proven boolean`
  yield* sql`
    create table consents (
      project_id uuid not null,
      id uuid not null,
      contact_id uuid,
      email text collate "C",
      at timestamptz not null,
      recorded_at timestamptz not null,
      action text not null,
      topic_id uuid,
      topic_key text,
      topic_name text,
      source text not null,
      actor text not null,
      actor_user text,
      wording_hash text,
      wording_language text,
      form_version integer,
      basis text,
      evidence jsonb,
      ip text,
      user_agent text,
      email_id uuid,
      campaign_id uuid,
      form_id uuid,
      opt_in_id uuid,
      job_id uuid,
      primary key (project_id, id)
    )`
  yield* sql`create index consents_contact on consents (project_id, contact_id, id)`
  yield* sql`create index consents_email on consents (project_id, email, id)`
  yield* sql`create index consents_recorded on consents (project_id, recorded_at)`
  yield* sql`
    create table consent_wordings (
      project_id uuid not null,
      hash text not null,
      text text not null,
      primary key (project_id, hash)
    )`
  yield* sql`
    create function uuids(list jsonb) returns uuid[] language sql immutable as $$
      select array(select value::uuid from jsonb_array_elements_text(list) as value)
    $$`
  // The order of a list stays, so that a list without a change is equal. An empty list is none.
  yield* sql`
    create function topic_list(stored uuid[], added uuid[], removed uuid[]) returns uuid[] language sql immutable as $$
      select nullif(
        array(select topic from unnest(stored) as topic where topic <> all(removed))
        || array(select topic from unnest(added) as topic where topic <> all(coalesce(stored, '{}'))), '{}')
    $$`
  yield* sql`
    create function topics_without(list uuid[], others uuid[]) returns uuid[] language sql immutable as $$
      select array(select topic from unnest(list) as topic where topic <> all(coalesce(others, '{}')))
    $$`
})
