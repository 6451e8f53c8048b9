/**
 * The end of campaigns with `delivery.expiresAt`: mail whose first try has not begun by then is cancelled, and mail that
 * was tried goes on. The mailing is closed meanwhile, so that no worker takes the mail that is about to be cancelled. The
 * campaign then becomes SENT as any other does. An experiment that is open ends without a winner.
 */
import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { expiredMessage } from "./ExpandSql.ts"
import { expireExperiments } from "./experiment/ExperimentSql.ts"

/** Mails that one statement cancels. */
const batch = 5_000

/** Cancels one batch. Returns the number of mails, 0 if no campaign has any left. */
export const expireUnsent = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, at: DateTime.Utc) {
  const now = DateTime.toDate(at)
  const expired = yield* sql`
    select from mailings where expires_at <= ${now}::timestamptz limit 1`
  if (expired.length === 0) return 0
  yield* sql`
    update mailings set expiring = true, is_open = false
    where expires_at <= ${now}::timestamptz and not expiring and not stopped`
  yield* expireExperiments(sql)
  const cancelled = yield* sql`
    with waiting as materialized (
      select mail.project_id, mail.id
      from mailings cross join lateral (
        select project_id, id from emails
        where emails.project_id = mailings.project_id and emails.campaign_id = mailings.campaign_id
          and status = 'PENDING' and lane = 2 and attempts = 0 and ambiguities = 0
        limit ${batch} for update skip locked
      ) as mail
      where mailings.expires_at <= ${now}::timestamptz and expiring
      limit ${batch}
    )
    update emails set status = 'CANCELLED', cancelled_at = ${now}::timestamptz, updated_at = ${now}::timestamptz,
           error_code = 'campaign_expired', error_message = ${expiredMessage}
    from waiting where emails.project_id = waiting.project_id and emails.id = waiting.id
    returning emails.id`
  if (cancelled.length > 0) return cancelled.length
  // A worker may have claimed a mail that it has not begun. It gives it back, since the mailing is closed.
  yield* sql`
    update mailings set expiring = false, expires_at = null,
           is_open = exists (select from campaigns where campaigns.project_id = mailings.project_id
                             and campaigns.id = mailings.campaign_id and status = 'SENDING' and not paused)
    where expires_at <= ${now}::timestamptz and (expiring or stopped)
      and not exists (select from campaign_audiences as part
                      where part.project_id = mailings.project_id and part.campaign_id = mailings.campaign_id)
      and not exists (select from emails
                      where emails.project_id = mailings.project_id and emails.campaign_id = mailings.campaign_id
                        and status = 'PENDING' and lane = 2 and attempts = 0 and ambiguities = 0)
      and not exists (select from emails
                      where emails.project_id = mailings.project_id and emails.campaign_id = mailings.campaign_id
                        and recipient_id is not null and status = 'SENDING' and attempts = 0 and begun_at is null)`
  return 0
})
