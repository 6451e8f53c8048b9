/**
 * Keeps the context of requests small. Effect merges and copies contexts several times for each request, entry by
 * entry, and the core has about ninety services. So requests do not carry them: handlers use the services of the
 * context in which they were built. Settings, loggers, the clock and the services of the host are in the context of the
 * request.
 */
import { Context, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

/** The keys of the core's services. */
const Core = Context.Reference<ReadonlySet<string>>("@posthorn/core/http/RequestContext/Core", {
  defaultValue: () => new Set()
})

/** The same services, with the set of their keys. */
export const marked = <A, E, R>(services: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.fromBuildMemo((memoMap, scope) =>
    Effect.map(Layer.buildWithMemoMap(services, memoMap, scope), (context) =>
      Context.add(context, Core, new Set(context.mapUnsafe.keys()))
    )
  )

/** The part of a context that requests carry. */
export const carried = <R>(context: Context.Context<R>): Context.Context<R> => {
  const core = Context.get(context, Core)
  return Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => !core.has(key))))
}

/** As `HttpApiBuilder.group`. Handlers run in the context in which the group is built. */
export const group: typeof HttpApiBuilder.group = (api, identifier, build) =>
  Layer.fromBuildMemo((memoMap, scope) =>
    Effect.flatMap(Effect.context(), (here) => {
      const buildHere = ((handlers) => {
        const built = build(handlers)
        return Effect.isEffect(built) ? Effect.provideContext(built, here) : built
      }) as typeof build
      const handlers = Layer.buildWithMemoMap(HttpApiBuilder.group(api, identifier, buildHere), memoMap, scope)
      return Effect.updateContext(handlers, carried)
    })
  )
