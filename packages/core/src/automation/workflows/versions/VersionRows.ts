/** Workflows, steps and transitions as rows, in their tables and in versions. */

import { ExitRule, WorkflowGoal } from "@posthorn/contract/automation/workflows/Journey"
import { StepId } from "@posthorn/contract/automation/workflows/Step"
import { StepType } from "@posthorn/contract/automation/workflows/StepType"
import { TransitionId } from "@posthorn/contract/automation/workflows/Transition"
import { TriggerType } from "@posthorn/contract/automation/workflows/Trigger"
import { TemplateId } from "@posthorn/contract/content/templates/Template"
import { DateTime, Effect, Order, Schema } from "effect"
import type { GraphStep, GraphTransition } from "../graph/Graph.ts"
import { eventOf, segmentOf } from "../graph/TriggerContents.ts"
import { usesOf } from "../steps/Steps.ts"
import type { VersionContent, VersionedSettings } from "./VersionContent.ts"

/** As a row of `workflows`. */
export const contentRecord = (settings: VersionedSettings) => {
  const { triggerType, triggerConfig, allowReentry, reentryAfterHours, goal, exitRules } = settings
  const segment = segmentOf(settings)
  return {
    trigger_type: triggerType,
    trigger_config: triggerConfig,
    event_name: eventOf(settings),
    refers_to: [...(segment === null ? [] : [segment]), ...exitRules.flatMap(({ segmentId }) => segmentId ?? [])],
    allow_reentry: allowReentry,
    reentry_after_hours: reentryAfterHours,
    goal,
    exit_rules: exitRules
  }
}

/** As a row of `workflow_steps`. */
export const stepRecord = (step: GraphStep) => {
  const { segments, names } = usesOf(step.type, step.config)
  return {
    id: step.id,
    ordinal: step.ordinal,
    type: step.type,
    name: step.name,
    position: step.position,
    config: step.config,
    template_id: step.templateId,
    refers_to: segments,
    looks_at: names,
    created_at: DateTime.formatIso(step.createdAt),
    updated_at: DateTime.formatIso(step.updatedAt)
  }
}

/** As a row of `workflow_transitions`. */
export const transitionRecord = ({
  id,
  fromStepId,
  toStepId,
  branch,
  auto,
  createdAt,
  updatedAt
}: GraphTransition) => ({
  id,
  from_step_id: fromStepId,
  to_step_id: toStepId,
  branch,
  auto,
  created_at: DateTime.formatIso(createdAt),
  updated_at: DateTime.formatIso(updatedAt)
})

const at = Schema.DateTimeUtcFromString
const dates = { created_at: at, updated_at: at }

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      triggerType: TriggerType,
      triggerConfig: Schema.JsonObject,
      allowReentry: Schema.Boolean,
      reentryAfterHours: Schema.NullOr(Schema.Int),
      goal: Schema.NullOr(WorkflowGoal),
      exitRules: Schema.Array(ExitRule),
      steps: Schema.Record(
        Schema.String,
        Schema.Struct({
          id: StepId,
          ordinal: Schema.Int,
          type: StepType,
          name: Schema.String,
          position: Schema.Struct({ x: Schema.Finite, y: Schema.Finite }),
          config: Schema.JsonObject,
          template_id: Schema.NullOr(TemplateId),
          ...dates
        })
      ),
      transitions: Schema.Array(
        Schema.Struct({
          id: TransitionId,
          from_step_id: Schema.String,
          to_step_id: Schema.String,
          branch: Schema.NullOr(Schema.String),
          auto: Schema.Boolean,
          ...dates
        })
      )
    })
  )
)

/** The columns of a version that `readContents` reads. */
export const contentColumns = `kept.trigger_type as "triggerType", kept.trigger_config as "triggerConfig",
  kept.allow_reentry as "allowReentry", kept.reentry_after_hours as "reentryAfterHours", kept.goal,
  kept.exit_rules as "exitRules", kept.steps, kept.transitions`

const inOrder = Order.combine(
  Order.mapInput(Order.Number, ({ ordinal }: GraphStep) => ordinal),
  Order.mapInput(Order.String, ({ id }: GraphStep) => id)
)

const content = ({
  steps,
  transitions,
  ...settings
}: Effect.Success<ReturnType<typeof rows>>[number]): VersionContent => ({
  settings,
  steps: Object.values(steps)
    .map(
      ({ template_id, created_at, updated_at, ...step }): GraphStep => ({
        ...step,
        templateId: template_id,
        createdAt: created_at,
        updatedAt: updated_at
      })
    )
    .sort(inOrder),
  transitions: transitions.map(({ from_step_id, to_step_id, created_at, updated_at, ...transition }) => ({
    ...transition,
    fromStepId: from_step_id,
    toStepId: to_step_id,
    createdAt: created_at,
    updatedAt: updated_at
  }))
})

/** Steps in order of creation. */
export const readContents = (
  found: ReadonlyArray<unknown>
): Effect.Effect<ReadonlyArray<VersionContent>, Schema.SchemaError> =>
  Effect.map(rows(found), (decoded) => decoded.map(content))
