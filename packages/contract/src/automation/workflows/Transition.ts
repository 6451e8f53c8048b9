/** Transitions: the edges of a workflow. */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { described, Id, isLength, optional, required, Timestamp } from "../../platform/Primitives.ts"
import { WorkflowId } from "./WorkflowId.ts"

export const TransitionId = Id.pipe(Schema.brand("TransitionId"))
export type TransitionId = typeof TransitionId.Type

const branchText =
  "`yes` or `no` from a CONDITION, or the id of one of its branches, or `default`; `event`, `timeout` or `null` from a WAIT_FOR_EVENT; `null` from any other step."

const record = {
  id: TransitionId,
  workflowId: WorkflowId,
  fromStepId: Id,
  toStepId: Id,
  branch: Schema.NullOr(Schema.String).pipe(described(branchText)),
  condition: Schema.NullOr(Schema.Struct({ branch: Schema.String })).pipe(described("`branch` once more.")),
  auto: Schema.Boolean.pipe(
    described("Made by the service, with a step; it gives way to transitions that are posted.")
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp
}

export const Transition = Schema.Struct(record).annotate({
  identifier: "Transition",
  description: "Leads from one step of a workflow to another."
})
export type Transition = typeof Transition.Type

/** The answer for a new transition. An existing transition is answered unchanged, with 200. */
export const AddedTransition = Schema.Struct({
  ...record,
  replacedTransitionIds: Schema.Array(TransitionId).pipe(
    described("Transitions of the service that gave way to this one.")
  )
})
  .annotate({ identifier: "AddedTransition", description: "The new transition, and those that gave way to it." })
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
