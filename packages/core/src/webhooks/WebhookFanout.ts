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
import { type Addressed, DeliveryStore } from "./DeliveryStore.ts"
import { webhookBody } from "./WebhookBody.ts"

export const make = Effect.gen(function* () {
  const store = yield* DeliveryStore
  const random = yield* SecureRandom.SecureRandom
  const transaction = yield* Transaction
  const { webhooks: wakeup } = yield* Wakeups

  const message = Effect.fnUntraced(function* (told: Addressed) {
    const deliveries = yield* Effect.forEach(told.endpoints, (endpoint) =>
      Effect.map(random.uuidV7(), (id) => ({ id, endpoint }))
    )
    const { project, eventId, type } = told
    return { project, eventId, type, body: webhookBody(told), deliveries }
  })

  const queue = Effect.fnUntraced(function* (addressed: ReadonlyArray<Addressed>, now: DateTime.Utc) {
    if (addressed.length === 0) return { made: 0, messages: [] }
    const messages = yield* Effect.forEach(addressed, message)
    const made = yield* store.insert(messages, now)
    yield* transaction.afterCommit(wakeup.wake)
    return { made, messages }
  })

  /**
   * Creates deliveries for every endpoint that subscribes to the events, or only for the given one. Returns the number of
   * new deliveries.
   */
  const tell = Effect.fn("WebhookFanout.tell")(function* (
    events: ReadonlyArray<EventKey>,
    now: DateTime.Utc,
    only?: WebhookId
  ) {
    return (yield* queue(yield* store.addressed(events, only), now)).made
  })

  /** Creates a `webhook.test` delivery, whatever the endpoint subscribes to. Returns the id of the delivery. */
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

  return { tell, test }
})

/** A batch without any endpoint costs one lookup in a small table. */
export const reaction: EventHandler<Effect.Services<typeof make>> = {
  name: "webhooks",
  react: Effect.fnUntraced(function* ({ events, now }) {
    const store = yield* DeliveryStore
    const projects = [...new Set(events.map(({ project }) => project))]
    const listening = new Set(yield* store.listening(projects))
    if (listening.size === 0) return
    const { tell } = yield* make
    yield* tell(
      events.filter(({ project }) => listening.has(project)),
      now
    )
  })
}
