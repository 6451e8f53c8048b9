/** Who sells subscriptions, takes payments and writes invoices: a port with the adapter `none` as its default. */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { CheckoutCurrency, Invoice } from "@posthorn/contract/billing/Billing"
import { Context, Data, type DateTime, type Effect } from "effect"
import type { Period } from "./Periods.ts"

/** The provider does not answer, or not as it should; the cause is for the log. */
export class ProviderUnavailable extends Data.TaggedError("ProviderUnavailable")<{ readonly cause: unknown }> {}

/** The event is not the provider's, or older than five minutes. */
export class ForgedPaymentEvent extends Data.TaggedError("ForgedPaymentEvent") {}

export interface Subscription {
  readonly id: string
  readonly period: Period
  readonly currency: string
}

/** What happened, with no more than is needed to read the state again. */
export type PaymentEvent = { readonly id: string } & (
  | { readonly kind: "checkout"; readonly session: string }
  | { readonly kind: "subscription"; readonly customer: string }
  | { readonly kind: "invoice"; readonly customer: string; readonly invoice: string }
  | { readonly kind: "unknown" }
)

export interface Checkout {
  readonly project: ProjectId
  /** Of an earlier subscription. */
  readonly customer: string | undefined
  readonly email: string
  readonly currency: NonNullable<CheckoutCurrency["currency"]>
  /** Where the person comes back to. */
  readonly returnUrl: string
}

export interface CompletedCheckout {
  readonly project: string
  readonly customer: string
  readonly currency: string
  /** Id of the subscription. */
  readonly subscription: string | undefined
}

export interface Unit {
  readonly customer: string
  /** Told twice it counts once. */
  readonly id: string
  readonly at: DateTime.Utc
}

type Asked<A> = Effect.Effect<A, ProviderUnavailable>

export interface PaymentProvider {
  /** URL of a page. */
  readonly checkout: (checkout: Checkout) => Asked<string>
  /** URL of a page. */
  readonly portal: (customer: string, returnUrl: string) => Asked<string>
  /** What the checkout was for, and what it made; nothing when it was not completed. */
  readonly completed: (session: string) => Asked<CompletedCheckout | undefined>
  /** The one that is in force; of several the oldest. */
  readonly subscription: (customer: string) => Asked<Subscription | undefined>
  /** Ends it at once and for good; what was used is invoiced. One that has ended, or is not there, is as good as ended. */
  readonly cancel: (subscription: string) => Asked<void>
  /** Newest first, at most 100. */
  readonly invoices: (customer: string) => Asked<ReadonlyArray<Invoice>>
  /** How often it was tried to collect an invoice that is still not paid; 0 for one that is settled. */
  readonly failedAttempts: (invoice: string) => Asked<number>
  /** Balance of the customer, in the smallest unit of its currency; below 0 it is a credit. */
  readonly balance: (customer: string) => Asked<number>
  readonly upcoming: (
    subscription: string
  ) => Asked<
    { readonly amountDue: number; readonly currency: string; readonly periodEnd: DateTime.Utc | null } | undefined
  >
  readonly meter: (unit: Unit) => Asked<void>
  /** Proves the event by its signature over the octets of the body. */
  readonly read: (
    body: Uint8Array,
    signature: string,
    now: DateTime.Utc
  ) => Effect.Effect<PaymentEvent, ForgedPaymentEvent>
}

/** Null: nothing is sold. */
export const PaymentProvider = Context.Reference<PaymentProvider | null>("@posthorn/core/billing/PaymentProvider", {
  defaultValue: () => null
})
