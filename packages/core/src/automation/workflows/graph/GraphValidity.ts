/** Faults and warnings of a graph. Pure. */
import type { Fault } from "@posthorn/contract/platform/Errors"
import { definitionOf, typesWhere } from "../steps/Steps.ts"
import {
  branchesOf,
  type Graph,
  type GraphStep,
  incoming,
  isFinal,
  outgoing,
  reachable,
  triggerOf,
  withArticle
} from "./Graph.ts"

export const stepField = (step: Pick<GraphStep, "id">, ...path: ReadonlyArray<string>): string =>
  ["steps", step.id, ...path].join(".")

const custom = (field: string, message: string): Fault => ({ field, code: "custom", message })

/** The steps that contacts can reach, with the TRIGGER. */
export const reachableSteps = (graph: Graph): ReadonlyArray<GraphStep> => {
  const trigger = triggerOf(graph)
  const ids = trigger === undefined ? new Set<string>() : reachable(graph, trigger.id)
  return graph.steps.filter(({ id }) => ids.has(id))
}

/** Faults of the entry, branches, cycles and transitions, in this order. */
export const graphFaults = (graph: Graph): ReadonlyArray<Fault> => [
  ...entryFaults(graph),
  ...branchFaults(graph),
  ...cycleFaults(graph),
  ...transitionFaults(graph)
]

const entryFaults = (graph: Graph): ReadonlyArray<Fault> => {
  const trigger = triggerOf(graph)
  if (trigger === undefined || outgoing(graph, trigger.id).length > 0) return []
  const others = graph.steps.filter(({ type }) => type !== "TRIGGER")
  const entries = others.filter(({ id }) => incoming(graph, id).length === 0)
  const message =
    others.length === 0
      ? "The workflow needs a step."
      : entries.length === 1
        ? "The TRIGGER leads nowhere: connect it with the first step."
        : entries.length === 0
          ? "Something leads to every step: connect the TRIGGER with the first one."
          : "There are several steps that nothing leads to: connect the TRIGGER with the first one."
  return [custom("steps", message)]
}

const branchFaults = (graph: Graph): ReadonlyArray<Fault> =>
  reachableSteps(graph).flatMap((step) =>
    definitionOf(step.type)?.needsBranch && outgoing(graph, step.id).length === 0
      ? [
          {
            field: stepField(step, "branch"),
            code: "required" as const,
            message: `No branch leads on from the ${step.type}.`
          }
        ]
      : []
  )

const timed = typesWhere(({ takesTime }) => takesTime !== undefined)

/** A cycle without a step that takes time would never end. */
const cycleFaults = (graph: Graph): ReadonlyArray<Fault> => {
  const isQuick = ({ type, config }: GraphStep) => definitionOf(type)?.takesTime?.(config) !== true
  const quick = new Set<string>(graph.steps.filter(isQuick).map(({ id }) => id))
  const transitions = graph.transitions.filter(
    ({ fromStepId, toStepId }) => quick.has(fromStepId) && quick.has(toStepId)
  )
  const reported = new Set<string>()
  return graph.steps.flatMap((step) => {
    if (reported.has(step.id) || !transitions.some(({ fromStepId }) => fromStepId === step.id)) return []
    const round = cycleAt(transitions, step.id)
    if (round.length === 0) return []
    for (const id of round) reported.add(id)
    return [custom(stepField(step), `A cycle needs ${timed.map(withArticle).join(" or ")} that always takes time.`)]
  })
}

/** The steps of all cycles through this one. */
const cycleAt = (transitions: Graph["transitions"], step: string): ReadonlyArray<string> => {
  const next = transitions.filter(({ fromStepId }) => fromStepId === step)
  const ahead = new Set(next.flatMap(({ toStepId }) => [...reachable({ transitions }, toStepId)]))
  return [...ahead].filter((id) => reachable({ transitions }, id).has(step))
}

const transitionFaults = (graph: Graph): ReadonlyArray<Fault> => {
  const steps = new Map<string, GraphStep>(graph.steps.map((step) => [step.id, step]))
  return graph.transitions.flatMap(({ id, fromStepId, branch }) => {
    const step = steps.get(fromStepId)
    if (step === undefined) return []
    const field = `transitions.${id}.branch`
    if (!branchesOf(step).includes(branch)) return [custom(field, "The step has no such branch any more.")]
    const message = definitionOf(step.type)?.branchFault?.(step.config, branch)
    return message === undefined ? [] : [custom(field, message)]
  })
}

/** What is allowed, but probably a mistake. */
export const graphWarnings = (graph: Graph): ReadonlyArray<Fault> => {
  const reached = new Set(reachableSteps(graph))
  return graph.steps.flatMap((step) => {
    if (!reached.has(step)) return [custom(stepField(step), "No way leads to this step.")]
    const taken = outgoing(graph, step.id).map(({ branch }) => branch)
    const { needsBranch = false, warnings } = definitionOf(step.type) ?? {}
    const own = (warnings?.(step.config) ?? []).map((fault) => ({ ...fault, field: stepField(step, fault.field) }))
    if (needsBranch) return [...missingBranches(step, taken), ...own]
    const isEnd = taken.length === 0 && step.type !== "TRIGGER" && !isFinal(step.type)
    return [...own, ...(isEnd ? [custom(stepField(step), "Nothing follows this step.")] : [])]
  })
}

/** A step without any transition has a fault instead. */
const missingBranches = (step: GraphStep, taken: ReadonlyArray<string | null>): ReadonlyArray<Fault> => {
  const missing = branchesOf(step).filter((branch) => !taken.includes(branch))
  if (taken.length === 0 || missing.length === 0) return []
  const names = missing.map((branch) => `\`${branch}\``).join(", ")
  return [custom(stepField(step, "branch"), `Nothing follows on ${names}.`)]
}
