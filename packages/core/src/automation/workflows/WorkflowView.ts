/** Converts workflows to their API form. Pure. */
import type { Step } from "@posthorn/contract/automation/workflows/Step"
import type { Transition } from "@posthorn/contract/automation/workflows/Transition"
import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { Graph, GraphStep, GraphTransition } from "./graph/Graph.ts"

export type TemplateNames = ReadonlyMap<string, NonNullable<Step["template"]>>

export const stepView = (
  workflowId: WorkflowId,
  { ordinal: _, templateId, ...step }: GraphStep,
  templates: TemplateNames
): Step => ({
  ...step,
  workflowId,
  templateId,
  template: templateId === null ? null : (templates.get(templateId) ?? null)
})

export const transitionView = (workflowId: WorkflowId, transition: GraphTransition): Transition => ({
  ...transition,
  workflowId,
  condition: transition.branch === null ? null : { branch: transition.branch }
})

export const graphView = (workflowId: WorkflowId, { steps, transitions }: Graph, templates: TemplateNames) => ({
  steps: steps.map((step) => stepView(workflowId, step, templates)),
  transitions: transitions.map((transition) => transitionView(workflowId, transition))
})
