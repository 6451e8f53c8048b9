import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Versions of the content of templates, and drafts that wait to be published. `content` has the fields of the API.
 * `owner_id` is the id of the template.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table content_versions (
      project_id uuid not null,
      owner_id uuid not null,
      version integer not null,
      content jsonb not null,
      actor text not null,
      user_id uuid,
      restored_from integer,
      created_at timestamptz not null,
      primary key (project_id, owner_id, version)
    )`
  yield* sql`
    create table content_drafts (
      project_id uuid not null,
      owner_id uuid not null,
      content jsonb not null,
      based_on integer not null,
      updated_at timestamptz not null,
      primary key (project_id, owner_id)
    )`
  yield* sql`
    insert into content_versions (project_id, owner_id, version, content, actor, created_at)
    select project_id, id, version, jsonb_build_object(
             'subject', subject, 'body', body, 'text', text, 'from', from_email, 'fromName', from_name,
             'replyTo', reply_to, 'type', type, 'language', language, 'translations', translations, 'strict', strict),
           'service', updated_at
    from templates`
})
