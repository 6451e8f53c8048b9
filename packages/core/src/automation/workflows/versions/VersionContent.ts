/** What a version of a workflow has, and how two of them differ. Pure. */
import type { WorkflowRecord } from "@posthorn/contract/automation/workflows/Workflow"
import type { FieldDiff, WorkflowDiff } from "@posthorn/contract/automation/workflows/WorkflowVersion"
import { Equal, Predicate, type Schema } from "effect"
import type { Graph, GraphStep, GraphTransition } from "../graph/Graph.ts"

/** The part of a workflow beside the graph that belongs to a version. */
export type VersionedSettings = Pick<
  WorkflowRecord,
  "triggerType" | "triggerConfig" | "allowReentry" | "reentryAfterHours" | "goal" | "exitRules"
>

export interface VersionContent extends Graph {
  readonly settings: VersionedSettings
}

export const settingsOf = ({
  triggerType,
  triggerConfig,
  allowReentry,
  reentryAfterHours,
  goal,
  exitRules
}: VersionedSettings): VersionedSettings => ({
  triggerType,
  triggerConfig,
  allowReentry,
  reentryAfterHours,
  goal,
  exitRules
})

type Value = Schema.Json | undefined

const isObject = (value: Value): value is Schema.JsonObject => Predicate.isObject(value) && !Array.isArray(value)

const valueIn = (value: Schema.JsonObject | ReadonlyArray<Schema.Json>, key: string): Value =>
  (value as { readonly [key: string]: Value })[key]

/** Lists are compared item by item, objects key by key. */
function* diffsBetween(path: string, from: Value, to: Value): Generator<FieldDiff> {
  if (Equal.equals(from, to)) return
  const areAlike = (isObject(from) && isObject(to)) || (Array.isArray(from) && Array.isArray(to))
  if (!areAlike) {
    yield { path, from: from ?? null, to: to ?? null }
    return
  }
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    yield* diffsBetween(path === "" ? key : `${path}.${key}`, valueIn(from, key), valueIn(to, key))
  }
}

/** The config of the TRIGGER repeats the trigger, which is a setting. */
const comparedStep = ({ type, name, config, templateId }: GraphStep): Schema.JsonObject => ({
  name,
  config: type === "TRIGGER" ? {} : config,
  templateId
})

const named = ({ id, name, type }: GraphStep) => ({ id, name, type })

const edge = ({ fromStepId, toStepId, branch }: GraphTransition) => ({ fromStepId, toStepId, branch })
const edgeKey = (transition: GraphTransition) => JSON.stringify(Object.values(edge(transition)))

const without = <A>(all: ReadonlyArray<A>, others: ReadonlyArray<A>, keyOf: (item: A) => string): ReadonlyArray<A> => {
  const known = new Set(others.map(keyOf))
  return all.filter((item) => !known.has(keyOf(item)))
}

const idOf = ({ id }: GraphStep): string => id

export const diffOf = (from: VersionContent, to: VersionContent): WorkflowDiff => {
  const after = new Map<string, GraphStep>(to.steps.map((step) => [step.id, step]))
  const both = from.steps.flatMap((step) => {
    const other = after.get(step.id)
    return other === undefined ? [] : [[step, other] as const]
  })
  return {
    steps: {
      added: without(to.steps, from.steps, idOf).map(named),
      removed: without(from.steps, to.steps, idOf).map(named),
      changed: both.flatMap(([step, other]) => {
        const fields = [...diffsBetween("", comparedStep(step), comparedStep(other))]
        return fields.length === 0 ? [] : [{ id: step.id, name: other.name, fields }]
      }),
      moved: both.flatMap(([step, other]) => (Equal.equals(step.position, other.position) ? [] : [step.id]))
    },
    transitions: {
      added: without(to.transitions, from.transitions, edgeKey).map(edge),
      removed: without(from.transitions, to.transitions, edgeKey).map(edge)
    },
    settings: [...diffsBetween("", jsonOf(from.settings), jsonOf(to.settings))]
  }
}

/** Stored settings are JSON, whose absent fields are not written. */
const jsonOf = (settings: VersionedSettings): Schema.JsonObject => JSON.parse(JSON.stringify(settings))

export const hasSameContent = (from: VersionContent, to: VersionContent): boolean => {
  const { steps, transitions, settings } = diffOf(from, to)
  return [...Object.values(steps), ...Object.values(transitions), settings].every(({ length }) => length === 0)
}
