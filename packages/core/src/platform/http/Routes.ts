/** Routes outside the API. */
import { Context, Effect, Scope } from "effect"
import { carried } from "./RequestContext.ts"

/** Runs handlers in the context in which they are built, with its clock and settings, like endpoints of the API. */
export const inContext: Effect.Effect<<A, E, R>(handler: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>> =
  Effect.map(Effect.context<never>(), (context) => {
    const lasting = Context.omit(Scope.Scope)(carried(context))
    return (handler) => Effect.provideContext(handler, lasting)
  })
