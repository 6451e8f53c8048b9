/** The graph of a workflow: its steps, their branches, and the transitions between them. Pure. */
import type { Step, StepId } from "@posthorn/contract/automation/workflows/Step"
import { stepTypes } from "@posthorn/contract/automation/workflows/StepConfig"
import type { StepType } from "@posthorn/contract/automation/workflows/StepType"
import type { Transition, TransitionId } from "@posthorn/contract/automation/workflows/Transition"

/** A stored step. `ordinal` is the order in which the steps were created. The TRIGGER is 0. */
export interface GraphStep extends Omit<Step, "workflowId" | "template"> {
  readonly ordinal: number
}

/** What is kept of a step that was removed, so that it can come back under its id. */
export type FormerStep = Pick<GraphStep, "id" | "type" | "ordinal" | "createdAt">

export type GraphTransition = Omit<Transition, "workflowId" | "condition">

export interface Graph {
  /** In order of creation. */
  readonly steps: ReadonlyArray<GraphStep>
  readonly transitions: ReadonlyArray<GraphTransition>
}

/** An edit of a graph: the new and changed parts, and the deleted ones. */
export interface GraphChange {
  readonly putSteps: ReadonlyArray<GraphStep>
  readonly dropSteps: ReadonlyArray<StepId>
  readonly putTransitions: ReadonlyArray<GraphTransition>
  readonly dropTransitions: ReadonlyArray<TransitionId>
}

export const noChange: GraphChange = { putSteps: [], dropSteps: [], putTransitions: [], dropTransitions: [] }

const replaced = <A extends { readonly id: string }>(
  all: ReadonlyArray<A>,
  put: ReadonlyArray<A>,
  drop: ReadonlyArray<string>
): ReadonlyArray<A> => {
  const changed = new Map(put.map((each) => [each.id, each]))
  const kept = all.filter(({ id }) => !drop.includes(id)).map((each) => changed.get(each.id) ?? each)
  const known = new Set(all.map(({ id }) => id))
  return [...kept, ...put.filter(({ id }) => !known.has(id))]
}

export const applied = (graph: Graph, change: GraphChange): Graph => ({
  steps: replaced(graph.steps, change.putSteps, change.dropSteps),
  transitions: replaced(graph.transitions, change.putTransitions, change.dropTransitions)
})

/** The branches on which transitions can leave the step. `null` is the transition without a branch. */
export const branchesOf = ({ type, config }: Pick<GraphStep, "type" | "config">): ReadonlyArray<string | null> =>
  type === "TRIGGER" ? [null] : stepTypes[type].branches(config)

/** The branch of an automatic transition from the step. */
export const firstBranch = (step: Pick<GraphStep, "type" | "config">): string | null => branchesOf(step)[0] ?? null

/** The type in a message: `a DELAY`, `an EXIT`. */
export const withArticle = (type: StepType): string => `${/^[AEIOU]/.test(type) ? "an" : "a"} ${type}`

/** Whether no step can follow a step of the type. */
export const isFinal = (type: StepType): boolean => type !== "TRIGGER" && stepTypes[type].isFinal === true

/** The distance of a new step from the last one, in units of `position`. */
const below = 120

export const belowLast = (last: GraphStep | undefined): GraphStep["position"] => ({
  x: last?.position.x ?? 0,
  y: (last?.position.y ?? 0) + below
})

export const triggerOf = ({ steps }: Graph): GraphStep | undefined => steps.find(({ type }) => type === "TRIGGER")

export const outgoing = ({ transitions }: Graph, step: string): ReadonlyArray<GraphTransition> =>
  transitions.filter(({ fromStepId }) => fromStepId === step)

export const incoming = ({ transitions }: Graph, step: string): ReadonlyArray<GraphTransition> =>
  transitions.filter(({ toStepId }) => toStepId === step)

/** The step itself, and all steps that follow it at any distance. */
export const reachable = ({ transitions }: Pick<Graph, "transitions">, from: string): ReadonlySet<string> => {
  const found = new Set([from])
  // The loop includes steps that it adds to the set.
  for (const step of found) {
    for (const { fromStepId, toStepId } of transitions) if (fromStepId === step) found.add(toStepId)
  }
  return found
}
