/** Which hits of a mail count, and whether a person made them. Pure. */
import type { BotVerdict } from "./BotDetection.ts"

/** The fields of a hit by which it is compared with others. `at` is in milliseconds since 1970. */
export interface KnownHit {
  readonly id: string
  /** The target: the pixel, or one link. */
  readonly target: string
  readonly isClick: boolean
  readonly at: number
  readonly verdict: BotVerdict
}

export interface Judgement<Fresh> {
  /** The hits that count, by time, with their verdict. */
  readonly counted: ReadonlyArray<Fresh>
  /** Stored clicks with the verdict `human` that turn out to belong to a burst. */
  readonly corrected: ReadonlyArray<string>
}

const repeatMillis = 1_000
const burstMillis = 2_000
const burstLinks = 3

/**
 * A repeated request for the same target within a second does not count. Clicks on three different links within two
 * seconds all come from a machine. `known` has the stored hits within two seconds of any fresh one.
 */
export const judge = <Fresh extends KnownHit>(
  known: ReadonlyArray<KnownHit>,
  fresh: ReadonlyArray<Fresh>
): Judgement<Fresh> => {
  const counted = withoutRepeats(known, fresh)
  const machines = burstsIn([...known, ...counted])
  return {
    counted: counted.map((hit) => (machines.has(hit.id) ? { ...hit, verdict: "machine" } : hit)),
    corrected: known.flatMap(({ id, verdict }) => (verdict === "human" && machines.has(id) ? [id] : []))
  }
}

const byTime = <A extends KnownHit>(hits: ReadonlyArray<A>): ReadonlyArray<A> => hits.toSorted((a, b) => a.at - b.at)

const withoutRepeats = <Fresh extends KnownHit>(known: ReadonlyArray<KnownHit>, fresh: ReadonlyArray<Fresh>) => {
  const times = new Map<string, Array<number>>()
  const take = ({ target, at }: KnownHit) => {
    const before = times.get(target)
    if (before === undefined) times.set(target, [at])
    else before.push(at)
  }
  known.forEach(take)
  return byTime(fresh).filter((hit) => {
    if (times.get(hit.target)?.some((at) => Math.abs(at - hit.at) < repeatMillis)) return false
    take(hit)
    return true
  })
}

/** The ids of all clicks that are within two seconds of clicks on two other links. */
const burstsIn = (hits: ReadonlyArray<KnownHit>): ReadonlySet<string> => {
  const clicks = byTime(hits.filter(({ isClick }) => isClick))
  const machines = new Set<string>()
  let start = 0
  for (const [end, { at }] of clicks.entries()) {
    while ((clicks[start]?.at ?? at) < at - burstMillis) start++
    const together = clicks.slice(start, end + 1)
    if (new Set(together.map(({ target }) => target)).size < burstLinks) continue
    for (const { id } of together) machines.add(id)
  }
  return machines
}
