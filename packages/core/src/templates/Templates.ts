/** Content that is written once and rendered for each recipient (contract 13). */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { SenderDomainUnverified } from "@posthorn/contract/domains/Domain"
import { ResourceInUse, type ValidationError } from "@posthorn/contract/Errors"
import {
  type CreateTemplate,
  type Template,
  TemplateId,
  TemplateNotFound,
  type TemplatePage,
  type TemplateQuery,
  type TemplateUsage,
  type UpdateTemplate
} from "@posthorn/contract/templates/Template"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { copyName } from "../CopyName.ts"
import { SenderDomains } from "../domains/SenderDomains.ts"
import { offsetPage, placeOf, sliceOf } from "../OffsetPages.ts"
import { Transaction } from "../Transaction.ts"
import { type TemplateContent, TemplateStore } from "./TemplateStore.ts"
import { requireSyntax } from "./TextSyntax.ts"

export class Templates extends Context.Service<
  Templates,
  {
    readonly list: (project: ProjectId, query: TemplateQuery) => Effect.Effect<TemplatePage>
    /** `type` is MARKETING unless given. */
    readonly create: (
      project: ProjectId,
      input: CreateTemplate
    ) => Effect.Effect<Template, ValidationError | SenderDomainUnverified>
    readonly get: (project: ProjectId, id: TemplateId) => Effect.Effect<Template, TemplateNotFound>
    /** As `get`, for what will name the template: it is there until the transaction ends. */
    readonly hold: (project: ProjectId, id: TemplateId) => Effect.Effect<Template, TemplateNotFound>
    /** Changes the given fields. Mail rendered before keeps its content. The domain is checked when `from` is given. */
    readonly update: (
      project: ProjectId,
      id: TemplateId,
      input: UpdateTemplate
    ) => Effect.Effect<Template, ValidationError | TemplateNotFound | SenderDomainUnverified>
    /** Refused while a workflow step uses the template. */
    readonly delete: (project: ProjectId, id: TemplateId) => Effect.Effect<void, TemplateNotFound | ResourceInUse>
    /** A copy under a name of its own; its sender domain is not checked again, sending does that. */
    readonly duplicate: (project: ProjectId, id: TemplateId) => Effect.Effect<Template, TemplateNotFound>
    readonly usage: (project: ProjectId, id: TemplateId) => Effect.Effect<TemplateUsage, TemplateNotFound>
  }
>()("@posthorn/core/templates/Templates") {}

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
      yield* requireSyntax(input)
      yield* senders.holdVerified(project, input.from)
      return yield* insert(project, {
        ...input,
        description: input.description ?? null,
        fromName: input.fromName ?? null,
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
      yield* requireSyntax(input)
      if (input.from !== undefined) {
        // A template that is not there is told before a domain that is not verified (1.2).
        yield* get(project, id)
        yield* senders.holdVerified(project, input.from)
      }
      return yield* Effect.flatMap(store.update(project, id, input, yield* DateTime.now), found(id))
    }, transaction.run)

    const remove = Effect.fn("Templates.delete")(function* (project: ProjectId, id: TemplateId) {
      // First, so that it waits for whoever is about to use it.
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
