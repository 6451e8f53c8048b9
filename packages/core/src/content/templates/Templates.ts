/** Content that is written once and rendered for each recipient. */

import {
  type CreateTemplate,
  type Template,
  TemplateId,
  TemplateNotFound,
  type TemplatePage,
  type TemplateQuery,
  type TemplateUsage,
  type UpdateTemplate
} from "@posthorn/contract/content/templates/Template"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { SenderDomainUnverified } from "@posthorn/contract/platform/Errors"
import { ResourceInUse, type ValidationError } from "@posthorn/contract/platform/Errors"
import { mailboxOf } from "@posthorn/contract/platform/Mailbox"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { copyName } from "../../platform/CopyName.ts"
import { offsetPage, placeOf, sliceOf } from "../../platform/OffsetPages.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { TextWork } from "../text/TextWork.ts"
import { SenderDomains } from "./SenderDomains.ts"
import { type TemplateContent, TemplateStore } from "./TemplateStore.ts"
import { requireSyntax } from "./TextSyntax.ts"

/** A service, because HTTP handlers, campaigns and workflows call it. */
export class Templates extends Context.Service<
  Templates,
  {
    readonly list: (project: ProjectId, query: TemplateQuery) => Effect.Effect<TemplatePage>
    /** `type` defaults to MARKETING. */
    readonly create: (
      project: ProjectId,
      input: CreateTemplate
    ) => Effect.Effect<Template, ValidationError | SenderDomainUnverified>
    readonly get: (project: ProjectId, id: TemplateId) => Effect.Effect<Template, TemplateNotFound>
    /**
     * As `get`, for a caller that will refer to the template. The template cannot be deleted until the transaction
     * ends.
     */
    readonly hold: (project: ProjectId, id: TemplateId) => Effect.Effect<Template, TemplateNotFound>
    /**
     * Changes the given fields. Mail that is already rendered keeps its content. If `from` is given, its domain is
     * checked.
     */
    readonly update: (
      project: ProjectId,
      id: TemplateId,
      input: UpdateTemplate
    ) => Effect.Effect<Template, ValidationError | TemplateNotFound | SenderDomainUnverified>
    /** Fails while a workflow step uses the template. */
    readonly delete: (project: ProjectId, id: TemplateId) => Effect.Effect<void, TemplateNotFound | ResourceInUse>
    /** A copy with a unique name. Its sender domain is not checked, because sending checks it. */
    readonly duplicate: (project: ProjectId, id: TemplateId) => Effect.Effect<Template, TemplateNotFound>
    readonly usage: (project: ProjectId, id: TemplateId) => Effect.Effect<TemplateUsage, TemplateNotFound>
  }
>()("@posthorn/core/content/templates/Templates") {}

/** In code points. */
const maxName = 100

export const layer: Layer.Layer<
  Templates,
  never,
  SecureRandom.SecureRandom | SenderDomains | TemplateStore | Transaction
> = Layer.effect(
  Templates,
  Effect.gen(function* () {
    const store = yield* TemplateStore
    const work = yield* TextWork
    const senders = yield* SenderDomains
    const random = yield* SecureRandom.SecureRandom
    const transaction = yield* Transaction

    const list = Effect.fn("Templates.list")(function* (project: ProjectId, query: TemplateQuery) {
      const { type, search, sort = "createdAt", dir = "desc" } = query
      const filter = { ...(type && { type }), ...(search && { search }) }
      const place = placeOf(query)
      const data = yield* store.list(project, filter, { sort, dir }, sliceOf(place))
      return offsetPage(place, data, yield* store.count(project, filter))
    })

    const insert = Effect.fnUntraced(function* (project: ProjectId, content: TemplateContent) {
      const id = TemplateId.make(yield* random.uuidV7())
      return yield* store.insert(project, id, content, yield* DateTime.now)
    })

    const create = Effect.fn("Templates.create")(function* (project: ProjectId, input: CreateTemplate) {
      yield* requireSyntax(work, input)
      const { email: from, name } = mailboxOf(input.from)
      yield* senders.holdVerified(project, from)
      return yield* insert(project, {
        ...input,
        description: input.description ?? null,
        from,
        fromName: name ?? input.fromName ?? null,
        replyTo: input.replyTo ?? null,
        type: input.type ?? "MARKETING"
      })
    }, transaction.run)

    const found = (id: TemplateId) => (template: Option.Option<Template>) =>
      Option.isSome(template) ? Effect.succeed(template.value) : Effect.fail(new TemplateNotFound({ id }))

    const get = Effect.fn("Templates.get")((project: ProjectId, id: TemplateId) =>
      Effect.flatMap(store.find(project, id), found(id))
    )

    const hold = Effect.fn("Templates.hold")((project: ProjectId, id: TemplateId) =>
      Effect.flatMap(store.hold(project, id), found(id))
    )

    const update = Effect.fn("Templates.update")(function* (project: ProjectId, id: TemplateId, input: UpdateTemplate) {
      yield* requireSyntax(work, input)
      const sender = input.from === undefined ? undefined : mailboxOf(input.from)
      if (sender !== undefined) {
        // A missing template is reported before an unverified domain.
        yield* get(project, id)
        yield* senders.holdVerified(project, sender.email)
      }
      const changes = {
        ...input,
        ...(sender && { from: sender.email }),
        ...(sender?.name !== undefined && { fromName: sender.name })
      }
      return yield* Effect.flatMap(store.update(project, id, changes, yield* DateTime.now), found(id))
    }, transaction.run)

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
      return yield* insert(project, { ...original, name: copyName(original.name, maxName) })
    })

    const usage = Effect.fn("Templates.usage")(function* (project: ProjectId, id: TemplateId) {
      yield* get(project, id)
      const references = yield* store.references(project, id)
      return { ...references, canDelete: references.workflowSteps.length === 0 }
    })

    return Templates.of({ list, create, get, hold, update, delete: remove, duplicate, usage })
  })
)
