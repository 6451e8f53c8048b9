/** Port of the provider that sells subscriptions, takes payments and writes invoices. The default adapter is `none`. */

import type { CheckoutCurrency, Invoice } from "@posthorn/contract/accounts/billing/Billing"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, Data, type DateTime, type Effect } from "effect"
import type { BillingPeriod } from "./Periods.ts"

/** The provider does not answer, or answers with something unexpected. The cause is for the log. */
export class ProviderUnavailable extends Data.TaggedError("ProviderUnavailable")<{ readonly cause: unknown }> {}

/** The event is not from the provider, or is older than five minutes. */
export class ForgedPaymentEvent extends Data.TaggedError("ForgedPaymentEvent") {}

export interface Subscription {
  readonly id: string
  readonly period: BillingPeriod
  readonly currency: string
}

/** The kind of change, and the ids to read the state with. */
export type PaymentEvent = { readonly id: string } & (
  | { readonly kind: "checkout"; readonly session: string }
  | { readonly kind: "subscription"; readonly customer: string }
  | { readonly kind: "invoice"; readonly customer: string; readonly invoice: string }
  | { readonly kind: "unknown" }
)

export interface Checkout {
  readonly project: ProjectId
  /** The customer of an earlier subscription. */
  readonly customer: string | undefined
  readonly email: string
  readonly currency: NonNullable<CheckoutCurrency["currency"]>
  /** The page to which the user returns. */
  readonly returnUrl: string
}

export interface CompletedCheckout {
  readonly project: string
  readonly customer: string
  readonly currency: string
  /** Id of the subscription. */
  readonly subscription: string | undefined
}

export interface UsageUnit {
  readonly customer: string
  /** The provider counts each id once. */
  readonly id: string
  readonly at: DateTime.Utc
}

type Asked<A> = Effect.Effect<A, ProviderUnavailable>

export interface PaymentProvider {
  /** URL of a page. */
  readonly checkout: (checkout: Checkout) => Asked<string>
  /** URL of a page. */
  readonly portal: (customer: string, returnUrl: string) => Asked<string>
  /** The result of the checkout. Undefined when it was not completed. */
  readonly completed: (session: string) => Asked<CompletedCheckout | undefined>
  /** The active subscription; of several, the oldest. */
  readonly subscription: (customer: string) => Asked<Subscription | undefined>
  /**
   * Ends the subscription at once and for good. The provider invoices the usage so far. Succeeds for a subscription
   * that has ended or does not exist.
   */
  readonly cancel: (subscription: string) => Asked<void>
  /** Newest first, at most 100. */
  readonly invoices: (customer: string) => Asked<ReadonlyArray<Invoice>>
  /** How often the provider tried to collect an unpaid invoice. 0 for a settled one. */
  readonly failedAttempts: (invoice: string) => Asked<number>
  /** Balance of the customer, in the smallest unit of its currency. A negative balance is a credit. */
  readonly balance: (customer: string) => Asked<number>
  readonly upcoming: (
    subscription: string
  ) => Asked<
    { readonly amountDue: number; readonly currency: string; readonly periodEnd: DateTime.Utc | null } | undefined
  >
  readonly meter: (unit: UsageUnit) => Asked<void>
  /** Verifies the event by its signature over the bytes of the body. */
  readonly read: (
    body: Uint8Array,
    signature: string,
    now: DateTime.Utc
  ) => Effect.Effect<PaymentEvent, ForgedPaymentEvent>
}

/** Null: the service has no paid plan. */
export const PaymentProvider = Context.Reference<PaymentProvider | null>(
  "@posthorn/core/accounts/billing/PaymentProvider",
  {
    defaultValue: () => null
  }
)
