/** Usage, caps and invoices of a project. */
import { Schema } from "effect"
import { BatchIndex } from "../../platform/Errors.ts"
import { described, Timestamp } from "../../platform/Primitives.ts"

/** Categories of usage. Outgoing mail counts by its source; `inbound` counts received mail. */
export const billingCategories = ["workflows", "campaigns", "transactional", "inbound"] as const
export const BillingCategory = Schema.Literals(billingCategories)
export type BillingCategory = typeof BillingCategory.Type

/** `total`: the free plan counts all categories together. */
export const LimitedCategory = Schema.Literals([...billingCategories, "total"])
export type LimitedCategory = typeof LimitedCategory.Type

/** The request would exceed a cap. It had no effect. */
export class BillingLimitExceeded extends Schema.TaggedError<BillingLimitExceeded>()("BILLING_LIMIT_EXCEEDED", {
  category: LimitedCategory,
  limit: Schema.Int,
  used: Schema.Int,
  requested: Schema.Int,
  /** End of the period, ISO 8601. */
  resetsAt: Schema.String,
  index: BatchIndex
}) {
  override readonly message =
    this.category === "total"
      ? `The free plan has ${this.limit} emails a month; ${this.used} are used and ${this.requested} more were requested.`
      : `The limit for ${this.category} is ${this.limit}; ${this.used} are used and ${this.requested} more were requested.`
}

const Cap = Schema.NullOr(
  Schema.Int.check(
    Schema.isGreaterThanOrEqualTo(1, { message: "Must be at least 1." }),
    Schema.isLessThanOrEqualTo(1_000_000_000, { message: "Must be at most 1000000000." })
  )
)
const cap = Schema.optionalKey(Cap).pipe(
  described("Maximum in a period, 1 to 1000000000; null for no cap. Absent: unchanged.")
)

/** Body of `PUT .../billing-limits`. */
export const SetBillingLimits = Schema.Struct({
  workflows: cap,
  campaigns: cap,
  transactional: cap,
  inbound: cap
}).annotate({ identifier: "SetBillingLimits" })
export type SetBillingLimits = typeof SetBillingLimits.Type

const CategoryLimit = Schema.Struct({
  limit: Schema.NullOr(Schema.Int).pipe(described("Null: no cap.")),
  usage: Schema.Int.pipe(described("In the current period.")),
  percentage: Schema.Int.pipe(described("Of the limit, rounded down; 0 without one.")),
  isWarning: Schema.Boolean.pipe(described("True from 80 percent of the limit.")),
  isBlocked: Schema.Boolean.pipe(described("True when the limit is reached. Inbound mail is accepted even then."))
}).annotate({ identifier: "BillingLimit", description: "A cap and its usage." })

const Currency = Schema.Literals(["usd", "eur", "gbp"])
const ofProvider = Schema.NullOr(Schema.String).pipe(described("ISO 4217, lower case; null without a customer."))

export const BillingLimits = Schema.Struct({
  workflows: CategoryLimit,
  campaigns: CategoryLimit,
  transactional: CategoryLimit,
  inbound: CategoryLimit,
  currency: ofProvider
}).annotate({ identifier: "BillingLimits", description: "The caps of a project in the current period." })
export type BillingLimits = typeof BillingLimits.Type

const amount = (about: string) => Schema.Int.pipe(described(`${about}, in the smallest unit of the currency.`))
const moment = Schema.NullOr(Timestamp)

export const BillingConsumption = Schema.Struct({
  period: Schema.Struct({ start: Timestamp, end: Timestamp }).pipe(
    described("The period of the subscription, otherwise the calendar month in UTC; the end is exclusive.")
  ),
  usage: Schema.Struct({
    total: Schema.Int,
    records: Schema.Array(Schema.Struct({ category: BillingCategory, count: Schema.Int }))
  }),
  credits: Schema.Struct({
    balance: amount("Balance of the customer; below 0 it is a credit"),
    hasCredits: Schema.Boolean,
    creditAmount: amount("The remaining credit"),
    currency: ofProvider
  }),
  upcomingInvoice: Schema.NullOr(
    Schema.Struct({ amountDue: amount("As of now"), currency: Schema.String, periodEnd: moment })
  ).pipe(described("Null without a subscription."))
}).annotate({ identifier: "BillingConsumption", description: "Usage in the current period." })
export type BillingConsumption = typeof BillingConsumption.Type

export const Invoice = Schema.Struct({
  id: Schema.String,
  number: Schema.NullOr(Schema.String),
  status: Schema.NullOr(Schema.String).pipe(described("The status at the payment provider: `open`, `paid`, `void`...")),
  amountDue: amount("The amount to pay"),
  amountPaid: amount("The paid amount"),
  currency: Schema.String,
  periodStart: moment,
  periodEnd: moment,
  dueAt: moment,
  url: Schema.NullOr(Schema.String).pipe(described("Page of the invoice at the payment provider.")),
  pdfUrl: Schema.NullOr(Schema.String),
  createdAt: Timestamp
}).annotate({ identifier: "Invoice", description: "An invoice of the payment provider." })
export type Invoice = typeof Invoice.Type

export const BillingInvoices = Schema.Struct({
  invoices: Schema.Array(Invoice).pipe(described("The newest 100, newest first.")),
  hasUnpaidInvoices: Schema.Boolean,
  unpaidInvoices: Schema.Array(Invoice).pipe(described("Invoices that are open or could not be collected."))
}).annotate({ identifier: "BillingInvoices", description: "Invoices of the project; none without a payment provider." })
export type BillingInvoices = typeof BillingInvoices.Type

/** Query and body of `POST .../checkout`. The query takes precedence. */
export const CheckoutCurrency = Schema.Struct({
  currency: Schema.optionalKey(Currency).pipe(described("Default `usd`."))
}).annotate({ identifier: "CheckoutCurrency" })
export type CheckoutCurrency = typeof CheckoutCurrency.Type

export const BillingLink = Schema.Struct({
  url: Schema.String.pipe(described("A page of the payment provider, valid for a short time."))
}).annotate({ identifier: "BillingLink", description: "The page to open next." })
export type BillingLink = typeof BillingLink.Type
