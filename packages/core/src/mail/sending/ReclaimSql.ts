/**
 * Takes back the mails of a dead worker.
 *
 * A mail without a begun attempt was not sent: it is due again, and the death is counted. A mail with one is ambiguous:
 * it waits for a report and is then sent again, unless the project holds ambiguous mail or this was the third time. A
 * report can come since the attempt began, so the wait counts from then. A third of it is left at least, since an attempt
 * that took long may have ended just before the worker did. Also deletes workers whose lease ended more than a minute ago.
 */
import { Duration } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Settings } from "../../platform/Settings.ts"

/** Maximum number of mails that one statement takes back. */
const batch = 1000

/** Ambiguous tries after which a mail is not tried again. */
export const maxAmbiguities = 3

/** The part of the wait for a report that begins when the mail is taken back. */
const leastWait = 3

/** Deaths of workers after which a mail fails. For the last three, it was claimed alone. */
const fatalDeaths = 6

export const reclaim = (
  sql: SqlClient.SqlClient,
  now: Date,
  wait: Settings["evidenceWait"]
): Statement.Statement<unknown> => sql`
  with living as materialized (select id from workers where lease_until >= clock_timestamp()),
  lost as materialized (
    select emails.project_id, emails.id, begun_at,
           begun_at is not null as ambiguous,
           begun_at is not null and (ambiguities + 1 >= ${maxAmbiguities} or 'hold' =
             case when lane = 0 then projects.ambiguous_transactional else projects.ambiguous_bulk end) as rests,
           begun_at is null and deaths + 1 >= ${fatalDeaths} as fatal,
           make_interval(secs => case when lane = 0 then ${Duration.toSeconds(wait.transactional)}
                                      else ${Duration.toSeconds(wait.bulk)} end) as wait
    from emails join projects on projects.id = emails.project_id
    where status = 'SENDING' and worker not in (select id from living)
    limit ${batch} for update of emails skip locked
  ),
  taken as (
    update emails set
      status = case when lost.ambiguous then 'AMBIGUOUS' when lost.fatal then 'FAILED' else 'PENDING' end,
      worker = null, updated_at = ${now}::timestamptz,
      due_at = case when lost.rests then 'infinity'::timestamptz
                    when lost.ambiguous then greatest(least(lost.begun_at, ${now}::timestamptz) + lost.wait,
                                                      ${now}::timestamptz + lost.wait / ${leastWait})
                    else ${now}::timestamptz end,
      attempts = attempts + lost.ambiguous::int, ambiguities = ambiguities + lost.ambiguous::int,
      deaths = case when lost.ambiguous then 0 else deaths + 1 end,
      failed_at = case when lost.fatal then ${now}::timestamptz else failed_at end,
      error_code = case when lost.ambiguous then 'ambiguous' when lost.fatal then 'render_failed' end,
      error_message = case when lost.ambiguous then 'The worker ended before the answer of the server was on record.'
                           when lost.fatal then 'Workers ended six times while they prepared this mail.' end
    from lost where emails.project_id = lost.project_id and emails.id = lost.id
    returning emails.project_id, emails.id, emails.attempts, lost.ambiguous, lost.begun_at
  ),
  logged as (
    insert into email_attempts (project_id, email_id, number, started_at, ended_at, outcome, reply)
    select project_id, id, attempts, begun_at, ${now}::timestamptz, 'ambiguous',
           'The worker ended before the answer of the server was on record.'
    from taken where ambiguous
  ),
  removed as (
    delete from workers
    where lease_until < clock_timestamp() - interval '1 minute'
      and not exists (select 1 from emails where status = 'SENDING' and worker = workers.id)
  )
  select id from taken`
