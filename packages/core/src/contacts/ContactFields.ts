/** Which fields contacts have, what is in them and who refers to them (contract 12.8 to 12.11). */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { ContactId } from "@posthorn/contract/contacts/Contact"
import type {
  ContactField,
  ContactFields as FieldList,
  FieldUsage,
  FieldValues,
  FieldValuesQuery
} from "@posthorn/contract/contacts/ContactField"
import { ResourceInUse, ValidationError } from "@posthorn/contract/Errors"
import { Cache, Clock, Context, DateTime, Duration, Effect, Exit, Layer } from "effect"
import { Transaction } from "../Transaction.ts"
import { ContactFieldStore } from "./ContactFieldStore.ts"
import { typeOf, type ValueKind } from "./FieldKind.ts"
import { FieldUse } from "./FieldUse.ts"

export class ContactFields extends Context.Service<
  ContactFields,
  {
    /** Exact, of up to 10,000 custom fields; up to 60 seconds old where there are many contacts. */
    readonly list: (project: ProjectId) => Effect.Effect<FieldList>
    readonly values: (project: ProjectId, field: string, query: FieldValuesQuery) => Effect.Effect<FieldValues>
    readonly usage: (project: ProjectId, field: string) => Effect.Effect<FieldUsage>
    /**
     * Takes a custom field from all contacts, in steps that commit one by one: how many had it. One that contacts get
     * while it runs may stay.
     */
    readonly delete: (
      project: ProjectId,
      field: string
    ) => Effect.Effect<{ readonly deletedFrom: number }, ResourceInUse | ValidationError>
  }
>()("@posthorn/core/contacts/ContactFields") {}

const standard: ReadonlyArray<ContactField> = [
  { field: "createdAt", type: "date", coverage: 100 },
  { field: "email", type: "string", coverage: 100 },
  { field: "subscribed", type: "boolean", coverage: 100 },
  { field: "updatedAt", type: "date", coverage: 100 }
]

/** Values that a key's type is told from. */
const samples = 1_000
/** Contacts that one look of the survey reads; the first one is small, because it tells the types of most fields. */
const firstSpan = 2_000
const span = 50_000
/** Contacts that one step of a deletion changes. */
const step = 5_000
const maxValues = 200
/** Custom fields that are told of: a project can have any number, and nobody reads them all. */
const maxFields = 10_000

const lifetime = Duration.seconds(60)
/** Fewer contacts are read as quickly as anything: what is told of them is never old. */
const worthRemembering = 10_000
/** Projects that a process remembers. */
const maxRemembered = 1_000

interface Survey {
  readonly fields: FieldList
  readonly contacts: number
  readonly begun: number
}

interface Known {
  count: number
  readonly kinds: Set<ValueKind>
}

/** What the path names: a standard field, or the key of a custom one. */
const named = (field: string): { readonly field: string; readonly key?: string } => {
  if (standard.some((one) => one.field === field)) return { field }
  const key = field.startsWith("data.") ? field.slice("data.".length) : field
  return { field: `data.${key}`, key }
}

/** Nobody can have another key, and PostgreSQL could not even be asked for it. */
const isKey = (key: string | undefined): key is string => key !== undefined && /^[^\p{Cc}\p{Cs}]{1,100}$/u.test(key)

export const layer: Layer.Layer<ContactFields, never, ContactFieldStore | FieldUse | Transaction> = Layer.effect(
  ContactFields,
  Effect.gen(function* () {
    const store = yield* ContactFieldStore
    const use = yield* FieldUse
    const transaction = yield* Transaction

    /** Newest contacts first, so that the first values of a key are those that tell its type. */
    const survey = Effect.fn("ContactFields.survey")(function* (project: ProjectId) {
      const begun = yield* Clock.currentTimeMillis
      const contacts = yield* store.countContacts(project)
      const known = new Map<string, Known>()
      let before: ContactId | undefined
      do {
        const from: ContactId | undefined = yield* store.boundary(
          project,
          before,
          before === undefined ? firstSpan : span
        )
        const here = { before, from }
        const counted = yield* store.countKeys(project, here, maxFields)
        const needs = new Map<string, number>()
        for (const { key, count } of counted) {
          if (known.size >= maxFields && !known.has(key)) continue
          const field = known.get(key) ?? { count: 0, kinds: new Set() }
          if (field.count < samples) needs.set(key, samples - field.count)
          known.set(key, { ...field, count: field.count + count })
        }
        if (needs.size > 0) {
          for (const { key, kind } of yield* store.kinds(project, here, needs)) known.get(key)?.kinds.add(kind)
        }
        before = from
      } while (before !== undefined)
      const custom = Array.from(known, ([key, { count, kinds }]): ContactField => {
        const percent = Math.round((100 * count) / Math.max(contacts, 1))
        return { field: `data.${key}`, type: typeOf(kinds), coverage: Math.min(Math.max(percent, 1), 100) }
      })
      const fields = [...standard, ...custom].sort((a, b) => (a.field < b.field ? -1 : 1))
      return { fields: { fields, count: fields.length }, contacts, begun } satisfies Survey
    })

    const surveys = yield* Cache.makeWith(survey, {
      capacity: maxRemembered,
      timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value.contacts > worthRemembering ? lifetime : Duration.zero)
    })

    const list = Effect.fn("ContactFields.list")(function* (project: ProjectId) {
      const { begun, fields } = yield* Cache.get(surveys, project)
      const age = (yield* Clock.currentTimeMillis) - begun
      if (age <= Duration.toMillis(lifetime)) return fields
      yield* Cache.invalidate(surveys, project)
      return (yield* Cache.get(surveys, project)).fields
    })

    const values = Effect.fn("ContactFields.values")(function* (
      project: ProjectId,
      given: string,
      { limit: wanted = 100 }: FieldValuesQuery
    ) {
      const { field, key } = named(given)
      const limit = Math.min(wanted, maxValues)
      const all = field === "subscribed" ? [false, true] : isKey(key) ? yield* store.values(project, key, limit) : []
      const values = all.slice(0, limit)
      return { field, values, count: values.length, limit }
    })

    const usage = Effect.fn("ContactFields.usage")(function* (project: ProjectId, given: string) {
      const { field, key } = named(given)
      const references = yield* use.of(project, field)
      const contactCount =
        key === undefined
          ? yield* store.countContacts(project)
          : isKey(key)
            ? yield* store.countHaving(project, key)
            : 0
      const isUsed = Object.values(references).some((users) => users.length > 0)
      return { field, ...references, contactCount, canDelete: key !== undefined && !isUsed }
    })

    const remove = Effect.fn("ContactFields.delete")(function* (project: ProjectId, given: string) {
      const { field, key } = named(given)
      if (key === undefined) {
        const message = "A standard field cannot be deleted."
        return yield* ValidationError.one("field", "custom", message, { received: field })
      }
      const references = yield* use.of(project, field)
      if (Object.values(references).some((users) => users.length > 0)) return yield* new ResourceInUse(references)
      if (!isKey(key)) return { deletedFrom: 0 }
      const now = yield* DateTime.now
      let deletedFrom = 0
      let after: ContactId | undefined
      do {
        const { count, last }: { readonly count: number; readonly last: ContactId | undefined } =
          yield* transaction.run(store.remove(project, key, after, step, now))
        deletedFrom += count
        after = count < step ? undefined : last
      } while (after !== undefined)
      yield* Cache.invalidate(surveys, project)
      return { deletedFrom }
    })

    return ContactFields.of({ list, values, usage, delete: remove })
  })
)
