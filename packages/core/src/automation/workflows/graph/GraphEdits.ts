/** Computes the change of each edit. Pure: the caller checks the change and stores it as a whole. */

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
  isFinal,
  noChange,
  outgoing,
  reachable,
  triggerOf,
  withArticle
} from "./Graph.ts"

/** Id and time of a new transition. */
export interface Stamp {
  readonly id: TransitionId
  readonly now: DateTime.Utc
}

type Edge = Pick<GraphTransition, "fromStepId" | "toStepId" | "branch" | "auto">

const newTransition = ({ id, now }: Stamp, edge: Edge): GraphTransition => ({
  id,
  ...edge,
  createdAt: now,
  updatedAt: now
})

/** The newest step without an outgoing transition that can have one. */
const openEnd = (graph: Graph): GraphStep | undefined =>
  graph.steps.findLast((step) => branchesOf(step).length > 0 && outgoing(graph, step.id).length === 0)

/** Adds the step. With `autoConnect` also an automatic transition to it from the open end. */
export const addStep = (graph: Graph, step: GraphStep, autoConnect: boolean, stamp: Stamp): GraphChange => {
  const from = autoConnect ? openEnd(graph) : undefined
  if (from === undefined) return { ...noChange, putSteps: [step] }
  const edge = { fromStepId: from.id, toStepId: step.id, branch: firstBranch(from), auto: true }
  return { ...noChange, putSteps: [step], putTransitions: [newTransition(stamp, edge)] }
}

/** The transition from A to B becomes two: from A to the step, and from the step to B. */
export const insertStep = (step: GraphStep, into: GraphTransition, stamp: Stamp): GraphChange => ({
  ...noChange,
  putSteps: [step],
  putTransitions: [
    { ...into, toStepId: step.id, updatedAt: stamp.now },
    newTransition(stamp, {
      fromStepId: step.id,
      toStepId: into.toStepId,
      branch: firstBranch(step),
      auto: into.auto
    })
  ]
})

/** Why no transition can lead from one step to the other on this branch. */
export const transitionFault = (from: GraphStep, to: GraphStep, branch: string | null): Fault | undefined => {
  const custom = (field: string, message: string): Fault => ({ field, code: "custom", message })
  if (isFinal(from.type)) return custom("fromStepId", `Nothing can follow ${withArticle(from.type)}.`)
  if (to.type === "TRIGGER") return custom("toStepId", "Nothing leads to the TRIGGER.")
  if (from.id === to.id) return custom("toStepId", "A step cannot lead to itself.")
  const allowed = branchesOf(from)
  if (allowed.includes(branch)) return undefined
  const named = allowed.filter((each) => each !== null).join(", ")
  if (branch === null) return { field: "branch", code: "required", message: `One of ${named}.` }
  return custom("branch", named === "" ? "This step has no branches." : `The branches of this step are ${named}.`)
}

/**
 * Adds an explicit transition. It replaces automatic transitions that leave the same step on the same branch or on null,
 * lead to the same step, or would close a cycle through it.
 */
export const connect = (
  graph: Graph,
  edge: Omit<Edge, "auto">,
  stamp: Stamp
): { readonly explicit: GraphTransition; readonly change: GraphChange } => {
  const { fromStepId, toStepId, branch } = edge
  const contradicts = (other: GraphTransition) =>
    other.auto &&
    (other.toStepId === toStepId ||
      (other.fromStepId === fromStepId && (other.branch === branch || other.branch === null)))
  const rest = graph.transitions.filter((other) => !contradicts(other))
  const closing = cycleThrough(rest, edge)
  const same = graph.transitions.find((other) => isSame(other, edge))
  const dropped = graph.transitions.filter((other) => other !== same && (contradicts(other) || closing.has(other)))
  const explicit = same
    ? { ...same, auto: false, updatedAt: stamp.now }
    : newTransition(stamp, { ...edge, auto: false })
  return {
    explicit,
    change: { ...noChange, putTransitions: [explicit], dropTransitions: dropped.map(({ id }) => id) }
  }
}

export const isSame = (transition: GraphTransition, edge: Omit<Edge, "auto">): boolean =>
  transition.fromStepId === edge.fromStepId &&
  transition.toStepId === edge.toStepId &&
  transition.branch === edge.branch

/** The automatic transitions that lie on a path from the end of the new one back to its start. */
const cycleThrough = (
  transitions: ReadonlyArray<GraphTransition>,
  { fromStepId, toStepId }: Omit<Edge, "auto">
): ReadonlySet<GraphTransition> => {
  const ahead = reachable({ transitions }, toStepId)
  const reversed = transitions.map((each) => ({ ...each, fromStepId: each.toStepId, toStepId: each.fromStepId }))
  const behind = reachable({ transitions: reversed }, fromStepId)
  return new Set(transitions.filter((each) => each.auto && ahead.has(each.fromStepId) && behind.has(each.toStepId)))
}

/** Removes the step and its transitions. */
export const removeStep = (graph: Graph, step: GraphStep): GraphChange => ({
  ...noChange,
  dropSteps: [step.id],
  dropTransitions: [...new Set([...incoming(graph, step.id), ...outgoing(graph, step.id)])].map(({ id }) => id)
})

/** The next steps, without the step itself. */
const successors = (graph: Graph, step: GraphStep): ReadonlySet<string> =>
  new Set(outgoing(graph, step.id).flatMap(({ toStepId }) => (toStepId === step.id ? [] : [toStepId])))

/** Removes the step. Transitions to it lead to the next step, on the same branch. Undefined if it has several next steps. */
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

/** Connects an unconnected TRIGGER to the one step without an incoming transition. Undefined if there is not exactly one. */
export const inferEntry = (graph: Graph, stamp: Stamp): GraphChange | undefined => {
  const trigger = triggerOf(graph)
  if (trigger === undefined || outgoing(graph, trigger.id).length > 0) return noChange
  const [entry, ...others] = graph.steps.filter(
    ({ id, type }) => type !== "TRIGGER" && incoming(graph, id).length === 0
  )
  if (entry === undefined || others.length > 0) return undefined
  const edge = { fromStepId: trigger.id, toStepId: entry.id, branch: null, auto: true }
  return { ...noChange, putTransitions: [newTransition(stamp, edge)] }
}
