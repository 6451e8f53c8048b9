/** The whole graph of a workflow in one body, which replaces the stored graph or is only checked. */
import { Schema, SchemaTransformation } from "effect"
import { TemplateId } from "../../content/templates/Template.ts"
import { EventName } from "../../events/EventName.ts"
import {
  described,
  Id,
  IfUpdatedAt,
  isLength,
  isOneLine,
  listOf,
  Name,
  optional,
  required
} from "../../platform/Primitives.ts"
import { AnyConfig, StepPosition } from "./Step.ts"
import { branchText, byType, typesWithTemplate } from "./StepConfig.ts"
import { StepType } from "./StepType.ts"
import { TriggerType } from "./Trigger.ts"
import { WorkflowDetail } from "./Workflow.ts"

/** Steps of a workflow, the TRIGGER included. */
export const maxSteps = 100
export const maxTransitions = 300

const Reference = Schema.String.check(isLength(1, 50), isOneLine)

const Drawn = Schema.Struct({
  id: optional(Id).pipe(
    described("Of a step that the workflow has, or had: a step that was removed comes back under its id.")
  ),
  key: optional(Reference).pipe(
    described("A name within this body. A step without an id needs one. Answers and faults repeat it.")
  ),
  type: required(StepType).pipe(described("Cannot change under an id.")),
  name: optional(Name(100)).pipe(
    described("1 to 100 characters on one line; default: the present name, or the type in words.")
  ),
  position: optional(StepPosition).annotateKey({
    description: "Default: the present position, or below the last step."
  }),
  config: optional(AnyConfig).pipe(
    described("Its fields depend on the type of the step. That of the TRIGGER is ignored: it repeats `triggerConfig`.")
  ),
  templateId: optional(TemplateId).pipe(described(`Only for ${typesWithTemplate}; may be in \`config\` instead.`))
})
export type DrawnStep = typeof Drawn.Type

/** A list shows the encoded form of its items, which loses name and checks. */
const DrawnStep = Schema.toEncoded(Drawn)
  .check(byType("graph"))
  .annotate({ identifier: "DrawnStep", description: "A step of a whole graph." })
  .pipe(Schema.decodeTo(Drawn, SchemaTransformation.passthrough({ strict: false })))

const DrawnTransition = Schema.Struct({
  from: required(Reference).pipe(described("The `key` or `id` of a step of this body, or the id of the TRIGGER.")),
  to: required(Reference).pipe(described("The `key` or `id` of a step of this body.")),
  branch: optional(Schema.String.check(isLength(0, 100))).pipe(described(branchText))
}).annotate({ identifier: "DrawnTransition", description: "A transition of a whole graph." })

const atMost = (max: number, what: string) =>
  Schema.isMaxLength(max, { code: "too_big", message: `At most ${max} ${what}.` })

/** Body of `PUT /workflows/{id}/graph` and `POST /workflows/{id}/validate`. */
export const WholeGraph = Schema.Struct({
  steps: required(listOf(DrawnStep, atMost(maxSteps, "steps"))).pipe(
    described(`At most ${maxSteps} with the TRIGGER, which may be left out.`)
  ),
  transitions: required(listOf(DrawnTransition, atMost(maxTransitions, "transitions"))).pipe(
    described(`At most ${maxTransitions}.`)
  ),
  triggerType: Schema.optionalKey(TriggerType),
  triggerConfig: Schema.optionalKey(Schema.JsonObject).pipe(
    described("Its fields depend on the trigger type. Replaced as a whole; `{}` when only the type changes.")
  ),
  eventName: Schema.optionalKey(EventName).pipe(described("Shorthand for `triggerConfig.eventName`.")),
  ifUpdatedAt: IfUpdatedAt
}).annotate({ identifier: "WholeGraph" })
export type WholeGraph = typeof WholeGraph.Type

export const ReplacedGraph = Schema.Struct({
  ...WorkflowDetail.fields,
  ids: Schema.Record(Schema.String, Id).pipe(described("The id of each step that had a `key`, by its key."))
}).annotate({ identifier: "ReplacedGraph", description: "A workflow with its new graph." })
export type ReplacedGraph = typeof ReplacedGraph.Type
