/** Transitions: the edges of a workflow. */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { described, Id, isLength, optional, required, Timestamp } from "../../platform/Primitives.ts"
import { branchText } from "./StepConfig.ts"
import { WorkflowId } from "./WorkflowId.ts"

export const TransitionId = Id.pipe(Schema.brand("TransitionId"))
export type TransitionId = typeof TransitionId.Type

const record = {
  id: TransitionId,
  workflowId: WorkflowId,
  fromStepId: Id,
  toStepId: Id,
  branch: Schema.NullOr(Schema.String).pipe(described(branchText)),
  condition: Schema.NullOr(Schema.Struct({ branch: Schema.String })).pipe(described("The same branch as an object.")),
  auto: Schema.Boolean.pipe(
    described("Whether the service created it with a step. A transition that a caller creates can replace it.")
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp
}

export const Transition = Schema.Struct(record).annotate({
  identifier: "Transition",
  description: "Leads from one step of a workflow to another."
})
export type Transition = typeof Transition.Type

/** The response for a new transition. For an existing one it is 200 with the unchanged transition. */
export const AddedTransition = Schema.Struct({
  ...record,
  replacedTransitionIds: Schema.Array(TransitionId).pipe(described("Automatic transitions that this one replaced."))
})
  .annotate({ identifier: "AddedTransition", description: "The new transition, and those that it replaced." })
  .pipe(HttpApiSchema.status(201))
export type AddedTransition = typeof AddedTransition.Type

/** Body of `POST /workflows/{id}/transitions`. `null` counts as absent. */
export const CreateTransition = Schema.Struct({
  fromStepId: required(Id),
  toStepId: required(Id),
  branch: optional(Schema.String.check(isLength(0, 100))).pipe(described(branchText)),
  condition: optional(Schema.Struct({ branch: optional(Schema.String.check(isLength(0, 100))) })).annotateKey({
    description: "Another way to give the branch."
  }),
  waitOutcome: optional(Schema.Literals(["EVENT", "TIMEOUT"])).pipe(
    described("Another way to give the branch of a WAIT_FOR_EVENT.")
  )
}).annotate({ identifier: "CreateTransition" })
export type CreateTransition = typeof CreateTransition.Type
