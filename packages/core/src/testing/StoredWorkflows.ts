/** Stored workflows and executions for the suites of the storage ports. */
import { randomUUID } from "node:crypto"
import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { ExecutionId, type ExecutionStatus, StepExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import { StepId } from "@posthorn/contract/automation/workflows/Step"
import { TransitionId } from "@posthorn/contract/automation/workflows/Transition"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, type Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Graph, GraphStep, GraphTransition } from "../automation/workflows/graph/Graph.ts"
import { type WorkflowContent, WorkflowStore } from "../automation/workflows/WorkflowStore.ts"
import { at } from "./StoreValues.ts"

/** Every optional field has a value. */
export const workflowContent: WorkflowContent = {
  name: "Welcome",
  description: 'Grüße \\ "eins"',
  triggerType: "EVENT",
  triggerConfig: { eventName: "signed.up", entryKey: "order" },
  enabled: true,
  allowReentry: true,
  reentryAfterHours: 24,
  goal: { eventName: "paid", windowHours: 48, exit: false },
  exitRules: [{ id: "gone", type: "UNSUBSCRIBED" }],
  nextRunAt: at(30),
  versioning: "LIVE"
}

export const graphStep = (ordinal: number, more: Partial<GraphStep> = {}): GraphStep => ({
  id: StepId.make(randomUUID()),
  ordinal,
  type: ordinal === 0 ? "TRIGGER" : "DELAY",
  name: `Step ${ordinal}`,
  position: { x: ordinal + 0.5, y: 10 - ordinal },
  config: ordinal === 0 ? {} : { amount: ordinal, unit: "days" },
  templateId: null,
  createdAt: at(0),
  updatedAt: at(0),
  ...more
})

export const graphTransition = (
  from: GraphStep,
  to: GraphStep,
  more: Partial<GraphTransition> = {}
): GraphTransition => ({
  id: TransitionId.make(randomUUID()),
  fromStepId: from.id,
  toStepId: to.id,
  branch: null,
  auto: false,
  createdAt: at(from.ordinal),
  updatedAt: at(0),
  ...more
})

/** A trigger and a row of delays. */
export const rowOfSteps = (delays = 2): Graph & { readonly steps: ReadonlyArray<GraphStep> } => {
  const steps = Array.from({ length: delays + 1 }, (_, ordinal) => graphStep(ordinal))
  const transitions = steps.flatMap((step, n) => {
    const next = steps[n + 1]
    return next === undefined ? [] : [graphTransition(step, next)]
  })
  return { steps, transitions }
}

export const storeWorkflow = Effect.fnUntraced(function* (
  project: ProjectId,
  content: Partial<WorkflowContent> = {},
  graph: Graph = rowOfSteps(),
  now = at(0)
) {
  const store = yield* WorkflowStore
  const id = WorkflowId.make(randomUUID())
  return { id, graph, stored: yield* store.insert(project, id, { ...workflowContent, ...content }, graph, now) }
})

export interface GivenExecution {
  readonly workflow: { readonly id: WorkflowId; readonly graph: Graph }
  readonly contact: { readonly id: ContactId }
  readonly status?: ExecutionStatus
  /** The ordinal of the current step. */
  readonly step?: number
  readonly start?: DateTime.Utc
  /** Null: it is not due. */
  readonly due?: DateTime.Utc | null
  readonly outside?: boolean
  readonly entryKey?: string
  readonly nth?: number
  readonly version?: number | null
  readonly context?: Schema.JsonObject
}

/** Stores an execution as a start of its workflow does. */
export const storeExecution = Effect.fnUntraced(function* (project: ProjectId, given: GivenExecution) {
  const sql = yield* SqlClient.SqlClient
  const { workflow, contact, status = "RUNNING", step = 1, start = at(1), due = start, outside = false } = given
  const { entryKey = "", nth = 1, version = null, context = {} } = given
  const [id, visit] = [ExecutionId.make(randomUUID()), StepExecutionId.make(randomUUID())]
  const time = DateTime.toDate(start)
  yield* sql`
    insert into workflow_executions (project_id, id, workflow_id, version, pinned, contact_id, entry_key, entered_at, nth,
      status, source, chain, context, current_step_id, step_execution_id, current_since, due_at, outside, started_at,
      completed_at, created_at, updated_at)
    values (${project}, ${id}, ${workflow.id}, ${version}::int, false, ${contact.id}, ${entryKey}, ${time}, ${nth},
      ${status}, 'MANUAL', 1, ${JSON.stringify(context)}::text::jsonb, ${workflow.graph.steps[step]?.id ?? null}::uuid,
      ${visit}, ${time}, ${due && DateTime.toDate(due)}::timestamptz, ${outside}, ${time},
      ${status === "RUNNING" || status === "WAITING" ? null : time}::timestamptz, ${time}, ${time})`
  return { id, visit }
})
