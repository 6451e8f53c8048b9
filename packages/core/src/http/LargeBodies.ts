/**
 * Room for large bodies: while one is read, checked and stored it costs several times its size, so a crowd of them at
 * once could take all memory. They wait for each other instead, and who waits too long is asked to come back. Nobody
 * keeps the others out: a caller has a share of the room, and who takes long to send gives way to who waits.
 */
import { Duration, Effect, type Scope, Semaphore } from "effect"
import { Overloaded } from "./Overloaded.ts"

/** Bytes; what is smaller counts as nothing. */
const large = 1024 * 1024
/** Bytes of large bodies in hand at once. */
const room = 64 * 1024 * 1024
/** Bytes of these that one caller may have: as many as the largest body that any endpoint takes. */
const share = 40 * 1024 * 1024
/** How long a body waits for room. */
const patience = Duration.seconds(20)
/** How long a body may take to arrive while others wait. */
const sendingTime = Duration.seconds(10)

/** One for the process, as its memory is. */
const free = Semaphore.makeUnsafe(room)
/** Bodies that wait for room. */
let waiting = 0

interface Share {
  readonly free: Semaphore.Semaphore
  users: number
}
const shares = new Map<string, Share>()

const overloaded = Effect.suspend(() => Effect.die(new Overloaded({ what: "large bodies" })))

const inTime = <R>(taken: Effect.Effect<unknown, never, R>) =>
  Effect.suspend(() => {
    waiting++
    return Effect.timeoutOrElse(taken, { duration: patience, orElse: () => overloaded })
  }).pipe(Effect.ensuring(Effect.sync(() => waiting--)))

/** The caller's share, which is forgotten with its last body. */
const shareOf = (caller: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const found = shares.get(caller) ?? { free: Semaphore.makeUnsafe(share), users: 0 }
      found.users++
      shares.set(caller, found)
      return found
    }),
    (found) =>
      Effect.sync(() => {
        found.users--
        if (found.users === 0) shares.delete(caller)
      })
  )

/** Waits until the caller has so many bytes of its share, and keeps them until the scope closes. */
export const reserveShare = Effect.fnUntraced(function* (caller: string, size: number) {
  if (size < large) return
  const own = yield* shareOf(caller)
  yield* inTime(own.free.takeScoped(Math.min(size, share)))
})

const reserve = Effect.fnUntraced(function* (caller: string, size: number) {
  if (size < large) return
  yield* reserveShare(caller, size)
  yield* inTime(free.takeScoped(Math.min(size, room)))
})

const untilSomebodyWaits: Effect.Effect<never> = Effect.suspend(() =>
  waiting > 0 ? overloaded : Effect.andThen(Effect.sleep("1 second"), untilSomebodyWaits)
)

const givingWay = <E, R>(read: Effect.Effect<ArrayBuffer, E, R>) =>
  Effect.raceFirst(read, Effect.andThen(Effect.sleep(sendingTime), untilSomebodyWaits))

/** How many bytes a request says that it has; undefined where it does not say. */
export const declared = (contentLength: string | undefined): number | undefined =>
  contentLength !== undefined && /^\d+$/.test(contentLength) ? Number(contentLength) : undefined

/**
 * The body of a caller's request, read once there is room for it; the room is its own until the scope closes. One that
 * does not say its length may have all that the limit lets it. Dies with `Overloaded`.
 */
export const read = Effect.fnUntraced(function* <E, R>(
  caller: string,
  length: number | undefined,
  limit: number,
  body: Effect.Effect<ArrayBuffer, E, R>
): Effect.fn.Return<ArrayBuffer, E, R | Scope.Scope> {
  const size = Math.min(length ?? limit, limit)
  if (size < large) return yield* body
  if (length !== undefined) {
    yield* reserve(caller, size)
    return yield* givingWay(body)
  }
  const bytes = yield* Effect.scoped(Effect.andThen(reserve(caller, size), givingWay(body)))
  yield* reserve(caller, bytes.byteLength)
  return bytes
})
