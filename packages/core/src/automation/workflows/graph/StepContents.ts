/** Reads config and template of a step from a caller, and checks those of stored steps. */

import { stepTypes } from "@posthorn/contract/automation/workflows/StepConfig"
import type { AddedStepType, StepType } from "@posthorn/contract/automation/workflows/StepType"
import type { TemplateId } from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type Fault, ValidationError } from "@posthorn/contract/platform/Errors"
import { Effect, type Schema } from "effect"
import type { Journey } from "../goals/Journeys.ts"
import type { StepContent } from "../steps/StepDefinition.ts"
import * as Steps from "../steps/Steps.ts"
import { type GraphStep, withArticle } from "./Graph.ts"
import { stepField } from "./GraphValidity.ts"
import { readConfig, stepSyntaxFaults } from "./StepConfigs.ts"

/** What a caller writes. An absent field stays as it is. */
export interface ContentInput {
  readonly config?: Schema.JsonObject | undefined
  readonly templateId?: TemplateId | null | undefined
}

const refuse = (faults: ReadonlyArray<Fault>): Effect.Effect<void, ValidationError> =>
  faults.length === 0 ? Effect.void : Effect.fail(new ValidationError({ errors: faults.slice(0, 50) }))

const isAdded = (type: StepType): type is AddedStepType => type !== "TRIGGER"

const templateTypes = Steps.types.filter((type) => stepTypes[type].hasTemplate)

/** A caller can give the template in the step or in its config. Two different ones are refused. */
const templateFaults = (
  type: AddedStepType,
  inStep: TemplateId | null | undefined,
  inConfig: TemplateId | null | undefined
): ReadonlyArray<Fault> => {
  if (!stepTypes[type].hasTemplate && inStep != null) {
    const message = `Only ${templateTypes.map(withArticle).join(" or ")} has a template.`
    return [{ field: "templateId", code: "custom", message }]
  }
  return inStep !== undefined && inConfig != null && inStep !== inConfig
    ? [{ field: "templateId", code: "custom", message: "`templateId` and `config.templateId` differ." }]
    : []
}

export const make = Effect.gen(function* () {
  const checksOf = yield* Steps.makeChecks

  const configFaults = (type: AddedStepType, config: Schema.JsonObject): ReadonlyArray<Fault> => [
    ...stepSyntaxFaults(type, config),
    ...(checksOf(type).config?.(config) ?? [])
  ]

  /** The content to store. Joins the caller's transaction. The checks may lock what the step uses until it ends. */
  const read = Effect.fn("StepContents.read")(function* (
    project: ProjectId,
    type: AddedStepType,
    input: ContentInput,
    current: StepContent
  ) {
    const given = input.config === undefined ? current.config : yield* readConfig(type, input.config)
    const { templateId: inConfig, ...config } = given as Schema.JsonObject & Pick<ContentInput, "templateId">
    yield* refuse([...templateFaults(type, input.templateId, inConfig), ...configFaults(type, config)])
    const templateId = input.templateId ?? inConfig ?? (input.templateId === null ? null : current.templateId)
    const content: StepContent = { config, templateId }
    yield* refuse(yield* checksOf(type).save?.(project, content) ?? Effect.succeed([]))
    return content
  })

  const stepFaults = Effect.fnUntraced(function* (
    project: ProjectId,
    step: GraphStep,
    workflow: Pick<Journey, "goal">
  ) {
    if (!isAdded(step.type)) return []
    const { type, config } = step
    const found = yield* readConfig(type, config).pipe(
      Effect.map(() => configFaults(type, config)),
      Effect.catch(({ errors }) => Effect.succeed(errors))
    )
    const more = yield* checksOf(type).enable?.(project, step, workflow) ?? Effect.succeed([])
    return [...found, ...more].map((fault) => ({ ...fault, field: stepField(step, fault.field) }))
  })

  /** The faults that prevent enabling. Fields are paths in the workflow. */
  const faults = Effect.fn("StepContents.faults")(function* (
    project: ProjectId,
    steps: ReadonlyArray<GraphStep>,
    workflow: Pick<Journey, "goal">
  ) {
    return (yield* Effect.forEach(steps, (step) => stepFaults(project, step, workflow))).flat()
  })

  return { read, faults }
})
