/** The state of one execution in a worker: its current step, and the changes to write. */
import type { StepExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import type { DateTime, Schema } from "effect"
import { moveAtEnd, type StepMove, wholeWorkflow } from "../report/StepMoves.ts"
import type { StepInput, StepOutcome } from "../steps/StepDefinition.ts"
import type { Advance, LockedExecution, RunnableGraph, RunnableStep, StepVisit } from "./RunStore.ts"

/** The most visits of one execution. */
const maxVisits = 1_000
const maxOutputBytes = 16 * 1024

type Ending = Pick<Advance, "exitReason" | "error"> & { readonly status: "COMPLETED" | "EXITED" | "FAILED" }
type Rest = Extract<StepOutcome, { readonly _tag: "Rest" }>

const isSame = (one: DateTime.Utc | null, other: DateTime.Utc | null): boolean =>
  one?.epochMilliseconds === other?.epochMilliseconds

const bytes = (value: Schema.Json): number => new TextEncoder().encode(JSON.stringify(value)).length

/** The output to store, without its largest part if it is too large. */
const limited = (output: Schema.Json): Schema.Json => {
  if (bytes(output) <= maxOutputBytes) return output
  if (typeof output !== "object" || output === null || Array.isArray(output)) return { truncated: true }
  const parts = Object.entries(output).sort(([, one], [, other]) => bytes(other) - bytes(one))
  return { ...Object.fromEntries(parts.slice(1)), truncated: true }
}

/**
 * An execution while a worker runs it. `apply` takes the outcome of each step, and `advance` returns the changes to
 * store. It does no I/O.
 */
export class ExecutionState {
  readonly execution: LockedExecution
  private readonly graph: RunnableGraph | undefined
  private readonly visits: Array<StepVisit> = []
  private readonly moves: Array<StepMove> = []
  /** Whether the visit of the current step has not ended. */
  private isAt: boolean
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
    this.isAt = execution.currentStepId !== null
    this.visitId = execution.visitId
    this.since = execution.since
    this.begun = execution.visit
    this.taken = execution.stepsTaken
    if (this.step === undefined) this.end("COMPLETED")
    else this.checkLimit()
  }

  /** The current step. A visit keeps the config that it started with. */
  get step(): RunnableStep | undefined {
    const step = this.stepId === null ? undefined : this.graph?.steps.get(this.stepId)
    return step && this.begun ? { ...step, config: this.begun.config } : step
  }

  get isMoving(): boolean {
    return this.ending === undefined && this.rest === undefined && !this.isOutside
  }

  stepInput(contact: StepInput["contact"], step: RunnableStep): StepInput {
    return {
      execution: this.execution,
      contact,
      context: this.context ?? this.execution.context,
      workflow: {
        name: this.graph?.name ?? "",
        goal: this.graph?.goal ?? null,
        exitRules: this.graph?.exitRules ?? []
      },
      step,
      visitId: this.visitId,
      since: this.since,
      visit: this.begun
    }
  }

  /** Applies the outcome of the current step. `nextVisit` is the id of the next visit, if there is one. */
  apply(step: RunnableStep, outcome: StepOutcome, nextVisit: StepExecutionId, now: DateTime.Utc): void {
    switch (outcome._tag) {
      case "Outside":
        this.isOutside = true
        return
      case "Rest":
        this.rest = outcome
        this.isOutside = outcome.outside === true
        if (this.begun?.status !== outcome.status || !isSame(this.begun.scheduledFor, outcome.until))
          this.record(
            step,
            { status: outcome.status, scheduledFor: outcome.until, output: outcome.output ?? null },
            now
          )
        return
      case "Exit":
        this.record(step, { status: "COMPLETED", output: { reason: outcome.reason }, completedAt: now }, now)
        this.end("EXITED", outcome.reason)
        return
      case "Failed": {
        const error = { code: outcome.code, message: outcome.message }
        this.record(step, { status: "FAILED", error, output: outcome.output ?? null, completedAt: now }, now)
        if (outcome.continues) this.moveOn(step, null, nextVisit, now)
        else this.end("FAILED", "step_failed", { ...error, stepId: step.id })
        return
      }
      case "Done": {
        const { output, branch = null, skipped, resumedBy = null } = outcome
        const status = skipped ? "SKIPPED" : "COMPLETED"
        this.record(step, { status, output: limited(output), branch, resumedBy, completedAt: now }, now)
        this.context = outcome.context ?? this.context
        this.moveOn(step, branch, nextVisit, now)
      }
    }
  }

  /** Moves to the step that follows on this branch. Without one, the execution is completed. */
  private moveOn(step: RunnableStep, branch: string | null, nextVisit: StepExecutionId, now: DateTime.Utc): void {
    const routes = this.graph?.routes.get(step.id)
    const next = routes?.get(branch ?? "") ?? routes?.get("")
    if (next === undefined || !this.graph?.steps.has(next)) {
      this.end("COMPLETED")
      return
    }
    this.stepId = next
    this.isAt = true
    this.moves.push({ stepId: next, move: "entered", branch: null })
    this.visitId = nextVisit
    this.since = now
    this.begun = null
    this.checkLimit()
  }

  private checkLimit(): void {
    if (this.begun !== null || this.taken < maxVisits || this.stepId === null) return
    const message = `An execution makes at most ${maxVisits} visits of steps.`
    this.end("FAILED", "step_limit", { code: "step_limit", message, stepId: this.stepId })
  }

  private end(status: Ending["status"], exitReason: string | null = null, error: Ending["error"] = null): void {
    this.ending = { status, exitReason, error }
    if (this.isAt) this.leave(status === "FAILED" ? "failed" : "dropped", null)
    this.moves.push({ stepId: wholeWorkflow, move: "completed", branch: status })
  }

  private leave(move: StepMove["move"], branch: string | null): void {
    this.isAt = false
    if (this.stepId !== null) this.moves.push({ stepId: this.stepId, move, branch })
  }

  private record(step: RunnableStep, change: Partial<StepVisit>, now: DateTime.Utc): void {
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
    const move = moveAtEnd(visit.status)
    if (move !== undefined) this.leave(move, visit.branch)
  }

  advance(now: DateTime.Utc): Advance {
    const { projectId, id, workflowId, countedVersion, stepsTaken } = this.execution
    const { ending, rest } = this
    const isLive = ending === undefined
    return {
      projectId,
      id,
      workflowId,
      countedVersion,
      expected: stepsTaken,
      stepsTaken: this.taken,
      status: ending?.status ?? (rest === undefined ? "RUNNING" : "WAITING"),
      currentStepId: this.stepId,
      visitId: this.visitId,
      since: this.since,
      context: this.context ?? null,
      waitEvent: (isLive && rest?.event) || null,
      lookedAt: (isLive && rest?.lookedAt) || null,
      resumeAt: (isLive && rest?.until) || null,
      dueAt: isLive ? (rest === undefined ? now : rest.lookAt) : null,
      outside: this.isOutside,
      exitReason: ending?.exitReason ?? null,
      error: ending?.error ?? null,
      completedAt: isLive ? null : now,
      visits: this.visits,
      moves: this.moves
    }
  }
}
