import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Bulk mail waits in a queue for each mailbox provider, so that a claim passes over a provider that takes no more mail,
 * however much of it waits.
 *
 * `emails.queue` is the number of the provider as far as it was known when the mail was made; 0 is any other. The queue of
 * transactional mail is not used. `mailings.queues` are the queues in which mail of the campaign may wait.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table emails add column queue smallint not null default 0`
  yield* sql`alter table mailings add column queues smallint[] not null default '{0}'`
  yield* sql`drop index emails_due_campaign`
  yield* sql`
    create index emails_due_campaign on emails (project_id, campaign_id, queue, due_at, id)
      where status = 'PENDING' and lane = 2`
  yield* sql`drop index emails_due_bulk`
  yield* sql`
    create index emails_due_bulk on emails (project_id, queue, due_at, id) where status = 'PENDING' and lane = 1`
})
