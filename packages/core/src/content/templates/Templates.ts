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
import type { WriteDraft } from "@posthorn/contract/content/templates/TemplateVersion"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import {
  type Conflict,
  ResourceInUse,
  type SenderDomainUnverified,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import { canonicalTag } from "@posthorn/contract/platform/LanguageTag"
import { mailboxOf } from "@posthorn/contract/platform/Mailbox"
import { Context, DateTime, Effect, Layer, Option, Record } from "effect"
import { SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import type { AudienceRules } from "../../audience/settings/AudienceRules.ts"
import * as TopicChoice from "../../audience/topics/TopicChoice.ts"
import { copyName } from "../../platform/CopyName.ts"
import { offsetPage, placeOf, sliceOf } from "../../platform/OffsetPages.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Partials } from "../partials/Partials.ts"
import { TextWork } from "../text/TextWork.ts"
import { author, requireVersion, type Versions, versioning } from "../versions/Versioning.ts"
import { type CompiledBodies, changesBodies, compilingOnce, requireBodies } from "./CompiledBody.ts"
import * as ConfirmationTemplate from "./ConfirmationTemplate.ts"
import { requireSize } from "./ContentSize.ts"
import { checkedContent, compiledDraft, draftProblems } from "./DraftProblems.ts"
import { type Compiler, MjmlCompiler } from "./MjmlCompiler.ts"
import { SenderDomains } from "./SenderDomains.ts"
import { type TemplateFields, TemplateStore } from "./TemplateStore.ts"
import { bare, requireSyntax } from "./TextSyntax.ts"

/** A service, because HTTP handlers, campaigns and workflows call it. */
export class Templates extends Context.Service<
  Templates,
  Versions<TemplateId, Template, TemplateContent, WriteDraft, TemplateNotFound, SenderDomainUnverified> & {
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
  }
>()("@posthorn/core/content/templates/Templates") {}

/** In code points. */
const maxName = 100

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

export const layer: Layer.Layer<
  Templates,
  never,
  | AudienceRules
  | Partials
  | SecureRandom.SecureRandom
  | SenderDomains
  | SqlClient.SqlClient
  | TemplateStore
  | Transaction
> = Layer.effect(
  Templates,
  Effect.gen(function* () {
    const store = yield* TemplateStore
    const work = yield* TextWork
    const mjml = yield* MjmlCompiler
    const senders = yield* SenderDomains
    const partials = yield* Partials
    const confirmation = yield* ConfirmationTemplate.make
    const random = yield* SecureRandom.SecureRandom
    const transaction = yield* Transaction
    const topics = yield* TopicChoice.make

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
      const type = input.type ?? "MARKETING"
      yield* requireSyntax(work, input, yield* partials.hold(project, [input], layout))
      const fields = {
        ...input,
        ...bodies,
        ...senderIn(input.from, input.fromName ?? null),
        description: input.description ?? null,
        alias: input.alias ?? null,
        text: input.text ?? null,
        replyTo: input.replyTo ?? null,
        type,
        topicId: yield* topics.choose(project, { type, topicId: input.topicId ?? null }),
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
      const { expectedVersion, from, format: _f, source: _s, body: _b, translations: _t, topicId, ...others } = input
      const template = yield* lock(project, id)
      const sender = from === undefined ? undefined : mailboxOf(from)
      const changes = {
        ...others,
        ...((topicId !== undefined || input.type !== undefined) && {
          topicId: yield* topics.choose(project, { type: input.type ?? template.type, topicId }, template.topicId)
        }),
        ...(sender && { from: sender.email }),
        ...(sender?.name !== undefined && { fromName: sender.name }),
        ...(changesBodies(input) && (yield* requireBodies(compiler, input, template)))
      }
      yield* requireSize({ ...template, ...changes })
      if (sender !== undefined) yield* senders.holdVerified(project, sender.email)
      yield* confirmation.requireLink(project, id, { ...template, ...changes })
      yield* requireVersion(template, expectedVersion)
      const origin = { actor: yield* author }
      return yield* Effect.flatMap(store.update(project, id, changes, yield* DateTime.now, origin), found(id))
    })

    const remove = Effect.fn("Templates.delete")(function* (project: ProjectId, id: TemplateId) {
      // Deletes first, so that it waits for transactions that are about to use the template.
      const deleted = yield* store.delete(project, id)
      if (!deleted) return yield* new TemplateNotFound({ id })
      if (yield* confirmation.isUsed(project, id)) {
        return yield* new ResourceInUse({ settings: ["doubleOptIn.templateId"] })
      }
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
      const isFree = references.workflowSteps.length === 0 && !(yield* confirmation.isUsed(project, id))
      return { ...references, canDelete: isFree }
    })

    /** Whether the topic of the template fits the type of a version. */
    const typeFaults = (project: ProjectId, live: Template, { type }: TemplateContent) =>
      type === live.type
        ? Effect.succeed([])
        : topics.requireFit(project, type, live.topicId).pipe(
            Effect.as([]),
            Effect.catch(({ errors }) => Effect.succeed(errors))
          )

    const versions = yield* versioning({
      resource: "template",
      store,
      missing: (id: TemplateId) => new TemplateNotFound({ id }),
      hold: store.hold,
      lock: store.lock,
      contentOfDraft,
      admitDraft: Effect.fnUntraced(function* (project, content) {
        yield* requireSize(content)
        yield* partials.hold(project, [content], content.layout)
      }),
      compiler: () => {
        const compiler = compilingOnce(mjml)
        return (content) => compiledDraft(compiler, content)
      },
      problems: Effect.fnUntraced(function* (project, live, { content, faults }) {
        const around = yield* partials.around(project, [content], content.layout)
        const known = [...faults, ...(yield* typeFaults(project, live, content))]
        return yield* draftProblems(work, senders, project, content, around, known)
      }),
      requireSound: Effect.fnUntraced(function* (project, live, compiled) {
        const { content: given } = compiled
        const around = yield* partials.hold(project, [given], given.layout)
        const known = [...compiled.faults, ...(yield* typeFaults(project, live, given))]
        const { content, faults } = yield* checkedContent(work, given, around, known)
        if (faults.length > 0) return yield* new ValidationError({ errors: faults })
        yield* senders.holdVerified(project, content.from)
        yield* confirmation.requireLink(project, live.id, content)
        return content
      })
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
      ...versions
    })
  })
)
