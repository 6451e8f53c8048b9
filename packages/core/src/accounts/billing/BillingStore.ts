/** Storage port of caps and usage counters. */

import {
  type BillingCategory,
  billingCategories,
  type LimitedCategory
} from "@posthorn/contract/accounts/billing/Billing"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, type DateTime, type Effect } from "effect"
import type { BillingPeriod } from "./Periods.ts"

export type Caps = { readonly [Category in BillingCategory]: number | null }
export type Usage = { readonly [Category in BillingCategory]: number }

export const usedOf = (usage: Usage, category: LimitedCategory): number =>
  category === "total" ? billingCategories.reduce((sum, each) => sum + usage[each], 0) : usage[category]

export interface Cap {
  readonly category: LimitedCategory
  readonly limit: number
}

/** The billing terms that decide whether mail may be sent. */
export interface Terms {
  readonly caps: Caps
  /** Undefined without a subscription. */
  readonly subscription: BillingPeriod | undefined
}

/** The cap that would be exceeded. */
export interface Excess extends Cap {
  readonly used: number
}

/** A port: the storage of caps and usage, for charges and for warnings. Every method takes the project first. */
export class BillingStore extends Context.Service<
  BillingStore,
  {
    readonly terms: (project: ProjectId) => Effect.Effect<Terms>
    /** Sets the given caps. The others stay. */
    readonly setCaps: (project: ProjectId, caps: Partial<Caps>) => Effect.Effect<void>
    /** Usage in the period: the count of the emails, and what is counted separately. */
    readonly usage: (project: ProjectId, period: BillingPeriod) => Effect.Effect<Usage>
    /**
     * The cap that `count` more emails would exceed, if there is one. Does not wait for other transactions, so the
     * result may be outdated.
     */
    readonly excess: (
      project: ProjectId,
      period: BillingPeriod,
      caps: ReadonlyArray<Cap>,
      count: number
    ) => Effect.Effect<Excess | undefined>
    /**
     * Raises the counters, or returns the cap that would be exceeded. Call it before the emails are stored, in the same
     * transaction, and roll that back when a cap is returned. Locks the counters until the transaction ends.
     */
    readonly charge: (
      project: ProjectId,
      period: BillingPeriod,
      caps: ReadonlyArray<Cap>,
      count: number
    ) => Effect.Effect<Excess | undefined>
    /** Lowers counters that this transaction has locked. */
    readonly giveBack: (
      project: ProjectId,
      period: BillingPeriod,
      caps: ReadonlyArray<Cap>,
      count: number
    ) => Effect.Effect<void>
    /** Counts usage that has no email in the ledger. Inbound mail is also queued for the payment provider. */
    readonly record: (
      project: ProjectId,
      charge: { readonly id: string; readonly category: BillingCategory; readonly count: number },
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** Marks the counters of the project, so that the next charge counts them again from the emails. */
    readonly recount: (project: ProjectId) => Effect.Effect<void>
    /** Usage that counts against each of the caps, from the counters. Counts the emails for counters that are missing. */
    readonly used: (
      project: ProjectId,
      period: BillingPeriod,
      caps: ReadonlyArray<Cap>
    ) => Effect.Effect<ReadonlyArray<Excess>>
    /**
     * As `recount`, but only when the counters of the period differ from the count of the emails. Counts them only if the
     * counters and the kept totals of emails no longer differ as they did after the last check.
     */
    readonly recountIfWrong: (project: ProjectId, period: BillingPeriod) => Effect.Effect<void>
    /**
     * Stores the count of this period's emails, which stays when they are deleted. Repeated calls with one time count
     * once.
     */
    readonly carryOver: (project: ProjectId, period: BillingPeriod, at: DateTime.Utc) => Effect.Effect<void>
    /** Projects with a cap, or with a counter of a period that has not ended. */
    readonly watched: (now: DateTime.Utc) => Effect.Effect<ReadonlyArray<ProjectId>>
    /** True for the first warning about this category in this period. */
    readonly firstWarning: (
      project: ProjectId,
      category: LimitedCategory,
      period: BillingPeriod
    ) => Effect.Effect<boolean>
    /** Deletes counters of periods that ended before this time. */
    readonly sweep: (before: DateTime.Utc) => Effect.Effect<void>
  }
>()("@posthorn/core/accounts/billing/BillingStore") {}
