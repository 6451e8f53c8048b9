/** Routes outside the API. */
import { Context, Effect, Fiber, Scope } from "effect"
import { carried } from "./RequestContext.ts"

/** Runs handlers in the context in which they are built, with its clock and settings, like endpoints of the API. */
export const inContext: Effect.Effect<<A, E, R>(handler: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>> =
  Effect.map(Effect.context<never>(), (context) => {
    const lasting = Context.omit(Scope.Scope)(carried(context))
    return (handler) => Effect.provideContext(handler, lasting)
  })

/**
 * Work whose result all requests share. It begins with the first request that needs it, and a client that leaves
 * meanwhile does not end it: the next one finds it done.
 */
export const once: Effect.Effect<
  <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<Effect.Effect<A, E, R>>,
  never,
  Scope.Scope
> = Effect.map(
  Effect.scope,
  (scope) => (work) =>
    Effect.map(Effect.cached(Effect.forkIn(work, scope)), (begun) => Effect.flatMap(begun, Fiber.join))
)
