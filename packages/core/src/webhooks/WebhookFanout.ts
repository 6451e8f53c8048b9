/**
 * Creates webhook deliveries from events. The body is built once, so later changes to the event or its contact do not
 * affect it.
 */

import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { WebhookId } from "@posthorn/contract/webhooks/Webhook"
import { testType } from "@posthorn/contract/webhooks/WebhookTypes"
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import type { EventHandler, EventKey } from "../events/EventHandler.ts"
import { Transaction } from "../platform/Transaction.ts"
import { Wakeups } from "../platform/Wakeups.ts"
import { DeliveryStore, type RoutedEvent } from "./DeliveryStore.ts"
import { webhookBody } from "./WebhookBody.ts"

export const make = Effect.gen(function* () {
  const store = yield* DeliveryStore
  const random = yield* SecureRandom.SecureRandom
  const transaction = yield* Transaction
  const { webhooks: wakeup } = yield* Wakeups

  const message = Effect.fnUntraced(function* (event: RoutedEvent) {
    const deliveries = yield* Effect.forEach(event.endpoints, (endpoint) =>
      Effect.map(random.uuidV7(), (id) => ({ id, endpoint }))
    )
    const { project, eventId, type } = event
    return { project, eventId, type, body: webhookBody(event), deliveries }
  })

  /** Creates the deliveries of events that are already routed. */
  const queue = Effect.fnUntraced(function* (routed: ReadonlyArray<RoutedEvent>, now: DateTime.Utc) {
    if (routed.length === 0) return { created: 0, messages: [] }
    const messages = yield* Effect.forEach(routed, message)
    const created = yield* store.insert(messages, now)
    yield* transaction.afterCommit(wakeup.wake)
    return { created, messages }
  })

  /**
   * Creates deliveries for every endpoint that subscribes to the events, or only for the given one. Returns the number
   * of new deliveries.
   */
  const enqueue = Effect.fn("WebhookFanout.enqueue")(function* (
    events: ReadonlyArray<EventKey>,
    now: DateTime.Utc,
    only?: WebhookId
  ) {
    return (yield* queue(yield* store.route(events, only), now)).created
  })

  /** Creates a `webhook.test` delivery, independent of the endpoint's patterns. Returns the id of the delivery. */
  const test = Effect.fn("WebhookFanout.test")(function* (project: ProjectId, endpoint: WebhookId) {
    const now = yield* DateTime.now
    const { messages } = yield* queue(
      [
        {
          project,
          eventId: yield* random.uuidV7(),
          type: testType,
          at: DateTime.formatIso(now),
          contactId: null,
          contactEmail: null,
          payload: { message: "Test" },
          endpoints: [endpoint]
        }
      ],
      now
    )
    return messages[0]?.deliveries[0]?.id ?? (yield* Effect.die(new Error("A test was not queued")))
  })

  return { enqueue, queue, test }
})

/** Enqueues deliveries of events. A batch without endpoints costs one lookup in a small table. */
export const reaction: EventHandler<Effect.Services<typeof make>> = {
  name: "webhooks",
  react: Effect.fnUntraced(function* ({ events, now }) {
    const store = yield* DeliveryStore
    const projects = [...new Set(events.map(({ project }) => project))]
    const listening = new Set(yield* store.listening(projects))
    if (listening.size === 0) return
    const { enqueue } = yield* make
    yield* enqueue(
      events.filter(({ project }) => listening.has(project)),
      now
    )
  })
}
