/** Webhook endpoints and the log of their deliveries. */

import type { ProjectId } from "@posthorn/contract/platform/Auth"
import {
  type BadRequest,
  Conflict,
  type InvalidCursor,
  ResourceNotFound,
  ValidationError
} from "@posthorn/contract/platform/Errors"
import { Id, pageSize } from "@posthorn/contract/platform/Primitives"
import {
  type CreatedWebhook,
  type CreateWebhook,
  type Delivery,
  type DeliveryDetail,
  DeliveryId,
  type DeliveryPage,
  type DeliveryQuery,
  type ReplayedWebhook,
  type ReplayWebhook,
  type RotatedWebhook,
  type UpdateWebhook,
  type Webhook,
  WebhookId
} from "@posthorn/contract/webhooks/Webhook"
import { Array, DateTime, Duration, Effect, Equal, Option, Schema, Struct } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Projects } from "../accounts/projects/Projects.ts"
import { type AuditEntry, recorded } from "../platform/audit/Audited.ts"
import { byCreation, cursorPage } from "../platform/CursorPages.ts"
import { Cursors } from "../platform/Cursors.ts"
import { dateRange } from "../platform/DateRange.ts"
import { outboundUrl } from "../platform/outbound/PublicAddress.ts"
import { SecretBox } from "../platform/SecretBox.ts"
import { Settings } from "../platform/Settings.ts"
import { Transaction } from "../platform/Transaction.ts"
import { Wakeups } from "../platform/Wakeups.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import * as WebhookFanout from "./WebhookFanout.ts"
import { makeSecret } from "./WebhookSecrets.ts"
import { WebhookStore } from "./WebhookStore.ts"

/** Changes endpoints, lists deliveries and replays them. */
export interface Webhooks {
  readonly list: (project: ProjectId) => Effect.Effect<ReadonlyArray<Webhook>>
  /** The secret is shown only here. */
  readonly create: (project: ProjectId, input: CreateWebhook) => Effect.Effect<CreatedWebhook, ValidationError>
  readonly get: (project: ProjectId, id: WebhookId) => Effect.Effect<Webhook, ResourceNotFound>
  readonly update: (
    project: ProjectId,
    id: WebhookId,
    input: UpdateWebhook
  ) => Effect.Effect<Webhook, Conflict | ResourceNotFound | ValidationError>
  readonly remove: (project: ProjectId, id: WebhookId) => Effect.Effect<void, ResourceNotFound>
  /** The previous secret also signs for 24 hours. */
  readonly rotateSecret: (project: ProjectId, id: WebhookId) => Effect.Effect<RotatedWebhook, ResourceNotFound>
  readonly test: (project: ProjectId, id: WebhookId) => Effect.Effect<Delivery, ResourceNotFound>
  readonly deliveries: (
    project: ProjectId,
    id: WebhookId,
    query: DeliveryQuery
  ) => Effect.Effect<DeliveryPage, BadRequest | InvalidCursor | ResourceNotFound>
  readonly delivery: (
    project: ProjectId,
    id: WebhookId,
    delivery: string
  ) => Effect.Effect<DeliveryDetail, ResourceNotFound>
  /** Restarts all attempts. `isNew` is false if the delivery is still pending. */
  readonly replayDelivery: (
    project: ProjectId,
    id: WebhookId,
    delivery: string
  ) => Effect.Effect<{ readonly delivery: Delivery; readonly isNew: boolean }, ResourceNotFound>
  /** Queues nothing for a disabled endpoint. */
  readonly replay: (
    project: ProjectId,
    id: WebhookId,
    input: ReplayWebhook
  ) => Effect.Effect<ReplayedWebhook, ResourceNotFound | ValidationError>
}

const maxWebhooks = 20
const rotation = Duration.hours(24)
const maxReplayed = 10_000
/** The number of events whose bodies are built in one step. */
const part = 500

const isId = Schema.decodeUnknownOption(Id)

export type Needs =
  | Cursors
  | DeliveryStore
  | Projects
  | SecretBox
  | SecureRandom.SecureRandom
  | SqlClient.SqlClient
  | Transaction
  | Wakeups
  | WebhookStore

export const make: Effect.Effect<Webhooks, never, Needs> = Effect.gen(function* () {
  const store = yield* WebhookStore
  const log = yield* DeliveryStore
  const box = yield* SecretBox
  const fanout = yield* WebhookFanout.make
  const cursors = yield* Cursors
  const projects = yield* Projects
  const random = yield* SecureRandom.SecureRandom
  const transaction = yield* Transaction
  const { webhooks: wakeup } = yield* Wakeups
  const audit = recorded(yield* SqlClient.SqlClient)
  const { outboundAllowed } = yield* Settings

  const found = <A>(id: WebhookId, webhook: Option.Option<A>) =>
    Option.isSome(webhook)
      ? Effect.succeed(webhook.value)
      : Effect.fail(new ResourceNotFound({ resource: "webhook", id }))

  const record = (project: ProjectId, id: WebhookId, action: string, more: AuditEntry["details"] = {}) =>
    audit({ project, action: `webhook.${action}`, details: { webhookId: id, ...more } })

  const noDelivery = (id: string) => new ResourceNotFound({ resource: "delivery", id })

  /** Only the URL itself is checked here. Its host name is resolved at every attempt. */
  const requireUrl = (url: string) =>
    outboundUrl(url, outboundAllowed) === undefined
      ? Effect.fail(
          ValidationError.one("url", "invalid_string", "Must be an http or https URL of a public host, without a user.")
        )
      : Effect.void

  const get = Effect.fn("Webhooks.get")(function* (project: ProjectId, id: WebhookId) {
    return yield* found(id, yield* store.find(project, id))
  })

  const create = Effect.fn("Webhooks.create")(function* (project: ProjectId, input: CreateWebhook) {
    yield* requireUrl(input.url)
    const id = WebhookId.make(yield* random.uuidV7())
    const { plain, ...made } = yield* makeSecret(box, random, id, input.secret)
    const webhook = yield* transaction.run(
      Effect.gen(function* () {
        if ((yield* store.lockCount(project)) >= maxWebhooks) {
          return yield* ValidationError.one("url", "too_big", `A project has at most ${maxWebhooks} webhooks.`)
        }
        const { url, events, description = null } = input
        const enabled = input.enabled ?? true
        const testMode = input.testMode ?? false
        const inserted = yield* store.insert(
          project,
          { id, url, description, events, enabled, testMode, ...made },
          yield* DateTime.now
        )
        yield* record(project, id, "created")
        return inserted
      })
    )
    return { ...webhook, secret: plain }
  })

  const update = Effect.fn("Webhooks.update")(function* (
    project: ProjectId,
    id: WebhookId,
    { url, events, enabled, testMode, description, ifUpdatedAt }: UpdateWebhook
  ) {
    const before = yield* get(project, id)
    if (url) yield* requireUrl(url)
    const change = {
      ...(url && { url }),
      ...(events && { events }),
      ...(typeof enabled === "boolean" && { enabled }),
      ...(typeof testMode === "boolean" && { testMode }),
      ...(description !== undefined && { description })
    }
    const now = yield* DateTime.now
    const isSame = Struct.keys(change).every((field) => Equal.equals(change[field], before[field]))
    const stored = yield* transaction.run(
      Effect.tap(store.update(project, id, change, now, ifUpdatedAt), (after) =>
        Option.isNone(after) || isSame ? Effect.void : record(project, id, "updated")
      )
    )
    if (Option.isSome(stored)) return stored.value
    const { updatedAt } = yield* get(project, id)
    return yield* new Conflict({ reason: "changed_meanwhile", updatedAt })
  })

  const remove = Effect.fn("Webhooks.remove")(function* (project: ProjectId, id: WebhookId) {
    // Deletes the deliveries too. A concurrent attempt can deadlock with it, so the transaction may be retried.
    const isDeleted = yield* transaction.run(
      Effect.tap(store.delete(project, id), (isDeleted) => (isDeleted ? record(project, id, "deleted") : Effect.void))
    )
    if (!isDeleted) return yield* new ResourceNotFound({ resource: "webhook", id })
  })

  const rotateSecret = Effect.fn("Webhooks.rotateSecret")(function* (project: ProjectId, id: WebhookId) {
    const { plain, ...made } = yield* makeSecret(box, random, id)
    const now = yield* DateTime.now
    const previousValidUntil = DateTime.addDuration(now, rotation)
    const rotated = yield* transaction.run(
      Effect.tap(store.rotate(project, id, made, previousValidUntil, now), (webhook) =>
        Option.isSome(webhook) ? record(project, id, "updated", { secretRotated: true }) : Effect.void
      )
    )
    const webhook = yield* found(id, rotated)
    return { ...webhook, secret: plain, previousValidUntil }
  })

  const detail = Effect.fnUntraced(function* (project: ProjectId, id: WebhookId, delivery: string) {
    const wanted = isId(delivery)
    if (Option.isNone(wanted)) return yield* noDelivery(delivery)
    const known = yield* log.find(project, id, DeliveryId.make(wanted.value))
    return yield* Option.isSome(known) ? Effect.succeed(known.value) : Effect.fail(noDelivery(delivery))
  })

  const test = Effect.fn("Webhooks.test")(function* (project: ProjectId, id: WebhookId) {
    // Queues nothing for a missing endpoint, or for one that is being deleted.
    return yield* detail(project, id, yield* fanout.test(project, id)).pipe(
      Effect.mapError(() => new ResourceNotFound({ resource: "webhook", id }))
    )
  }, transaction.run)

  const delivery = Effect.fn("Webhooks.delivery")(function* (project: ProjectId, id: WebhookId, delivery: string) {
    yield* get(project, id)
    return yield* detail(project, id, delivery)
  })

  const deliveries = Effect.fn("Webhooks.deliveries")(function* (
    project: ProjectId,
    id: WebhookId,
    query: DeliveryQuery
  ) {
    yield* get(project, id)
    const { timezone } = yield* Effect.orDie(projects.getCached(project))
    const { cursor, status, type, startDate, endDate } = query
    const filter = { status, type, ...(yield* dateRange({ startDate, endDate }, timezone)) }
    const scope = JSON.stringify(["deliveries", project, id, status, type, startDate, endDate])
    return yield* cursorPage(
      cursors,
      { scope, cursor, limit: pageSize(query) },
      {
        count: log.count(project, id, filter),
        list: (limit, after) => log.list(project, id, filter, limit, after),
        positionOf: byCreation
      }
    )
  })

  const replayDelivery = Effect.fn("Webhooks.replayDelivery")(function* (
    project: ProjectId,
    id: WebhookId,
    given: string
  ) {
    const { payload: _, attemptLog: __, ...before } = yield* delivery(project, id, given)
    const replayed = yield* log.replay(project, id, before.id, yield* DateTime.now)
    if (Option.isNone(replayed)) return { delivery: before, isNew: false }
    yield* wakeup.wake
    return { delivery: replayed.value, isNew: true }
  })

  const replay = Effect.fn("Webhooks.replay")(function* (project: ProjectId, id: WebhookId, input: ReplayWebhook) {
    const { enabled } = yield* get(project, id)
    const { timezone } = yield* Effect.orDie(projects.getCached(project))
    const { startDate, endDate, status, types } = input
    const range = yield* dateRange({ startDate, endDate: endDate ?? undefined }, timezone).pipe(
      Effect.mapError(({ errors }) => new ValidationError({ errors: errors ?? [] }))
    )
    if (!enabled) return { queued: 0 }
    const window = { ...range, types: types ?? [] }
    const now = yield* DateTime.now
    return yield* transaction.run(
      Effect.gen(function* () {
        const ended = { failed: ["FAILED"], missed: [], all: ["FAILED", "SUCCEEDED"] } as const
        const statuses = ended[status ?? "failed"]
        let queued = statuses.length === 0 ? 0 : yield* log.replayMany(project, id, statuses, window, maxReplayed, now)
        if (status === "missed" || status === "all") {
          const missed = yield* log.missed(project, id, window, maxReplayed - queued)
          for (const events of Array.chunksOf(missed, part)) queued += yield* fanout.enqueue(events, now, id)
        }
        yield* transaction.afterCommit(wakeup.wake)
        return { queued }
      })
    )
  })

  return {
    list: store.list,
    create,
    get,
    update,
    remove,
    rotateSecret,
    test,
    deliveries,
    delivery,
    replayDelivery,
    replay
  } satisfies Webhooks
})
