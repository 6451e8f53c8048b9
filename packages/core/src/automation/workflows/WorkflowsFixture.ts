/** For tests: workflows that are created through the API, and executions in them. */
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { freshProject } from "../../audience/segments/SegmentsFixture.ts"
import { Domains } from "../../mail/domains/Domains.ts"

let domains = 0

export const nowhere = "019a0000-0000-7000-8000-00000000dead"

/** The faults of an error response, as `field code`. */
export const faultsIn = (body: {
  readonly error?: { readonly errors?: ReadonlyArray<{ field: string; code: string }> }
}) => (body.error?.errors ?? []).map(({ field, code }) => `${field} ${code}`)

/** A new project with a verified sender domain. */
export const workflowProject = Effect.gen(function* () {
  const fresh = yield* freshProject
  const { ask } = fresh
  const domain = `flows${++domains}.test`
  yield* Effect.orDie(Domains.use((service) => service.add(fresh.project, { domain })))

  const made = (path: string, body: object) =>
    Effect.map(ask("POST", path, body), (answer) => {
      if (answer.status !== 201) throw new Error(`${path} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`)
      return answer.body
    })

  const template = (more: object = {}) =>
    made("/templates", { name: "Hello", subject: "Hi", body: "<p>Hi</p>", from: `a@${domain}`, ...more })

  /** Its TRIGGER is `steps[0]`. */
  const workflow = (more: object = {}) => made("/workflows", { name: "Welcome", eventName: "signed_up", ...more })
  const read = (id: string) => Effect.map(ask("GET", `/workflows/${id}`), ({ body }) => body)
  const step = (workflow: string, type: string, more: object = {}) =>
    made(`/workflows/${workflow}/steps`, { type, ...configured[type], ...more })
  const connect = (workflow: string, fromStepId: string, toStepId: string, branch: string | null = null) =>
    made(`/workflows/${workflow}/transitions`, { fromStepId, toStepId, branch })
  const enable = (id: string, enabled = true) => ask("PATCH", `/workflows/${id}`, { enabled })
  return { ...fresh, domain, template, workflow, read, step, connect, enable }
})

/** The required config of each type. */
export const configured: { readonly [type: string]: object } = {
  DELAY: { config: { amount: 1, unit: "days" } },
  WAIT_FOR_EVENT: { config: { eventName: "paid", timeout: 60 } },
  CONDITION: { config: { field: "data.plan", operator: "equals", value: "pro" } },
  WEBHOOK: { config: { url: "https://hooks.example.com/x" } },
  UPDATE_CONTACT: { config: { updates: { plan: "pro" } } }
}

/** The transitions by the names of their steps: `A>B`, with a branch `A-yes>B`, automatic ones `A~>B`. */
export const drawn = (workflow: {
  readonly steps: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly transitions: ReadonlyArray<{
    readonly fromStepId: string
    readonly toStepId: string
    readonly branch: string | null
    readonly auto: boolean
  }>
}): string => {
  const nameOf = (id: string) => workflow.steps.find((step) => step.id === id)?.name ?? "?"
  return workflow.transitions
    .map(
      ({ fromStepId, toStepId, branch, auto }) =>
        `${nameOf(fromStepId)}${branch === null ? "" : `-${branch}`}${auto ? "~" : ""}>${nameOf(toStepId)}`
    )
    .sort()
    .join(" ")
}

/** Inserts an execution of a new contact at a step. */
export const executionAt = Effect.fnUntraced(function* (
  project: string,
  workflow: string,
  step: string,
  status = "WAITING"
) {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDate(yield* DateTime.now)
  yield* sql`
    with contact as (
      insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
      values (gen_random_uuid(), ${project}, gen_random_uuid() || '@example.com', true, '{}', ${now}, ${now})
      returning id
    )
    insert into workflow_executions (project_id, id, workflow_id, contact_id, nth, status, source, chain, context,
      current_step_id, step_execution_id, current_since, started_at, created_at, updated_at)
    select ${project}::uuid, gen_random_uuid(), ${workflow}::uuid, id, 1, ${status}::text, 'MANUAL', 0, '{}',
           ${step}::uuid, gen_random_uuid(), ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz,
           ${now}::timestamptz
    from contact`
}, Effect.orDie)
