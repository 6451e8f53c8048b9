/** Sign-up forms, as their owners see and change them. */
import {
  type CreateForm,
  defaultTextLength,
  type Form,
  type FormField,
  type FormFieldInput,
  FormId,
  type FormSnippet,
  type FormTexts,
  type FormTextsInput,
  maxForms,
  type UpdateForm
} from "@posthorn/contract/audience/forms/Form"
import { SegmentId } from "@posthorn/contract/audience/segments/Segment"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Conflict, type Fault, ResourceNotFound, ValidationError } from "@posthorn/contract/platform/Errors"
import { DateTime, Effect, Equal, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { SqlClient } from "effect/sql"
import { recorded } from "../../platform/audit/Audited.ts"
import { Settings } from "../../platform/Settings.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Segments } from "../segments/Segments.ts"
import { freeSlug, keyFrom } from "../segments/Slug.ts"
import { AudienceRules, senderFaults } from "../settings/AudienceRules.ts"
import { Topics } from "../topics/Topics.ts"
import { snippetOf } from "./FormSnippet.ts"
import * as FormStore from "./FormStore.ts"
import { spokenIn } from "./FormTexts.ts"

export interface Forms {
  /** Newest first. */
  readonly list: (project: ProjectId) => Effect.Effect<ReadonlyArray<Form>>
  readonly create: (project: ProjectId, input: CreateForm) => Effect.Effect<Form, Conflict | ValidationError>
  readonly get: (project: ProjectId, id: FormId) => Effect.Effect<Form, ResourceNotFound>
  /** Changes the given fields. A change of what the form shows gives it the next version. */
  readonly update: (
    project: ProjectId,
    id: FormId,
    input: UpdateForm
  ) => Effect.Effect<Form, Conflict | ResourceNotFound | ValidationError>
  /** Contacts, events and records of consent keep the id of the form. */
  readonly remove: (project: ProjectId, id: FormId) => Effect.Effect<void, ResourceNotFound>
  readonly snippet: (project: ProjectId, id: FormId) => Effect.Effect<FormSnippet, ResourceNotFound>
}

const fieldOf = ({ key, label, type, required, maxLength, options }: FormFieldInput): FormField => {
  const kind = type ?? "text"
  const isText = kind === "text" || kind === "hidden"
  return {
    key,
    label,
    type: kind,
    required: required ?? false,
    maxLength: isText ? (maxLength ?? defaultTextLength) : null,
    options: kind === "select" ? (options ?? []) : []
  }
}

const textsOf = (given: FormTextsInput | null | undefined): FormTexts => ({
  title: given?.title ?? null,
  description: given?.description || null,
  button: given?.button ?? null,
  success: given?.success || null,
  consentText: given?.consentText || null
})

type Changes = Omit<CreateForm, "key" | "name">

const custom = (field: string, message: string): Fault => ({ field, code: "custom", message })

export type Needs = AudienceRules | SecureRandom.SecureRandom | Segments | SqlClient.SqlClient | Topics | Transaction

export const make: Effect.Effect<Forms, never, Needs> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const store = FormStore.make(sql)
  const random = yield* SecureRandom.SecureRandom
  const rules = yield* AudienceRules
  const segments = yield* Segments
  const topics = yield* Topics
  const transaction = yield* Transaction
  const audit = recorded(sql)
  const { publicUrl } = yield* Settings

  /** Topics that are deleted meanwhile are gone from the form too. */
  const recordsOf = Effect.fnUntraced(function* (project: ProjectId, stored: ReadonlyArray<FormStore.StoredForm>) {
    const named = yield* topics.resolve(
      project,
      stored.flatMap(({ settings }) => settings.topics.map(({ id }) => id))
    )
    return stored.map(({ settings, ...form }): Form => {
      const offered = settings.topics.flatMap(({ id, mode }) => {
        const topic = named.get(id)
        return topic === undefined ? [] : [{ key: topic.key, mode }]
      })
      return { ...form, ...settings, topics: offered }
    })
  })

  const recordOf = (project: ProjectId, stored: FormStore.StoredForm) =>
    Effect.map(recordsOf(project, [stored]), ([form]) => form as Form)

  const found = (id: FormId, lock = false) =>
    Effect.fnUntraced(function* (project: ProjectId) {
      const stored = yield* store.find(project, id, lock)
      return Option.isSome(stored) ? stored.value : yield* new ResourceNotFound({ resource: "form", id })
    })

  const list = Effect.fn("Forms.list")(function* (project: ProjectId) {
    return yield* recordsOf(project, yield* store.list(project))
  })

  const get = Effect.fn("Forms.get")(function* (project: ProjectId, id: FormId) {
    return yield* recordOf(project, yield* found(id)(project))
  })

  const topicsOf = Effect.fnUntraced(function* (project: ProjectId, given: Changes["topics"]) {
    const offers = given ?? []
    const known = yield* topics.resolve(
      project,
      offers.map(({ key }) => key)
    )
    const faults = offers.flatMap(({ key }, at): ReadonlyArray<Fault> => {
      const topic = known.get(key)
      const first = offers.findIndex((other) => known.get(other.key)?.id === topic?.id)
      const field = `topics.${at}.key`
      if (topic === undefined) return [custom(field, "No topic has this key.")]
      if (topic.archived) return [custom(field, "This topic is archived.")]
      if (topic.visibility !== "public") return [custom(field, "A form offers public topics only.")]
      return first < at ? [custom(field, "The form has this topic already.")] : []
    })
    const chosen = offers.flatMap(({ key, mode }) => {
      const topic = known.get(key)
      return topic === undefined ? [] : [{ id: topic.id as string, mode }]
    })
    return { faults, chosen }
  })

  /** Locks the segments, so that none of them is deleted until the form is stored. */
  const segmentFaults = Effect.fnUntraced(function* (project: ProjectId, ids: ReadonlyArray<string>) {
    const checked = yield* Effect.forEach([...ids].sort(), (id) =>
      segments.holdStatic(project, SegmentId.make(id)).pipe(
        Effect.as(undefined),
        Effect.catchTags({
          SEGMENT_NOT_FOUND: () => Effect.succeed("No segment has this id."),
          CONFLICT: () => Effect.succeed("Only a static segment can be joined.")
        }),
        Effect.map((message) => (message === undefined ? [] : [custom(`segmentIds.${ids.indexOf(id)}`, message)]))
      )
    )
    return checked.flat()
  })

  /** The settings with the given changes. Null gives the default. */
  const changed = Effect.fnUntraced(function* (
    project: ProjectId,
    before: FormStore.FormSettings,
    given: Changes
  ): Effect.fn.Return<FormStore.FormSettings, ValidationError> {
    const defaults = FormStore.defaultSettings
    const pick = <K extends keyof FormStore.FormSettings & keyof Changes>(
      name: K,
      value: FormStore.FormSettings[K] | null | undefined
    ) => (given[name] === undefined ? before[name] : (value ?? defaults[name]))
    const segmentIds = [...new Set(given.segmentIds ?? [])]
    const held = given.segmentIds == null ? [] : yield* segmentFaults(project, segmentIds)
    const sender = given.doubleOptIn === true ? senderFaults(yield* rules.hold(project)) : []
    const { chosen, faults } = yield* topicsOf(project, given.topics)
    const settings: FormStore.FormSettings = {
      enabled: pick("enabled", given.enabled),
      fields: pick("fields", given.fields?.map(fieldOf)),
      subscribe: pick("subscribe", given.subscribe),
      topics: pick("topics", chosen),
      segmentIds: pick("segmentIds", segmentIds),
      doubleOptIn: pick("doubleOptIn", given.doubleOptIn),
      texts: pick("texts", textsOf(given.texts)),
      translations: pick(
        "translations",
        Object.fromEntries(Object.entries(given.translations ?? {}).map(([tag, texts]) => [tag, textsOf(texts)]))
      ),
      consentRequired: pick("consentRequired", given.consentRequired),
      redirectUrl: pick("redirectUrl", given.redirectUrl),
      confirmedRedirectUrl: pick("confirmedRedirectUrl", given.confirmedRedirectUrl),
      allowedOrigins: pick("allowedOrigins", [...new Set(given.allowedOrigins ?? [])]),
      requireTicket: pick("requireTicket", given.requireTicket)
    }
    const unsaid: ReadonlyArray<Fault> =
      settings.consentRequired && settings.texts.consentText === null
        ? [{ field: "texts.consentText", code: "required", message: "The box needs a text." }]
        : []
    const errors = [...faults, ...held, ...sender, ...unsaid]
    if (errors.length > 0) return yield* new ValidationError({ errors })
    return settings
  })

  const create = Effect.fn("Forms.create")(function* (project: ProjectId, { key, name, ...input }: CreateForm) {
    yield* store.lock(project)
    const stored = yield* store.list(project)
    if (stored.length >= maxForms) {
      return yield* ValidationError.one("name", "too_big", `A project has at most ${maxForms} forms.`)
    }
    const taken = new Set(stored.map((form) => form.key))
    if (key != null && taken.has(key)) return yield* new Conflict({ reason: "key_taken" })
    const form = {
      id: FormId.make(yield* random.uuidV7()),
      projectId: project,
      publicId: Base64Url.encode(yield* random.randomBytes(16)),
      key: key ?? freeSlug(keyFrom(name, "form"), taken),
      name,
      settings: yield* changed(project, FormStore.defaultSettings, input)
    }
    yield* store.insert(form, yield* DateTime.now)
    yield* audit({ project, action: "form.created", details: { formId: form.id, key: form.key } })
    return yield* Effect.orDie(get(project, form.id))
  }, transaction.run)

  const update = Effect.fn("Forms.update")(function* (project: ProjectId, id: FormId, input: UpdateForm) {
    const { key, ifUpdatedAt, ...given } = input
    // Segments and settings are locked before the form.
    const peeked = yield* found(id)(project)
    const settings = yield* changed(project, peeked.settings, given)
    const before = yield* found(id, true)(project)
    if (ifUpdatedAt != null && !DateTime.Equivalence(ifUpdatedAt, before.updatedAt)) {
      return yield* new Conflict({ reason: "changed_meanwhile", updatedAt: before.updatedAt })
    }
    if (key !== undefined && key !== before.key) {
      return yield* ValidationError.one("key", "custom", "The key of a form never changes.")
    }
    // Another request changed the form since it was read, so the settings are computed again.
    const current = DateTime.Equivalence(peeked.updatedAt, before.updatedAt)
      ? settings
      : yield* changed(project, before.settings, given)
    const after = { ...before, name: given.name ?? before.name, settings: current }
    if (after.name === before.name && Equal.equals(after.settings, before.settings)) {
      return yield* recordOf(project, before)
    }
    const isShownAnew = !Equal.equals(FormStore.shownOf(after), FormStore.shownOf(before))
    yield* store.update({ ...after, version: before.version + (isShownAnew ? 1 : 0) }, yield* DateTime.now)
    yield* audit({ project, action: "form.changed", details: { formId: id, key: before.key } })
    return yield* get(project, id)
  }, transaction.run)

  const remove = Effect.fn("Forms.remove")(function* (project: ProjectId, id: FormId) {
    const { key } = yield* found(id, true)(project)
    yield* store.remove(project, id)
    yield* audit({ project, action: "form.deleted", details: { formId: id, key } })
  }, transaction.run)

  const snippet = Effect.fn("Forms.snippet")(function* (project: ProjectId, id: FormId) {
    const form = yield* found(id)(project)
    const offered = yield* topics.resolve(
      project,
      form.settings.topics.map((topic) => topic.id)
    )
    return snippetOf(
      publicUrl,
      form,
      spokenIn(FormStore.shownOf(form), [...offered.values()], ""),
      yield* store.language(project)
    )
  })

  return { list, create, get, update, remove, snippet } satisfies Forms
})
