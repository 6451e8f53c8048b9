/** Routes beside the API. */
import { Context, Effect, Scope } from "effect"

/** Runs handlers in the context in which they are built, as the endpoints of the API are: with its clock, its settings. */
export const inContext: Effect.Effect<<A, E, R>(handler: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>> =
  Effect.map(Effect.context<never>(), (context) => {
    const lasting = Context.omit(Scope.Scope)(context)
    return (handler) => Effect.provideContext(handler, lasting)
  })
