/** What a type of step is to the runner. */
import type { StepExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import type { DateTime, Effect, Schema } from "effect"
import type { LockedExecution, Person, RunnableStep, StepVisit } from "../run/RunStore.ts"

/** An execution at one of its steps, as the step sees it. */
export interface StepContext {
  readonly execution: LockedExecution
  /** As it is now, with what the steps before this one have changed about it. */
  readonly contact: Person
  readonly context: Schema.JsonObject
  readonly workflow: { readonly name: string }
  /** With its config as of the begin of the visit. */
  readonly step: RunnableStep
  readonly visitId: StepExecutionId
  /** When the step became current. */
  readonly since: DateTime.Utc
  /** What is on record of the visit, once it has begun. */
  readonly visit: StepVisit | null
}

export type Outcome =
  /** The visit has ended, and its effect is part of the transaction. */
  | {
      readonly _tag: "Done"
      readonly output: Schema.Json
      readonly branch?: string
      readonly skipped?: true
      /** What the step made of the contact, or of the variables. */
      readonly contact?: Person
      readonly context?: Schema.JsonObject
      readonly resumedBy?: string
    }
  /** It goes on at `until`, or when the event comes; a worker looks again at `lookAt`. */
  | {
      readonly _tag: "Rest"
      readonly status: "SCHEDULED" | "WAITING"
      readonly until: DateTime.Utc | null
      readonly lookAt: DateTime.Utc | null
      readonly event: string | null
      /** What came of it so far. */
      readonly output?: Schema.Json
      /** It goes on outside. */
      readonly outside?: true
    }
  /** It is a request to a server outside, which no transaction waits for. */
  | { readonly _tag: "Outside" }
  | {
      readonly _tag: "Failed"
      readonly code: string
      readonly message: string
      readonly output?: Schema.Json
      /** The step has failed, and the execution goes on all the same. */
      readonly goOn?: boolean
    }
  | { readonly _tag: "Exit"; readonly reason: string }

/** Runs the step for many visitors at once, in the caller's transaction; an outcome for each, in their order. */
export type RunStep = (at: ReadonlyArray<StepContext>, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<Outcome>>
