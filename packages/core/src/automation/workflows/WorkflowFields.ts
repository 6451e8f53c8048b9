/** The fields that a CONDITION can compare. */

import type { WorkflowField } from "@posthorn/contract/automation/workflows/Workflow"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect, Predicate, type Schema } from "effect"
import { ContactFields } from "../../audience/contacts/fields/ContactFields.ts"
import { fieldTypeOf, isoDatePattern, type ValueKind } from "../../audience/contacts/fields/FieldKind.ts"
import * as EventRecords from "../../audience/events/EventRecords.ts"

/** Number of events whose data is read. */
const sampledEvents = 100
const maxFields = 1_000

const isDate = new RegExp(isoDatePattern)

const kindOf = (value: Schema.Json): ValueKind | undefined => {
  if (value === null) return undefined
  if (Array.isArray(value)) return "array"
  if (Predicate.isString(value)) return isDate.test(value) ? "date" : "string"
  if (Predicate.isNumber(value)) return "number"
  return Predicate.isBoolean(value) ? "boolean" : "object"
}

/** Values of different types can be compared as text only. */
const comparedAs = (type: ReturnType<typeof fieldTypeOf>): WorkflowField["type"] => (type === "mixed" ? "string" : type)

const eventFields = (
  events: ReadonlyArray<{ readonly data: Schema.JsonObject | null }>
): ReadonlyArray<WorkflowField> => {
  const kinds = new Map<string, Set<ValueKind>>()
  for (const [key, value] of events.flatMap(({ data }) => Object.entries(data ?? {}))) {
    const known = kinds.get(key) ?? new Set()
    const kind = kindOf(value)
    if (kind !== undefined) known.add(kind)
    kinds.set(key, known)
  }
  return Array.from(kinds, ([key, kinds]) => ({
    field: `event.${key}`,
    type: comparedAs(fieldTypeOf(kinds)),
    category: "Event Data" as const
  }))
}

export const make = Effect.gen(function* () {
  const contacts = yield* ContactFields
  const events = yield* EventRecords.make

  /** Fields of contacts, and data keys of the newest events, optionally only of events with this name. */
  const list = Effect.fn("WorkflowFields.list")(function* (project: ProjectId, eventName: string | undefined) {
    const { fields } = yield* contacts.list(project)
    const ofContacts = fields.map(({ field, type }) => ({
      field: `contact.${field}`,
      type: comparedAs(type),
      category: field.startsWith("data.") ? ("Custom Data" as const) : ("Contact Fields" as const)
    }))
    const typedFields = [...ofContacts, ...eventFields(yield* events.newest(project, eventName, sampledEvents))]
      .sort((a, b) => (a.field < b.field ? -1 : 1))
      .slice(0, maxFields)
    return { fields: typedFields.map(({ field }) => field), typedFields, count: typedFields.length }
  })

  return { list }
})
