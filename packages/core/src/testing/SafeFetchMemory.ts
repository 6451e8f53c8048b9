/** Outside servers for tests. The test sets the response of each address, and every request is stored. */
import { Context, Effect, Layer } from "effect"
import { outboundUrl } from "../platform/outbound/PublicAddress.ts"
import {
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
  SafeFetch
} from "../platform/outbound/SafeFetch.ts"

export class Outside extends Context.Service<
  Outside,
  {
    readonly answer: (url: string, body: string, status?: number) => Effect.Effect<void>
    /** Sets a handler. Requests to it are not stored. */
    readonly serve: (
      url: string,
      handle: (request: OutboundRequest) => Effect.Effect<OutboundResponse, OutboundError>
    ) => Effect.Effect<void>
    readonly requests: Effect.Effect<ReadonlyArray<OutboundRequest>>
  }
>()("@posthorn/core/testing/SafeFetchMemory/Outside") {}

export const layer: Layer.Layer<Outside | SafeFetch> = Layer.effectContext(
  Effect.sync(() => {
    const answers = new Map<string, { readonly status: number; readonly body: string }>()
    const servers = new Map<string, (request: OutboundRequest) => Effect.Effect<OutboundResponse, OutboundError>>()
    const requests: Array<OutboundRequest> = []

    const fetch = SafeFetch.of({
      allows: (url) => outboundUrl(url) !== undefined,
      request: Effect.fnUntraced(function* (request) {
        const serve = servers.get(request.url)
        if (serve !== undefined) return yield* serve(request)
        requests.push(request)
        const found = answers.get(request.url)
        if (found === undefined) return yield* new OutboundError({ reason: "connection_failed" })
        return { status: found.status, headers: {}, body: new TextEncoder().encode(found.body) }
      })
    })
    const outside = Outside.of({
      answer: (url, body, status = 200) => Effect.sync(() => void answers.set(url, { status, body })),
      serve: (url, handle) => Effect.sync(() => void servers.set(url, handle)),
      requests: Effect.sync(() => [...requests])
    })
    return Context.make(SafeFetch, fetch).pipe(Context.add(Outside, outside))
  })
)
