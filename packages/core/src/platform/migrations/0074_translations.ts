import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Texts of templates and campaigns in several languages: `translations` is an object by language tag. `language` is
 * that of the other texts; null is the language of the project. In `mailings`, whose `language` is that of the project,
 * it is `text_language`.
 *
 * Emails name the language and the version of the template that they were made from.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table templates add column language text, add column translations jsonb not null default '{}',
      add column strict boolean not null default false, add column version integer not null default 1`
  yield* sql`
    alter table campaigns add column language text, add column translations jsonb not null default '{}',
      add column template_version integer`
  yield* sql`
    alter table mailings add column text_language text, add column translations jsonb not null default '{}',
      add column template_version integer`
  yield* sql`alter table emails add column locale text, add column template_version integer`
})
