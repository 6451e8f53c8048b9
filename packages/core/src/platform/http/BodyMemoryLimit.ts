/**
 * Limits the memory of large request bodies. Reading, checking and storing a body takes several times its size, so many
 * at once could use up all memory. Bodies wait for free memory; one that waits too long is answered with 503. Each
 * caller has a share, so no caller blocks the others. A caller that sends slowly is ended when others wait.
 */
import { Duration, Effect, type Scope, Semaphore } from "effect"
import { Overloaded } from "./Overloaded.ts"

/** In bytes. Smaller bodies do not count. */
const large = 1024 * 1024
/** Total bytes of large bodies at once. */
const room = 64 * 1024 * 1024
/** Bytes for one caller: the largest body that any endpoint accepts. */
const share = 40 * 1024 * 1024
/** How long a body waits for memory. */
const maxWait = Duration.seconds(20)
/** How long a body may take to arrive while others wait. */
const sendingTime = Duration.seconds(10)

/** A process has one. */
const free = Semaphore.makeUnsafe(room)
/** Bodies that wait for memory. */
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
    return Effect.timeoutOrElse(taken, { duration: maxWait, orElse: () => overloaded })
  }).pipe(Effect.ensuring(Effect.sync(() => waiting--)))

/** The caller's share. It is removed with the caller's last body. */
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

/** Waits until this many bytes of the caller's share are free, and holds them until the scope closes. */
export const reserveShare = Effect.fnUntraced(function* (caller: string, size: number) {
  if (size < large) return
  const own = yield* shareOf(caller)
  yield* inTime(own.free.takeScoped(Math.min(size, share)))
})

/** As `reserveShare`, and of the memory of the process. */
export const reserve = Effect.fnUntraced(function* (caller: string, size: number) {
  if (size < large) return
  yield* reserveShare(caller, size)
  yield* inTime(free.takeScoped(Math.min(size, room)))
})

const overloadedOnceOthersWait: Effect.Effect<never> = Effect.suspend(() =>
  waiting > 0 ? overloaded : Effect.andThen(Effect.sleep("1 second"), overloadedOnceOthersWait)
)

const endedWhenOthersWait = <E, R>(read: Effect.Effect<ArrayBuffer, E, R>) =>
  Effect.raceFirst(read, Effect.andThen(Effect.sleep(sendingTime), overloadedOnceOthersWait))

/** The stated length of a request body. Undefined where none is stated. */
export const declared = (contentLength: string | undefined): number | undefined =>
  contentLength !== undefined && /^\d+$/.test(contentLength) ? Number(contentLength) : undefined

/**
 * Reads the body once there is memory for it, and holds the memory until the scope closes. A body of unknown length
 * reserves its whole limit while it is read. Dies with `Overloaded`.
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
    return yield* endedWhenOthersWait(body)
  }
  const bytes = yield* Effect.scoped(Effect.andThen(reserve(caller, size), endedWhenOthersWait(body)))
  yield* reserve(caller, bytes.byteLength)
  return bytes
})
