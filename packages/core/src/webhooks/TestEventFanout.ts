/** Creates webhook deliveries from the events of test mail, for endpoints in test mode. */
import { DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestEvents } from "../events/TestEvents.ts"
import type { Transaction } from "../platform/Transaction.ts"
import type { Wakeups } from "../platform/Wakeups.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import * as WebhookFanout from "./WebhookFanout.ts"

const isData = Schema.is(Schema.JsonObject)

export const layer: Layer.Layer<TestEvents, never, DeliveryStore | SecureRandom.SecureRandom | Transaction | Wakeups> =
  Layer.effect(
    TestEvents,
    Effect.gen(function* () {
      const store = yield* DeliveryStore
      const random = yield* SecureRandom.SecureRandom
      const fanout = yield* WebhookFanout.make

      return TestEvents.of({
        deliver: Effect.fn("TestEvents.deliver")(function* (project, events, now) {
          const routed = yield* Effect.forEach(events, ({ name, data }) =>
            Effect.gen(function* () {
              return {
                project,
                eventId: yield* random.uuidV7(),
                type: name,
                at: DateTime.formatIso(now),
                contactId: null,
                contactEmail: null,
                payload: isData(data) ? data : {},
                endpoints: yield* store.inTestMode(project, name)
              }
            })
          )
          yield* fanout.queue(
            routed.filter(({ endpoints }) => endpoints.length > 0),
            now
          )
        })
      })
    })
  )
