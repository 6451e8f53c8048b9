/** The grammar of conditions, as far as a form needs it: what a filter asks about, how, and with what kind of value. */
import type { ContactField, FilterTree } from "@posthorn/client/session"

export type TreeGroup = FilterTree["groups"][number]
export type TreeFilter = NonNullable<TreeGroup["filters"]>[number]
/** A test of the data of the event that a filter is about. */
export type TreeTest = NonNullable<TreeFilter["where"]>[number]
export type TreeOperator = TreeFilter["operator"]
export type TreeUnit = NonNullable<TreeFilter["unit"]>

export const treeUnits = ["minutes", "hours", "days", "weeks", "months"] as const satisfies ReadonlyArray<TreeUnit>

/** What a filter is about. Only a step of a workflow has variables. */
export type Subject = "contact" | "event" | "mail" | "segment" | "variable"

type FieldKind = "text" | "flag" | "time" | "json" | "history" | "membership"

const history = [
  "triggered",
  "triggeredWithin",
  "notTriggered",
  "notTriggeredWithin",
  "triggeredOlderThan"
] as const satisfies ReadonlyArray<TreeOperator>

const membership = ["memberOfSegment", "notMemberOfSegment"] as const satisfies ReadonlyArray<TreeOperator>
const texts = ["equals", "notEquals", "contains", "notContains", "startsWith", "endsWith", "in", "notIn"] as const
const comparisons = ["greaterThan", "greaterThanOrEqual", "lessThan", "lessThanOrEqual", "between"] as const
const equality = ["equals", "notEquals"] as const
const presence = ["exists", "notExists"] as const
const spans = ["within", "olderThan"] as const

const operatorsOf: { readonly [K in FieldKind]: ReadonlyArray<TreeOperator> } = {
  text: texts,
  flag: equality,
  time: [...spans, ...equality, ...comparisons],
  json: [...texts, ...comparisons, ...presence, ...spans],
  history,
  membership
}

/** The operators that make sense for custom data whose values have this type. */
const operatorsOfType: { readonly [T in ContactField["type"]]?: ReadonlyArray<TreeOperator> } = {
  string: [...texts, ...presence],
  number: [...equality, ...comparisons, "in", "notIn", ...presence],
  boolean: [...equality, ...presence],
  date: [...spans, ...equality, ...comparisons, ...presence],
  object: [...presence, ...equality],
  array: ["contains", "notContains", ...equality, ...presence]
}

export const allOperators: ReadonlyArray<TreeOperator> = [...new Set(Object.values(operatorsOf).flat())]

const isHistory = (operator: TreeOperator) => (history as ReadonlyArray<TreeOperator>).includes(operator)
const isMembership = (operator: TreeOperator) => (membership as ReadonlyArray<TreeOperator>).includes(operator)

/** Recorded mail events, with the older of their two names. */
export const mailActivities = ["sent", "delivered", "opened", "clicked", "bounced", "complained"] as const
export type MailActivity = (typeof mailActivities)[number]

const otherNames: { readonly [name: string]: MailActivity } = {
  delivery: "delivered",
  open: "opened",
  click: "clicked",
  bounce: "bounced",
  complaint: "complained"
}

const activityOf = (field: string): MailActivity | undefined => {
  if (!field.startsWith("email.")) return undefined
  const name = field.slice("email.".length)
  return (
    mailActivities.find((each) => each === name) ?? (Object.hasOwn(otherNames, name) ? otherNames[name] : undefined)
  )
}

export const subjectOf = ({ field, operator }: TreeFilter): Subject => {
  if (activityOf(field) !== undefined) return "mail"
  if (isMembership(operator)) return "segment"
  if (isHistory(operator)) return "event"
  return /^(?:event|workflow)\./.test(field) ? "variable" : "contact"
}

const standard = new Set(["email", "subscribed", "createdAt", "updatedAt"])

/** What the filter names: the field with its prefix, the event, the mail activity or the id of the segment. */
export const nameOf = (filter: TreeFilter): string => {
  const { field } = filter
  switch (subjectOf(filter)) {
    case "mail":
      return activityOf(field) ?? field
    case "segment":
      return field.replace(/^segment\./, "")
    case "event":
      return field.replace(/^event\./, "")
    case "variable":
      return field
    case "contact":
      return field.replace(/^contact\./, "")
  }
}

/** A field as a person types it: a name that is not a standard field is custom data. */
export const wholeField = (text: string): string => {
  const name = text.trim()
  return name === "" || standard.has(name) || /^(?:data|contact)\./.test(name) ? name : `data.${name}`
}

export const fieldOf = (subject: Subject, name: string): string => {
  switch (subject) {
    case "mail":
      return `email.${name}`
    case "segment":
      return `segment.${name}`
    case "event":
      return `event.${name}`
    case "variable":
    case "contact":
      return name
  }
}

export const kindOf = (filter: TreeFilter): FieldKind => {
  switch (subjectOf(filter)) {
    case "mail":
    case "event":
      return "history"
    case "segment":
      return "membership"
    case "variable":
      return "json"
  }
  const name = nameOf(filter)
  if (name === "email") return "text"
  if (name === "subscribed") return "flag"
  return name === "createdAt" || name === "updatedAt" ? "time" : "json"
}

/** The operators to choose from; the present one is always among them. */
export const operatorsFor = (
  filter: TreeFilter,
  type: ContactField["type"] | undefined
): ReadonlyArray<TreeOperator> => {
  const kind = kindOf(filter)
  const fitting = (kind === "json" && type !== undefined && operatorsOfType[type]) || operatorsOf[kind]
  return fitting.includes(filter.operator) ? fitting : [...fitting, filter.operator]
}

export type ValueShape = "none" | "one" | "list" | "pair" | "span" | "count" | "countWithin"

export const shapeOf = (operator: TreeOperator): ValueShape => {
  switch (operator) {
    case "exists":
    case "notExists":
    case "notTriggered":
    case "memberOfSegment":
    case "notMemberOfSegment":
      return "none"
    case "in":
    case "notIn":
      return "list"
    case "between":
      return "pair"
    case "within":
    case "olderThan":
    case "triggeredOlderThan":
    case "notTriggeredWithin":
      return "span"
    case "triggered":
      return "count"
    case "triggeredWithin":
      return "countWithin"
    default:
      return "one"
  }
}

export type ValueType = "text" | "number" | "flag" | "day" | "moment" | "nothing" | "json"

const day = /^\d{4}-\d\d-\d\d$/
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?$/

export const typeOfValue = (value: unknown): ValueType | undefined => {
  if (value === undefined || value === "") return undefined
  if (value === null) return "nothing"
  if (typeof value === "number") return "number"
  if (typeof value === "boolean") return "flag"
  if (typeof value !== "string") return "json"
  if (day.test(value)) return "day"
  return moment.test(value) ? "moment" : "text"
}

/** The types that the value of a filter can have. The first one is the usual one. */
export const valueTypesFor = (filter: TreeFilter): ReadonlyArray<ValueType> => {
  const kind = kindOf(filter)
  if (kind === "text") return ["text"]
  if (kind === "flag") return ["flag"]
  if (kind === "time") return ["day", "moment"]
  switch (filter.operator) {
    case "startsWith":
    case "endsWith":
      return ["text"]
    case "contains":
    case "notContains":
      return ["text", "number", "flag"]
    case "in":
    case "notIn":
      return ["text", "number", "json"]
    case "equals":
    case "notEquals":
      return ["text", "number", "flag", "day", "moment", "nothing", "json"]
    default:
      return ["number", "text", "day", "moment"]
  }
}

const typeOfField: { readonly [T in ContactField["type"]]: ValueType } = {
  string: "text",
  number: "number",
  boolean: "flag",
  date: "day",
  object: "json",
  array: "json",
  mixed: "text"
}

/** The type that a new value has. */
export const usualType = (filter: TreeFilter, type: ContactField["type"] | undefined): ValueType => {
  const possible = valueTypesFor(filter)
  const wanted = type === undefined ? undefined : typeOfField[type]
  return possible.find((each) => each === wanted) ?? possible[0] ?? "text"
}

/** Whether an input for this type can show the value. */
export const canShow = (type: ValueType, value: unknown): boolean => {
  if (value === undefined || value === "") return true
  switch (type) {
    case "text":
      return typeof value === "string"
    case "json":
      return true
    default:
      return typeOfValue(value) === type
  }
}

/** The filter with this field and operator. Tests of an event stay where it is about an event still. */
const begun = ({ where }: TreeFilter, field: string, operator: TreeOperator): TreeFilter => ({
  field,
  operator,
  ...(where != null && where.length > 0 && isHistory(operator) && { where })
})

/** A test as a filter about a variable, which has the same operators and values. */
export const filterOfTest = ({ path, operator, value, unit }: TreeTest): TreeFilter => ({
  field: `event.${path}`,
  operator,
  ...(value !== undefined && { value }),
  ...(unit != null && { unit })
})

export const testOfFilter = ({ field, operator, value, unit }: TreeFilter): TreeTest => ({
  path: field.slice("event.".length),
  operator,
  ...(value !== undefined && { value }),
  ...(unit != null && { unit })
})

/** The filter with another operator. A value that the new operator cannot take is dropped. */
export const withOperator = (filter: TreeFilter, operator: TreeOperator): TreeFilter => {
  const { field, value, unit } = filter
  const next = begun(filter, field, operator)
  const shape = shapeOf(operator)
  if (shape === "none" || shape === "count") return next
  if (shape === "span" || shape === "countWithin") {
    return { ...next, value: typeof value === "number" ? value : 30, unit: unit ?? "days" }
  }
  const isKept = shape === shapeOf(filter.operator) && kindOf(next) === kindOf(filter)
  if (isKept) return { ...next, value }
  return kindOf(next) === "flag" ? { ...next, value: true } : next
}

export const firstFilter = (subject: Subject): TreeFilter => {
  switch (subject) {
    case "event":
      return { field: "event.", operator: "triggered" }
    case "mail":
      return { field: "email.opened", operator: "triggered" }
    case "segment":
      return { field: "segment.", operator: "memberOfSegment" }
    case "variable":
      return { field: "event.", operator: "equals" }
    case "contact":
      return { field: "", operator: "equals" }
  }
}

/** The filter with another field. Operator and value stay where they fit. */
export const withField = (filter: TreeFilter, field: string): TreeFilter => {
  const next: TreeFilter = { ...filter, field }
  const kind = kindOf(next)
  if (kind === kindOf(filter) && subjectOf(next) === subjectOf(filter)) return next
  const operator = operatorsOf[kind].includes(filter.operator) ? filter.operator : (operatorsOf[kind][0] ?? "equals")
  return withOperator({ field, operator: "exists" }, operator)
}
