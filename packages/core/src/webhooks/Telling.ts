/** Makes deliveries of events: the body is built here, once, whatever becomes of the event or its contact. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { WebhookId } from "@posthorn/contract/webhooks/Webhook"
import { testType } from "@posthorn/contract/webhooks/WebhookTypes"
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { EventKey, Reaction } from "../events/Reaction.ts"
import { Transaction } from "../Transaction.ts"
import { type Addressed, DeliveryStore } from "./DeliveryStore.ts"
import { webhookBody } from "./WebhookBody.ts"
import { WebhookNudge } from "./WebhookNudge.ts"

export class Telling extends Context.Service<
  Telling,
  {
    /** Tells every endpoint that wants to hear of them, or only this one; gives the number of new deliveries. */
    readonly tell: (events: ReadonlyArray<EventKey>, now: DateTime.Utc, only?: WebhookId) => Effect.Effect<number>
    /** Delivers a `webhook.test`, whatever the endpoint wants; gives the id of the delivery. */
    readonly test: (project: ProjectId, endpoint: WebhookId) => Effect.Effect<string>
  }
>()("@posthorn/core/webhooks/Telling") {}

type Needs = DeliveryStore | SecureRandom.SecureRandom | Transaction | WebhookNudge

export const layer: Layer.Layer<Telling, never, Needs> = Layer.effect(
  Telling,
  Effect.gen(function* () {
    const store = yield* DeliveryStore
    const random = yield* SecureRandom.SecureRandom
    const transaction = yield* Transaction
    const nudge = yield* WebhookNudge

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
      yield* transaction.afterCommit(nudge.wake)
      return { made, messages }
    })

    const tell = Effect.fn("Telling.tell")(function* (
      events: ReadonlyArray<EventKey>,
      now: DateTime.Utc,
      only?: WebhookId
    ) {
      return (yield* queue(yield* store.addressed(events, only), now)).made
    })

    const test = Effect.fn("Telling.test")(function* (project: ProjectId, endpoint: WebhookId) {
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

    return Telling.of({ tell, test })
  })
)

/** A batch of which no project has an endpoint costs one look at a small table. */
export const reaction: Reaction<DeliveryStore | Telling> = {
  name: "webhooks",
  react: Effect.fnUntraced(function* ({ events, now }) {
    const store = yield* DeliveryStore
    const projects = [...new Set(events.map(({ project }) => project))]
    const listening = new Set(yield* store.listening(projects))
    if (listening.size === 0) return
    const { tell } = yield* Telling
    yield* tell(
      events.filter(({ project }) => listening.has(project)),
      now
    )
  })
}
