/**
 * Room for large bodies: while one is read, checked and stored it costs several times its size, so a crowd of them at
 * once could take all memory. They wait for each other instead, and who waits too long is asked to come back.
 */
import { Duration, Effect, type Scope, Semaphore } from "effect"
import { Overloaded } from "./Overloaded.ts"

/** Bytes; what is smaller counts as nothing. */
const large = 1024 * 1024
/** Bytes of large bodies in hand at once. */
const room = 64 * 1024 * 1024
/** Until there is room. */
const patience = Duration.seconds(20)

/** One for the process, as its memory is. */
const free = Semaphore.makeUnsafe(room)

/** Waits until there is room for a body of so many bytes, and keeps it until the scope closes. Dies with `Overloaded`. */
export const reserve = (size: number): Effect.Effect<void, never, Scope.Scope> =>
  size >= large
    ? Effect.timeoutOrElse(free.takeScoped(Math.min(size, room)), {
        duration: patience,
        orElse: () => Effect.die(new Overloaded({ what: "large bodies" }))
      })
    : Effect.void
