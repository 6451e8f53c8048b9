/** The graph that the body of a request draws, and what it changes of the stored one. Pure. */
import { StepId } from "@posthorn/contract/automation/workflows/Step"
import { stepTypes } from "@posthorn/contract/automation/workflows/StepConfig"
import type { TransitionId } from "@posthorn/contract/automation/workflows/Transition"
import type { DrawnStep, WholeGraph } from "@posthorn/contract/automation/workflows/WholeGraph"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { type DateTime, Equal, Schema } from "effect"
import type { StepContent } from "../steps/StepDefinition.ts"
import {
  belowLast,
  type FormerStep,
  type Graph,
  type GraphChange,
  type GraphStep,
  type GraphTransition
} from "./Graph.ts"
import { transitionFault } from "./GraphEdits.ts"

/** A step of the body with its identity: that of a step that the workflow has or had, or a new one. */
export interface IdentifiedStep {
  readonly input: DrawnStep
  readonly identity: FormerStep
  readonly before: GraphStep | undefined
  /** Its path in faults: `steps.<key or id>`. */
  readonly path: string
}

const custom = (field: string, message: string): Fault => ({ field, code: "custom", message })

const isId = Schema.is(StepId)

/** The ids that the body names: of steps, and in transitions what is no key. */
export const idsIn = ({ steps, transitions }: WholeGraph): ReadonlySet<StepId> => {
  const keys = new Set(steps.map(({ key }) => key))
  const references = transitions.flatMap(({ from, to }) => [from, to]).filter((each) => !keys.has(each))
  return new Set([...steps.flatMap(({ id }) => id ?? []), ...references].map((each) => each.toLowerCase()).filter(isId))
}

/** A key or id that stands for two steps, a step with neither, and a step with another type than it has. */
export function* identityFaults(steps: ReadonlyArray<IdentifiedStep>): Generator<Fault> {
  const taken = new Set<string>()
  for (const [at, { input, identity, path }] of steps.entries()) {
    if (input.id == null && input.key == null && input.type !== "TRIGGER") {
      yield { field: `steps.${at}.key`, code: "required", message: "A step without an id needs a key." }
    }
    const names = input.key == null ? [identity.id] : [identity.id, input.key]
    if (names.some((each) => taken.has(each))) yield custom(path, "Another step of the body has this id or key.")
    for (const name of names) taken.add(name)
    if (input.type !== identity.type) yield custom(`${path}.type`, "A step keeps its type.")
  }
}

/** The step as the body draws it. `last` is the step before it. */
export const drawnStep = (
  { input, identity, before }: IdentifiedStep,
  content: StepContent,
  last: GraphStep | undefined,
  now: DateTime.Utc
): GraphStep => {
  const { type } = identity
  return {
    ...identity,
    name: input.name ?? before?.name ?? (type === "TRIGGER" ? "Trigger" : stepTypes[type].name),
    position: input.position ?? before?.position ?? belowLast(last),
    ...content,
    updatedAt: now
  }
}

/** The step that a `from` or `to` names. */
const named = (steps: ReadonlyMap<string, GraphStep>, reference: string): GraphStep | undefined =>
  steps.get(reference) ?? steps.get(reference.toLowerCase())

/**
 * The transitions of the body, and their faults. `steps` are by key and by id. The branches of `unclear` steps are not
 * known. A transition that leaves a step on the same branch as a stored one is that one.
 */
export const drawnTransitions = (
  body: WholeGraph["transitions"],
  steps: ReadonlyMap<string, GraphStep>,
  unclear: ReadonlySet<GraphStep>,
  stored: Graph["transitions"],
  newIds: ReadonlyArray<TransitionId>,
  now: DateTime.Utc
): { readonly transitions: ReadonlyArray<GraphTransition>; readonly faults: ReadonlyArray<Fault> } => {
  const faults: Array<Fault> = []
  const transitions: Array<GraphTransition> = []
  const before = new Map(stored.map((each) => [placeOf(each), each]))
  const taken = new Set<string>()
  for (const [at, { from, to, branch = null }] of body.entries()) {
    const path = `transitions.${at}`
    const ends = { from: named(steps, from), to: named(steps, to) }
    for (const end of ["from", "to"] as const) {
      if (ends[end] === undefined) faults.push(custom(`${path}.${end}`, "No step of the body has this key or id."))
    }
    const id = newIds[at]
    if (ends.from === undefined || ends.to === undefined || id === undefined) continue
    const fault = unclear.has(ends.from) ? undefined : transitionFault(ends.from, ends.to, branch)
    if (fault !== undefined) faults.push({ ...fault, field: `${path}.${nameOfEnd[fault.field] ?? fault.field}` })
    const edge = { fromStepId: ends.from.id, toStepId: ends.to.id, branch, auto: false }
    const place = placeOf(edge)
    if (taken.has(place)) faults.push(custom(`${path}.branch`, "Another transition leaves the step on this branch."))
    taken.add(place)
    const same = before.get(place)
    transitions.push({ ...edge, id: same?.id ?? id, createdAt: same?.createdAt ?? now, updatedAt: now })
  }
  return { transitions, faults }
}

const nameOfEnd: { readonly [field: string]: string } = { fromStepId: "from", toStepId: "to" }

const placeOf = ({ fromStepId, branch }: Pick<GraphTransition, "branch" | "fromStepId">): string =>
  JSON.stringify([fromStepId, branch])

/** Without `updatedAt`, which an unchanged part keeps. */
const contentOf = ({ updatedAt: _, ...content }: GraphStep | GraphTransition) => content

const changed = <A extends GraphStep | GraphTransition>(
  before: ReadonlyArray<A>,
  after: ReadonlyArray<A>
): ReadonlyArray<A> => {
  const known = new Map<string, A>(before.map((each) => [each.id, each]))
  return after.filter((each) => {
    const stored = known.get(each.id)
    return stored === undefined || !Equal.equals(contentOf(stored), contentOf(each))
  })
}

const without = <A extends { readonly id: string }>(
  before: ReadonlyArray<A>,
  after: ReadonlyArray<A>
): ReadonlyArray<A["id"]> => {
  const kept = new Set(after.map(({ id }) => id))
  return before.flatMap(({ id }) => (kept.has(id) ? [] : [id]))
}

/** What turns one graph into the other. */
export const changeBetween = (before: Graph, after: Graph): GraphChange => ({
  putSteps: changed(before.steps, after.steps),
  dropSteps: without(before.steps, after.steps) as GraphChange["dropSteps"],
  putTransitions: changed(before.transitions, after.transitions),
  dropTransitions: without(before.transitions, after.transitions) as GraphChange["dropTransitions"]
})

/** A fault of the graph in the names of the body: steps by key or id, transitions by position. */
export const inNamesOf =
  (steps: ReadonlyArray<IdentifiedStep>, transitions: ReadonlyArray<GraphTransition>) =>
  (fault: Fault): Fault => {
    const [kind, id, ...rest] = fault.field.split(".")
    const at = kind === "transitions" ? transitions.findIndex((each) => each.id === id) : -1
    const path =
      kind === "steps"
        ? steps.find(({ identity }) => identity.id === id)?.path
        : at < 0
          ? undefined
          : `transitions.${at}`
    return path === undefined ? fault : { ...fault, field: [path, ...rest].join(".") }
  }
