import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Which mail a contact takes: the topics that it takes and those that it left, until when a confirmation is open, and
 * until when it wants no mail. All of it is in the row of the contact, so that the audience of a campaign needs no join.
 * Null stands for nothing, so existing rows are not rewritten. A contact without topics is in none of the new indexes.
 *
 * `external_id` is the caller's own id. `origin` says how the contact was made, and `origin_id` names the job or form.
 * `topic_id` of mail is a plain reference: the mail outlives the topic.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table contacts
      add column external_id text collate "C",
      add column topics_on uuid[],
      add column topics_off uuid[],
      add column pending_until timestamptz,
      add column snoozed_until timestamptz,
      add column origin text,
      add column origin_id uuid`
  yield* sql`
    create unique index contacts_external_id on contacts (project_id, external_id) where external_id is not null`
  yield* sql`
    create index contacts_topics on contacts using gin (topics_on, topics_off)
    where topics_on is not null or topics_off is not null`
  yield* sql`
    create table topics (
      project_id uuid not null,
      id uuid not null,
      key text collate "C" not null,
      name text not null,
      description text,
      translations jsonb not null,
      default_on boolean not null,
      is_public boolean not null,
      double_opt_in boolean,
      position integer not null,
      archived boolean not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      primary key (project_id, id),
      constraint topics_key unique (project_id, key)
    )`
  yield* sql`
    create table audience_settings (
      project_id uuid primary key,
      settings jsonb not null,
      updated_at timestamptz not null
    )`
  yield* sql`alter table emails add column topic_id uuid`
  yield* sql`alter table mailings add column topic_id uuid`
})
