/**
 * A cache of one second, by the monotonic clock and counted from before the look-up. A change that waits for `expired`
 * after its commit knows that no process has an older value in its cache.
 */
import { Clock, Duration, Effect } from "effect"

const lifetime = Duration.seconds(1)
const lifetimeNanos = Duration.toNanosUnsafe(lifetime)
/** More than a process sees in a second. Beyond it the cache is emptied. */
const maxEntries = 10_000

/** Waits until the entries of every process are over. */
export const expired: Effect.Effect<void> = Effect.sleep(Duration.sum(lifetime, Duration.millis(100)))

export interface ShortCache<Key, Value, E> {
  /** The cached value, or the result of the look-up. Failures are not cached. */
  readonly get: (key: Key) => Effect.Effect<Value, E>
  readonly invalidate: (key: Key) => Effect.Effect<void>
  readonly clear: Effect.Effect<void>
}

export const make = <Key, Value, E>(lookUp: (key: Key) => Effect.Effect<Value, E>): ShortCache<Key, Value, E> => {
  const entries = new Map<Key, { readonly value: Value; readonly until: bigint }>()
  return {
    get: Effect.fnUntraced(function* (key) {
      const now = yield* Clock.monotonicTimeNanos
      const entry = entries.get(key)
      if (entry !== undefined && now < entry.until) return entry.value
      const value = yield* lookUp(key)
      if (entries.size >= maxEntries) entries.clear()
      entries.set(key, { value, until: now + lifetimeNanos })
      return value
    }),
    invalidate: (key) => Effect.sync(() => void entries.delete(key)),
    clear: Effect.sync(() => entries.clear())
  }
}
