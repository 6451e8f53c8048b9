/** Handlers of V1Api. */
import { Api } from "@posthorn/contract/Api"
import { CurrentProject, type PublicKey, type SecretKey } from "@posthorn/contract/Auth"
import type { Idempotent, JsonBody, Validation } from "@posthorn/contract/Request"
import { Effect, type Layer } from "effect"
import type { HttpApiGroup } from "effect/http-api"
import { Events } from "../events/Events.ts"
import { group } from "../http/RequestContext.ts"
import { Sending } from "../sending/Sending.ts"
import { Verification } from "../verification/Verification.ts"

const succeed = <A>(data: A) => ({ success: true as const, data })

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "v1">,
  never,
  Events | Idempotent | JsonBody | PublicKey | SecretKey | Sending | Validation | Verification
> = group(
  Api,
  "v1",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* Events
    const sending = yield* Sending
    const verification = yield* Verification
    return handlers.handleAll({
      track: ({ payload }) => CurrentProject.use(({ id }) => Effect.map(events.track(id, payload), succeed)),
      send: ({ payload }) => CurrentProject.use(({ id }) => Effect.map(sending.send(id, payload), succeed)),
      verify: ({ payload }) => Effect.map(verification.verify(payload.email), succeed)
    })
  })
)
