/** Pieces of mail that several templates, campaigns and partials print. */

import {
  CreatePartial,
  type Partial,
  type PartialContent,
  PartialId,
  type PartialPage,
  type PartialQuery,
  type PartialUsage,
  type UpdatePartial,
  type WritePartialDraft
} from "@posthorn/contract/content/partials/Partial"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import {
  type Conflict,
  type Fault,
  ResourceInUse,
  ResourceNotFound,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import { Context, DateTime, Effect, Layer, Option, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { faultsOf } from "../../platform/http/Faults.ts"
import { offsetPage, placeOf, sliceOf } from "../../platform/OffsetPages.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { layoutFlaw, maxDepth, partialNames } from "../rendering/Partials.ts"
import { compiled } from "../rendering/Template.ts"
import { bare, partialFaults, type Surroundings, type Texts } from "../templates/TextSyntax.ts"
import { TextWork } from "../text/TextWork.ts"
import { author, requireVersion, type Versions, versioning } from "../versions/Versioning.ts"
import { type PartialGraph, PartialStore } from "./PartialStore.ts"

/** A service, because HTTP handlers, templates, campaigns, workflows and rendering call it. */
export class Partials extends Context.Service<
  Partials,
  Versions<PartialId, Partial, PartialContent, WritePartialDraft, ResourceNotFound, never> & {
    readonly list: (project: ProjectId, query: PartialQuery) => Effect.Effect<PartialPage>
    readonly create: (project: ProjectId, input: CreatePartial) => Effect.Effect<Partial, Conflict | ValidationError>
    readonly get: (project: ProjectId, id: PartialId) => Effect.Effect<Partial, ResourceNotFound>
    /**
     * Changes the given fields. Changed texts are a new version, which is live at once. A new name is refused while
     * something names the partial.
     */
    readonly update: (
      project: ProjectId,
      id: PartialId,
      input: UpdatePartial
    ) => Effect.Effect<Partial, Conflict | ResourceInUse | ResourceNotFound | ValidationError>
    /** Refused while something names the partial. */
    readonly delete: (project: ProjectId, id: PartialId) => Effect.Effect<void, ResourceInUse | ResourceNotFound>
    readonly usage: (project: ProjectId, id: PartialId) => Effect.Effect<PartialUsage, ResourceNotFound>
    /** The partials that the texts and their layout name. Reads nothing if they name none. */
    readonly around: (
      project: ProjectId,
      texts: ReadonlyArray<Texts>,
      layout: string | null
    ) => Effect.Effect<Surroundings>
    /** As `around`, for texts that are about to be stored: what they name stays until the transaction ends. */
    readonly hold: (
      project: ProjectId,
      texts: ReadonlyArray<Texts>,
      layout: string | null
    ) => Effect.Effect<Surroundings>
  }
>()("@posthorn/core/content/partials/Partials") {}

const maxPartials = 200

const maxFaults = 50

const { body: bodyForm, text: textForm } = CreatePartial.fields
const decode = Schema.decodeUnknownEffect(Schema.Struct({ body: bodyForm, text: textForm }), {
  errors: "all",
  reportInput: true
})

/** Faults of the form of texts. A draft may have them. */
const formFaults = (content: PartialContent): Effect.Effect<ReadonlyArray<Fault>> =>
  decode(content).pipe(
    Effect.as([]),
    Effect.catch(({ issue }) => Effect.succeed(faultsOf(issue).map(({ allowed: _, ...fault }): Fault => fault)))
  )

/** The longest chain of partials that name each other. The graph has no circle. */
const longestChain = (graph: PartialGraph): ReadonlyArray<string> => {
  const known = new Map<string, ReadonlyArray<string>>()
  const from = (name: string): ReadonlyArray<string> => {
    const found = known.get(name)
    if (found !== undefined) return found
    // A name without a partial ends the chain, as does a circle that is on its way.
    known.set(name, [])
    const inner = (graph.get(name) ?? []).filter((each) => graph.has(each)).map(from)
    const chain = [name, ...inner.reduce((longest, each) => (each.length > longest.length ? each : longest), [])]
    known.set(name, chain)
    return chain
  }
  return [...graph.keys()].map(from).reduce((longest, each) => (each.length > longest.length ? each : longest), [])
}

/** The missing texts of a layout. */
const layoutFaults = ({ body, text }: PartialContent): ReadonlyArray<Fault> =>
  ([["body", body] as const, ["text", text] as const] as const).flatMap(([field, source]) => {
    const template = source === null ? undefined : compiled(source)
    const flaw = template && Result.isSuccess(template) ? layoutFlaw(template.success) : undefined
    return flaw === undefined ? [] : [{ field, code: "custom" as const, message: `It is used as a layout. ${flaw}` }]
  })

export const layer: Layer.Layer<Partials, never, PartialStore | SecureRandom.SecureRandom | Transaction> = Layer.effect(
  Partials,
  Effect.gen(function* () {
    const store = yield* PartialStore
    const work = yield* TextWork
    const random = yield* SecureRandom.SecureRandom
    const transaction = yield* Transaction

    const list = Effect.fn("Partials.list")(function* (project: ProjectId, query: PartialQuery) {
      const { search, sort = "createdAt", dir = "desc" } = query
      const place = placeOf(query)
      const data = yield* store.list(project, search, { sort, dir }, sliceOf(place))
      return offsetPage(place, data, yield* store.count(project, search))
    })

    const missing = (id: PartialId) => new ResourceNotFound({ resource: "partial", id })

    const found = (id: PartialId) => (partial: Option.Option<Partial>) =>
      Option.isSome(partial) ? Effect.succeed(partial.value) : Effect.fail(missing(id))

    const get = Effect.fn("Partials.get")((project: ProjectId, id: PartialId) =>
      Effect.flatMap(store.find(project, id), found(id))
    )

    /** The partial. No partial of the project is changed or deleted by another request until the transaction ends. */
    const lock = (project: ProjectId, id: PartialId) => Effect.andThen(store.lock(project), store.find(project, id))

    /** What is wrong with texts: their syntax, what they name, or too long a chain of partials. */
    const faultsIn = Effect.fnUntraced(function* (
      project: ProjectId,
      name: string,
      content: PartialContent,
      stored: Partial | undefined
    ) {
      const { body, text } = content
      const names = partialNames(body, text)
      const others = names.length === 0 ? bare.partials : yield* store.closure(project, names)
      const partials = new Map(others).set(name, { body, text })
      const faults = [
        ...(yield* formFaults(content)),
        ...(yield* partialFaults(work, name, content, partials)),
        ...(stored !== undefined && (yield* store.isLayout(project, stored.name)) ? layoutFaults(content) : [])
      ]
      if (faults.length > 0 || names.length === 0) return faults.slice(0, maxFaults)
      const graph = new Map(yield* store.graph(project))
      if (stored !== undefined) graph.delete(stored.name)
      const chain = longestChain(graph.set(name, names))
      if (chain.length <= maxDepth) return []
      const message = `Partials name each other at most ${maxDepth} deep: ${chain.join(" > ")}.`
      const field = partialNames(body).length > 0 ? "body" : "text"
      return [{ field, code: "template_syntax", message, line: 1, column: 1 } satisfies Fault]
    })

    const requireSound = Effect.fnUntraced(function* (
      project: ProjectId,
      name: string,
      content: PartialContent,
      stored: Partial | undefined
    ) {
      const errors = yield* faultsIn(project, name, content, stored)
      if (errors.length > 0) return yield* new ValidationError({ errors })
    })

    const create = Effect.fn("Partials.create")(function* (project: ProjectId, input: CreatePartial) {
      const { name, description = null, body, text = null } = input
      const fields = { name, description, body, text }
      yield* store.lock(project)
      if ((yield* store.count(project, undefined)) >= maxPartials) {
        return yield* ValidationError.one("name", "too_big", `A project has at most ${maxPartials} partials.`)
      }
      yield* requireSound(project, name, fields, undefined)
      const id = PartialId.make(yield* random.uuidV7())
      return yield* store.insert(project, id, fields, yield* DateTime.now, { actor: yield* author })
    }, transaction.run)

    const requireUnused = Effect.fnUntraced(function* (project: ProjectId, name: string) {
      const users = yield* store.users(project, name)
      if (Object.values(users).some((each) => each.length > 0)) return yield* new ResourceInUse(users)
    })

    const update = Effect.fn("Partials.update")(function* (project: ProjectId, id: PartialId, input: UpdatePartial) {
      const stored = yield* Effect.flatMap(lock(project, id), found(id))
      const { expectedVersion, ...change } = input
      const name = change.name ?? stored.name
      const texts = { body: change.body ?? stored.body, text: change.text === undefined ? stored.text : change.text }
      yield* requireSound(project, name, texts, stored)
      yield* requireVersion(stored, expectedVersion)
      // The row is changed first, so that it waits for transactions that are about to name the partial.
      const origin = { actor: yield* author }
      const changed = yield* Effect.flatMap(store.update(project, id, change, yield* DateTime.now, origin), found(id))
      if (name !== stored.name) yield* requireUnused(project, stored.name)
      return changed
    }, transaction.run)

    const remove = Effect.fn("Partials.delete")(function* (project: ProjectId, id: PartialId) {
      yield* store.lock(project)
      const { name } = yield* Effect.flatMap(store.delete(project, id), found(id))
      yield* requireUnused(project, name)
    }, transaction.run)

    const versions = yield* versioning({
      resource: "partial",
      store,
      missing,
      hold: lock,
      lock,
      contentOfDraft: ({ body, text }: Partial, input: WritePartialDraft) => ({ body, text, ...input }),
      admitDraft: () => Effect.void,
      compiler: () => (content) => Effect.succeed({ content, faults: [] }),
      problems: (project, live, { content }) =>
        faultsIn(project, live.name, content, live).pipe(Effect.catch(({ errors }) => Effect.succeed(errors))),
      requireSound: (project, live, { content }) => Effect.as(requireSound(project, live.name, content, live), content)
    })

    const usage = Effect.fn("Partials.usage")(function* (project: ProjectId, id: PartialId) {
      const { name } = yield* get(project, id)
      const users = yield* store.users(project, name)
      return { ...users, canDelete: Object.values(users).every((each) => each.length === 0) }
    })

    const surroundings = (isHeld: boolean) =>
      Effect.fnUntraced(function* (project: ProjectId, texts: ReadonlyArray<Texts>, layout: string | null) {
        const all = texts.flatMap((each) => [each, ...Object.values(each.translations ?? {})])
        const sources = all.flatMap((each) => [each?.source ?? each?.body, each?.text])
        const names = [...partialNames(...sources), ...(layout === null ? [] : [layout])]
        if (names.length === 0) return bare
        if (isHeld) yield* store.hold(project, names)
        return { partials: yield* store.closure(project, names), layout }
      })

    return Partials.of({
      list,
      create,
      get,
      update,
      delete: remove,
      usage,
      ...versions,
      around: surroundings(false),
      hold: surroundings(true)
    })
  })
)
