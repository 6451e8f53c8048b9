/** Where caps live, and what is counted against them. */
import type { ProjectId } from "@posthorn/contract/Auth"
import { type BillingCategory, billingCategories, type LimitedCategory } from "@posthorn/contract/billing/Billing"
import { Context, type DateTime, type Effect } from "effect"
import type { Period } from "./Periods.ts"

export type Caps = { readonly [Category in BillingCategory]: number | null }
export type Usage = { readonly [Category in BillingCategory]: number }

export const usedOf = (usage: Usage, category: LimitedCategory): number =>
  category === "total" ? billingCategories.reduce((sum, each) => sum + usage[each], 0) : usage[category]

export interface Cap {
  readonly category: LimitedCategory
  readonly limit: number
}

/** What of billing decides about sending. */
export interface Terms {
  readonly caps: Caps
  /** Nothing without a subscription. */
  readonly subscription: Period | undefined
}

/** The cap that would be passed. */
export interface Excess extends Cap {
  readonly used: number
}

/** Storage port; every method takes the project first. */
export class BillingStore extends Context.Service<
  BillingStore,
  {
    readonly terms: (project: ProjectId) => Effect.Effect<Terms>
    /** Sets the caps that are given; the others stay. */
    readonly setCaps: (project: ProjectId, caps: Partial<Caps>) => Effect.Effect<void>
    /** What was used in the period: what the mails say, and what is counted beside them. */
    readonly usage: (project: ProjectId, period: Period) => Effect.Effect<Usage>
    /** The cap that `count` more would pass, as far as can be said without waiting for others; undefined for none. */
    readonly excess: (
      project: ProjectId,
      period: Period,
      caps: ReadonlyArray<Cap>,
      count: number
    ) => Effect.Effect<Excess | undefined>
    /**
     * Raises the counters, or tells what would be passed. To be called before what is charged is stored, in the same
     * transaction, which must not commit where something would be passed. Holds the counters until its end.
     */
    readonly charge: (
      project: ProjectId,
      period: Period,
      caps: ReadonlyArray<Cap>,
      count: number
    ) => Effect.Effect<Excess | undefined>
    /** Lowers counters that this transaction holds. */
    readonly giveBack: (
      project: ProjectId,
      period: Period,
      caps: ReadonlyArray<Cap>,
      count: number
    ) => Effect.Effect<void>
    /** Counts what no mail in the ledger stands for; inbound mail is told to the payment provider, too. */
    readonly record: (
      project: ProjectId,
      charge: { readonly id: string; readonly category: BillingCategory; readonly count: number },
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** Has the counters of the project counted anew, from the mails, by whoever charges next. */
    readonly recount: (project: ProjectId) => Effect.Effect<void>
    /** As `recount`, where the counters of the period are not what the mails say; looking keeps nobody waiting. */
    readonly recountIfWrong: (project: ProjectId, period: Period) => Effect.Effect<void>
    /** Keeps what the mails say of this period beyond their end, once for each moment. */
    readonly carryOver: (project: ProjectId, period: Period, at: DateTime.Utc) => Effect.Effect<void>
    /** Projects with a cap, or with a counter of a period that is not over. */
    readonly watched: (now: DateTime.Utc) => Effect.Effect<ReadonlyArray<ProjectId>>
    /** True for the first warning about this category in this period. */
    readonly firstWarning: (project: ProjectId, category: LimitedCategory, period: Period) => Effect.Effect<boolean>
    /** Forgets counters of periods that ended before. */
    readonly sweep: (before: DateTime.Utc) => Effect.Effect<void>
  }
>()("@posthorn/core/billing/BillingStore") {}
