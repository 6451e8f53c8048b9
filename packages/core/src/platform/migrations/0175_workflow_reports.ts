import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What executions did at the steps of workflows, and the results of mail by day, for the reports of workflows.
 *
 * The statements that start, continue and end executions append rows to `workflow_step_deltas`; a trigger does so for
 * executions that are deleted while they are live. A job adds the deltas up, in all and by UTC day. `entered` counts
 * visits that began, the others visits that ended: by the end of the visit, and `dropped` those without an end of their
 * own. `branch` is the branch on which visits were completed. The nil step stands for the workflow itself: its visits
 * are the executions, and `branch` is the status with which they ended.
 *
 * The deltas of mail results gain the day of the change, the version of the workflow (0 for templates), and what
 * contacts did after the mail of a step.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`select quote_ident(current_schema()) as schema`
  const schema = String(row?.["schema"])

  const nil = "00000000-0000-0000-0000-000000000000"
  const moves = ["entered", "completed", "skipped", "failed", "dropped"]
  const moved = moves.map((name) => `${name} integer not null default 0`).join(", ")
  const key = `project_id uuid not null, workflow_id uuid not null, version integer not null, step_id uuid not null,
    branch text collate "C" not null`
  yield* sql.unsafe(`
    create table workflow_step_deltas (
      ${key}, day date not null, id bigint generated always as identity, ${moved},
      primary key (project_id, workflow_id, version, step_id, branch, day, id)
    )`)
  yield* sql.unsafe(`
    create table workflow_step_totals (
      ${key}, ${moved},
      primary key (project_id, workflow_id, version, step_id, branch)
    ) with (fillfactor = 50)`)
  yield* sql.unsafe(`
    create table workflow_step_days (
      ${key}, day date not null, ${moved},
      primary key (project_id, workflow_id, version, step_id, branch, day)
    ) with (fillfactor = 70)`)

  // The clock of the database may be behind that of the service, so the last change of the execution counts too.
  yield* sql.unsafe(`
    create function workflow_executions_dropped() returns trigger language plpgsql as $$
    begin
      insert into ${schema}.workflow_step_deltas (project_id, workflow_id, version, step_id, branch, day, dropped)
      select old.project_id, old.workflow_id, 1, step, '', (greatest(old.updated_at, now()) at time zone 'UTC')::date, 1
      from (values ('${nil}'::uuid), (old.current_step_id)) as places (step) where step is not null;
      return null;
    end $$`)
  yield* sql`
    create trigger workflow_executions_dropped after delete on workflow_executions for each row
      when (old.status in ('RUNNING', 'WAITING')) execute function workflow_executions_dropped()`

  const live = "execution.status in ('RUNNING', 'WAITING')"
  const ended = "visit.status in ('COMPLETED', 'SKIPPED', 'FAILED')"
  yield* sql.unsafe(`
    insert into workflow_step_days (project_id, workflow_id, version, step_id, branch, day, ${moves.join(", ")})
    select project_id, workflow_id, 1, step_id, branch, (at at time zone 'UTC')::date,
           ${moves.map((name) => `count(*) filter (where move = '${name}')`).join(", ")}
    from (
      select project_id, workflow_id, '${nil}'::uuid as step_id, '' as branch, started_at as at, 'entered' as move
      from workflow_executions
      union all
      select project_id, workflow_id, '${nil}', status, coalesce(completed_at, updated_at), 'completed'
      from workflow_executions as execution where not ${live}
      union all
      select project_id, workflow_id, step_id, '', created_at, 'entered'
      from workflow_step_executions where step_type <> 'TRIGGER'
      union all
      select project_id, workflow_id, step_id, case when status = 'COMPLETED' then coalesce(branch, '') else '' end,
             coalesce(completed_at, updated_at), lower(status)
      from workflow_step_executions as visit where step_type <> 'TRIGGER' and ${ended}
      union all
      select project_id, workflow_id, step_id, '', updated_at, 'dropped'
      from workflow_step_executions as visit
      where step_type <> 'TRIGGER' and not ${ended} and not exists (
        select from workflow_executions as execution
        where execution.project_id = visit.project_id and execution.id = visit.execution_id and ${live}
          and execution.step_execution_id = visit.id)
      union all
      select project_id, workflow_id, current_step_id, '', current_since, 'entered'
      from workflow_executions as execution
      where ${live} and current_step_id is not null and not exists (
        select from workflow_step_executions as visit
        where visit.project_id = execution.project_id and visit.id = execution.step_execution_id)
    ) as moved
    group by 1, 2, 4, 5, 6`)
  yield* sql.unsafe(`
    insert into workflow_step_totals (project_id, workflow_id, version, step_id, branch, ${moves.join(", ")})
    select project_id, workflow_id, version, step_id, branch, ${moves.map((name) => `sum(${name})`).join(", ")}
    from workflow_step_days group by 1, 2, 3, 4, 5`)

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
  const earlier = Object.keys(counted).filter((name) => name !== "unsubscribed")
  yield* sql.unsafe(`
    alter table result_deltas add column version integer not null default 0, add column day date,
      add column unsubscribed integer not null default 0, add column converted integer not null default 0,
      ${earlier.map((name) => `alter column ${name} set default 0`).join(", ")}`)
  yield* sql`
    alter table result_totals add column unsubscribed integer not null default 0,
      add column converted integer not null default 0`
  yield* sql.unsafe(`
    create table result_days (
      project_id uuid not null, owner_id uuid not null, version integer not null, day date not null,
      ${[...Object.keys(counted), "converted"].map((name) => `${name} integer not null default 0`).join(", ")},
      primary key (project_id, owner_id, version, day)
    ) with (fillfactor = 70)`)

  const sum = (holds: string) => `coalesce(sum(n) filter (where ${holds}), 0)::int`
  const sums = Object.entries(counted).map(([name, holds]) => `${sum(holds)} as ${name}`)
  yield* sql.unsafe(`
    insert into result_days (project_id, owner_id, version, day, ${names})
    select project_id, workflow_step_id, 1, (updated_at at time zone 'UTC')::date, ${sums.join(", ")}
    from (select *, 1 as n from emails where workflow_step_id is not null and not test) as mails
    group by 1, 2, 4 having (${Object.values(counted).map(sum).join(", ")})
      is distinct from (${Object.keys(counted)
        .map(() => 0)
        .join(", ")})`)
  yield* sql`
    update result_totals set unsubscribed = counted.count
    from (
      select project_id, owner_id, count(*)::int as count
      from emails cross join lateral (values (template_id), (workflow_step_id)) as owners (owner_id)
      where unsubscribed_at is not null and owner_id is not null and not test group by 1, 2
    ) as counted
    where result_totals.project_id = counted.project_id and result_totals.owner_id = counted.owner_id`
  // All changes of a statement happen at one instant, so their day is that of any of them.
  const add = (mails: string) => `
    insert into ${schema}.result_deltas (project_id, owner_id, version, day, ${names})
    select project_id, owner_id, version,
           (select (max(updated_at) at time zone 'UTC')::date from new_mails), ${names}
    from (
      select project_id, owner_id, version, ${sums.join(", ")}
      from (${mails}) as mails
      cross join lateral (values (template_id, 0), (workflow_step_id, 1)) as owners (owner_id, version)
      where owner_id is not null and not test
      group by project_id, owner_id, version
    ) as sums
    where (${names}) is distinct from (${Object.keys(counted)
      .map(() => 0)
      .join(", ")})`
  const state = `project_id, template_id, workflow_step_id, test, status, delivered_at, opens, clicks, bounced_at,
    complained_at, machine_opens, machine_clicks, unsubscribed_at`
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
