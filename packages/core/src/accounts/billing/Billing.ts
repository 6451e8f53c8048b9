/** Usage of a project in the current billing period, and the caps on it. */

import {
  type BillingCategory,
  BillingLimitExceeded,
  billingCategories,
  type SetBillingLimits
} from "@posthorn/contract/accounts/billing/Billing"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Settings } from "../../platform/Settings.ts"
import * as ShortCache from "../../platform/ShortCache.ts"
import { Projects } from "../projects/Projects.ts"
import { BillingStore, type Cap, type Excess, type Terms, type Usage } from "./BillingStore.ts"
import { PaymentProvider } from "./PaymentProvider.ts"
import { type BillingPeriod, periodAt } from "./Periods.ts"

/** The current period, its usage, and all caps. */
export interface CurrentUsage {
  readonly period: BillingPeriod
  readonly usage: Usage
  readonly caps: ReadonlyArray<Cap>
}

/** A service: HTTP handlers and all areas that accept mail call it, and a process has one cache of billing terms. */
export class Billing extends Context.Service<
  Billing,
  {
    /** Whether there is a payment provider. */
    readonly sells: boolean
    /**
     * Fails when `count` more emails would exceed a cap. Does not count emails of transactions that have not committed.
     */
    readonly requireRoom: (
      project: ProjectId,
      category: BillingCategory,
      count: number
    ) => Effect.Effect<void, BillingLimitExceeded>
    /**
     * Counts emails. Call it in the transaction that stores them, before they are stored, and roll back when it fails.
     * Without a cap it runs no query.
     */
    readonly charge: (
      project: ProjectId,
      category: BillingCategory,
      count: number
    ) => Effect.Effect<void, BillingLimitExceeded>
    /**
     * Whether mail of the category counts against a cap. For up to a second after a cap is set, the result may still be
     * false.
     */
    readonly isCapped: (project: ProjectId, category: BillingCategory) => Effect.Effect<boolean>
    /** Lowers the counters that this transaction has raised, for emails that do not count after all. */
    readonly giveBack: (project: ProjectId, category: BillingCategory, count: number) => Effect.Effect<void>
    /** As `charge`, for emails that the ledger already has and that are sent again. */
    readonly chargeAgain: (
      project: ProjectId,
      category: BillingCategory,
      count: number
    ) => Effect.Effect<void, BillingLimitExceeded>
    /** Counts one inbound email. Never refuses it, even above the cap. Joins the caller's transaction. */
    readonly countInbound: (project: ProjectId) => Effect.Effect<void>
    /** When it returns, the limits apply in every process. */
    readonly setLimits: (project: ProjectId, limits: SetBillingLimits) => Effect.Effect<void>
    readonly currentUsage: (project: ProjectId) => Effect.Effect<CurrentUsage>
    /** The caps, each with the usage that counts against it. First corrects counters that differ from the emails. */
    readonly capUsage: (
      project: ProjectId
    ) => Effect.Effect<Pick<CurrentUsage, "period"> & { caps: ReadonlyArray<Excess> }>
    readonly isSubscribed: (project: ProjectId) => Effect.Effect<boolean>
    /**
     * Keeps the usage of a period when a reset wipes the emails that it is counted from. Call it before the emails are
     * wiped. A call that repeats for the same reset changes nothing.
     */
    readonly carryOver: (project: ProjectId, reset: DateTime.Utc) => Effect.Effect<void>
  }
>()("@posthorn/core/accounts/billing/Billing") {}

export const layer: Layer.Layer<Billing, never, BillingStore | Projects | SecureRandom.SecureRandom> = Layer.effect(
  Billing,
  Effect.gen(function* () {
    const store = yield* BillingStore
    const projects = yield* Projects
    const random = yield* SecureRandom.SecureRandom
    const { freeEmails } = yield* Settings
    const isSold = (yield* PaymentProvider) !== null

    /** Every request needs the terms, so they are read at most once a second for each project. */
    const remembered = ShortCache.make(store.terms)

    const capsOf = ({ caps, subscription }: Terms): ReadonlyArray<Cap> => [
      ...billingCategories.flatMap((category) => {
        const limit = caps[category]
        return limit === null ? [] : [{ category, limit }]
      }),
      ...(isSold && subscription === undefined ? [{ category: "total" as const, limit: freeEmails }] : [])
    ]

    /** The caps that mail of a category counts against. */
    const binding = Effect.fnUntraced(function* (project: ProjectId, category: BillingCategory) {
      const terms = yield* remembered.get(project)
      const caps = capsOf(terms).filter((cap) => cap.category === category || cap.category === "total")
      return caps.length === 0 ? undefined : { caps, period: periodAt(yield* DateTime.now, terms.subscription) }
    })

    const refuse = (excess: Excess | undefined, requested: number, { end }: BillingPeriod) =>
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
      yield* remembered.invalidate(project)
      yield* projects.invalidate
      // Transactions that did not see the cap have stored emails without counting them.
      yield* store.recount(project)
    })

    const currentUsage = Effect.fn("Billing.currentUsage")(function* (project: ProjectId) {
      const terms = yield* store.terms(project)
      const period = periodAt(yield* DateTime.now, terms.subscription)
      return { period, usage: yield* store.usage(project, period), caps: capsOf(terms) }
    })

    const capUsage = Effect.fn("Billing.capUsage")(function* (project: ProjectId) {
      const terms = yield* store.terms(project)
      const period = periodAt(yield* DateTime.now, terms.subscription)
      yield* store.recountIfWrong(project, period)
      return { period, caps: yield* store.used(project, period, capsOf(terms)) }
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
      capUsage,
      isSubscribed: (project) => Effect.map(store.terms(project), ({ subscription }) => subscription !== undefined),
      carryOver
    })
  })
)
