/** Changes a workflow to match a definition, step by step. Steps that remain keep their id and their executions. */
import type { CreateStep, WorkflowDetail } from "@posthorn/client"
import { Effect } from "effect"
import { wrongUsage } from "../Failure.ts"
import { Api } from "./Api.ts"
import {
  canonical,
  type DefinedStep,
  type Definition,
  definitionOf,
  drawnWays,
  stepNames,
  type Way,
  waysOf
} from "./WorkflowDefinition.ts"

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

const isSame = (a: Way, b: Way) => a.from === b.from && a.to === b.to && a.branch === b.branch

/** Whether the graph changes. The service refuses such a change while a workflow is enabled. */
export const changesGraph = (current: WorkflowDetail, wanted: Definition): boolean =>
  JSON.stringify(canonical(comparable(current, wanted)).steps) !== JSON.stringify(canonical(wanted).steps) ||
  definitionOf(current).entry !== wanted.entry

const written = ({ config = {}, templateId, position }: DefinedStep) => ({
  config,
  templateId: templateId ?? null,
  ...(position !== undefined && { position })
})

/**
 * An enabled workflow is disabled during the change and enabled again at the end. Refused if it was changed since
 * `current` was read.
 */
export const push = Effect.fnUntraced(function* (current: WorkflowDetail, wanted: Definition) {
  const { call } = yield* Api
  const { id } = current
  const redraws = changesGraph(current, wanted)
  const pauses = current.enabled && redraws
  yield* call(({ workflows }) =>
    workflows.update(id, {
      name: wanted.name,
      description: wanted.description ?? null,
      triggerType: wanted.triggerType ?? "EVENT",
      triggerConfig: wanted.triggerConfig ?? {},
      allowReentry: wanted.allowReentry ?? false,
      ...(pauses && { enabled: false }),
      ifUpdatedAt: current.updatedAt
    })
  )
  if (!redraws) return yield* call(({ workflows }) => workflows.get(id))

  const ways = drawnWays(wanted)
  for (const way of waysOf(current)) {
    if (!ways.some((each) => isSame(each, way))) {
      yield* call(({ workflows }) => workflows.deleteTransition(id, way.id))
    }
  }
  const names = stepNames(current)
  const ids = new Map<string | undefined, string>()
  for (const step of current.steps) {
    const name = names.get(step.id)
    const next = name === undefined ? undefined : wanted.steps[name]
    if (step.type === "TRIGGER") ids.set(undefined, step.id)
    else if (next !== undefined && next.type === step.type) {
      ids.set(name, step.id)
      yield* call(({ workflows }) => workflows.updateStep(id, step.id, { name, ...written(next) }))
    } else yield* call(({ workflows }) => workflows.deleteStep(id, step.id))
  }
  for (const [name, step] of Object.entries(wanted.steps)) {
    if (ids.has(name)) continue
    // The service checks whether the config fits the type.
    const body = { type: step.type, name, ...written(step), autoConnect: false } as CreateStep
    const made = yield* call(({ workflows }) => workflows.addStep(id, body))
    ids.set(name, made.id)
  }
  for (const { from, to, branch } of ways) {
    const ends = { fromStepId: ids.get(from) ?? "", toStepId: ids.get(to) ?? "" }
    yield* call(({ workflows }) => workflows.addTransition(id, { ...ends, branch }))
  }
  return pauses
    ? yield* call(({ workflows }) => workflows.update(id, { enabled: true }))
    : yield* call(({ workflows }) => workflows.get(id))
})
