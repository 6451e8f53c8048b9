/** Tests of the promises of DeliveryStore, over any layer. Attempts come from the queue of the sender. */
import { assert, layer } from "@effect/vitest"
import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DeliveryId, WebhookId } from "@posthorn/contract/webhooks/Webhook"
import { DateTime, Effect, type Layer, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { ContactStore } from "../audience/contacts/ContactStore.ts"
import { noDataChange } from "../audience/contacts/DataChange.ts"
import { EventLog, type NewEvent } from "../events/EventLog.ts"
import { at, freshProject, numberOf, uuid } from "../testing/StoreValues.ts"
import { type DeliveryFilter, DeliveryStore } from "./DeliveryStore.ts"
import * as WebhookQueue from "./WebhookQueue.ts"
import { WebhookStore } from "./WebhookStore.ts"

const hook = WebhookId.make(uuid(1))
const secondHook = WebhookId.make(uuid(2))
const body = { type: "email.sent", data: { to: "grüße@example.com", quoted: '\\"' } }

type Stores = ContactStore | DeliveryStore | EventLog | SqlClient.SqlClient | WebhookStore

export const deliveryStoreSuite = (name: string, storage: Layer.Layer<Stores>) => {
  const addHook = (project: ProjectId, id: WebhookId, events: ReadonlyArray<string>, more: object = {}) =>
    WebhookStore.use(({ insert }) =>
      insert(
        project,
        {
          id,
          url: "https://hooks.example/",
          description: null,
          events,
          enabled: true,
          testMode: false,
          secret: "sealed",
          secretHint: "aled",
          ...more
        },
        at(0)
      )
    )

  /** A project with two endpoints, and another project with the same endpoints. */
  const fresh = Effect.gen(function* () {
    const [project, other] = [yield* freshProject, yield* freshProject]
    for (const owner of [project, other]) {
      yield* addHook(owner, hook, ["*"])
      yield* addHook(owner, secondHook, ["email.*"])
    }
    return { project, other, store: yield* DeliveryStore }
  })

  /** Inserts a delivery with this number for one event. */
  const deliver = (
    project: ProjectId,
    n: number,
    now = at(0),
    { endpoint = hook, type = "email.sent", content = body as unknown } = {}
  ) =>
    DeliveryStore.use(({ insert }) =>
      insert(
        [
          {
            project,
            eventId: uuid(100 + n),
            type,
            body: JSON.stringify(content),
            deliveries: [{ id: uuid(n), endpoint }]
          }
        ],
        now
      )
    )

  /** Ends all due deliveries of the project. */
  const attempt = Effect.fnUntraced(function* (project: ProjectId, succeeded: boolean, now: DateTime.Utc) {
    const queue = yield* WebhookQueue.make
    const result = { succeeded, at: now, nextAt: null, statusCode: succeeded ? 204 : 503, durationMs: 7, error: null }
    for (const claimed of yield* queue.claim(100, now)) {
      if (claimed.project === project) yield* queue.settle(claimed, { ...result, response: "Grüße" }, now)
      else yield* queue.release(claimed)
    }
  })

  const record = (project: ProjectId, events: ReadonlyArray<Partial<NewEvent>>, now = at(1)) =>
    EventLog.use((log) =>
      log.record(
        project,
        events.map((event) => ({ contact: null, name: "email.sent", source: "system" as const, data: {}, ...event })),
        now
      )
    )

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("knows which of the projects have an enabled endpoint", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const none = yield* freshProject
        for (const id of [hook, secondHook]) yield* WebhookStore.use(({ disable }) => disable(other, id, "gone", at(1)))
        assert.deepStrictEqual(yield* store.listening([none, project, other]), [project])
        assert.deepStrictEqual(yield* store.listening([other]), [])
        assert.deepStrictEqual(yield* store.listening([]), [])
      })
    )

    it.effect(
      "routes each event of a batch to the enabled endpoints that subscribe to it, in the order of the batch",
      () =>
        Effect.gen(function* () {
          const { project, other, store } = yield* fresh
          yield* addHook(project, WebhookId.make(uuid(3)), ["event.tracked"], { enabled: false })
          yield* addHook(project, WebhookId.make(uuid(4)), ["email.bounce", "event.tracked"])
          const contact = ContactId.make(uuid(50))
          yield* ContactStore.use(({ upsert }) =>
            upsert(project, [{ id: contact, email: "anna@example.com", data: noDataChange }], at(0))
          )
          const [sent = "", tracked = "", contacted = ""] = yield* record(project, [
            { contact, data: { subject: "Hi" } },
            { name: "order.placed", source: "tracked", data: { total: 3 } },
            { name: "contact.updated" }
          ])
          const [theirs = ""] = yield* record(other, [{}])
          const routed = yield* store.route([
            { project, id: contacted },
            { project: other, id: theirs },
            { project, id: tracked },
            { project, id: uuid(999) },
            { project: other, id: sent },
            { project, id: sent }
          ])
          assert.deepStrictEqual(
            routed.map(({ endpoints, ...event }) => ({
              ...event,
              endpoints: endpoints.map((id) => numberOf({ id })).sort()
            })),
            [
              { project, eventId: contacted, type: "contact.updated", payload: {}, endpoints: [1] },
              { project: other, eventId: theirs, type: "email.sent", payload: {}, endpoints: [1, 2] },
              {
                project,
                eventId: tracked,
                type: "event.tracked",
                payload: { name: "order.placed", data: { total: 3 } },
                endpoints: [1, 4]
              },
              { project, eventId: sent, type: "email.sent", payload: { subject: "Hi" }, endpoints: [1, 2] }
            ].map((event) => ({
              ...event,
              at: DateTime.formatIso(at(1)),
              contactId: event.eventId === sent ? contact : null,
              contactEmail: event.eventId === sent ? "anna@example.com" : null
            }))
          )
          const only = yield* store.route([{ project, id: sent }], secondHook)
          assert.deepStrictEqual(
            only.map(({ endpoints }) => endpoints),
            [[secondHook]]
          )
          assert.deepStrictEqual(yield* store.route([{ project, id: tracked }], secondHook), [])
        })
    )

    it.effect("finds the enabled endpoints in test mode that subscribe to a type", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const [third, fourth] = [WebhookId.make(uuid(3)), WebhookId.make(uuid(4))]
        yield* addHook(project, third, ["email.*"], { testMode: true })
        yield* addHook(project, fourth, ["*"], { testMode: true, enabled: false })
        assert.deepStrictEqual(yield* store.inTestMode(project, "email.sent"), [third])
        assert.deepStrictEqual(yield* store.inTestMode(project, "contact.updated"), [])
        assert.deepStrictEqual(yield* store.inTestMode(project, "email"), [])
        assert.deepStrictEqual(yield* store.inTestMode(other, "email.sent"), [])
      })
    )

    it.effect("delivers each event to an endpoint once, at once, and to no deleted one", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const deliveries = [hook, secondHook, WebhookId.make(uuid(9))].map((endpoint, n) => ({
          id: uuid(n + 1),
          endpoint
        }))
        const message = { project, eventId: uuid(100), type: "email.sent", body: JSON.stringify(body), deliveries }
        assert.strictEqual(yield* store.insert([], at(1)), 0)
        assert.strictEqual(yield* store.insert([message], at(1)), 2)
        const again = deliveries.map(({ endpoint }, n) => ({ id: uuid(n + 11), endpoint }))
        assert.strictEqual(yield* store.insert([{ ...message, deliveries: again }], at(2)), 0)
        const delivery = {
          id: DeliveryId.make(uuid(1)),
          webhookId: hook,
          eventId: uuid(100),
          type: "email.sent",
          status: "PENDING",
          attempts: 0,
          nextAttemptAt: at(1),
          createdAt: at(1),
          completedAt: null
        } as const
        assert.deepStrictEqual(yield* store.list(project, hook, {}, 10), [delivery])
        assert.deepStrictEqual(
          yield* store.find(project, hook, delivery.id),
          Option.some({ ...delivery, payload: body, attemptLog: [] })
        )
        assert.deepStrictEqual(yield* store.find(project, secondHook, delivery.id), Option.none())
        assert.deepStrictEqual(yield* store.find(other, hook, delivery.id), Option.none())
        assert.deepStrictEqual(yield* store.list(other, hook, {}, 10), [])
      })
    )

    it.effect("lists the newest first, at one time by id, filtered and from a position; counts the same", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        yield* deliver(project, 1, at(0))
        yield* deliver(project, 2, at(1))
        yield* attempt(project, false, at(1))
        yield* deliver(project, 4, at(2), { type: "email.bounce" })
        yield* attempt(project, true, at(2))
        yield* deliver(project, 3, at(2))
        yield* deliver(project, 6, at(2), { endpoint: secondHook })
        yield* deliver(other, 7, at(2))
        const seen = Effect.fnUntraced(function* (filter: DeliveryFilter) {
          const found = yield* store.list(project, hook, filter, 10)
          assert.strictEqual(yield* store.count(project, hook, filter), found.length)
          return found.map(numberOf)
        })
        assert.deepStrictEqual(yield* seen({}), [4, 3, 2, 1])
        assert.deepStrictEqual(yield* seen({ status: "FAILED" }), [2, 1])
        assert.deepStrictEqual(yield* seen({ status: "PENDING" }), [3])
        assert.deepStrictEqual(yield* seen({ status: "SUCCEEDED" }), [4])
        assert.deepStrictEqual(yield* seen({ type: "email.sent" }), [3, 2, 1])
        assert.deepStrictEqual(yield* seen({ type: "email" }), [])
        assert.deepStrictEqual(yield* seen({ from: at(1) }), [4, 3, 2])
        assert.deepStrictEqual(yield* seen({ until: at(2) }), [2, 1])
        assert.deepStrictEqual(yield* seen({ from: at(1), until: at(2), status: "FAILED", type: "email.sent" }), [2])
        const key = DateTime.formatIso(at(2))
        const after = (n: number, limit: number) =>
          Effect.map(store.list(project, hook, {}, limit, { key, id: uuid(n) }), (found) => found.map(numberOf))
        assert.deepStrictEqual(yield* after(4, 2), [3, 2])
        assert.deepStrictEqual(yield* after(3, 10), [2, 1])
        assert.strictEqual(yield* store.count(other, secondHook, {}), 0)
      })
    )

    it.effect("shows each attempt, oldest first", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const id = DeliveryId.make(uuid(1))
        yield* deliver(project, 1)
        yield* attempt(project, false, at(1))
        yield* store.replay(project, hook, id, at(2))
        yield* attempt(project, true, at(3))
        const detail = Option.getOrThrow(yield* store.find(project, hook, id))
        const entry = { durationMs: 7, error: null, response: "Grüße" }
        assert.deepStrictEqual(detail.attemptLog, [
          { ...entry, number: 1, at: at(1), statusCode: 503 },
          { ...entry, number: 2, at: at(3), statusCode: 204 }
        ])
        assert.deepInclude(detail, { attempts: 2, status: "SUCCEEDED", nextAttemptAt: null, completedAt: at(3) })
      })
    )

    it.effect("replays an ended delivery, and no other", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const id = DeliveryId.make(uuid(1))
        yield* deliver(project, 1)
        assert.deepStrictEqual(yield* store.replay(project, hook, id, at(1)), Option.none())
        yield* attempt(project, false, at(1))
        assert.deepStrictEqual(yield* store.replay(other, hook, id, at(2)), Option.none())
        assert.deepStrictEqual(yield* store.replay(project, secondHook, id, at(2)), Option.none())
        const replayed = Option.getOrThrow(yield* store.replay(project, hook, id, at(2)))
        assert.deepInclude(replayed, { status: "PENDING", attempts: 1, nextAttemptAt: at(2), completedAt: null })
        assert.deepStrictEqual(yield* store.replay(project, hook, id, at(3)), Option.none())
      })
    )

    it.effect("replays the oldest ended deliveries of a window, by status and type", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const types = ["email.sent", "email.bounce", "contact.updated", "email.sent", "email.sent"]
        for (const owner of [project, other]) {
          for (const [n, type] of types.entries()) yield* deliver(owner, n, at(n), { type })
          yield* deliver(owner, 9, at(0), { endpoint: secondHook })
          yield* attempt(owner, false, at(10))
        }
        yield* deliver(project, 8, at(2))
        yield* attempt(project, true, at(11))
        const replay = Effect.fnUntraced(function* (
          types: ReadonlyArray<string>,
          [from, until]: readonly [number, number],
          limit = 100,
          statuses: ReadonlyArray<"FAILED" | "SUCCEEDED"> = ["FAILED"]
        ) {
          const window = { from: at(from), until: at(until), types }
          const queued = yield* store.replayMany(project, hook, statuses, window, limit, at(20))
          const pending = yield* store.list(project, hook, { status: "PENDING" }, 100)
          assert.strictEqual(queued, pending.length)
          yield* attempt(project, false, at(21))
          return pending.map(numberOf).sort()
        })
        assert.deepStrictEqual(yield* replay([], [1, 4]), [1, 2, 3])
        assert.deepStrictEqual(yield* replay([], [0, 9], 2), [0, 1])
        assert.deepStrictEqual(yield* replay(["email.*"], [0, 4]), [0, 1, 3])
        assert.deepStrictEqual(yield* replay(["contact.updated", "email.bounce"], [0, 9]), [1, 2])
        assert.deepStrictEqual(yield* replay(["contact"], [0, 9]), [])
        assert.deepStrictEqual(yield* replay([], [2, 3], 100, ["SUCCEEDED"]), [8])
        assert.deepStrictEqual(yield* store.list(other, hook, { status: "PENDING" }, 100), [])
        assert.deepStrictEqual(yield* store.list(project, secondHook, { status: "PENDING" }, 100), [])
      })
    )

    it.effect("finds the oldest events of a window that an endpoint subscribes to and has no delivery of", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const ids: Array<string> = []
        for (const [n, event] of [
          { name: "email.sent" },
          { name: "contact.updated" },
          { name: "order.placed", source: "tracked" },
          { name: "email.bounce" }
        ].entries()) {
          ids.push(...(yield* record(project, [{ source: "system", ...event } as Partial<NewEvent>], at(n))))
        }
        yield* record(other, [{}], at(1))
        const deliveries = [{ id: uuid(1), endpoint: hook }]
        yield* store.insert([{ project, eventId: ids[0] ?? "", type: "email.sent", body: "{}", deliveries }], at(5))
        const missed = (endpoint: WebhookId, types: ReadonlyArray<string>, from: number, until: number, limit = 10) =>
          Effect.map(store.missed(project, endpoint, { from: at(from), until: at(until), types }, limit), (found) =>
            found.map((key) => (key.project === project ? ids.indexOf(key.id) : key))
          )
        assert.deepStrictEqual(yield* missed(hook, [], 0, 9), [1, 2, 3])
        assert.deepStrictEqual(yield* missed(secondHook, [], 0, 9), [0, 3])
        assert.deepStrictEqual(yield* missed(hook, [], 0, 9, 2), [1, 2])
        assert.deepStrictEqual(yield* missed(hook, [], 2, 3), [2])
        assert.deepStrictEqual(yield* missed(hook, ["event.tracked"], 0, 9), [2])
        assert.deepStrictEqual(yield* missed(hook, ["email.*", "contact.*"], 0, 9), [1, 3])
        assert.deepStrictEqual(yield* missed(secondHook, ["contact.*"], 0, 9), [])
        const unknown = { from: at(0), until: at(9), types: [] }
        assert.deepStrictEqual(yield* store.missed(yield* freshProject, hook, unknown, 10), [])
      })
    )

    it.effect("removes the deliveries about a contact or its address, ended and pending", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const contact = ContactId.make(uuid(50))
        const [about, contactEmail, to] = [
          { data: { contactId: contact } },
          { data: { contactEmail: "a@example.com" } },
          { data: { to: "a@example.com" } }
        ]
        for (const owner of [project, other]) {
          yield* deliver(owner, 1, at(0), { content: about })
          yield* attempt(owner, true, at(1))
          yield* deliver(owner, 2, at(1), { content: contactEmail })
          yield* deliver(owner, 3, at(2), { content: to })
          yield* deliver(owner, 4, at(3), { content: { data: { to: "aa@example.com", other: contact } } })
          yield* deliver(owner, 5, at(4), { content: { data: { contactId: uuid(51), text: "a@example.com" } } })
        }
        yield* store.deleteOf(project, contact, "a@example.com")
        assert.deepStrictEqual((yield* store.list(project, hook, {}, 10)).map(numberOf), [5, 4])
        assert.strictEqual(yield* store.count(project, hook, {}), 2)
        assert.lengthOf(yield* store.list(other, hook, {}, 10), 5)
      })
    )

    it.effect("sweeps ended deliveries that are older, the oldest first, up to the limit", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const early = (minute: number) => DateTime.subtract(at(minute), { days: 1 })
        for (const n of [1, 2, 3]) yield* deliver(project, n, early(n))
        yield* attempt(project, false, early(5))
        yield* deliver(project, 4, early(0))
        const remaining = Effect.map(store.list(project, hook, {}, 10), (found) => found.map(numberOf))
        assert.strictEqual(yield* store.sweep(early(3), 1), 1)
        assert.deepStrictEqual(yield* remaining, [3, 2, 4])
        assert.strictEqual(yield* store.sweep(early(3), 10), 1)
        assert.deepStrictEqual(yield* remaining, [3, 4])
        assert.strictEqual(yield* store.sweep(early(3), 10), 0)
      })
    )
  })
}
