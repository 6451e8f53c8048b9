/** Steps: the nodes of a workflow. */
import { Schema } from "effect"
import { TemplateId } from "../../content/templates/Template.ts"
import { knownFields } from "../../platform/KnownFields.ts"
import { described, Id, isLength, Name, optional, required, Timestamp } from "../../platform/Primitives.ts"
import { anyConfig, byType, configFields, typesWithTemplate } from "./StepConfig.ts"
import { AddedStepType, StepType } from "./StepType.ts"
import { Transition } from "./Transition.ts"
import { WorkflowId } from "./WorkflowId.ts"

export const StepId = Id.pipe(Schema.brand("StepId"))
export type StepId = typeof StepId.Type

export const StepPosition = Schema.Struct({ x: Schema.Finite, y: Schema.Finite }).annotate({
  identifier: "Position",
  description: "Position of the step in a drawing of the workflow."
})
export type StepPosition = typeof StepPosition.Type

/** The config of a step of any type. */
export const AnyConfig = Schema.JsonObject.annotate({ [knownFields]: configFields })

const record = {
  id: StepId,
  workflowId: WorkflowId,
  type: StepType,
  name: Schema.String,
  position: StepPosition,
  config: Schema.JsonObject.pipe(described("Its fields depend on the type of the step.")),
  templateId: Schema.NullOr(TemplateId).pipe(described(`Only of a ${typesWithTemplate} step.`)),
  template: Schema.NullOr(Schema.Struct({ id: TemplateId, name: Schema.String })).pipe(
    described("`null` without a template.")
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp
}

export const Step = Schema.Struct(record)
  .check(byType("record"))
  .annotate({ identifier: "Step", description: "A step of a workflow." })
export type Step = typeof Step.Type

export const AddedStep = Schema.Struct({
  ...record,
  transition: Schema.NullOr(Transition).annotateKey({
    description: "The transition that was created with the step, if any."
  })
})
  .check(byType("record"))
  .annotate({ identifier: "AddedStep", description: "The new step." })
export type AddedStep = typeof AddedStep.Type

const content = {
  config: optional(AnyConfig).pipe(described("Its fields depend on the type of the step.")),
  name: optional(Name(100)).pipe(described("1 to 100 characters on one line; default: the type in words.")),
  position: optional(StepPosition).annotateKey({ description: "Default: below the last step." }),
  templateId: optional(TemplateId).pipe(described(`Only for ${typesWithTemplate}; may be in \`config\` instead.`))
}

/** Body of `POST /workflows/{id}/steps`. `null` counts as absent. */
export const CreateStep = Schema.Struct({
  type: required(AddedStepType),
  ...content,
  autoConnect: optional(Schema.Boolean).pipe(
    described(
      "Default true: connects the newest step without an outgoing transition to this one. A transition that a caller creates can replace this automatic one."
    )
  )
})
  .check(byType("new"))
  .annotate({ identifier: "CreateStep" })
export type CreateStep = typeof CreateStep.Type

/** Body of `POST .../insert-step`. */
export const InsertStep = Schema.Struct({ type: required(AddedStepType), ...content })
  .check(byType("new"))
  .annotate({ identifier: "InsertStep" })
export type InsertStep = typeof InsertStep.Type

/** Body of `PATCH .../steps/{stepId}`. Absent fields keep their values. `config` is replaced as a whole. */
export const UpdateStep = Schema.Struct({
  type: optional(Schema.String.check(isLength(0, 100))).pipe(
    described("The type of a step cannot change; another value is refused.")
  ),
  name: Schema.optionalKey(Name(100)).pipe(described("1 to 100 characters on one line.")),
  position: Schema.optionalKey(StepPosition),
  config: Schema.optionalKey(AnyConfig.check(anyConfig)).pipe(
    described("Its fields depend on the type of the step. Replaced as a whole.")
  ),
  templateId: optional(TemplateId).pipe(described("`null` detaches the template."))
}).annotate({ identifier: "UpdateStep" })
export type UpdateStep = typeof UpdateStep.Type

export const DeleteStepQuery = Schema.Struct({
  splice: Schema.optionalKey(Schema.Boolean).pipe(
    described("When true, the step before it is connected to the step after it.", "false")
  )
})
export type DeleteStepQuery = typeof DeleteStepQuery.Type

export class StepNotFound extends Schema.TaggedError<StepNotFound>()("STEP_NOT_FOUND", {
  resource: Schema.tag("step"),
  id: Schema.String
}) {
  override readonly message = `No step ${this.id} in this workflow.`
}
