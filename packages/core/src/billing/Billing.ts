/** What a project may send and receive in a period, and what it has used of it (contract-2 12). */
import type { ProjectId } from "@posthorn/contract/Auth"
import {
  type BillingCategory,
  BillingLimitExceeded,
  billingCategories,
  type SetBillingLimits
} from "@posthorn/contract/billing/Billing"
import { Clock, Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { lifetimeNanos } from "../projects/KeyRing.ts"
import { Projects } from "../projects/Projects.ts"
import { Settings } from "../Settings.ts"
import { BillingStore, type Cap, type Excess, type Terms, type Usage } from "./BillingStore.ts"
import { PaymentProvider } from "./PaymentProvider.ts"
import { type Period, periodAt } from "./Periods.ts"

/** The current period, what was used in it, and every cap there is. */
export interface CurrentUsage {
  readonly period: Period
  readonly usage: Usage
  readonly caps: ReadonlyArray<Cap>
}

export class Billing extends Context.Service<
  Billing,
  {
    /** Whether there is a payment provider. */
    readonly sells: boolean
    /** Fails when `count` more would pass a cap. Does not see what others are about to store. */
    readonly requireRoom: (
      project: ProjectId,
      category: BillingCategory,
      count: number
    ) => Effect.Effect<void, BillingLimitExceeded>
    /**
     * Counts mails that are about to be stored, in the transaction that stores them: to be called before it does, and
     * its failure must end the transaction. Without a cap it costs nothing, not even a query.
     */
    readonly charge: (
      project: ProjectId,
      category: BillingCategory,
      count: number
    ) => Effect.Effect<void, BillingLimitExceeded>
    /** Whether mail of the category is counted against a cap; a second after a cap is set this may still say no. */
    readonly isCapped: (project: ProjectId, category: BillingCategory) => Effect.Effect<boolean>
    /** Lowers what this transaction has charged, by mails that turned out not to count. */
    readonly giveBack: (project: ProjectId, category: BillingCategory, count: number) => Effect.Effect<void>
    /** As `charge`, for mails that are in the ledger already and are sent once more. */
    readonly chargeAgain: (
      project: ProjectId,
      category: BillingCategory,
      count: number
    ) => Effect.Effect<void, BillingLimitExceeded>
    /** Counts one inbound mail. Never refused: the mail is here, and no cap loses it. Joins the caller's transaction. */
    readonly countInbound: (project: ProjectId) => Effect.Effect<void>
    /** Takes effect before it returns, in every process. */
    readonly setLimits: (project: ProjectId, limits: SetBillingLimits) => Effect.Effect<void>
    readonly currentUsage: (project: ProjectId) => Effect.Effect<CurrentUsage>
    readonly isSubscribed: (project: ProjectId) => Effect.Effect<boolean>
    /**
     * What was used stays used when the mails that say so are wiped by the reset that began then: to be called before they
     * are, and by whoever goes on with it, as only the first call counts.
     */
    readonly carryOver: (project: ProjectId, reset: DateTime.Utc) => Effect.Effect<void>
  }
>()("@posthorn/core/billing/Billing") {}

/** Projects a process keeps in mind; beyond it the memory starts anew. */
const maxRemembered = 10_000

export const layer: Layer.Layer<Billing, never, BillingStore | Projects | SecureRandom.SecureRandom> = Layer.effect(
  Billing,
  Effect.gen(function* () {
    const store = yield* BillingStore
    const projects = yield* Projects
    const random = yield* SecureRandom.SecureRandom
    const { freeEmails } = yield* Settings
    const isSold = (yield* PaymentProvider) !== null

    const remembered = new Map<ProjectId, { readonly terms: Terms; readonly until: bigint }>()

    /** As of at most a second ago: what every request needs is not worth a query each time. */
    const recall = Effect.fnUntraced(function* (project: ProjectId) {
      const before = yield* Clock.monotonicTimeNanos
      const known = remembered.get(project)
      if (known !== undefined && before < known.until) return known.terms
      const terms = yield* store.terms(project)
      if (remembered.size >= maxRemembered) remembered.clear()
      remembered.set(project, { terms, until: before + lifetimeNanos })
      return terms
    })

    const capsOf = ({ caps, subscription }: Terms): ReadonlyArray<Cap> => [
      ...billingCategories.flatMap((category) => {
        const limit = caps[category]
        return limit === null ? [] : [{ category, limit }]
      }),
      ...(isSold && subscription === undefined ? [{ category: "total" as const, limit: freeEmails }] : [])
    ]

    /** The caps that mail of a category counts against. */
    const binding = Effect.fnUntraced(function* (project: ProjectId, category: BillingCategory) {
      const terms = yield* recall(project)
      const caps = capsOf(terms).filter((cap) => cap.category === category || cap.category === "total")
      return caps.length === 0 ? undefined : { caps, period: periodAt(yield* DateTime.now, terms.subscription) }
    })

    const refuse = (excess: Excess | undefined, requested: number, { end }: Period) =>
      excess === undefined
        ? Effect.void
        : Effect.fail(new BillingLimitExceeded({ ...excess, requested, resetsAt: DateTime.formatIso(end) }))

    const requireRoom = Effect.fnUntraced(function* (project: ProjectId, category: BillingCategory, count: number) {
      const bound = yield* binding(project, category)
      if (bound === undefined) return
      const { caps, period } = bound
      yield* refuse(yield* store.excess(project, period, caps, count), count, period)
    })

    const charge = Effect.fnUntraced(function* (project: ProjectId, category: BillingCategory, count: number) {
      const bound = yield* binding(project, category)
      if (bound === undefined) return
      const { caps, period } = bound
      yield* refuse(yield* store.charge(project, period, caps, count), count, period)
    })

    const giveBack = Effect.fnUntraced(function* (project: ProjectId, category: BillingCategory, count: number) {
      const bound = count === 0 ? undefined : yield* binding(project, category)
      if (bound !== undefined) yield* store.giveBack(project, bound.period, bound.caps, count)
    })

    const record = Effect.fnUntraced(function* (project: ProjectId, category: BillingCategory, count: number) {
      yield* store.record(project, { id: yield* random.uuidV7(), category, count }, yield* DateTime.now)
    })

    const chargeAgain = Effect.fn("Billing.chargeAgain")(function* (
      project: ProjectId,
      category: BillingCategory,
      count: number
    ) {
      yield* charge(project, category, count)
      yield* record(project, category, count)
    })

    const setLimits = Effect.fn("Billing.setLimits")(function* (project: ProjectId, limits: SetBillingLimits) {
      yield* store.setCaps(project, limits)
      remembered.delete(project)
      yield* projects.forgotten
      // What was stored meanwhile by those who did not know of a cap is in no counter yet.
      yield* store.recount(project)
    })

    const currentUsage = Effect.fn("Billing.currentUsage")(function* (project: ProjectId) {
      const terms = yield* store.terms(project)
      const period = periodAt(yield* DateTime.now, terms.subscription)
      return { period, usage: yield* store.usage(project, period), caps: capsOf(terms) }
    })

    const carryOver = Effect.fn("Billing.carryOver")(function* (project: ProjectId, reset: DateTime.Utc) {
      const { subscription } = yield* store.terms(project)
      yield* store.carryOver(project, periodAt(reset, subscription), reset)
    })

    return Billing.of({
      sells: isSold,
      requireRoom,
      charge,
      isCapped: (project, category) => Effect.map(binding(project, category), (bound) => bound !== undefined),
      giveBack,
      chargeAgain,
      countInbound: (project) => Effect.withSpan(record(project, "inbound", 1), "Billing.countInbound"),
      setLimits,
      currentUsage,
      isSubscribed: (project) => Effect.map(store.terms(project), ({ subscription }) => subscription !== undefined),
      carryOver
    })
  })
)
