/** Content that is written once and rendered for each recipient. */

import {
  type CreateTemplate,
  type Template,
  type TemplateContent,
  TemplateId,
  TemplateNotFound,
  type TemplatePage,
  type TemplateQuery,
  type TemplateUsage,
  type UpdateTemplate
} from "@posthorn/contract/content/templates/Template"
import type {
  PublishDraft,
  RestoreVersion,
  TemplateDraft,
  TemplateVersionPage,
  VersionActor,
  VersionQuery,
  WriteDraft
} from "@posthorn/contract/content/templates/TemplateVersion"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import {
  Conflict,
  type Fault,
  ResourceInUse,
  ResourceNotFound,
  type SenderDomainUnverified,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import { canonicalTag } from "@posthorn/contract/platform/LanguageTag"
import { mailboxOf } from "@posthorn/contract/platform/Mailbox"
import { Context, DateTime, Effect, Layer, Option, Record } from "effect"
import { SecureRandom } from "effect/crypto"
import { acting } from "../../platform/audit/Audited.ts"
import { copyName } from "../../platform/CopyName.ts"
import { offsetPage, placeOf, sliceOf } from "../../platform/OffsetPages.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Partials } from "../partials/Partials.ts"
import { TextWork } from "../text/TextWork.ts"
import { type CompiledBodies, changesBodies, compilingOnce, requireBodies } from "./CompiledBody.ts"
import { requireSize } from "./ContentSize.ts"
import { checkedContent, compiledDraft, draftProblems } from "./DraftProblems.ts"
import { type Compiler, MjmlCompiler } from "./MjmlCompiler.ts"
import { SenderDomains } from "./SenderDomains.ts"
import { type StoredDraft, type TemplateFields, TemplateStore } from "./TemplateStore.ts"
import { bare, requireSyntax } from "./TextSyntax.ts"

type NoPart = ResourceNotFound | TemplateNotFound

/** A service, because HTTP handlers, campaigns and workflows call it. */
export class Templates extends Context.Service<
  Templates,
  {
    readonly list: (project: ProjectId, query: TemplateQuery) => Effect.Effect<TemplatePage>
    /** `type` defaults to MARKETING. */
    readonly create: (
      project: ProjectId,
      input: CreateTemplate
    ) => Effect.Effect<Template, Conflict | SenderDomainUnverified | ValidationError>
    readonly get: (project: ProjectId, id: TemplateId) => Effect.Effect<Template, TemplateNotFound>
    /**
     * As `get`, for a caller that will refer to the template. The template cannot be deleted until the transaction
     * ends.
     */
    readonly hold: (project: ProjectId, id: TemplateId) => Effect.Effect<Template, TemplateNotFound>
    /**
     * Changes the given fields. Changed content is a new version, which is live at once. Mail that is already rendered
     * keeps its content. If `from` is given, its domain is checked.
     */
    readonly update: (
      project: ProjectId,
      id: TemplateId,
      input: UpdateTemplate
    ) => Effect.Effect<Template, Conflict | SenderDomainUnverified | TemplateNotFound | ValidationError>
    /** Fails while a workflow step uses the template. */
    readonly delete: (project: ProjectId, id: TemplateId) => Effect.Effect<void, TemplateNotFound | ResourceInUse>
    /** A copy with a unique name. Its sender domain is not checked, because sending checks it. */
    readonly duplicate: (project: ProjectId, id: TemplateId) => Effect.Effect<Template, TemplateNotFound>
    readonly usage: (project: ProjectId, id: TemplateId) => Effect.Effect<TemplateUsage, TemplateNotFound>
    /** Newest first. */
    readonly versions: (
      project: ProjectId,
      id: TemplateId,
      query: VersionQuery
    ) => Effect.Effect<TemplateVersionPage, TemplateNotFound>
    /** The template with the content of a version. */
    readonly version: (project: ProjectId, id: TemplateId, version: string) => Effect.Effect<Template, NoPart>
    /** Makes a new version with the content of an earlier one. None if the live version has that content. */
    readonly restore: (
      project: ProjectId,
      id: TemplateId,
      version: string,
      input: RestoreVersion
    ) => Effect.Effect<Template, Conflict | NoPart | SenderDomainUnverified | ValidationError>
    readonly draft: (project: ProjectId, id: TemplateId) => Effect.Effect<TemplateDraft, NoPart>
    /** Replaces the draft. What is absent is as in the live version. */
    readonly saveDraft: (
      project: ProjectId,
      id: TemplateId,
      input: WriteDraft
    ) => Effect.Effect<TemplateDraft, TemplateNotFound | ValidationError>
    readonly deleteDraft: (project: ProjectId, id: TemplateId) => Effect.Effect<void, NoPart>
    /** Makes the draft the next version, and deletes it. */
    readonly publish: (
      project: ProjectId,
      id: TemplateId,
      input: PublishDraft
    ) => Effect.Effect<Template, Conflict | SenderDomainUnverified | TemplateNotFound | ValidationError>
  }
>()("@posthorn/core/content/templates/Templates") {}

/** In code points. */
const maxName = 100

/** The caller, as the author of a version. */
const author: Effect.Effect<VersionActor> = Effect.map(acting, ({ actor, user }) =>
  actor === "user"
    ? { type: "member", ...(user !== null && { userId: user }) }
    : { type: actor === "key" ? actor : "service" }
)

/** The sender of a text that may have a display name, which takes precedence. */
const senderIn = (from: string, fromName: string | null) => {
  const { email, name } = mailboxOf(from)
  return { from: email, fromName: name ?? fromName }
}

/**
 * The content of a template with that of a draft, which is neither checked nor compiled. Bodies of an MJML draft are
 * empty unless they are given, which is a problem of the draft.
 */
const contentOfDraft = (template: Template, { translations, ...input }: WriteDraft): TemplateContent => {
  const { subject, text, from, fromName, replyTo, type, language, layout, strict } = template
  const format = input.format ?? template.format
  const isMjml = format === "MJML"
  const content = {
    subject,
    text,
    from,
    fromName,
    replyTo,
    type,
    language,
    layout,
    strict,
    ...input,
    format,
    body: input.body ?? (isMjml ? "" : template.body),
    source: input.source === undefined ? (isMjml ? template.source : null) : input.source,
    translations: translations === undefined ? uncompiled(template.translations, isMjml) : completed(translations)
  }
  return { ...content, ...senderIn(content.from, content.fromName) }
}

type DraftTranslations = TemplateContent["translations"]

const uncompiled = (translations: DraftTranslations, isMjml: boolean): DraftTranslations =>
  Record.map(translations, ({ source, ...texts }) =>
    isMjml ? { ...texts, body: "", ...(source !== undefined && { source }) } : texts
  )

/** Missing texts are empty. They are problems of the draft. */
const completed = (given: NonNullable<WriteDraft["translations"]>): DraftTranslations =>
  Object.fromEntries(
    Object.entries(given).flatMap(([tag, texts]) => {
      if (texts === null) return []
      const { subject, body, source, text } = texts
      const complete = { subject: subject ?? "", body: body ?? "", text: text ?? null }
      return [[canonicalTag(tag), source == null ? complete : { ...complete, source }]]
    })
  )

const hasSource = ({ source, translations }: UpdateTemplate): boolean =>
  source != null || Object.values(translations ?? {}).some((texts) => texts?.source != null)

const versionForm = /^[1-9]\d{0,8}$/

export const layer: Layer.Layer<
  Templates,
  never,
  Partials | SecureRandom.SecureRandom | SenderDomains | TemplateStore | Transaction
> = Layer.effect(
  Templates,
  Effect.gen(function* () {
    const store = yield* TemplateStore
    const work = yield* TextWork
    const mjml = yield* MjmlCompiler
    const senders = yield* SenderDomains
    const partials = yield* Partials
    const random = yield* SecureRandom.SecureRandom
    const transaction = yield* Transaction

    const list = Effect.fn("Templates.list")(function* (project: ProjectId, query: TemplateQuery) {
      const { type, search, sort = "createdAt", dir = "desc" } = query
      const filter = { ...(type && { type }), ...(search && { search }) }
      const place = placeOf(query)
      const data = yield* store.list(project, filter, { sort, dir }, sliceOf(place))
      return offsetPage(place, data, yield* store.count(project, filter))
    })

    const insert = Effect.fnUntraced(function* (project: ProjectId, fields: TemplateFields) {
      const id = TemplateId.make(yield* random.uuidV7())
      return yield* store.insert(project, id, fields, yield* DateTime.now, { actor: yield* author })
    })

    const create = Effect.fn("Templates.create")(function* (project: ProjectId, input: CreateTemplate) {
      const bodies = yield* requireBodies(mjml, input)
      return yield* transaction.run(insertNew(project, input, bodies))
    })

    const insertNew = Effect.fnUntraced(function* (project: ProjectId, input: CreateTemplate, bodies: CompiledBodies) {
      const layout = input.layout ?? null
      yield* requireSyntax(work, input, yield* partials.hold(project, [input], layout))
      const fields = {
        ...input,
        ...bodies,
        ...senderIn(input.from, input.fromName ?? null),
        description: input.description ?? null,
        alias: input.alias ?? null,
        text: input.text ?? null,
        replyTo: input.replyTo ?? null,
        type: input.type ?? "MARKETING",
        language: input.language ?? null,
        layout,
        strict: input.strict ?? false
      }
      yield* requireSize(fields)
      yield* senders.holdVerified(project, fields.from)
      return yield* insert(project, fields)
    })

    const found = (id: TemplateId) => (template: Option.Option<Template>) =>
      Option.isSome(template) ? Effect.succeed(template.value) : Effect.fail(new TemplateNotFound({ id }))

    const get = Effect.fn("Templates.get")((project: ProjectId, id: TemplateId) =>
      Effect.flatMap(store.find(project, id), found(id))
    )

    const hold = Effect.fn("Templates.hold")((project: ProjectId, id: TemplateId) =>
      Effect.flatMap(store.hold(project, id), found(id))
    )

    /** The template, which no other request changes until the transaction ends. */
    const lock = (project: ProjectId, id: TemplateId) => Effect.flatMap(store.lock(project, id), found(id))

    const requireVersion = ({ version }: Template, expected: number | null | undefined) =>
      expected == null || expected === version
        ? Effect.void
        : Effect.fail(new Conflict({ reason: "version_changed", version }))

    /** Holds what the change names. Texts that it does not change hold their partials already. */
    const holdPartials = Effect.fnUntraced(function* (project: ProjectId, id: TemplateId, input: UpdateTemplate) {
      const { text, layout } = input
      if (layout !== undefined) return yield* partials.hold(project, [input], layout)
      if (text === undefined && !changesBodies(input)) return bare
      const stored = Option.getOrUndefined(yield* store.find(project, id))
      return yield* partials.hold(project, [input], stored?.layout ?? null)
    })

    const update = Effect.fn("Templates.update")(function* (project: ProjectId, id: TemplateId, input: UpdateTemplate) {
      const compiler = compilingOnce(mjml)
      if (hasSource(input)) yield* requireBodies(compiler, input, yield* get(project, id))
      return yield* transaction.run(change(project, id, input, compiler))
    })

    const change = Effect.fnUntraced(function* (
      project: ProjectId,
      id: TemplateId,
      input: UpdateTemplate,
      compiler: Compiler
    ) {
      yield* requireSyntax(work, input, yield* holdPartials(project, id, input))
      const { expectedVersion, from, format: _f, source: _s, body: _b, translations: _t, ...others } = input
      const template = yield* lock(project, id)
      const sender = from === undefined ? undefined : mailboxOf(from)
      const changes = {
        ...others,
        ...(sender && { from: sender.email }),
        ...(sender?.name !== undefined && { fromName: sender.name }),
        ...(changesBodies(input) && (yield* requireBodies(compiler, input, template)))
      }
      yield* requireSize({ ...template, ...changes })
      if (sender !== undefined) yield* senders.holdVerified(project, sender.email)
      yield* requireVersion(template, expectedVersion)
      const origin = { actor: yield* author }
      return yield* Effect.flatMap(store.update(project, id, changes, yield* DateTime.now, origin), found(id))
    })

    const remove = Effect.fn("Templates.delete")(function* (project: ProjectId, id: TemplateId) {
      // Deletes first, so that it waits for transactions that are about to use the template.
      const deleted = yield* store.delete(project, id)
      if (!deleted) return yield* new TemplateNotFound({ id })
      const { workflowSteps } = yield* store.references(project, id)
      if (workflowSteps.length > 0) {
        const workflows = workflowSteps.map(({ workflowId, workflowName, stepId }) => ({
          id: workflowId,
          name: workflowName,
          stepId
        }))
        return yield* new ResourceInUse({ workflows })
      }
    }, transaction.run)

    const duplicate = Effect.fn("Templates.duplicate")(function* (project: ProjectId, id: TemplateId) {
      const original = yield* get(project, id)
      const name = copyName(original.name, maxName)
      return yield* Effect.orDie(insert(project, { ...original, name, alias: null }))
    })

    const usage = Effect.fn("Templates.usage")(function* (project: ProjectId, id: TemplateId) {
      yield* get(project, id)
      const references = yield* store.references(project, id)
      return { ...references, canDelete: references.workflowSteps.length === 0 }
    })

    const versions = Effect.fn("Templates.versions")(function* (
      project: ProjectId,
      id: TemplateId,
      query: VersionQuery
    ) {
      const { version: live } = yield* get(project, id)
      const place = placeOf(query)
      const data = yield* store.versions(project, id, sliceOf(place))
      const total = yield* store.countVersions(project, id)
      return offsetPage(
        place,
        data.map((each) => ({ ...each, live: each.version === live })),
        total
      )
    })

    const contentAt = Effect.fnUntraced(function* (project: ProjectId, id: TemplateId, version: string) {
      const content = versionForm.test(version) ? yield* store.version(project, id, Number(version)) : Option.none()
      if (Option.isSome(content)) return content.value
      return yield* new ResourceNotFound({ resource: "template_version", id: version })
    })

    const version = Effect.fn("Templates.version")(function* (project: ProjectId, id: TemplateId, version: string) {
      const template = yield* get(project, id)
      return { ...template, ...(yield* contentAt(project, id, version)), version: Number(version) }
    })

    /** The content, unless it may not or no longer be saved. */
    const requireSound = Effect.fnUntraced(function* (
      project: ProjectId,
      given: TemplateContent,
      known: ReadonlyArray<Fault> = []
    ) {
      const around = yield* partials.hold(project, [given], given.layout)
      const { content, faults } = yield* checkedContent(work, given, around, known)
      if (faults.length > 0) return yield* new ValidationError({ errors: faults })
      yield* senders.holdVerified(project, content.from)
      return content
    })

    const restore = Effect.fn("Templates.restore")(function* (
      project: ProjectId,
      id: TemplateId,
      version: string,
      { expectedVersion }: RestoreVersion
    ) {
      const template = yield* lock(project, id)
      const content = yield* requireSound(project, yield* contentAt(project, id, version))
      yield* requireVersion(template, expectedVersion)
      const entry = { action: "template.restored", live: template.version } as const
      const origin = { actor: yield* author, restoredFrom: Number(version), entry }
      return yield* Effect.flatMap(store.update(project, id, content, yield* DateTime.now, origin), found(id))
    }, transaction.run)

    const viewOf = Effect.fnUntraced(function* (
      project: ProjectId,
      { content: written, basedOn, updatedAt }: StoredDraft
    ) {
      const { faults, content } = yield* compiledDraft(mjml, written)
      const around = yield* partials.around(project, [content], content.layout)
      const problems = yield* draftProblems(work, senders, project, content, around, faults)
      return { ...content, basedOn, updatedAt, problems }
    })

    const noDraft = (id: TemplateId) => new ResourceNotFound({ resource: "draft", id })

    const draft = Effect.fn("Templates.draft")(function* (project: ProjectId, id: TemplateId) {
      yield* get(project, id)
      const draft = yield* store.draft(project, id)
      if (Option.isNone(draft)) return yield* noDraft(id)
      return yield* viewOf(project, draft.value)
    })

    const storeDraft = Effect.fnUntraced(function* (project: ProjectId, id: TemplateId, input: WriteDraft) {
      const template = yield* hold(project, id)
      const content = contentOfDraft(template, input)
      yield* requireSize(content)
      const draft = { content, basedOn: template.version, updatedAt: yield* DateTime.now }
      yield* partials.hold(project, [content], content.layout)
      yield* store.saveDraft(project, id, draft)
      return draft
    }, transaction.run)

    const saveDraft = Effect.fn("Templates.saveDraft")((project: ProjectId, id: TemplateId, input: WriteDraft) =>
      Effect.flatMap(storeDraft(project, id, input), (draft) => viewOf(project, draft))
    )

    const deleteDraft = Effect.fn("Templates.deleteDraft")(function* (project: ProjectId, id: TemplateId) {
      yield* get(project, id)
      if (!(yield* store.deleteDraft(project, id))) return yield* noDraft(id)
    })

    const publish = Effect.fn("Templates.publish")(function* (project: ProjectId, id: TemplateId, input: PublishDraft) {
      const compiler = compilingOnce(mjml)
      const draft = yield* store.draft(project, id)
      if (Option.isSome(draft)) yield* compiledDraft(compiler, draft.value.content)
      return yield* transaction.run(goLive(project, id, input, compiler))
    })

    const goLive = Effect.fnUntraced(function* (
      project: ProjectId,
      id: TemplateId,
      { force }: PublishDraft,
      compiler: Compiler
    ) {
      const template = yield* lock(project, id)
      const draft = yield* store.draft(project, id)
      if (Option.isNone(draft)) return yield* new Conflict({ reason: "no_draft" })
      const compiled = yield* compiledDraft(compiler, draft.value.content)
      const content = yield* requireSound(project, compiled.content, compiled.faults)
      if (force !== true) yield* requireVersion(template, draft.value.basedOn)
      yield* store.deleteDraft(project, id)
      const entry = { action: "template.published", live: template.version } as const
      const origin = { actor: yield* author, entry }
      return yield* Effect.flatMap(store.update(project, id, content, yield* DateTime.now, origin), found(id))
    })

    return Templates.of({
      list,
      create,
      get,
      hold,
      update,
      delete: remove,
      duplicate,
      usage,
      versions,
      version,
      restore,
      draft,
      saveDraft,
      deleteDraft,
      publish
    })
  })
)
