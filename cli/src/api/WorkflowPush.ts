/** Changes a workflow to match a definition, in one request. Steps that remain keep their id and their executions. */
import type {
  CreateWorkflow,
  DrawnStep,
  UpdateWorkflow,
  WholeGraph,
  WorkflowDetail,
  WorkflowValidity
} from "@posthorn/client"
import { Console, Effect } from "effect"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { printable } from "../output/Table.ts"
import { Api } from "./Api.ts"
import { type DefinedStep, type Definition, definitionOf, drawnWays, stepNames } from "./WorkflowDefinition.ts"

/** A transition can only connect steps of the definition. */
export const requireSteps = Effect.fnUntraced(function* (definition: Definition) {
  for (const { from, to } of drawnWays(definition)) {
    if (definition.steps[to] === undefined) {
      return yield* wrongUsage(`${from ?? "entry"} leads to ${to}, but there is no such step.`)
    }
  }
})

/** Properties that are not in the file remain unchanged, so they are not compared. */
export const comparable = (current: WorkflowDetail, wanted: Definition): Definition => {
  const { steps, ...head } = definitionOf(current)
  const order = [...Object.keys(wanted.steps), ...Object.keys(steps)]
  const kept = [...new Set(order)].flatMap((name) => {
    const step = steps[name]
    if (step === undefined) return []
    const { position, ...rest } = step
    const isPlaced = wanted.steps[name] === undefined || wanted.steps[name].position !== undefined
    return [[name, isPlaced && position !== undefined ? { ...rest, position } : rest] as const]
  })
  return { ...head, steps: Object.fromEntries(kept) }
}

const longestKey = 50

/** The key of each step: its name, or a shorter one. Faults of the service name steps by key. */
const keysOf = (names: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const isShort = (name: string) => [...name].length <= longestKey
  const taken = new Set(names.filter(isShort))
  const keys = names.map((name) => {
    if (isShort(name)) return [name, name] as const
    let key = ""
    for (let n = 1; key === "" || taken.has(key); n++) key = `${[...name].slice(0, longestKey - 10).join("")} #${n}`
    taken.add(key)
    return [name, key] as const
  })
  return new Map(keys)
}

const written = ({ type, config = {}, templateId, position }: DefinedStep) =>
  // The service checks whether the config fits the type.
  ({ type, config, templateId: templateId ?? null, ...(position && { position }) }) as DrawnStep

/** The definition as the whole graph of the workflow. Steps are matched by name and type. */
const graphOf = (current: WorkflowDetail, wanted: Definition): WholeGraph => {
  const keys = keysOf(Object.keys(wanted.steps))
  const keyOf = (name: string | undefined) => (name === undefined ? undefined : keys.get(name)) ?? ""
  const names = stepNames(current)
  const ids = new Map(current.steps.map(({ id, type }) => [`${type} ${names.get(id)}`, id]))
  const trigger = current.steps.find(({ type }) => type === "TRIGGER")?.id ?? ""
  return {
    steps: Object.entries(wanted.steps).map(([name, step]) => {
      const id = ids.get(`${step.type} ${name}`)
      return { ...written(step), name, key: keyOf(name), ...(id !== undefined && { id }) }
    }),
    transitions: drawnWays(wanted).map(({ from, to, branch }) => ({
      from: from === undefined ? trigger : keyOf(from),
      to: keyOf(to),
      branch
    })),
    triggerType: wanted.triggerType ?? "EVENT",
    triggerConfig: wanted.triggerConfig ?? {},
    ifUpdatedAt: current.updatedAt
  }
}

/** The part of a definition that is not its graph. */
const headOf = ({ name, description = null, allowReentry = false, ...journey }: Definition) => {
  const { reentryAfterHours = null, goal = null, exitRules = [] } = journey
  return {
    name,
    description,
    allowReentry,
    reentryAfterHours,
    // The service checks goal and exit rules.
    goal: goal as object | null as NonNullable<UpdateWorkflow["goal"]> | null,
    exitRules: exitRules as ReadonlyArray<object> as NonNullable<UpdateWorkflow["exitRules"]>
  }
}

/** What the service says about the graph, one line each. */
const show = ({ errors, warnings }: WorkflowValidity) =>
  Effect.forEach([...errors, ...warnings], ({ field, message }) =>
    Console.error(printable(`posthorn: ${field}: ${message}`))
  )

/** Shows the faults of the definition. Fails if the workflow is enabled and could not stay so. A draft may have faults. */
export const check = Effect.fnUntraced(function* (current: WorkflowDetail, wanted: Definition) {
  const { call } = yield* Api
  const validity = yield* call(({ workflows }) => workflows.validateGraph(current.id, graphOf(current, wanted)))
  if (validity.valid || !current.enabled || current.versioning === "PUBLISHED") return yield* show(validity)
  const { errors } = validity
  return yield* new CommandFailure({
    exit: "failed",
    code: "VALIDATION_ERROR",
    message: `${current.name} is enabled, and would have ${errors.length} fault${errors.length === 1 ? "" : "s"}.`,
    suggestion: "Correct the file, or disable the workflow first. Nothing was changed.",
    errors
  })
})

/** Changes the graph in one transaction. Refused if somebody else changed the workflow in the meantime. */
export const push = Effect.fnUntraced(function* (current: WorkflowDetail, wanted: Definition) {
  const { call } = yield* Api
  const { id } = current
  const { ids: _, ...changed } = yield* call(({ workflows }) => workflows.replaceGraph(id, graphOf(current, wanted)))
  const head = headOf(wanted)
  const before = headOf(definitionOf(current))
  return JSON.stringify(head) === JSON.stringify(before)
    ? changed
    : yield* call(({ workflows }) => workflows.update(id, { ...head, ifUpdatedAt: changed.updatedAt }))
})

/** Creates the workflow. If its graph is refused, no workflow stays. */
export const create = Effect.fnUntraced(function* (wanted: Definition) {
  const { call } = yield* Api
  const { name, description, allowReentry } = headOf(wanted)
  const made = { name, description, allowReentry }
  const { id } = yield* call(({ workflows }) => workflows.create(made satisfies CreateWorkflow))
  const stored = yield* Effect.flatMap(
    call(({ workflows }) => workflows.get(id)),
    (current) => push(current, wanted)
  ).pipe(Effect.tapError(() => Effect.ignore(call(({ workflows }) => workflows.delete(id)))))
  yield* Effect.flatMap(
    call(({ workflows }) => workflows.validate(id)),
    show
  )
  return stored
})
