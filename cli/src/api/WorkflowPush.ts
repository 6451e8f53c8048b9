/**
 * A workflow as a file: its trigger, and its steps by name, each with its next steps. A test run as a file: what the contact
 * does and what is expected. Neither has ids and times, so that both can be used in another project.
 */
import type {
  CreateWorkflow,
  DrawnStep,
  StartTestRun,
  Step,
  TestRun,
  UpdateWorkflow,
  WholeGraph,
  WorkflowDetail,
  WorkflowValidity
} from "@posthorn/client"
import { AddedStepType } from "@posthorn/contract/automation/workflows/StepType"
import { Console, Effect, Option, Schema } from "effect"
import * as Yaml from "yaml"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { printable } from "../output/Table.ts"
import { Api } from "./Api.ts"
import { contactOf } from "./Lookups.ts"

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

const Fields = Schema.Record(Schema.String, Schema.Unknown)

const Expected = Schema.Struct({
  status: Schema.optionalKey(Schema.String),
  exitReason: Schema.optionalKey(Schema.NullOr(Schema.String)),
  converted: Schema.optionalKey(Schema.Boolean),
  /** Names of steps in the order of their visits. */
  steps: Schema.optionalKey(Schema.Array(Schema.String))
})

/** The service checks the fields that it takes. */
const Script = Schema.Struct({
  /** Fields of a contact that exists in this run only. */
  contact: Schema.optionalKey(Fields),
  event: Schema.optionalKey(Fields),
  start: Schema.optionalKey(Schema.String),
  script: Schema.optionalKey(Schema.Array(Fields)),
  branches: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  webhooks: Schema.optionalKey(Fields),
  expect: Schema.optionalKey(Expected)
})
type Script = typeof Script.Type

export const decodeScript = Schema.decodeUnknownEffect(Script, { onExcessProperty: "error" })

type Tested = Pick<StartTestRun, "contact" | "contactId">

/** The stored contact, or one that exists in this run only. */
export const testedContact = (given: string, { contact }: Script): Effect.Effect<Tested, CommandFailure, Api> => {
  const madeUp = { contact: { ...contact, email: given } }
  if (contact !== undefined && given.includes("@")) return Effect.succeed(madeUp)
  return contactOf(given).pipe(
    Effect.map(({ id }): Tested => ({ contactId: id })),
    Effect.catchIf(
      ({ code }) => code === "CONTACT_NOT_FOUND" && given.includes("@"),
      () => Effect.succeed<Tested>(madeUp)
    )
  )
}

/** The request, with the ids of the steps that the file names. */
export const testRunOf = Effect.fnUntraced(function* (
  { script, branches, webhooks, event, start }: Script,
  steps: ReadonlyArray<Pick<Step, "id" | "name">>,
  tested: Tested
): Effect.fn.Return<StartTestRun, CommandFailure> {
  const idOf = (given: string) => {
    const [found, ...others] = steps.filter(({ id, name }) => name === given || id === given)
    if (found === undefined) return Effect.fail(wrongUsage(`The workflow has no step ${given}.`))
    return others.length > 0
      ? Effect.fail(wrongUsage(`Several steps have the name ${given}.`, "Give the id of the step."))
      : Effect.succeed(found.id)
  }
  const entries = yield* Effect.forEach(script ?? [], (entry) =>
    Effect.gen(function* () {
      const { open, click } = entry
      return {
        ...entry,
        ...(typeof open === "string" && { open: yield* idOf(open) }),
        ...(typeof click === "string" && { click: yield* idOf(click) })
      }
    })
  )
  const byId = <A>(named: { readonly [name: string]: A } | undefined) =>
    Effect.map(
      Effect.forEach(Object.entries(named ?? {}), ([name, value]) =>
        Effect.map(idOf(name), (id) => [id, value] as const)
      ),
      Object.fromEntries
    )
  const request: object = {
    ...tested,
    ...(event !== undefined && { event }),
    ...(start !== undefined && { start }),
    script: entries,
    branches: yield* byId(branches),
    webhooks: yield* byId(webhooks)
  }
  return request as StartTestRun
})

/** What differs from the expectation, in words. */
export const differencesOf = (expected: Script["expect"], { outcome, visits }: TestRun): ReadonlyArray<string> => {
  const values = (["status", "exitReason", "converted"] as const).flatMap((field) => {
    const wanted = Option.fromUndefinedOr(expected?.[field])
    return Option.isSome(wanted) && wanted.value !== outcome[field]
      ? [`${field} is ${outcome[field]}, not ${wanted.value}`]
      : []
  })
  const [course, wanted] = [visits.map(({ name }) => name).join(", "), expected?.steps?.join(", ")]
  return wanted === undefined || wanted === course ? values : [...values, `the steps are ${course}, not ${wanted}`]
}
