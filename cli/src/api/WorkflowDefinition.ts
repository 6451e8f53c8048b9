/**
 * A workflow as a file: its trigger, and its steps by name, each with its next steps. The file has no ids and times, so
 * that it can be pushed into another project.
 */
import type { WorkflowDetail } from "@posthorn/client"
import { AddedStepType } from "@posthorn/contract/automation/workflows/StepType"
import { Schema } from "effect"
import * as Yaml from "yaml"

/** The transition without a branch, for a step that also has branches. */
const otherwise = "otherwise"

const StepDefinition = Schema.Struct({
  type: AddedStepType,
  templateId: Schema.optionalKey(Schema.NullOr(Schema.String)),
  config: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  position: Schema.optionalKey(Schema.Struct({ x: Schema.Finite, y: Schema.Finite })),
  /** The name of the next step, or names by branch; `otherwise` is the transition without a branch. */
  next: Schema.optionalKey(Schema.Union([Schema.String, Schema.Record(Schema.String, Schema.String)]))
})
export type DefinedStep = typeof StepDefinition.Type

export const Definition = Schema.Struct({
  name: Schema.String,
  description: Schema.optionalKey(Schema.NullOr(Schema.String)),
  triggerType: Schema.optionalKey(Schema.Literals(["EVENT", "MANUAL", "SCHEDULE"])),
  triggerConfig: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  allowReentry: Schema.optionalKey(Schema.Boolean),
  reentryAfterHours: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  goal: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))),
  exitRules: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Schema.Unknown))),
  /** The name of the first step. */
  entry: Schema.optionalKey(Schema.String),
  steps: Schema.Record(Schema.String, StepDefinition)
})
export type Definition = typeof Definition.Type

/** `from` is undefined for the TRIGGER. */
export interface Way {
  readonly from: string | undefined
  readonly to: string
  readonly branch: string | null
}

type Drawn = Pick<WorkflowDetail, "steps" | "transitions">

/** The name of each step. If several steps have the same name, all but the first get a number. */
export const stepNames = ({ steps }: Drawn): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const { id, name, type } of steps) {
    if (type === "TRIGGER") continue
    let free = name
    for (let n = 2; taken.has(free); n++) free = `${name} (${n})`
    taken.add(free)
    names.set(id, free)
  }
  return names
}

/** A single transition without a branch is written as the name only. */
const nextOf = (ways: ReadonlyArray<Way>): Pick<DefinedStep, "next"> => {
  const [only, ...others] = ways
  if (only === undefined) return {}
  if (others.length === 0 && only.branch === null) return { next: only.to }
  return { next: Object.fromEntries(ways.map(({ branch, to }) => [branch ?? otherwise, to])) }
}

/** The transitions of a workflow, by the names of its steps. */
export const waysOf = (workflow: Drawn): ReadonlyArray<Way> => {
  const names = stepNames(workflow)
  return workflow.transitions.map(({ fromStepId, toStepId, branch }) => ({
    from: names.get(fromStepId),
    to: names.get(toStepId) ?? "",
    branch
  }))
}

export const definitionOf = (workflow: WorkflowDetail): Definition => {
  const names = stepNames(workflow)
  const ways = waysOf(workflow)
  const entry = ways.find(({ from }) => from === undefined)?.to
  const steps = workflow.steps.flatMap(({ id, type, config, templateId, position }) => {
    const name = names.get(id)
    if (type === "TRIGGER" || name === undefined) return []
    return [
      [
        name,
        { type, templateId, config: { ...config }, position, ...nextOf(ways.filter(({ from }) => from === name)) }
      ] as const
    ]
  })
  const { goal, exitRules, ...head } = workflow
  return canonical({
    ...head,
    goal: goal && { ...goal },
    exitRules: exitRules.map((rule) => ({ ...rule })),
    ...(entry !== undefined && { entry }),
    steps: Object.fromEntries(steps)
  })
}

const waysFrom = (from: string, { next }: DefinedStep): ReadonlyArray<Way> => {
  if (next === undefined) return []
  if (typeof next === "string") return [{ from, to: next, branch: null }]
  return Object.entries(next).map(([branch, to]) => ({ from, to, branch: branch === otherwise ? null : branch }))
}

/** All transitions of a definition. */
export const drawnWays = ({ entry, steps }: Definition): ReadonlyArray<Way> => [
  ...(entry === undefined ? [] : [{ from: undefined, to: entry, branch: null }]),
  ...Object.entries(steps).flatMap(([from, step]) => waysFrom(from, step))
]

/** The service does not keep the order of keys. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)])
  )
}

const sortedObject = (value: { readonly [key: string]: unknown }) => sorted(value) as typeof value

const byBranch = (a: Way, b: Way) => ((a.branch ?? "") < (b.branch ?? "") ? -1 : 1)

/** The canonical form of a definition, so that texts can be compared. Steps keep their order. */
export const canonical = (definition: Definition): Definition => {
  const { name, description, triggerType = "EVENT", triggerConfig = {}, allowReentry, entry } = definition
  const { reentryAfterHours, goal, exitRules = [] } = definition
  const steps = Object.entries(definition.steps).map(([name, step]) => {
    const { type, templateId, config = {}, position } = step
    const written: DefinedStep = {
      type,
      ...(templateId != null && { templateId }),
      ...(Object.keys(config).length > 0 && { config: sortedObject(config) }),
      ...(position !== undefined && { position: { x: position.x, y: position.y } }),
      ...nextOf(waysFrom(name, step).toSorted(byBranch))
    }
    return [name, written] as const
  })
  return {
    name,
    ...(description != null && { description }),
    triggerType,
    triggerConfig: sortedObject(triggerConfig),
    ...(allowReentry && { allowReentry }),
    ...(reentryAfterHours != null && { reentryAfterHours }),
    ...(goal != null && { goal: sortedObject(goal) }),
    ...(exitRules.length > 0 && { exitRules: exitRules.map(sortedObject) }),
    ...(entry !== undefined && { entry }),
    steps: Object.fromEntries(steps)
  }
}

export type Format = "json" | "yaml"

export const toText = (definition: Definition, format: Format): string =>
  format === "json"
    ? `${JSON.stringify(definition, null, 2)}\n`
    : Yaml.stringify(definition, { aliasDuplicateObjects: false })

/** JSON is YAML. Other text fails with the parser's error. */
export const parseText = (text: string): unknown => Yaml.parse(text, { maxAliasCount: 0 })
