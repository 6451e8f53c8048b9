/** Lists the fields of contacts, their values and their uses, and deletes custom fields. */

import type { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type {
  ContactFieldList as FieldList,
  FieldUsage,
  FieldValues,
  FieldValuesQuery
} from "@posthorn/contract/audience/contacts/ContactField"
import { choices } from "@posthorn/contract/audience/filters/ChoiceOperators"
import { topicKey } from "@posthorn/contract/audience/filters/TopicFields"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { ResourceInUse, ValidationError } from "@posthorn/contract/platform/Errors"
import { Cache, Clock, Context, DateTime, Duration, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { topicName } from "../../../events/ChangeNotes.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import { References } from "../../References.ts"
import { Segments } from "../../segments/Segments.ts"
import { topicKeys } from "../../topics/TopicDefinitions.ts"
import * as ContactFieldStore from "./ContactFieldStore.ts"
import { isStandardField, surveyFields } from "./FieldSurvey.ts"

/** Caches surveys. A service, because HTTP handlers and workflows call it. */
export class ContactFields extends Context.Service<
  ContactFields,
  {
    /**
     * Returns all fields with their types and coverage, by name: the standard fields and up to 10,000 custom fields.
     * The counts are exact. In a project with more than 10,000 contacts they may be up to 60 seconds old.
     */
    readonly list: (project: ProjectId) => Effect.Effect<FieldList>
    /** Returns distinct values of a field: at most 200, by default 100. */
    readonly values: (project: ProjectId, field: string, query: FieldValuesQuery) => Effect.Effect<FieldValues>
    /** Returns what uses the field, how many contacts have it, and whether it can be deleted. */
    readonly usage: (project: ProjectId, field: string) => Effect.Effect<FieldUsage>
    /**
     * Removes a custom field from all contacts, in steps that commit separately. Returns how many contacts had it. A
     * contact that gets the field while this runs may keep it.
     */
    readonly delete: (
      project: ProjectId,
      field: string
    ) => Effect.Effect<{ readonly deletedFrom: number }, ResourceInUse | ValidationError>
  }
>()("@posthorn/core/audience/contacts/fields/ContactFields") {}

/** The number of contacts that one step of a deletion changes. */
const step = 5_000
const maxValues = 200

/** How long a survey is cached, from its start. */
const lifetime = Duration.seconds(60)
/** Surveys of fewer contacts are fast and are not cached. */
const worthRemembering = 10_000
/** The maximum number of cached surveys in a process. */
const maxRemembered = 1_000

/** What the path names: a standard field, or the key of a custom field. */
const named = (field: string): { readonly field: string; readonly key?: string } => {
  if (isStandardField(field)) return { field }
  const key = field.startsWith("data.") ? field.slice("data.".length) : field
  return { field: `data.${key}`, key }
}

/** PostgreSQL cannot take any other text as a parameter, and no field has such a name. */
const isName = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

/** Whether a contact can have this key. PostgreSQL rejects some other texts as parameters. */
const isKey = (key: string | undefined): key is string => key !== undefined && /^[^\p{Cc}\p{Cs}]{1,100}$/u.test(key)

/** The values of a standard field that has a closed list of them. */
const wordsOf = (field: string): ReadonlyArray<string | boolean> | undefined => {
  const topic = topicKey(field)
  if (field === "subscribed" || topic?.isTaking) return [false, true]
  if (topic !== undefined) return choices.topic
  return field === "subscription" || field === "origin.source" ? choices[field] : undefined
}

export const layer: Layer.Layer<ContactFields, never, References | Segments | SqlClient.SqlClient | Transaction> =
  Layer.effect(
    ContactFields,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* ContactFieldStore.make
      const references = yield* References
      const segments = yield* Segments
      const transaction = yield* Transaction

      const survey = (project: ProjectId) =>
        Effect.flatMap(topicKeys(sql, project), (topics) => surveyFields(store, project, topics))

      const surveys = yield* Cache.makeWith(survey, {
        capacity: maxRemembered,
        timeToLive: (exit) =>
          Exit.isSuccess(exit) && exit.value.contacts > worthRemembering ? lifetime : Duration.zero
      })

      /** Returns the cached survey, or a new one if making it took so long that it has expired. */
      const recentSurvey = Effect.fnUntraced(function* (project: ProjectId) {
        const found = yield* Cache.get(surveys, project)
        const age = (yield* Clock.currentTimeMillis) - found.begun
        if (age <= Duration.toMillis(lifetime)) return found
        yield* Cache.invalidate(surveys, project)
        return yield* Cache.get(surveys, project)
      })

      const list = Effect.fn("ContactFields.list")(function* (project: ProjectId) {
        const { fields } = yield* recentSurvey(project)
        return { fields, count: fields.length }
      })

      const values = Effect.fn("ContactFields.values")(function* (
        project: ProjectId,
        given: string,
        { limit: wanted = 100 }: FieldValuesQuery
      ) {
        const { field, key } = named(given)
        const limit = Math.min(wanted, maxValues)
        const all = wordsOf(field) ?? (isKey(key) ? yield* store.values(project, key, limit) : [])
        const values = all.slice(0, limit)
        return { field, values, count: values.length, limit }
      })

      const usesOf = Effect.fnUntraced(function* (project: ProjectId, field: string) {
        if (!isName(field)) return { usedInSegments: [], usedInCampaigns: [], usedInWorkflows: [] }
        const topic = topicKey(field)
        const name = topic === undefined ? field : topicName(topic.key)
        const usedInSegments = yield* segments.naming(project, name)
        return { usedInSegments, ...(yield* references.ofField(project, name)) }
      })

      const usage = Effect.fn("ContactFields.usage")(function* (project: ProjectId, given: string) {
        const { field, key } = named(given)
        const uses = yield* usesOf(project, field)
        const contactCount =
          key === undefined
            ? yield* store.countContacts(project)
            : isKey(key)
              ? yield* store.countHaving(project, key)
              : 0
        const isUsed = Object.values(uses).some((users) => users.length > 0)
        return { field, ...uses, contactCount, canDelete: key !== undefined && !isUsed }
      })

      const remove = Effect.fn("ContactFields.delete")(function* (project: ProjectId, given: string) {
        const { field, key } = named(given)
        if (key === undefined) {
          const message = "A standard field cannot be deleted."
          return yield* ValidationError.one("field", "custom", message, { received: field })
        }
        const uses = yield* usesOf(project, field)
        if (Object.values(uses).some((users) => users.length > 0)) return yield* new ResourceInUse(uses)
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
