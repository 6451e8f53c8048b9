/** The graph as it is edited: steps, transitions and trigger. Every edit gives a new drawing, so that it can be undone. */
import type { Fault, WholeGraph, WorkflowDetail } from "@posthorn/client/session"

export type StepType = WorkflowDetail["steps"][number]["type"]
export type AddedType = Exclude<StepType, "TRIGGER">
export type TriggerType = WorkflowDetail["triggerType"]
export type Config = { readonly [key: string]: unknown }

export const addedTypes: ReadonlyArray<AddedType> = [
  "SEND_EMAIL",
  "DELAY",
  "WAIT_FOR_EVENT",
  "CONDITION",
  "SPLIT",
  "TIME_WINDOW",
  "RATE_LIMIT",
  "UPDATE_CONTACT",
  "WEBHOOK",
  "EXIT"
]

export interface DrawnStep {
  /** The id of a stored step, or the key of a new one. */
  readonly id: string
  readonly isNew: boolean
  readonly type: StepType
  readonly name: string
  readonly position: { readonly x: number; readonly y: number }
  readonly config: Config
  readonly templateId: string | null
}

export interface DrawnTransition {
  readonly from: string
  readonly to: string
  readonly branch: string | null
}

export interface Drawing {
  readonly steps: ReadonlyArray<DrawnStep>
  readonly transitions: ReadonlyArray<DrawnTransition>
  readonly triggerType: TriggerType
  readonly triggerConfig: Config
}

/** The distance between two steps in a column. */
export const rowHeight = 140

/** The distance between two columns. */
export const columnWidth = 280

/** The body of the request that stores the drawing, or that checks it. */
export const bodyOf = (drawing: Drawing, ifUpdatedAt?: string): WholeGraph => ({
  steps: drawing.steps.map(
    ({ id, isNew, type, name, position, config, templateId }) =>
      ({
        ...(isNew ? { key: id } : { id }),
        type,
        name,
        position,
        ...(type !== "TRIGGER" && { config }),
        ...(type === "SEND_EMAIL" && { templateId })
      }) as WholeGraph["steps"][number]
  ),
  transitions: drawing.transitions,
  triggerType: drawing.triggerType,
  triggerConfig: drawing.triggerConfig,
  ...(ifUpdatedAt !== undefined && { ifUpdatedAt })
})

/** The drawing with the ids that the service gave to new steps. */
export const withIds = (drawing: Drawing, ids: { readonly [key: string]: string }): Drawing => ({
  ...drawing,
  steps: drawing.steps.map((step) => {
    const id = ids[step.id]
    return id === undefined ? step : { ...step, id, isNew: false }
  }),
  transitions: drawing.transitions.map(({ from, to, branch }) => ({
    from: ids[from] ?? from,
    to: ids[to] ?? to,
    branch
  }))
})

const idsIn = (branches: unknown): ReadonlyArray<string> =>
  Array.isArray(branches) ? branches.map((branch) => String(branch?.id)) : []

/** The id of a further branch. */
export const newBranchId = (branches: ReadonlyArray<{ readonly id: string }>): string => {
  const taken = new Set(branches.map(({ id }) => id))
  let number = branches.length + 1
  while (taken.has(`branch-${number}`)) number += 1
  return `branch-${number}`
}

/** How a delay is given: a length, or the moment at which it ends. */
export const delayKinds = ["span", "weekdays", "date", "field"] as const

export const delayKind = (config: Config): (typeof delayKinds)[number] =>
  delayKinds.find((kind) => (config["until"] as Config | undefined)?.[kind] != null) ?? "span"

/** The branches on which transitions leave a step. `null` is the way on without a branch. */
export const branchesOf = ({ type, config }: Pick<DrawnStep, "type" | "config">): ReadonlyArray<string | null> => {
  if (type === "EXIT") return []
  if (type === "WAIT_FOR_EVENT") return config["timeout"] == null ? [null] : ["event", "timeout"]
  if (type === "RATE_LIMIT") return [null, "exceeded"]
  if (type === "DELAY") return delayKind(config) === "field" ? [null, "missing", "passed"] : [null]
  if (type === "SPLIT") return idsIn(config["branches"])
  if (type !== "CONDITION") return [null]
  const { mode, branches } = config
  return mode === "multi" && Array.isArray(branches) ? [...idsIn(branches), "default"] : ["yes", "no"]
}

/** The branches of a step, and those that it has a transition for. */
export const allBranchesOf = (drawing: Drawing, step: DrawnStep): ReadonlyArray<string | null> => [
  ...new Set([
    ...branchesOf(step),
    ...drawing.transitions.flatMap(({ from, branch }) => (from === step.id ? [branch] : []))
  ])
]

export const stepOf = (drawing: Drawing, id: string | undefined): DrawnStep | undefined =>
  drawing.steps.find((step) => step.id === id)

export const nextOf = (drawing: Drawing, from: string, branch: string | null): string | undefined =>
  drawing.transitions.find((each) => each.from === from && each.branch === branch)?.to

/** The steps as a contact meets them: the trigger, then each branch to its end. What nothing leads to comes last. */
export const flowOrder = (drawing: Drawing): ReadonlyArray<DrawnStep> => {
  const byId = new Map(drawing.steps.map((step) => [step.id, step]))
  const ways = new Map<string, Array<DrawnTransition>>()
  for (const each of drawing.transitions) ways.set(each.from, [...(ways.get(each.from) ?? []), each])
  const met = new Set<DrawnStep>()
  const follow = (first: DrawnStep) => {
    const open = [first]
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      if (met.has(step)) continue
      met.add(step)
      const order = branchesOf(step)
      const rank = ({ branch }: DrawnTransition) => (order.includes(branch) ? order.indexOf(branch) : order.length)
      const next = [...(ways.get(step.id) ?? [])].sort((one, other) => rank(other) - rank(one))
      for (const { to } of next) {
        const found = byId.get(to)
        if (found !== undefined) open.push(found)
      }
    }
  }
  for (const step of drawing.steps) if (step.type === "TRIGGER") follow(step)
  for (const step of drawing.steps) follow(step)
  return [...met]
}

let made = 0

/** A key for a new step that no other step of this page has or had. */
export const newId = (): string => `new-${++made}`

const defaults: { readonly [T in AddedType]: Config } = {
  SEND_EMAIL: {},
  DELAY: { amount: 1, unit: "days" },
  WAIT_FOR_EVENT: { eventName: "", timeout: 259_200 },
  CONDITION: { field: "subscribed", operator: "equals", value: true },
  SPLIT: {
    branches: [
      { id: "branch-1", share: 50 },
      { id: "branch-2", share: 50 }
    ]
  },
  TIME_WINDOW: { from: "09:00", to: "17:00" },
  RATE_LIMIT: { limit: 60, per: "minute" },
  WEBHOOK: { url: "", method: "POST" },
  UPDATE_CONTACT: { updates: {} },
  EXIT: {}
}

/** Puts a new step behind another one, on one of its branches. What followed there follows the new step. */
export const inserted = (
  drawing: Drawing,
  after: DrawnStep,
  branch: string | null,
  type: AddedType,
  name: string,
  id: string
): Drawing => {
  const next = nextOf(drawing, after.id, branch)
  const column = Math.max(0, branchesOf(after).indexOf(branch))
  const position = { x: after.position.x + column * columnWidth, y: after.position.y + rowHeight }
  const step: DrawnStep = { id, isNew: true, type, name, position, config: defaults[type], templateId: null }
  const first = branchesOf(step)[0]
  const moved = (each: DrawnStep) =>
    each.position.y >= position.y && each.position.x === position.x
      ? { ...each, position: { x: each.position.x, y: each.position.y + rowHeight } }
      : each
  return {
    ...drawing,
    steps: [...drawing.steps.map(moved), step],
    transitions: [
      ...drawing.transitions.filter((each) => each.from !== after.id || each.branch !== branch),
      { from: after.id, to: id, branch },
      ...(next === undefined || first === undefined ? [] : [{ from: id, to: next, branch: first }])
    ]
  }
}

/** Leads a branch of a step to another step, or nowhere. */
export const connected = (drawing: Drawing, from: string, branch: string | null, to: string | undefined): Drawing => ({
  ...drawing,
  transitions: [
    ...drawing.transitions.filter((each) => each.from !== from || each.branch !== branch),
    ...(to === undefined ? [] : [{ from, to, branch }])
  ]
})

/** Takes a step out. What led to it leads to the step behind it. */
export const removed = (drawing: Drawing, step: DrawnStep): Drawing => {
  const ways = drawing.transitions.filter(({ from }) => from === step.id)
  const behind = ways.find(({ to }) => to !== step.id)?.to
  return {
    ...drawing,
    steps: drawing.steps.filter(({ id }) => id !== step.id),
    transitions: drawing.transitions.flatMap((each) => {
      if (each.from === step.id) return []
      if (each.to !== step.id) return [each]
      return behind === undefined || behind === each.from ? [] : [{ ...each, to: behind }]
    })
  }
}

/** Changes a step. Transitions on branches that it has no more are taken out. */
export const changed = (drawing: Drawing, id: string, change: Partial<DrawnStep>): Drawing => {
  const before = stepOf(drawing, id)
  if (before === undefined) return drawing
  const step = { ...before, ...change }
  const gone = new Set(branchesOf(before))
  for (const branch of branchesOf(step)) gone.delete(branch)
  const first = branchesOf(step)[0] ?? null
  const isOneWay = branchesOf(before).length === 1 || branchesOf(step).length === 1
  return {
    ...drawing,
    steps: drawing.steps.map((each) => (each.id === id ? step : each)),
    transitions: drawing.transitions.flatMap((each) => {
      if (each.from !== id || !gone.has(each.branch)) return [each]
      return isOneWay && each.branch === (branchesOf(before)[0] ?? null) ? [{ ...each, branch: first }] : []
    })
  }
}

/** The service orders steps, transitions and the keys of a config in its own way. */
const canonical = (drawing: Drawing): string => {
  const { steps, transitions, ...trigger } = bodyOf(drawing)
  const sorted = (_: string, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value
  const lines = (list: ReadonlyArray<unknown>) => list.map((each) => JSON.stringify(each, sorted)).sort()
  return [...lines(steps), ...lines(transitions), JSON.stringify(trigger, sorted)].join("\n")
}

/** Whether both store the same. */
export const isSame = (one: Drawing, other: Drawing): boolean => one === other || canonical(one) === canonical(other)

/** The step that a fault is about. `rest` is the field within the step. */
export const placeOf = (
  drawing: Drawing,
  { field }: Pick<Fault, "field">
): readonly [step: string | undefined, rest: string] => {
  const [kind, name = "", ...rest] = field.split(".")
  if (kind === "steps" && stepOf(drawing, name) !== undefined) return [name, rest.join(".")]
  if (kind === "transitions") return [drawing.transitions[Number(name)]?.from, rest.join(".")]
  if (/^(?:trigger|eventName|schedule)/.test(field)) {
    return [drawing.steps.find(({ type }) => type === "TRIGGER")?.id, field]
  }
  return [undefined, field]
}
