import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The text that inboxes show beside the subject, and the approval of a campaign: null stands for none. `content` in the
 * approval is the SHA-256 of the content and the audience that it holds for.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table campaigns add column preheader text, add column approval jsonb`
  yield* sql`alter table mailings add column preheader text`
  yield* sql`
    create table sending_settings (
      project_id uuid primary key,
      settings jsonb not null,
      updated_at timestamptz not null
    )`
})
