import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Reports of workflows by version: executions that are deleted while they are live, and results of mail, count with the
 * version of their execution.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`select quote_ident(current_schema()) as schema`
  const schema = String(row?.["schema"])
  const nil = "00000000-0000-0000-0000-000000000000"
  yield* sql.unsafe(`
    create or replace function workflow_executions_dropped() returns trigger language plpgsql as $$
    begin
      insert into ${schema}.workflow_step_deltas (project_id, workflow_id, version, step_id, branch, day, dropped)
      select old.project_id, old.workflow_id, coalesce(old.version, 1), step, '',
             (greatest(old.updated_at, now()) at time zone 'UTC')::date, 1
      from (values ('${nil}'::uuid), (old.current_step_id)) as places (step) where step is not null;
      return null;
    end $$`)

  const counted = {
    sent: "status in ('SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED')",
    delivered: "delivered_at is not null",
    opened: "opens > 0",
    clicked: "clicks > 0",
    bounced: "bounced_at is not null",
    complained: "complained_at is not null",
    failed: "status = 'FAILED'",
    machine_opened: "machine_opens > 0 and machine_opens = opens",
    machine_clicked: "machine_clicks > 0 and machine_clicks = clicks",
    unsubscribed: "unsubscribed_at is not null"
  }
  const names = Object.keys(counted).join(", ")
  const sums = Object.entries(counted).map(
    ([name, holds]) => `coalesce(sum(n) filter (where ${holds}), 0)::int as ${name}`
  )
  const versionOf = `case when workflow_step_id is not null then coalesce((
    select version from ${schema}.workflow_executions as execution
    where execution.project_id = mails.project_id and execution.id = mails.workflow_execution_id), 1) end`
  // All changes of a statement happen at one instant, so their day is that of any of them.
  const add = (mails: string) => `
    insert into ${schema}.result_deltas (project_id, owner_id, version, day, ${names})
    select project_id, owner_id, version,
           (select (max(updated_at) at time zone 'UTC')::date from new_mails), ${names}
    from (
      select project_id, owner_id, version, ${sums.join(", ")}
      from (${mails}) as mails
      cross join lateral (values (template_id, 0), (workflow_step_id, ${versionOf})) as owners (owner_id, version)
      where owner_id is not null and not test
      group by project_id, owner_id, version
    ) as sums
    where (${names}) is distinct from (${Object.keys(counted)
      .map(() => 0)
      .join(", ")})`
  const state = `project_id, template_id, workflow_step_id, workflow_execution_id, test, status, delivered_at, opens,
    clicks, bounced_at, complained_at, machine_opens, machine_clicks, unsubscribed_at`
  const define = (name: string, isDue: string, mails: string) =>
    sql.unsafe(`
      create or replace function ${name}() returns trigger language plpgsql as $$
      begin
        if exists (select from new_mails where (template_id is not null or workflow_step_id is not null) and ${isDue})
        then ${add(mails)};
        end if;
        return null;
      end $$`)
  yield* define("results_made", "status = 'FAILED'", `select ${state}, 1 as n from new_mails`)
  yield* define(
    "results_moved",
    `(status = 'FAILED' or coalesce(sent_at, delivered_at, opened_at, clicked_at, bounced_at, complained_at, failed_at,
      unsubscribed_at) is not null)`,
    `select ${state}, 1 as n from new_mails union all select ${state}, -1 from old_mails`
  )
})
