/** Handlers of V1Api. */
import { Api } from "@posthorn/contract/Api"
import {
  Actor,
  apiKeyOf,
  CurrentProject,
  type PublicKey,
  PublicKeyCall,
  type SecretKey
} from "@posthorn/contract/platform/Auth"
import type { Idempotent, JsonBody, Validation } from "@posthorn/contract/platform/Request"
import { Effect, type Layer, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpApiGroup } from "effect/http-api"
import { withRetryAfter } from "../../accounts/people/AuthHttp.ts"
import * as Events from "../../audience/events/Events.ts"
import * as PublicCalls from "../../audience/events/PublicCalls.ts"
import { Verification } from "../../audience/verification/Verification.ts"
import { Sending } from "../../mail/sending/Sending.ts"
import { keySpace, replayMode } from "../../platform/http/Idempotency.ts"
import { group } from "../../platform/http/RequestContext.ts"

/** How the keys of the items of a batch are used: as the header of the request says. */
const itemKeys = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  return { replay: (yield* replayMode(headers)) === "replay", stored: yield* keySpace }
})

/**
 * The items of a batch as they were sent. A decoded item lacks its unknown fields, and its fingerprint would not be that
 * of the same request to `/v1/send`.
 */
const asSent = HttpServerRequest.HttpServerRequest.pipe(
  Effect.flatMap(({ json }) => json),
  Effect.flatMap(
    Schema.decodeUnknownEffect(
      Schema.Struct({ emails: Schema.Array(Schema.Unknown), defaults: Schema.optionalKey(Schema.Unknown) })
    )
  ),
  Effect.orDie
)

const succeed = <A>(data: A) => ({ success: true as const, data })

export const layer: Layer.Layer<
  HttpApiGroup.Service<"posthorn", "v1">,
  never,
  Events.Needs | Idempotent | JsonBody | PublicKey | SecretKey | Sending | Validation | Verification
> = group(
  Api,
  "v1",
  Effect.fnUntraced(function* (handlers) {
    const calls = yield* PublicCalls.make
    const events = yield* Events.make
    const sending = yield* Sending
    const verification = yield* Verification
    return handlers.handleAll({
      track: Effect.fnUntraced(function* ({ payload }) {
        const { id } = yield* CurrentProject
        const policy = yield* PublicKeyCall
        if (policy !== undefined) yield* calls.take(id, yield* events.named(id, payload))
        return succeed(yield* events.track(id, payload, policy))
      }),
      send: Effect.fnUntraced(function* ({ payload }) {
        const { id } = yield* CurrentProject
        return succeed(yield* withRetryAfter(sending.send(id, payload, apiKeyOf(yield* Actor))))
      }),
      batch: Effect.fnUntraced(function* ({ payload }) {
        const { id } = yield* CurrentProject
        const { emails, defaults } = yield* asSent
        const apiKey = apiKeyOf(yield* Actor)
        const keys = yield* itemKeys
        return succeed(yield* withRetryAfter(sending.sendBatch(id, { ...payload, emails, defaults }, keys, apiKey)))
      }),
      verify: ({ payload }) => Effect.map(verification.verify(payload.email), succeed)
    })
  })
)
