/** How many pages one address may ask for (contract-2 15.2). */
import { Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as AddressLimit from "./AddressLimit.ts"
import * as PageHtml from "./PageHtml.ts"
import { place, type Request, respond } from "./PageRequest.ts"

const requestsPerMinute = 600

/** A limit of its own. Without an address, as in an application that hosts us, the limit is the host's. */
export const make = () => {
  const limit = AddressLimit.make(requestsPerMinute)
  return <E, R>(
    app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | Request> =>
    Effect.gen(function* () {
      const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
      if (Option.isNone(remoteAddress) || (yield* limit.take(remoteAddress.value))) return yield* app
      return HttpServerResponse.setHeader(respond(PageHtml.busy(yield* place()), 429), "retry-after", "60")
    })
}
