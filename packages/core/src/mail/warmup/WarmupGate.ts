/** Which mail may leave under the plans of a project, and when the other may. */
import { capOf, freeAt, nextFree, nextSlot } from "./WarmupPlan.ts"
import type { StoredPlan } from "./WarmupSql.ts"

/** The parts of a mail that plans look at. */
export interface GatedMail {
  readonly domain: string
  /** Whether it is sent to a server and is no test. Other mail is neither limited nor counted. */
  readonly isReal: boolean
  /** Whether it waits for the cap: all but transactional mail outside of campaigns. */
  readonly waits: boolean
  /** Whether it was never taken for sending. */
  readonly isFresh: boolean
}

export type Passage =
  /** `plans` have counted it. */
  | { readonly passes: true; readonly plans: ReadonlyArray<string> }
  | { readonly passes: false; readonly by: ReadonlyArray<StoredPlan> }

export interface WarmupGate {
  /** Counts the mail if it passes. */
  readonly pass: (mail: GatedMail, transport: string) => Passage
  /** Fresh mails of a domain that pass now. `retries`: whether mail passes that was taken before. */
  readonly room: (domain: string, transport: string) => { readonly fresh: number; readonly retries: boolean }
  /** When the next mail of the domain passes. */
  readonly opensAt: (domain: string, transport: string) => Date
  /** A place for a single mail that does not pass, and the plan that it waits for. */
  readonly putOff: (by: ReadonlyArray<StoredPlan>) => { readonly until: Date; readonly plan: string } | undefined
  /** The plans whose counters have changed. */
  readonly changed: () => ReadonlyArray<StoredPlan>
}

export const make = (stored: ReadonlyArray<StoredPlan>, now: Date): WarmupGate => {
  const plans = new Map(stored.map((plan) => [plan.id, plan]))
  const changed = new Set<string>()
  const at = now.getTime()

  const fitting = (domain: string, transport: string) =>
    [...plans.values()].filter(
      (plan) => plan.domain === domain && (plan.transport === "" || plan.transport === transport)
    )
  const change = (plan: StoredPlan) => {
    plans.set(plan.id, plan)
    changed.add(plan.id)
  }
  const count = (counting: ReadonlyArray<StoredPlan>): Passage => {
    for (const plan of counting) change({ ...plan, taken: plan.taken + 1 })
    return { passes: true, plans: counting.map(({ id }) => id) }
  }
  const latest = (times: ReadonlyArray<number>) => new Date(Math.max(at, ...times))

  return {
    pass: ({ domain, isFresh, isReal, waits }, transport) => {
      const fit = isReal ? fitting(domain, transport) : []
      if (!waits) return count(isFresh ? fit.filter(({ transactional }) => transactional === "COUNT") : [])
      if (!isFresh) {
        const by = fit.filter(({ closed }) => closed)
        return by.length > 0 ? { passes: false, by } : { passes: true, plans: [] }
      }
      const by = fit.filter((plan) => freeAt(plan, at) < 1)
      return by.length > 0 ? { passes: false, by } : count(fit)
    },
    room: (domain, transport) => {
      const fit = fitting(domain, transport)
      return {
        fresh: Math.min(Number.POSITIVE_INFINITY, ...fit.map((plan) => freeAt(plan, at))),
        retries: fit.every(({ closed }) => !closed)
      }
    },
    opensAt: (domain, transport) =>
      latest(
        fitting(domain, transport)
          .filter((plan) => freeAt(plan, at) < 1)
          .map(nextFree)
      ),
    putOff: (by) => {
      const places = by.flatMap(({ id }) => {
        const plan = plans.get(id)
        return plan === undefined ? [] : [{ plan, ...nextSlot(plan) }]
      })
      for (const { plan, slots } of places) change({ ...plan, slots })
      const [last] = places.toSorted((one, other) => other.at - one.at || capOf(one.plan) - capOf(other.plan))
      return last && { until: latest([last.at]), plan: last.plan.id }
    },
    changed: () => [...changed].flatMap((id) => plans.get(id) ?? [])
  }
}
