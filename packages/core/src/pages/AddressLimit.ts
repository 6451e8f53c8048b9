/** At most so many requests from one address in any 60 seconds (contract-2 15.2), in the memory of this process alone. */
import { Clock, Effect } from "effect"

export interface AddressLimit {
  /** Takes one request; false when there were too many. */
  readonly take: (address: string) => Effect.Effect<boolean>
}

const window = 60
/** Addresses in mind; beyond it the memory starts anew. */
const maxAddresses = 10_000

interface Seconds {
  /** By second modulo the window, with the second each count belongs to. */
  readonly counts: Uint32Array
  readonly seconds: Float64Array
}

export const make = (limit: number): AddressLimit => {
  const known = new Map<string, Seconds>()

  const secondsOf = (address: string): Seconds => {
    const found = known.get(address)
    if (found !== undefined) return found
    if (known.size >= maxAddresses) known.clear()
    const fresh = { counts: new Uint32Array(window), seconds: new Float64Array(window) }
    known.set(address, fresh)
    return fresh
  }

  const take = (address: string) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const second = Math.floor(now / 1_000)
      const { counts, seconds } = secondsOf(address)
      let taken = 0
      for (let cell = 0; cell < window; cell++) {
        if ((seconds[cell] ?? 0) > second - window) taken += counts[cell] ?? 0
      }
      if (taken >= limit) return false
      const cell = second % window
      if (seconds[cell] !== second) counts[cell] = 0
      seconds[cell] = second
      counts[cell] = (counts[cell] ?? 0) + 1
      return true
    })

  return { take }
}
