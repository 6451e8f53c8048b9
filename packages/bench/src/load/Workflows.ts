/** Creates and enables the workflows of the rows through the API, and inserts rows for their history. */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Api from "../processes/Api.ts"

export interface Step {
  readonly type: string
  readonly config?: object
  readonly templateId?: string
}

const Made = Schema.Struct({ id: Schema.String })
const Enabled = Schema.Struct({
  id: Schema.String,
  steps: Schema.NonEmptyArray(Schema.Struct({ id: Schema.String, type: Schema.String }))
})

/** Creates the steps in sequence. Returns them in order, the TRIGGER first. */
export const create = Effect.fnUntraced(function* (
  server: { readonly url: string },
  key: string,
  { name, event, steps }: { readonly name: string; readonly event: string; readonly steps: ReadonlyArray<Step> }
) {
  const ask = <A>(method: string, path: string, body: object, status: number, answer: Schema.ConstraintDecoder<A>) =>
    Api.ask(server, key, { method, path, body, status }, answer)
  const { id } = yield* ask("POST", "/workflows", { name, eventName: event }, 201, Made)
  for (const step of steps) yield* ask("POST", `/workflows/${id}/steps`, step, 201, Made)
  return yield* ask("PATCH", `/workflows/${id}`, { enabled: true }, 200, Enabled)
})

/** The `n`th version 7 id at that time, so that rows are in the order of normal use. */
const idAt = (millis: number, n: string) =>
  `(lpad(to_hex(${Math.round(millis)} + ${n} / 4096), 12, '0') || '7' || lpad(to_hex(${n} % 4096), 3, '0')
    || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid`

/** `reader-1` to `reader-<count>`. */
export const contacts = Effect.fnUntraced(function* (project: string, count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select ${sql.literal(idAt(Date.now(), "n"))}, ${project}::uuid, 'reader-' || n || '@example.com', true,
           jsonb_build_object('name', 'Ada ' || n, 'plan', case when n % 2 = 0 then 'pro' else 'free' end, 'visits', n),
           now(), now()
    from generate_series(1, ${count}::int) as n`)
  yield* Effect.orDie(sql.unsafe("analyze contacts"))
})

/** In place of some events, others whose names end with the numbers from 0 on. */
interface Others {
  readonly name: string
  readonly oneIn: number
  readonly of: number
}

/** A new event of each contact that waits to be dispatched. The others are those of the first contacts. */
export const events = Effect.fnUntraced(function* (project: string, name: string, others?: Others) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql`
    insert into events (id, project_id, contact_id, name, source, data, created_at)
    select ${sql.literal(idAt(Date.now(), "n"))}, project_id, id,
           case when n <= count / ${others?.oneIn ?? null}::int
             then ${others?.name ?? ""}::text || n % ${others?.of ?? 1}::int else ${name}::text end, 'tracked', '{"plan": "pro", "total": 42}',
           clock_timestamp()
    from (select contacts.*, row_number() over (order by id) as n, count(*) over () as count
          from contacts where project_id = ${project}) as reader`)
})

/**
 * An execution of each contact, or of the first `count`, at this step: due now, or waiting there with a recorded visit
 * that ends at `wakes`, which may use the number `n` of the contact.
 */
export const executions = Effect.fnUntraced(function* (
  project: string,
  workflow: string,
  step: string,
  wakes: string | null = null,
  count: number | null = null
) {
  const sql = yield* SqlClient.SqlClient
  const id = sql.literal(idAt(Date.now(), "n"))
  const sleeps = wakes !== null
  yield* Effect.orDie(sql`
    with stands as (
      insert into workflow_executions (project_id, id, workflow_id, contact_id, nth, status, source, chain, context,
        current_step_id, step_execution_id, current_since, steps_taken, resume_at, due_at, started_at, created_at,
        updated_at)
      select project_id, ${id}, ${workflow}::uuid, id, 1, ${sleeps ? "WAITING" : "RUNNING"}::text, 'EVENT', 1,
             '{"plan": "pro"}', ${step}::uuid, ${id}, now(), ${sleeps ? 1 : 0}::int,
             ${sql.literal(wakes ?? "null::timestamptz")}, ${sql.literal(wakes ?? "now()")}, now(), now(), now()
      from (select contacts.*, row_number() over (order by id) as n from contacts where project_id = ${project}) as reader
      where n <= coalesce(${count}::int, n)
      returning *
    )
    insert into workflow_step_executions (project_id, id, execution_id, workflow_id, step_id, step_name, step_type,
      iteration, ordinal, status, attempts, config, scheduled_for, started_at, created_at, updated_at)
    select project_id, step_execution_id, id, workflow_id, current_step_id, 'Delay', 'DELAY', 1, 1, 'SCHEDULED', 1,
           '{"amount": 1, "unit": "days"}', resume_at, started_at, started_at, started_at
    from stands where ${sleeps}::boolean`)
})

/** Removes everything that could affect the next run. A statement of the worker may lock the tables in another order. */
export const clear = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(
    Effect.retry(
      sql.unsafe(
        `truncate events, event_outbox, event_dispatch_failures, workflow_executions, workflow_step_executions,
          workflow_decisions, workflow_event_origins, workflow_experiment_visits, conversions`
      ),
      { times: 10 }
    )
  )
})
