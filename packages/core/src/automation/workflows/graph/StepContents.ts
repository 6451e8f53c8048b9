/** From what a caller writes into a step to what is kept, and whether it still holds. */

import type {
  SendEmailConfig,
  UpdateContactConfig,
  WebhookConfig
} from "@posthorn/contract/automation/workflows/StepConfig"
import type { AddedStepType, StepType } from "@posthorn/contract/automation/workflows/StepType"
import type { TemplateId } from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { type Fault, ValidationError } from "@posthorn/contract/platform/Errors"
import { Effect, type Schema } from "effect"
import { dataChange } from "../../../audience/contacts/DataChange.ts"
import { Audiences } from "../../../audience/segments/Audiences.ts"
import { hasPlaceholders } from "../../../content/rendering/TemplateSyntax.ts"
import { SenderDomains } from "../../../content/templates/SenderDomains.ts"
import { Templates } from "../../../content/templates/Templates.ts"
import { SafeFetch } from "../../../platform/outbound/SafeFetch.ts"
import type { GraphStep } from "./Graph.ts"
import { stepField } from "./GraphValidity.ts"
import { readConfig } from "./StepConfigs.ts"
import { segmentRefs } from "./StepLinks.ts"
import { syntaxFaults } from "./StepTexts.ts"

/** What a caller writes; an absent `templateId` leaves the one that the step has. */
export interface StepInput {
  readonly config?: Schema.JsonObject | undefined
  readonly templateId?: TemplateId | null | undefined
}

export interface StepContent {
  readonly config: Schema.JsonObject
  readonly templateId: TemplateId | null
}

const refuse = (faults: ReadonlyArray<Fault>): Effect.Effect<void, ValidationError> =>
  faults.length === 0 ? Effect.void : Effect.fail(new ValidationError({ errors: faults.slice(0, 50) }))

const isAdded = (type: StepType): type is AddedStepType => type !== "TRIGGER"

const below = (step: GraphStep, faults: ReadonlyArray<Fault>): ReadonlyArray<Fault> =>
  faults.map((fault) => ({ ...fault, field: stepField(step, fault.field) }))

export const make = Effect.gen(function* () {
  const audiences = yield* Audiences
  const fetch = yield* SafeFetch
  const senders = yield* SenderDomains
  const templates = yield* Templates

  /** A URL with placeholders is judged when they are filled in. */
  const urlFaults = ({ url }: WebhookConfig): ReadonlyArray<Fault> =>
    (hasPlaceholders(url) ? /^(?:https?:\/\/|\{\{)/i.test(url) : fetch.allows(url))
      ? []
      : [{ field: "config.url", code: "custom", message: "Not an http or https URL that may be called." }]

  const updateFaults = ({ updates, subscriptionAction }: UpdateContactConfig): ReadonlyArray<Fault> => {
    const { remove, set } = dataChange(updates ?? {})
    const changesData = remove.length + Object.keys(set).length > 0
    return changesData || (subscriptionAction ?? "none") !== "none"
      ? []
      : [{ field: "config.updates", code: "required", message: "The step has to change something." }]
  }

  /** What the schema of the config cannot say. */
  const ownFaults = (type: AddedStepType, config: Schema.JsonObject): ReadonlyArray<Fault> => [
    ...syntaxFaults(type, config),
    ...(type === "WEBHOOK" ? urlFaults(config as WebhookConfig) : []),
    ...(type === "UPDATE_CONTACT" ? updateFaults(config as UpdateContactConfig) : [])
  ]

  /** Segments that a CONDITION names: those that are not there, and those that would make it too big. */
  const segmentFaults = Effect.fnUntraced(function* (project: ProjectId, config: Schema.JsonObject) {
    const refs = segmentRefs(config)
    if (refs.length === 0) return []
    const filters = refs.map(({ segment }) => ({
      field: `segment.${segment}`,
      operator: "memberOfSegment" as const
    }))
    return yield* audiences.requireSound(project, { groups: [{ filters }] }, "tree").pipe(
      Effect.as<ReadonlyArray<Fault>>([]),
      Effect.catch(({ errors }) =>
        Effect.succeed(
          errors.map((fault) => {
            const n = /\.filters\.(\d+)\./.exec(fault.field)?.[1]
            return { ...fault, field: refs[Number(n ?? -1)]?.field ?? "config" }
          })
        )
      )
    )
  })

  const isCustom = (config: Schema.JsonObject): boolean => (config as SendEmailConfig).recipient?.type === "CUSTOM"

  const recipientFaults = Effect.fnUntraced(function* (project: ProjectId, { config, templateId }: StepContent) {
    if (templateId === null) return []
    const template = yield* templates.hold(project, templateId)
    return isCustom(config) && template.type !== "TRANSACTIONAL"
      ? [
          {
            field: "config.recipient.type",
            code: "custom" as const,
            message: "A custom recipient takes a template of the type TRANSACTIONAL."
          }
        ]
      : []
  })

  /** Here or in the config; both have to say the same. */
  const templateFaults = (
    type: AddedStepType,
    given: TemplateId | null | undefined,
    inConfig: TemplateId | undefined
  ): ReadonlyArray<Fault> => {
    if (type !== "SEND_EMAIL" && given != null) {
      return [{ field: "templateId", code: "custom", message: "Only a SEND_EMAIL has a template." }]
    }
    return given !== undefined && inConfig !== undefined && given !== inConfig
      ? [{ field: "templateId", code: "custom", message: "`templateId` and `config.templateId` differ." }]
      : []
  }

  /**
   * What is to be stored: complete, and checked. Joins the caller's transaction; no segment that it names can be deleted
   * before that ends.
   */
  const read = Effect.fn("StepContents.read")(function* (
    project: ProjectId,
    type: AddedStepType,
    input: StepInput,
    current: StepContent
  ) {
    const given = input.config === undefined ? current.config : yield* readConfig(type, input.config)
    const { templateId: inConfig, ...config } =
      type === "SEND_EMAIL" ? (given as SendEmailConfig & Schema.JsonObject) : { ...given, templateId: undefined }
    yield* refuse([...templateFaults(type, input.templateId, inConfig ?? undefined), ...ownFaults(type, config)])
    const templateId = input.templateId ?? inConfig ?? (input.templateId === null ? null : current.templateId)
    const content: StepContent = { config, templateId }
    if (type === "SEND_EMAIL") yield* refuse(yield* recipientFaults(project, content))
    if (type === "CONDITION") {
      yield* audiences.hold(project)
      yield* refuse(yield* segmentFaults(project, config))
    }
    return content
  })

  const mailFaults = Effect.fnUntraced(
    function* (project: ProjectId, step: GraphStep) {
      if (step.templateId === null) {
        return [{ field: "templateId", code: "required" as const, message: "Choose a template." }]
      }
      const template = yield* templates.get(project, step.templateId)
      yield* senders.requireVerified(project, template.from)
      return yield* recipientFaults(project, step)
    },
    (effect) =>
      Effect.catch(effect, (error) =>
        Effect.succeed<ReadonlyArray<Fault>>([{ field: "templateId", code: "custom", message: error.message }])
      )
  )

  const stepFaults = Effect.fnUntraced(function* (project: ProjectId, step: GraphStep) {
    if (!isAdded(step.type)) return []
    const { type, config } = step
    const found = yield* readConfig(type, config).pipe(
      Effect.map(() => ownFaults(type, config)),
      Effect.catch(({ errors }) => Effect.succeed(errors))
    )
    const more = yield* type === "SEND_EMAIL"
      ? mailFaults(project, step)
      : type === "CONDITION"
        ? segmentFaults(project, config)
        : Effect.succeed([])
    return below(step, [...found, ...more])
  })

  /** What keeps a contact from passing through these steps, by field paths from the workflow. */
  const faults = Effect.fn("StepContents.faults")(function* (project: ProjectId, steps: ReadonlyArray<GraphStep>) {
    return (yield* Effect.forEach(steps, (step) => stepFaults(project, step))).flat()
  })

  return { read, faults }
})
