/** What each edit makes of a graph. Pure: the answer is a change, to be checked and stored as a whole. */

import type { TransitionId } from "@posthorn/contract/automation/workflows/Transition"
import type { Fault } from "@posthorn/contract/platform/Errors"
import type { DateTime } from "effect"
import {
  branchesOf,
  firstBranch,
  type Graph,
  type GraphChange,
  type GraphStep,
  type GraphTransition,
  incoming,
  noChange,
  outgoing,
  reachable,
  triggerOf
} from "./Graph.ts"

/** Identity and time of a transition that is to be made. */
export interface Stamp {
  readonly id: TransitionId
  readonly now: DateTime.Utc
}

type Way = Pick<GraphTransition, "fromStepId" | "toStepId" | "branch" | "auto">

const made = ({ id, now }: Stamp, way: Way): GraphTransition => ({ id, ...way, createdAt: now, updatedAt: now })

/** The newest step from which nothing leads on, though something could. */
const openEnd = (graph: Graph): GraphStep | undefined =>
  graph.steps.findLast((step) => branchesOf(step).length > 0 && outgoing(graph, step.id).length === 0)

/** The new step, and with autoConnect a transition from the open end, which gives way to what is posted. */
export const addStep = (graph: Graph, step: GraphStep, autoConnect: boolean, stamp: Stamp): GraphChange => {
  const from = autoConnect ? openEnd(graph) : undefined
  if (from === undefined) return { ...noChange, putSteps: [step] }
  const way = { fromStepId: from.id, toStepId: step.id, branch: firstBranch(from), auto: true }
  return { ...noChange, putSteps: [step], putTransitions: [made(stamp, way)] }
}

/** From A to B becomes from A to the step, and from there to B. */
export const insertStep = (step: GraphStep, into: GraphTransition, stamp: Stamp): GraphChange => ({
  ...noChange,
  putSteps: [step],
  putTransitions: [
    { ...into, toStepId: step.id, updatedAt: stamp.now },
    made(stamp, {
      fromStepId: step.id,
      toStepId: into.toStepId,
      branch: firstBranch(step),
      auto: into.auto
    })
  ]
})

/** Why no transition can go from the one step to the other on this branch. */
export const wayFault = (from: GraphStep, to: GraphStep, branch: string | null): Fault | undefined => {
  const custom = (field: string, message: string): Fault => ({ field, code: "custom", message })
  if (from.type === "EXIT") return custom("fromStepId", "Nothing can follow an EXIT.")
  if (to.type === "TRIGGER") return custom("toStepId", "Nothing leads to the TRIGGER.")
  if (from.id === to.id) return custom("toStepId", "A step cannot lead to itself.")
  const allowed = branchesOf(from)
  if (allowed.includes(branch)) return undefined
  const named = allowed.filter((each) => each !== null).join(", ")
  if (branch === null) return { field: "branch", code: "required", message: `One of ${named}.` }
  return custom("branch", named === "" ? "This step has no branches." : `The branches of this step are ${named}.`)
}

/**
 * An explicit transition. Those the service made give way where they leave the same step on the same branch or on null,
 * enter the same step, or would close a cycle through the new one.
 */
export const connect = (
  graph: Graph,
  way: Omit<Way, "auto">,
  stamp: Stamp
): { readonly explicit: GraphTransition; readonly change: GraphChange } => {
  const { fromStepId, toStepId, branch } = way
  const contradicts = (other: GraphTransition) =>
    other.auto &&
    (other.toStepId === toStepId ||
      (other.fromStepId === fromStepId && (other.branch === branch || other.branch === null)))
  const rest = graph.transitions.filter((other) => !contradicts(other))
  const back = cycleThrough(rest, way)
  const same = graph.transitions.find((other) => isSame(other, way))
  const dropped = graph.transitions.filter((other) => other !== same && (contradicts(other) || back.has(other)))
  const explicit = same ? { ...same, auto: false, updatedAt: stamp.now } : made(stamp, { ...way, auto: false })
  return {
    explicit,
    change: { ...noChange, putTransitions: [explicit], dropTransitions: dropped.map(({ id }) => id) }
  }
}

export const isSame = (transition: GraphTransition, way: Omit<Way, "auto">): boolean =>
  transition.fromStepId === way.fromStepId && transition.toStepId === way.toStepId && transition.branch === way.branch

/** The service's transitions on a way from the end of the new one back to its beginning. */
const cycleThrough = (
  transitions: ReadonlyArray<GraphTransition>,
  { fromStepId, toStepId }: Omit<Way, "auto">
): ReadonlySet<GraphTransition> => {
  const ahead = reachable({ transitions }, toStepId)
  const reversed = transitions.map((each) => ({ ...each, fromStepId: each.toStepId, toStepId: each.fromStepId }))
  const behind = reachable({ transitions: reversed }, fromStepId)
  return new Set(transitions.filter((each) => each.auto && ahead.has(each.fromStepId) && behind.has(each.toStepId)))
}

/** The step goes with its own transitions, and nothing else. */
export const removeStep = (graph: Graph, step: GraphStep): GraphChange => ({
  ...noChange,
  dropSteps: [step.id],
  dropTransitions: [...new Set([...incoming(graph, step.id), ...outgoing(graph, step.id)])].map(({ id }) => id)
})

/** The steps that come next; a way from the step to itself counts for nothing. */
const successors = (graph: Graph, step: GraphStep): ReadonlySet<string> =>
  new Set(outgoing(graph, step.id).flatMap(({ toStepId }) => (toStepId === step.id ? [] : [toStepId])))

/** What led to the step leads to the one behind it, on the same branch; undefined when there is more than one. */
export const spliceStep = (graph: Graph, step: GraphStep, now: DateTime.Utc): GraphChange | undefined => {
  const removal = removeStep(graph, step)
  const [next, ...others] = successors(graph, step)
  if (others.length > 0) return undefined
  if (next === undefined) return removal
  const moved = incoming(graph, step.id).filter(({ fromStepId }) => fromStepId !== step.id && fromStepId !== next)
  const kept = new Set<string>(moved.map(({ id }) => id))
  return {
    ...removal,
    putTransitions: moved.map((each) => ({ ...each, toStepId: next, updatedAt: now })),
    dropTransitions: removal.dropTransitions.filter((id) => !kept.has(id))
  }
}

/** Where the TRIGGER leads nowhere, the one other step that nothing leads to is the entry; undefined where that is unclear. */
export const inferEntry = (graph: Graph, stamp: Stamp): GraphChange | undefined => {
  const trigger = triggerOf(graph)
  if (trigger === undefined || outgoing(graph, trigger.id).length > 0) return noChange
  const [entry, ...others] = graph.steps.filter(
    ({ id, type }) => type !== "TRIGGER" && incoming(graph, id).length === 0
  )
  if (entry === undefined || others.length > 0) return undefined
  const way = { fromStepId: trigger.id, toStepId: entry.id, branch: null, auto: true }
  return { ...noChange, putTransitions: [made(stamp, way)] }
}
