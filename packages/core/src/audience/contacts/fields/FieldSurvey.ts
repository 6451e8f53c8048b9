/**
 * A survey of all contacts of a project: which fields they have, of what type, and how many contacts have each.
 *
 * It reads the contacts in spans, newest first. The newest values of a key determine its type.
 */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ContactField, FieldType } from "@posthorn/contract/audience/contacts/ContactField"
import { topicKey } from "@posthorn/contract/audience/filters/TopicFields"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Clock, DateTime, Effect } from "effect"
import { topicName } from "../../../events/ChangeNotes.ts"
import type { ContactFieldStore, IdRange, OptionalField } from "./ContactFieldStore.ts"
import { fieldTypeOf, type ValueKind } from "./FieldKind.ts"

export interface Survey {
  /** Ordered by name, including the standard fields. */
  readonly fields: ReadonlyArray<ContactField>
  readonly contacts: number
  /** When the survey started, in milliseconds of the service's clock. */
  readonly begun: number
}

/** Every contact has these. */
const wholeFields: ReadonlyArray<ContactField> = [
  { field: "createdAt", type: "date", coverage: 100 },
  { field: "email", type: "string", coverage: 100 },
  { field: "subscribed", type: "boolean", coverage: 100 },
  { field: "subscription", type: "string", coverage: 100 },
  { field: "updatedAt", type: "date", coverage: 100 }
]

const optionalFields: ReadonlyArray<{ readonly field: OptionalField; readonly type: FieldType }> = [
  { field: "externalId", type: "string" },
  { field: "origin.source", type: "string" },
  { field: "snoozedUntil", type: "date" }
]

const standardNames = new Set<string>([...wholeFields, ...optionalFields].map(({ field }) => field))

/** Whether the name is that of a field of the contact itself, not of custom data. Topics need not exist. */
export const isStandardField = (field: string): boolean => standardNames.has(field) || topicKey(field) !== undefined

/** `locale` and `timezone` are custom data under names of their own. */
const aliases = ["locale", "timezone"]

const topicFields = (key: string): ReadonlyArray<ContactField> => [
  { field: topicName(key), type: "string", coverage: 100 },
  { field: `${topicName(key)}.takes`, type: "boolean", coverage: 100 }
]

/** The number of values that determine the type of a key. */
const samples = 1_000
/** The number of contacts in a span. The first span is small, because it determines the types of most fields. */
const firstSpan = 2_000
const laterSpan = 50_000
/** The maximum number of custom fields in a survey. A project can have any number of them. */
const maxFields = 10_000

/** The state of a key during the survey. */
interface Known {
  count: number
  readonly kinds: Set<ValueKind>
}

/** What any contact has covers at least 1 percent. */
const coverageOf = (count: number, contacts: number): number =>
  count === 0 ? 0 : Math.min(Math.max(Math.round((100 * count) / Math.max(contacts, 1)), 1), 100)

const fieldOf = (key: string, { count, kinds }: Known, contacts: number): ContactField => ({
  field: `data.${key}`,
  type: fieldTypeOf(kinds),
  coverage: coverageOf(count, contacts)
})

export const surveyFields = Effect.fn("ContactFields.survey")(function* (
  store: ContactFieldStore,
  project: ProjectId,
  topics: ReadonlyArray<string>
): Effect.fn.Return<Survey> {
  const begun = yield* Clock.currentTimeMillis
  const now = DateTime.makeUnsafe(begun)
  const contacts = yield* store.countContacts(project)
  const known = new Map<string, Known>()
  const optional = new Map<OptionalField, number>()

  const look = Effect.fnUntraced(function* (span: IdRange) {
    const counts = yield* store.countOptional(project, span, now)
    for (const { field } of optionalFields) optional.set(field, (optional.get(field) ?? 0) + counts[field])
    const wanted = new Map<string, number>()
    for (const { key, count } of yield* store.countKeys(project, span, maxFields)) {
      if (known.size >= maxFields && !known.has(key)) continue
      const field = known.get(key) ?? { count: 0, kinds: new Set() }
      if (field.count < samples) wanted.set(key, samples - field.count)
      known.set(key, { ...field, count: field.count + count })
    }
    if (wanted.size === 0) return
    for (const { key, kind } of yield* store.kinds(project, span, wanted)) known.get(key)?.kinds.add(kind)
  })

  let before: ContactId | undefined
  do {
    const size = before === undefined ? firstSpan : laterSpan
    const from: ContactId | undefined = yield* store.boundary(project, before, size)
    yield* look({ before, from })
    before = from
  } while (before !== undefined)

  const custom = Array.from(known, ([key, found]) => fieldOf(key, found, contacts))
  const own = optionalFields.map(({ field, type }) => ({
    field,
    type,
    coverage: coverageOf(optional.get(field) ?? 0, contacts)
  }))
  const named = aliases.map((field) => ({
    field,
    type: "string" as const,
    coverage: coverageOf(known.get(field)?.count ?? 0, contacts)
  }))
  const fields = [...wholeFields, ...own, ...named, ...topics.flatMap(topicFields), ...custom].sort((a, b) =>
    a.field < b.field ? -1 : 1
  )
  return { fields, contacts, begun }
})
