/** What the core adds to a type of step: its checks, what it uses, and how it runs. `Steps.ts` lists the types. */
import type { StepExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import type { TemplateId, TemplateNotFound } from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Fault } from "@posthorn/contract/platform/Errors"
import type { DateTime, Effect, Schema } from "effect"
import type { Journey } from "../goals/Journeys.ts"
import type { LockedExecution, Person, RunnableStep, StepVisit } from "../run/RunStore.ts"

/** What a step keeps besides its name and position. */
export interface StepContent {
  readonly config: Schema.JsonObject
  readonly templateId: TemplateId | null
}

/** What a config names. It is stored with the step, and read before a segment, a field or an event is deleted. */
export interface StepUses {
  /** Ids of segments. */
  readonly segments: ReadonlyArray<string>
  /** Events and fields of contacts, as in `ChangeNotes.ts`. */
  readonly names: ReadonlyArray<string>
}

/** Checks that the schema of the config cannot make. Fields of faults are paths in the step, such as `config.url`. */
export interface StepChecks {
  /** Needs no database. */
  readonly config?: (config: Schema.JsonObject) => ReadonlyArray<Fault>
  /** Before the step is stored. Joins the caller's transaction, in which it may lock what the step uses. */
  readonly save?: (project: ProjectId, content: StepContent) => Effect.Effect<ReadonlyArray<Fault>, TemplateNotFound>
  /** Before the workflow is enabled, and before a change of an enabled workflow. */
  readonly enable?: (
    project: ProjectId,
    content: StepContent,
    workflow: Pick<Journey, "goal">
  ) => Effect.Effect<ReadonlyArray<Fault>>
}

/** The execution whose current step runs. */
export interface StepInput {
  readonly execution: LockedExecution
  /** The contact, with the changes that earlier steps made in this transaction. */
  readonly contact: Person
  readonly context: Schema.JsonObject
  readonly workflow: Journey & { readonly name: string }
  /** With the config that it had when the visit began. */
  readonly step: RunnableStep
  readonly visitId: StepExecutionId
  /** When the step became current. */
  readonly since: DateTime.Utc
  /** The stored visit. Null until the visit begins. */
  readonly visit: StepVisit | null
}

export type StepOutcome =
  /** The visit ends. Its effect is part of the transaction. */
  | {
      readonly _tag: "Done"
      readonly output: Schema.Json
      readonly branch?: string
      readonly skipped?: true
      /** The contact, if the step changed it. */
      readonly contact?: Person
      /** The variables of the execution, if the step changed them. */
      readonly context?: Schema.JsonObject
      readonly resumedBy?: string
    }
  /** The visit continues at `until`, or when the event comes. A worker runs the step again at `lookAt`. */
  | {
      readonly _tag: "Rest"
      readonly status: "SCHEDULED" | "WAITING"
      readonly until: DateTime.Utc | null
      readonly lookAt: DateTime.Utc | null
      readonly event: string | null
      /** When it last looked for the event. */
      readonly lookedAt?: DateTime.Utc | null
      /** The output so far. */
      readonly output?: Schema.Json
      /** It continues with an outbound request. */
      readonly outside?: true
    }
  /** The step makes an outbound request, outside of any transaction: `run/WebhookCalls.ts`. */
  | { readonly _tag: "Outside" }
  | {
      readonly _tag: "Failed"
      readonly code: string
      readonly message: string
      readonly output?: Schema.Json
      /** The execution continues in spite of the failure. */
      readonly continues?: boolean
    }
  | { readonly _tag: "Exit"; readonly reason: string }

/** The visit goes on at this time, and no event ends it earlier. */
export const restUntil = (until: DateTime.Utc): Extract<StepOutcome, { readonly _tag: "Rest" }> => ({
  _tag: "Rest",
  status: "SCHEDULED",
  until,
  lookAt: until,
  event: null
})

/** Runs the step for many executions at once, in the caller's transaction. Returns their outcomes in the same order. */
export type RunStep = (inputs: ReadonlyArray<StepInput>, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<StepOutcome>>

/** A type of step. `StepConfig.ts` of the contract has its name, config, branches and templates. */
export interface StepDefinition<out Needs = unknown, out CheckNeeds = unknown> {
  /** Whether a step with this config always takes time, so that a cycle through it is allowed. */
  readonly takesTime?: (config: Schema.JsonObject) => boolean
  /** Its branches are alternatives: an enabled workflow continues on at least one, and a missing one is a warning. */
  readonly needsBranch?: true
  /** Why this config allows no transition on one of its branches. */
  readonly branchFault?: (config: Schema.JsonObject, branch: string | null) => string | undefined
  /** What is allowed, but probably a mistake. Fields are paths in the step. */
  readonly warnings?: (config: Schema.JsonObject) => ReadonlyArray<Fault>
  readonly uses?: (config: Schema.JsonObject) => StepUses
  /** How the API lists the workflow as a user of an event that the step names. */
  readonly usesEventAs?: "wait" | "condition"
  readonly checks?: Effect.Effect<StepChecks, never, CheckNeeds>
  readonly run: Effect.Effect<RunStep, never, Needs>
}
