/** Tests of the promises of WebhookStore, over any layer. Deliveries come from the other modules of this folder. */
import { assert, layer } from "@effect/vitest"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { WebhookId } from "@posthorn/contract/webhooks/Webhook"
import { type DateTime, Effect, type Layer, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { Transaction } from "../platform/Transaction.ts"
import { at, freshProject, numberOf, uuid } from "../testing/StoreValues.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import * as WebhookQueue from "./WebhookQueue.ts"
import { type NewWebhook, type WebhookChange, WebhookStore } from "./WebhookStore.ts"

const id = (n: number) => WebhookId.make(uuid(n))

const webhook = (n: number, more: Partial<NewWebhook> = {}): NewWebhook => ({
  id: id(n),
  url: `https://hooks.example/${n}?grüße="\\"`,
  description: 'Grüße \\ "eins"',
  events: ["email.*", "event.tracked"],
  enabled: true,
  testMode: false,
  secret: `sealed ${n}`,
  secretHint: "ab+/",
  ...more
})

/** One changed value for each field. */
const changes: ReadonlyArray<WebhookChange> = [
  { url: "https://hooks.example/other" },
  { description: null },
  { description: "" },
  { events: ["*"] },
  { enabled: false },
  { testMode: true },
  { url: "https://hooks.example/all", description: "All", events: ["email.bounce"], enabled: false, testMode: true }
]

const failure = { succeeded: false, statusCode: 500, durationMs: 1, error: null, response: "" }

export const webhookStoreSuite = (
  name: string,
  storage: Layer.Layer<DeliveryStore | SqlClient.SqlClient | Transaction | WebhookStore>
) => {
  const fresh = Effect.all({ project: freshProject, other: freshProject, store: WebhookStore })

  const deliver = (project: ProjectId, endpoint: WebhookId, n: number, now: DateTime.Utc) =>
    DeliveryStore.use(({ insert }) =>
      insert(
        [
          {
            project,
            eventId: uuid(n),
            type: "email.sent",
            body: "{}",
            deliveries: [{ id: uuid(n), endpoint }]
          }
        ],
        now
      )
    )

  const statusOf = (project: ProjectId, endpoint: WebhookId) =>
    DeliveryStore.use(({ list }) =>
      Effect.map(list(project, endpoint, {}, 10), (found) =>
        found.map(({ status, nextAttemptAt, completedAt }) => [status, nextAttemptAt, completedAt])
      )
    )

  /** Fails one attempt for each endpoint of the project that has a delivery. */
  const fail = Effect.fnUntraced(function* (project: ProjectId, now: DateTime.Utc, nextAt: DateTime.Utc) {
    const queue = yield* WebhookQueue.make
    for (const delivery of yield* queue.claim(100, now)) {
      if (delivery.project === project) yield* queue.settle(delivery, { ...failure, at: now, nextAt }, now)
      else yield* queue.release(delivery)
    }
  })

  layer(storage, { timeout: "60 seconds" })(name, (it) => {
    it.effect("returns every field as it was written, but the secret", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const { secret: _, ...shown } = webhook(1)
        const none = { disabledReason: null, lastSuccessAt: null, failingSince: null }
        const inserted = yield* store.insert(project, webhook(1), at(0))
        assert.deepStrictEqual(inserted, { ...shown, ...none, projectId: project, createdAt: at(0), updatedAt: at(0) })
        assert.deepStrictEqual(yield* store.find(project, id(1)), Option.some(inserted))
        const bare = webhook(2, { description: null, events: [], enabled: false, testMode: true })
        const second = yield* store.insert(project, bare, at(1))
        assert.deepInclude(second, { description: null, events: [], enabled: false, testMode: true })
        assert.deepStrictEqual(yield* store.list(project), [second, inserted])
      })
    )

    it.effect("lists the newest first, at one time by id", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        for (const [n, minute] of [
          [1, 5],
          [3, 1],
          [2, 1],
          [4, 0]
        ] as const) {
          yield* store.insert(project, webhook(n), at(minute))
        }
        assert.deepStrictEqual((yield* store.list(project)).map(numberOf), [1, 3, 2, 4])
      })
    )

    it.effect.each(changes)("changes only the given fields: %j", (change) =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const before = yield* store.insert(project, webhook(1), at(0))
        const sibling = yield* store.insert(project, webhook(2), at(0))
        const after = Option.some({ ...before, ...change, updatedAt: at(1) })
        assert.deepStrictEqual(yield* store.update(project, id(1), change, at(1)), after)
        assert.deepStrictEqual(yield* store.find(project, id(1)), after)
        assert.deepStrictEqual(yield* store.find(project, id(2)), Option.some(sibling))
      })
    )

    it.effect("changes an endpoint only as the caller has read it", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const { createdAt, updatedAt } = yield* store.insert(project, webhook(1), at(0))
        const change = (description: string, of?: DateTime.Utc | null) =>
          store.update(project, id(1), { description }, at(0), of)
        const first = Option.getOrThrow(yield* change("first", updatedAt))
        // Each stored state has its own time, even if the clock does not move.
        assert.isAbove(first.updatedAt.epochMilliseconds, updatedAt.epochMilliseconds)
        assert.deepStrictEqual(first.createdAt, createdAt)
        assert.deepStrictEqual(yield* change("second", updatedAt), Option.none())
        assert.deepStrictEqual(yield* store.find(project, id(1)), Option.some(first))
        assert.isTrue(Option.isSome(yield* change("third", null)))
        assert.isTrue(Option.isSome(yield* change("fourth")))
      })
    )

    it.effect("disables with a reason once, and gives up what is pending; enabling clears reason and failures", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        yield* store.insert(project, webhook(1), at(0))
        yield* store.insert(project, webhook(2), at(0))
        yield* deliver(project, id(1), 11, at(1))
        yield* deliver(project, id(2), 12, at(1))
        yield* fail(project, at(2), at(9))
        const pending = [["PENDING", at(9), null]]
        assert.deepStrictEqual(yield* statusOf(project, id(1)), pending)
        assert.isTrue(yield* store.disable(project, id(1), "gone", at(3)))
        assert.deepStrictEqual(yield* statusOf(project, id(1)), [["FAILED", null, at(3)]])
        const disabled = { enabled: false, disabledReason: "gone", failingSince: at(2), updatedAt: at(3) } as const
        assert.deepInclude(Option.getOrThrow(yield* store.find(project, id(1))), disabled)
        assert.isFalse(yield* store.disable(project, id(1), "failing", at(4)))
        assert.deepInclude(Option.getOrThrow(yield* store.find(project, id(1))), disabled)

        const enabled = yield* store.update(project, id(1), { enabled: true }, at(5))
        assert.deepInclude(Option.getOrThrow(enabled), { enabled: true, disabledReason: null, failingSince: null })
        assert.deepStrictEqual(yield* statusOf(project, id(2)), pending)
        const unread = yield* store.update(project, id(2), { enabled: false }, at(6), at(9))
        assert.deepStrictEqual([unread, yield* statusOf(project, id(2))], [Option.none(), pending])
        yield* store.update(project, id(2), { enabled: false }, at(6))
        assert.deepStrictEqual(yield* statusOf(project, id(2)), [["FAILED", null, at(6)]])
      })
    )

    it.effect("signs with the new secret, and until a time with the previous one", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        const before = yield* store.insert(project, webhook(1), at(0))
        const rotated = yield* store.rotate(project, id(1), { secret: "sealed new", secretHint: "wxyz" }, at(10), at(1))
        assert.deepStrictEqual(rotated, Option.some({ ...before, secretHint: "wxyz", updatedAt: at(1) }))
        yield* deliver(project, id(1), 11, at(1))
        const queue = yield* WebhookQueue.make
        for (const [minute, previousSecret] of [
          [9, "sealed 1"],
          [10, null]
        ] as const) {
          const claimed = (yield* queue.claim(100, at(minute))).filter((each) => each.project === project)
          assert.deepStrictEqual(
            claimed.map(({ secret, previousSecret }) => ({ secret, previousSecret })),
            [{ secret: "sealed new", previousSecret }]
          )
          yield* Effect.forEach(claimed, queue.release)
        }
      })
    )

    it.effect("finds endpoints that fail since a time, and takes each for one warning", () =>
      Effect.gen(function* () {
        const { project, store } = yield* fresh
        yield* store.insert(project, webhook(1), at(0))
        yield* store.insert(project, webhook(2), at(0))
        yield* deliver(project, id(1), 11, at(1))
        yield* fail(project, at(2), at(3))
        yield* fail(project, at(4), at(5))
        const of = Effect.map((found: ReadonlyArray<{ project: ProjectId; id: WebhookId; url: string }>) =>
          found.filter((each) => each.project === project)
        )
        const one = [{ project, id: id(1), url: webhook(1).url }]
        assert.deepStrictEqual(yield* of(store.failing(at(1), 2)), [])
        assert.deepStrictEqual(yield* of(store.failing(at(2), 3)), [])
        assert.deepStrictEqual(yield* of(store.failing(at(2), 2)), one)
        assert.deepStrictEqual(yield* of(store.takeUnwarned(at(1))), [])
        assert.deepStrictEqual(yield* of(store.takeUnwarned(at(2))), one)
        assert.deepStrictEqual(yield* of(store.takeUnwarned(at(2))), [])

        // It fails again after it was enabled again.
        yield* store.disable(project, id(1), "failing", at(6))
        assert.deepStrictEqual(yield* of(store.failing(at(2), 2)), [])
        yield* store.update(project, id(1), { enabled: true }, at(7))
        assert.deepStrictEqual(yield* of(store.takeUnwarned(at(60))), [])
        yield* deliver(project, id(1), 12, at(7))
        yield* fail(project, at(8), at(9))
        assert.deepStrictEqual(yield* of(store.failing(at(8), 2)), [])
        assert.deepStrictEqual(yield* of(store.takeUnwarned(at(8))), one)
      })
    )

    it.effect("transactions that count the endpoints add them one after another", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const { run } = yield* Transaction
        yield* store.insert(other, webhook(9), at(0))
        const counts = yield* Effect.forEach(
          [1, 2, 3, 4],
          (n) => run(Effect.tap(store.lockCount(project), () => store.insert(project, webhook(n), at(n)))),
          { concurrency: "unbounded" }
        )
        assert.sameMembers(counts, [0, 1, 2, 3])
      })
    )

    it.effect("deletes once with its deliveries, and never touches another project", () =>
      Effect.gen(function* () {
        const { project, other, store } = yield* fresh
        const stored = Option.some(yield* store.insert(project, webhook(1), at(0)))
        yield* deliver(project, id(1), 11, at(1))
        assert.deepStrictEqual(yield* store.find(other, id(1)), Option.none())
        assert.deepStrictEqual(yield* store.list(other), [])
        assert.deepStrictEqual(yield* store.update(other, id(1), { enabled: false }, at(1)), Option.none())
        const secret = { secret: "theirs", secretHint: "eirs" }
        assert.deepStrictEqual(yield* store.rotate(other, id(1), secret, at(9), at(1)), Option.none())
        assert.isFalse(yield* store.disable(other, id(1), "gone", at(1)))
        assert.isFalse(yield* store.delete(other, id(1)))
        assert.deepStrictEqual(yield* store.find(project, id(1)), stored)
        assert.lengthOf(yield* statusOf(project, id(1)), 1)
        assert.isTrue(yield* store.delete(project, id(1)))
        assert.isFalse(yield* store.delete(project, id(1)))
        assert.deepStrictEqual(yield* statusOf(project, id(1)), [])
      })
    )
  })
}
