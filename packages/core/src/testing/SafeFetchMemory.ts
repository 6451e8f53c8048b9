/** An outside world for tests: what it answers is said by address, and every request is kept. */
import { Context, Effect, Layer } from "effect"
import { OutboundError, type OutboundRequest, SafeFetch } from "../outbound/SafeFetch.ts"

export class Outside extends Context.Service<
  Outside,
  {
    readonly answer: (url: string, body: string, status?: number) => Effect.Effect<void>
    readonly requests: Effect.Effect<ReadonlyArray<OutboundRequest>>
  }
>()("@posthorn/core/testing/SafeFetchMemory/Outside") {}

export const layer: Layer.Layer<Outside | SafeFetch> = Layer.effectContext(
  Effect.sync(() => {
    const answers = new Map<string, { readonly status: number; readonly body: string }>()
    const requests: Array<OutboundRequest> = []

    const fetch = SafeFetch.of({
      request: Effect.fnUntraced(function* (request) {
        requests.push(request)
        const found = answers.get(request.url)
        if (found === undefined) return yield* new OutboundError({ reason: "connection_failed" })
        return { status: found.status, headers: {}, body: new TextEncoder().encode(found.body) }
      })
    })
    const outside = Outside.of({
      answer: (url, body, status = 200) => Effect.sync(() => void answers.set(url, { status, body })),
      requests: Effect.sync(() => [...requests])
    })
    return Context.make(SafeFetch, fetch).pipe(Context.add(Outside, outside))
  })
)
