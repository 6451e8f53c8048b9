/** The state of one execution in a worker: its current step, and the changes to write. */
import type { StepExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import type { DateTime, Schema } from "effect"
import type { Outcome, StepContext } from "../steps/StepType.ts"
import type { Advance, LockedExecution, RunnableGraph, RunnableStep, StepVisit } from "./RunStore.ts"

/** The most visits of one execution. */
const maxVisits = 1_000
const maxOutputBytes = 16 * 1024

type Ending = Pick<Advance, "exitReason" | "error"> & { readonly status: "COMPLETED" | "EXITED" | "FAILED" }
type Rest = Extract<Outcome, { readonly _tag: "Rest" }>

const bytes = (value: Schema.Json): number => new TextEncoder().encode(JSON.stringify(value)).length

/** The stored output of a step, without its largest part if it is too long. */
const kept = (output: Schema.Json): Schema.Json => {
  if (bytes(output) <= maxOutputBytes) return output
  if (typeof output !== "object" || output === null || Array.isArray(output)) return { truncated: true }
  const parts = Object.entries(output).sort(([, one], [, other]) => bytes(other) - bytes(one))
  return { ...Object.fromEntries(parts.slice(1)), truncated: true }
}

/**
 * The way of one execution while a worker has it. `apply` takes what came of each step; `advance` gives what is to be
 * written. It asks nobody and writes nothing itself.
 */
export class ExecutionState {
  readonly execution: LockedExecution
  private readonly graph: RunnableGraph | undefined
  private readonly visits: Array<StepVisit> = []
  private stepId: LockedExecution["currentStepId"]
  private visitId: LockedExecution["visitId"]
  private since: DateTime.Utc
  private begun: StepVisit | null
  private taken: number
  private context: Schema.JsonObject | undefined
  private rest: Rest | undefined
  private isOutside = false
  private ending: Ending | undefined

  constructor(execution: LockedExecution, graph: RunnableGraph | undefined) {
    this.execution = execution
    this.graph = graph
    this.stepId = execution.currentStepId
    this.visitId = execution.visitId
    this.since = execution.since
    this.begun = execution.visit
    this.taken = execution.stepsTaken
    if (this.step === undefined) this.end("COMPLETED")
    else this.requireRoom()
  }

  /** The current step. A visit keeps the config that it started with. */
  get step(): RunnableStep | undefined {
    const step = this.stepId === null ? undefined : this.graph?.steps.get(this.stepId)
    return step && this.begun ? { ...step, config: this.begun.config } : step
  }

  get isMoving(): boolean {
    return this.ending === undefined && this.rest === undefined && !this.isOutside
  }

  visitor(contact: StepContext["contact"], step: RunnableStep): StepContext {
    return {
      execution: this.execution,
      contact,
      context: this.context ?? this.execution.context,
      workflow: { name: this.graph?.name ?? "" },
      step,
      visitId: this.visitId,
      since: this.since,
      visit: this.begun
    }
  }

  /** What the step at which it stands has come to; `nextVisit` is the id of the visit that may follow. */
  apply(step: RunnableStep, outcome: Outcome, nextVisit: StepExecutionId, now: DateTime.Utc): void {
    switch (outcome._tag) {
      case "Outside":
        this.isOutside = true
        return
      case "Rest":
        this.rest = outcome
        this.isOutside = outcome.outside === true
        if (this.begun?.status !== outcome.status)
          this.note(step, { status: outcome.status, scheduledFor: outcome.until, output: outcome.output ?? null }, now)
        return
      case "Exit":
        this.note(step, { status: "COMPLETED", output: { reason: outcome.reason }, completedAt: now }, now)
        this.end("EXITED", outcome.reason)
        return
      case "Failed": {
        const error = { code: outcome.code, message: outcome.message }
        this.note(step, { status: "FAILED", error, output: outcome.output ?? null, completedAt: now }, now)
        if (outcome.goOn) this.goOn(step, null, nextVisit, now)
        else this.end("FAILED", "step_failed", { ...error, stepId: step.id })
        return
      }
      case "Done": {
        const { output, branch = null, skipped, resumedBy = null } = outcome
        const status = skipped ? "SKIPPED" : "COMPLETED"
        this.note(step, { status, output: kept(output), branch, resumedBy, completedAt: now }, now)
        this.context = outcome.context ?? this.context
        this.goOn(step, branch, nextVisit, now)
      }
    }
  }

  /** From the end of a step to the next; without a way on it has arrived. */
  goOn(step: RunnableStep, branch: string | null, nextVisit: StepExecutionId, now: DateTime.Utc): void {
    const routes = this.graph?.routes.get(step.id)
    const next = routes?.get(branch ?? "") ?? routes?.get("")
    if (next === undefined || !this.graph?.steps.has(next)) {
      this.end("COMPLETED")
      return
    }
    this.stepId = next
    this.visitId = nextVisit
    this.since = now
    this.begun = null
    this.requireRoom()
  }

  private requireRoom(): void {
    if (this.begun !== null || this.taken < maxVisits || this.stepId === null) return
    const message = `An execution makes at most ${maxVisits} visits of steps.`
    this.end("FAILED", "step_limit", { code: "step_limit", message, stepId: this.stepId })
  }

  private end(status: Ending["status"], exitReason: string | null = null, error: Ending["error"] = null): void {
    this.ending = { status, exitReason, error }
  }

  private note(step: RunnableStep, change: Partial<StepVisit>, now: DateTime.Utc): void {
    if (this.begun === null) this.taken++
    const visit: StepVisit = {
      id: this.visitId,
      stepId: step.id,
      name: step.name,
      type: step.type,
      ordinal: this.taken,
      attempts: 1,
      config: step.config,
      request: null,
      output: null,
      error: null,
      branch: null,
      scheduledFor: null,
      resumedBy: null,
      startedAt: now,
      completedAt: null,
      createdAt: this.since,
      status: "RUNNING",
      ...this.begun,
      ...change
    }
    // The request is not needed after the end of the visit.
    this.visits.push(visit.completedAt === null ? visit : { ...visit, request: null })
  }

  advance(now: DateTime.Utc): Advance {
    const { projectId, id, workflowId, stepsTaken } = this.execution
    const { ending, rest } = this
    const isLive = ending === undefined
    return {
      projectId,
      id,
      workflowId,
      expected: stepsTaken,
      stepsTaken: this.taken,
      status: ending?.status ?? (rest === undefined ? "RUNNING" : "WAITING"),
      currentStepId: this.stepId,
      visitId: this.visitId,
      since: this.since,
      context: this.context ?? null,
      waitEvent: (isLive && rest?.event) || null,
      resumeAt: (isLive && rest?.until) || null,
      dueAt: isLive ? (rest === undefined ? now : rest.lookAt) : null,
      outside: this.isOutside,
      exitReason: ending?.exitReason ?? null,
      error: ending?.error ?? null,
      completedAt: isLive ? null : now,
      visits: this.visits
    }
  }
}
