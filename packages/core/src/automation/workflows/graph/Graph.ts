/** The graph of a workflow: which branches leave a step, and what leads where. Pure. */
import type { Step, StepId } from "@posthorn/contract/automation/workflows/Step"
import type { Transition, TransitionId } from "@posthorn/contract/automation/workflows/Transition"

/** A step as it is kept; `ordinal` is the order in which they were made, the TRIGGER is 0. */
export interface GraphStep extends Omit<Step, "workflowId" | "template"> {
  readonly ordinal: number
}

export type GraphTransition = Omit<Transition, "workflowId" | "condition">

export interface Graph {
  /** In the order they were made. */
  readonly steps: ReadonlyArray<GraphStep>
  readonly transitions: ReadonlyArray<GraphTransition>
}

/** What an edit makes of a graph: new and changed parts, and those that go. */
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

const defaultBranch = "default"

/** The branches that can leave a step, `null` for the plain way on. */
export const branchesOf = ({ type, config }: Pick<GraphStep, "type" | "config">): ReadonlyArray<string | null> => {
  switch (type) {
    case "CONDITION":
      return [...(multiBranches(config) ?? ["yes", "no"])]
    case "WAIT_FOR_EVENT":
      return [null, "event", "timeout"]
    case "EXIT":
      return []
    default:
      return [null]
  }
}

/** The ids of a CONDITION with several branches, and `default`; undefined for one that says yes or no. */
const multiBranches = (config: GraphStep["config"]): ReadonlyArray<string> | undefined => {
  if (config["mode"] !== "multi" || !Array.isArray(config["branches"])) return undefined
  return [...config["branches"].map(({ id }) => String(id)), defaultBranch]
}

/** Where a way on that nobody chose a branch for begins: `yes`, or the first of several. */
export const firstBranch = (step: Pick<GraphStep, "type" | "config">): string | null => branchesOf(step)[0] ?? null

export const triggerOf = ({ steps }: Graph): GraphStep | undefined => steps.find(({ type }) => type === "TRIGGER")

export const outgoing = ({ transitions }: Graph, step: string): ReadonlyArray<GraphTransition> =>
  transitions.filter(({ fromStepId }) => fromStepId === step)

export const incoming = ({ transitions }: Graph, step: string): ReadonlyArray<GraphTransition> =>
  transitions.filter(({ toStepId }) => toStepId === step)

/** The step itself, and all that can be reached from it. */
export const reachable = ({ transitions }: Pick<Graph, "transitions">, from: string): ReadonlySet<string> => {
  const found = new Set([from])
  // A set goes on with what is added while it is walked through.
  for (const step of found) {
    for (const { fromStepId, toStepId } of transitions) if (fromStepId === step) found.add(toStepId)
  }
  return found
}
