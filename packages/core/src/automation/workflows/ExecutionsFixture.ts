/** For tests: workflows described by named steps, and the paths of their executions. */
import { randomUUID } from "node:crypto"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Transaction } from "../../platform/Transaction.ts"
import * as DueExecutions from "./run/DueExecutions.ts"
import { RunStore } from "./run/RunStore.ts"
import * as WebhookCalls from "./run/WebhookCalls.ts"
import * as Firings from "./start/Firings.ts"
import * as WorkflowReaction from "./WorkflowEventHandler.ts"
import type { workflowProject } from "./WorkflowsFixture.ts"

export type WorkflowProject = Effect.Success<typeof workflowProject>

export interface DrawnStep {
  readonly type: string
  readonly config?: object
  readonly templateId?: string
  /** The next step: a name, or a name for each branch. */
  readonly to?: string | { readonly [branch: string]: string }
}

export interface Drawing {
  readonly event?: string
  readonly allowReentry?: boolean
  readonly enabled?: boolean
  /** Further fields of the trigger, of workflows that are created through the API. */
  readonly trigger?: object
  /** Goal, exit rules and the like, of workflows that are created through the API. */
  readonly settings?: object
  /** By name. The first step is the entry. */
  readonly steps: { readonly [name: string]: DrawnStep }
}

/** Inserts a workflow into the database, valid or not. Returns the ids of its steps by name. */
export const draw = Effect.fnUntraced(function* (project: ProjectId, drawing: Drawing) {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDate(yield* DateTime.now)
  const id = randomUUID()
  const { event = null, allowReentry = false, enabled = true } = drawing
  yield* sql`
    insert into workflows (id, project_id, name, trigger_type, trigger_config, event_name, enabled, allow_reentry,
      created_at, updated_at)
    values (${id}, ${project}, 'Drawn', ${event === null ? "MANUAL" : "EVENT"}, '{}', ${event}, ${enabled},
      ${allowReentry}, ${now}, ${now})`
  const names = ["TRIGGER", ...Object.keys(drawing.steps)]
  const steps = new Map(names.map((name) => [name, randomUUID() as string]))
  const idOf = (name: string) => steps.get(name) ?? randomUUID()
  const rows = names.map((name, ordinal) => {
    const step = drawing.steps[name] ?? { type: "TRIGGER" }
    return {
      id: idOf(name),
      ordinal,
      name,
      type: step.type,
      config: step.config ?? {},
      template: step.templateId ?? null
    }
  })
  yield* sql`
    insert into workflow_steps (id, ordinal, project_id, workflow_id, type, name, position, config, template_id, created_at, updated_at)
    select id, ordinal, ${project}::uuid, ${id}::uuid, type, name, '{"x": 0, "y": 0}', config, template, ${now}::timestamptz,
           ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as step(id uuid, ordinal int, name text, type text, config jsonb, template uuid)`
  const first = names[1]
  const edges = [
    ...(first === undefined ? [] : [{ from: idOf("TRIGGER"), to: idOf(first), branch: null as string | null }]),
    ...Object.entries(drawing.steps).flatMap(([name, { to = {} }]) =>
      typeof to === "string"
        ? [{ from: idOf(name), to: idOf(to), branch: null }]
        : Object.entries(to).map(([branch, next]) => ({ from: idOf(name), to: idOf(next), branch: branch || null }))
    )
  ]
  yield* sql`
    insert into workflow_transitions (id, project_id, workflow_id, from_step_id, to_step_id, branch, auto, created_at,
      updated_at)
    select gen_random_uuid(), ${project}::uuid, ${id}::uuid, "from", "to", branch, false, ${now}::timestamptz,
           ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(edges)}::text::jsonb) as edge("from" uuid, "to" uuid, branch text)`
  return { id, steps }
})

/** Creates a workflow through the API, and enables it. */
export const build = Effect.fnUntraced(function* (
  { ask, enable, workflow, connect }: WorkflowProject,
  { event, allowReentry = false, enabled = true, trigger = {}, settings, steps }: Drawing
) {
  const made = yield* workflow({ eventName: event, triggerConfig: trigger, allowReentry })
  const ids = new Map<string, string>([["TRIGGER", made.steps[0].id]])
  for (const [name, { type, config, templateId }] of Object.entries(steps)) {
    const answer = yield* ask("POST", `/workflows/${made.id}/steps`, {
      type,
      name,
      autoConnect: false,
      ...(config && { config }),
      ...(templateId && { templateId })
    })
    if (answer.status !== 201) return yield* Effect.die(new Error(`${name}: ${JSON.stringify(answer.body)}`))
    ids.set(name, answer.body.id)
  }
  const idOf = (name: string) => ids.get(name) ?? ""
  const [first] = Object.keys(steps)
  if (first !== undefined) yield* connect(made.id, idOf("TRIGGER"), idOf(first))
  for (const [name, { to = {} }] of Object.entries(steps)) {
    const routes = typeof to === "string" ? { "": to } : to
    for (const [branch, next] of Object.entries(routes)) {
      yield* connect(made.id, idOf(name), idOf(next), branch || null)
    }
  }
  if (settings !== undefined) {
    const answer = yield* ask("PATCH", `/workflows/${made.id}`, settings)
    if (answer.status !== 200) return yield* Effect.die(new Error(JSON.stringify(answer.body)))
  }
  if (enabled) {
    const answer = yield* enable(made.id)
    if (answer.status !== 200) return yield* Effect.die(new Error(JSON.stringify(answer.body)))
  }
  return { id: String(made.id), steps: ids }
})

const executions = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      email: Schema.String,
      status: Schema.String,
      exitReason: Schema.NullOr(Schema.String),
      context: Schema.JsonObject,
      path: Schema.Array(Schema.String)
    })
  )
)

/** Executions of a workflow in the order of their addresses, each with its visits as `name STATUS`. */
export const executionsOf = (project: ProjectId, workflow: string) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.flatMap(
      sql`
        select x.id, contacts.email, x.status, x.exit_reason as "exitReason", x.context,
          array(
            select step_name || ' ' || v.status || coalesce(' ' || branch, '')
            from workflow_step_executions v where v.project_id = x.project_id and v.execution_id = x.id order by ordinal
          ) as path
        from workflow_executions x join contacts on contacts.project_id = x.project_id and contacts.id = contact_id
        where x.project_id = ${project} and workflow_id = ${workflow} order by email, x.nth`,
      executions
    )
  ).pipe(Effect.orDie)

const undispatched = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ project: ProjectId, id: Schema.String })))

/** Lets all events of the project be dispatched once more. */
export const dispatchAgain = (project: ProjectId) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      insert into event_outbox (project_id, event_id, created_at)
      select project_id, id, created_at from events where project_id = ${project}
      on conflict do nothing`
  )

/** Dispatches all events to workflows, without running executions. False if there was none. */
export const dispatch = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const events = yield* Effect.flatMap(
    sql`
      with taken as (delete from event_outbox returning project_id as project, event_id as id)
      select * from taken order by project, id`,
    undispatched
  )
  if (events.length > 0) yield* WorkflowReaction.reaction.react({ events, now, isRepeat: false })
  return events.length > 0
}).pipe(Effect.orDie, (effect) => Transaction.use((transaction) => transaction.run(effect)))

/** Does all work that is due for workflows. */
export const work = Effect.gen(function* () {
  const calls = yield* WebhookCalls.make
  const firings = yield* Firings.make
  const store = yield* RunStore
  const due = yield* DueExecutions.make
  const request = Effect.gen(function* () {
    const begun = yield* calls.begin(100, [])
    yield* Effect.forEach(begun, calls.make, { concurrency: "unbounded", discard: true })
    return begun.length > 0
  })
  const thaw = Effect.map(store.thaw, (thawed) => thawed > 0)
  const steps = [dispatch, thaw, due.take, request, firings.fire, firings.start]
  for (let hasMore = true; hasMore; ) {
    hasMore = false
    for (const step of steps) if (yield* step) hasMore = true
  }
})
