/** Kinds of mail that contacts take or leave apart from all other mail. */
import {
  type CreateTopic,
  type Topic,
  TopicId,
  type TopicQuery,
  type TopicText,
  type TopicUsage,
  type UpdateTopic
} from "@posthorn/contract/audience/topics/Topic"
import type { TopicStates } from "@posthorn/contract/audience/topics/TopicStates"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import {
  Conflict,
  type Fault,
  ResourceInUse,
  ResourceNotFound,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { recorded } from "../../platform/audit/Audited.ts"
import { JobQueue } from "../../platform/jobs/JobQueue.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { type TopicsChange, topicsChange } from "../contacts/TopicsChange.ts"
import { References } from "../References.ts"
import { freeSlug, keyFrom } from "../segments/Slug.ts"
import { AudienceRules, senderFaults } from "../settings/AudienceRules.ts"
import * as TopicDeletion from "./TopicDeletion.ts"
import * as TopicStore from "./TopicStore.ts"

/** A service, because HTTP handlers, contacts and other areas call it. */
export class Topics extends Context.Service<
  Topics,
  {
    /** By position, with their totals. */
    readonly list: (project: ProjectId, query: TopicQuery) => Effect.Effect<ReadonlyArray<Topic>>
    readonly create: (project: ProjectId, input: CreateTopic) => Effect.Effect<Topic, Conflict | ValidationError>
    /** By id or key. */
    readonly get: (project: ProjectId, topic: string) => Effect.Effect<Topic, ResourceNotFound>
    readonly update: (
      project: ProjectId,
      topic: string,
      input: UpdateTopic
    ) => Effect.Effect<Topic, ResourceNotFound | ValidationError>
    /** Refused while something uses it. The states of contacts are gone from all reads at once; a job removes them. */
    readonly delete: (project: ProjectId, topic: string) => Effect.Effect<void, ResourceInUse | ResourceNotFound>
    readonly usage: (project: ProjectId, topic: string) => Effect.Effect<TopicUsage, ResourceNotFound>
    /** The topics by the ids and keys that are given. A name without a topic is absent. Archived topics are there. */
    readonly resolve: (
      project: ProjectId,
      names: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, TopicStore.StoredTopic>>
    /**
     * What a request says about topics, by key or id. An unknown or archived topic is a fault of `field`. The public key
     * may not name private topics, and does not change a stored no.
     */
    readonly readStates: (
      project: ProjectId,
      states: TopicStates | null | undefined,
      options?: { readonly field?: string; readonly isPublic?: boolean }
    ) => Effect.Effect<TopicsChange | undefined, ValidationError>
    /** All topics by position, without totals. Archived ones too if asked for. */
    readonly all: (project: ProjectId, archived?: "included") => Effect.Effect<ReadonlyArray<TopicStore.StoredTopic>>
  }
>()("@posthorn/core/audience/topics/Topics") {}

const maxTopics = 100

const textsOf = (given: CreateTopic["translations"]): Readonly<Record<string, TopicText>> =>
  Object.fromEntries(
    Object.entries(given ?? {}).map(([language, { name, description = null }]) => [language, { name, description }])
  )

const fixed = (field: string, sentence: string): Fault => ({ field, code: "custom", message: sentence })

export const layer: Layer.Layer<
  Topics,
  never,
  AudienceRules | JobQueue | References | SecureRandom.SecureRandom | SqlClient.SqlClient | Transaction
> = Layer.effect(
  Topics,
  Effect.gen(function* () {
    const store = yield* TopicStore.make
    const rules = yield* AudienceRules
    const jobs = yield* JobQueue
    const references = yield* References
    const random = yield* SecureRandom.SecureRandom
    const transaction = yield* Transaction
    const audit = recorded(yield* SqlClient.SqlClient)

    const missing = (topic: string) => new ResourceNotFound({ resource: "topic", id: topic })

    const found =
      (topic: string) =>
      <A>(stored: Option.Option<A>) =>
        Option.isSome(stored) ? Effect.succeed(stored.value) : Effect.fail(missing(topic))

    const list = Effect.fn("Topics.list")((project: ProjectId, { archived = "false" }: TopicQuery) =>
      store.listCounted(project, archived === "all" ? undefined : archived === "true")
    )

    const get = Effect.fn("Topics.get")((project: ProjectId, topic: string) =>
      Effect.flatMap(store.find(project, topic), found(topic))
    )

    /** The settings stay until the transaction ends. */
    const faultsOf = Effect.fnUntraced(function* (project: ProjectId, doubleOptIn: boolean | null | undefined) {
      return doubleOptIn === true ? senderFaults(yield* rules.hold(project)) : []
    })

    const freeKey = Effect.fnUntraced(function* (project: ProjectId, name: string) {
      const key = keyFrom(name, "topic")
      return freeSlug(key, yield* store.takenKeys(project, key))
    })

    const create = Effect.fn("Topics.create")(function* (project: ProjectId, input: CreateTopic) {
      yield* store.lock(project)
      if ((yield* store.count(project)) >= maxTopics) {
        return yield* ValidationError.one("name", "too_big", `A project has at most ${maxTopics} topics.`)
      }
      const errors = yield* faultsOf(project, input.doubleOptIn)
      if (errors.length > 0) return yield* new ValidationError({ errors })
      const key = input.key ?? (yield* freeKey(project, input.name))
      if ((yield* store.takenKeys(project, key)).has(key)) return yield* new Conflict({ reason: "key_taken" })
      const id = TopicId.make(yield* random.uuidV7())
      const fields = {
        key,
        name: input.name,
        description: input.description ?? null,
        translations: textsOf(input.translations),
        defaultSubscription: input.defaultSubscription,
        visibility: input.visibility ?? "public",
        doubleOptIn: input.doubleOptIn ?? null,
        position: input.position ?? undefined,
        archived: input.archived ?? false
      } as const
      yield* store.insert(project, id, fields, yield* DateTime.now)
      yield* audit({ project, action: "topic.created", details: { topicId: id, key } })
      return yield* Effect.orDie(get(project, id))
    }, transaction.run)

    const update = Effect.fn("Topics.update")(function* (project: ProjectId, topic: string, input: UpdateTopic) {
      const errors = yield* faultsOf(project, input.doubleOptIn)
      const before = yield* Effect.flatMap(store.hold(project, topic), found(topic))
      const { key, defaultSubscription, translations, ...change } = input
      const faults = [
        ...errors,
        ...(key === undefined || key === before.key ? [] : [fixed("key", "The key of a topic never changes.")]),
        ...(defaultSubscription === undefined || defaultSubscription === before.defaultSubscription
          ? []
          : [fixed("defaultSubscription", "It never changes: contacts that said nothing would get other mail.")])
      ]
      if (faults.length > 0) return yield* new ValidationError({ errors: faults })
      const fields = {
        ...before,
        ...change,
        ...(translations !== undefined && { translations: textsOf(translations) })
      }
      yield* store.update(project, before.id, fields, yield* DateTime.now)
      const after = yield* Effect.orDie(get(project, before.id))
      if (!DateTime.Equivalence(after.updatedAt, before.updatedAt)) {
        const action = after.archived && !before.archived ? "topic.archived" : "topic.changed"
        yield* audit({ project, action, details: { topicId: before.id, key: before.key } })
      }
      return after
    }, transaction.run)

    const remove = Effect.fn("Topics.delete")(function* (project: ProjectId, topic: string) {
      yield* store.lock(project)
      const { id, key } = yield* Effect.flatMap(store.hold(project, topic), found(topic))
      const uses = yield* references.ofTopic(project, { id, key })
      if (Object.values(uses).some((users) => users.length > 0)) return yield* new ResourceInUse(uses)
      yield* store.delete(project, id)
      yield* jobs.enqueue(project, TopicDeletion.job, { topic: id }, yield* DateTime.now)
      yield* audit({ project, action: "topic.deleted", details: { topicId: id, key } })
    }, transaction.run)

    const usage = Effect.fn("Topics.usage")(function* (project: ProjectId, topic: string) {
      const { id, key } = yield* get(project, topic)
      const uses = yield* references.ofTopic(project, { id, key })
      return { ...uses, canDelete: Object.values(uses).every((users) => users.length === 0) }
    })

    const resolve = Effect.fn("Topics.resolve")(function* (project: ProjectId, names: ReadonlyArray<string>) {
      return names.length === 0 ? new Map() : TopicStore.topicsByName(names, yield* store.named(project, names))
    })

    const readStates: Topics["Service"]["readStates"] = Effect.fn("Topics.readStates")(function* (
      project,
      states,
      { field = "topics", isPublic = false } = {}
    ) {
      if (states == null) return undefined
      const entries = Object.entries(states)
      const known = yield* resolve(
        project,
        entries.map(([name]) => name)
      )
      const faultOf = (name: string) => {
        const topic = known.get(name)
        if (topic === undefined) return "No such topic in this project."
        if (topic.archived) return "The topic is archived."
        return isPublic && topic.visibility === "private" ? "The public key may not name this topic." : undefined
      }
      const errors = entries.flatMap(([name]) => {
        const sentence = faultOf(name)
        return sentence === undefined ? [] : [fixed(`${field}.${name}`, sentence)]
      })
      const ids = entries.map(([name]) => known.get(name)?.id)
      const twice = entries.find((_, n) => ids.indexOf(ids[n]) !== n && ids[n] !== undefined)
      const all = [...errors, ...(twice === undefined ? [] : [fixed(`${field}.${twice[0]}`, "Named twice.")])]
      if (all.length > 0) return yield* new ValidationError({ errors: all.slice(0, 50) })
      return {
        ...topicsChange(Object.fromEntries(entries.map(([, state], n) => [String(ids[n]), state]))),
        ...(isPublic && { keepOff: true }),
        asks: new Map([...known.values()].map(({ id, doubleOptIn }) => [id as string, doubleOptIn]))
      }
    })

    return Topics.of({
      list,
      create,
      get,
      update,
      delete: remove,
      usage,
      resolve,
      readStates,
      all: (project, archived) => store.list(project, archived === undefined ? false : undefined)
    })
  })
)
