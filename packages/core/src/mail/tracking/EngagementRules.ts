/** Which of a mail's hits count, and whose they are. Pure. */
import type { Actor } from "./BotDetection.ts"

/** What is remembered of a hit for as long as it bears on others. Times in milliseconds since 1970. */
export interface KnownHit {
  readonly id: string
  /** What was asked for: the pixel, or one link. */
  readonly target: string
  readonly isClick: boolean
  readonly at: number
  readonly verdict: Actor
}

export interface Judgement<Fresh> {
  /** Those that count, by time, with their verdict. */
  readonly counted: ReadonlyArray<Fresh>
  /** Clicks on record that were taken for human, and belong to a burst. */
  readonly corrected: ReadonlyArray<string>
}

const repeatMillis = 1_000
const burstMillis = 2_000
const burstLinks = 3

/**
 * A request for what was counted less than a second ago does not count. Three different links within two seconds were
 * followed by a machine, all of them. `known` are the hits on record within two seconds of any fresh one.
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

/** The ids of all clicks that lie together with clicks on two other links within two seconds. */
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
