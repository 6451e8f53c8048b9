/** Handlers of V1Api. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type PublicKey, PublicKeyCall, type SecretKey } from "@posthorn/contract/platform/Auth"
import type { Idempotent, JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { Events } from "../../audience/events/Events.ts"
import * as PublicCalls from "../../audience/events/PublicCalls.ts"
import { Verification } from "../../audience/verification/Verification.ts"
import { Sending } from "../../mail/sending/Sending.ts"
import { group } from "../../platform/http/RequestContext.ts"

const succeed = <A>(data: A) => ({ success: true as const, data })

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "v1">,
  never,
  Events | Idempotent | JsonBody | PublicKey | SecretKey | Sending | Validation | Verification
> = group(
  Api,
  "v1",
  Effect.fnUntraced(function* (handlers) {
    const calls = yield* PublicCalls.make
    const events = yield* Events
    const sending = yield* Sending
    const verification = yield* Verification
    return handlers.handleAll({
      track: Effect.fnUntraced(function* ({ payload }) {
        const { id } = yield* CurrentProject
        const policy = yield* PublicKeyCall
        if (policy !== undefined) yield* calls.take(id, payload.email)
        return succeed(yield* events.track(id, payload, policy))
      }),
      send: ({ payload }) => CurrentProject.use(({ id }) => Effect.map(sending.send(id, payload), succeed)),
      verify: ({ payload }) => Effect.map(verification.verify(payload.email), succeed)
    })
  })
)
