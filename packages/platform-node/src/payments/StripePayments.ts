/** Stripe as the payment provider. Loaded only if it is configured, because its package is large. */
import type { Invoice } from "@posthorn/contract/accounts/billing/Billing"
import {
  ForgedPaymentEvent,
  type PaymentEvent,
  PaymentProvider,
  ProviderUnavailable
} from "@posthorn/core/accounts/billing/PaymentProvider"
import { DateTime, Duration, Effect, Layer, Redacted } from "effect"
import Stripe from "stripe"

export interface StripeAccount {
  readonly secretKey: Redacted.Redacted<string>
  readonly webhookSecret: Redacted.Redacted<string>
  /** The id of the price that a checkout subscribes to. Usage goes to the meter of the price. */
  readonly price: string
  /** Replaces the API host of Stripe. */
  readonly api?: { readonly host: string; readonly port: number; readonly protocol: "http" | "https" } | undefined
}

const timeout = Duration.seconds(20)
/** The maximum age of an event's signature. */
const tolerance = Duration.minutes(5)
const maxInvoices = 100

const asked = <A>(ask: () => Promise<A>) =>
  Effect.tryPromise({ try: ask, catch: (cause) => new ProviderUnavailable({ cause }) })

const isMissing = ({ cause }: ProviderUnavailable): boolean =>
  cause instanceof Stripe.errors.StripeError &&
  (cause.code === "resource_missing" || cause.code === "invoice_upcoming_none")

const at = (seconds: number): DateTime.Utc => DateTime.makeUnsafe(seconds * 1_000)
const orNull = (seconds: number | null) => (seconds === null ? null : at(seconds))

const idOf = (given: string | { readonly id: string } | null | undefined): string | undefined =>
  typeof given === "string" ? given : given?.id

const inForce: ReadonlyArray<string> = ["active", "trialing", "past_due"]
const settled: ReadonlyArray<string | null> = ["paid", "void", "draft", null]

const invoiceOf = (invoice: Stripe.Invoice): Invoice => ({
  id: invoice.id,
  number: invoice.number,
  status: invoice.status,
  amountDue: invoice.amount_due,
  amountPaid: invoice.amount_paid,
  currency: invoice.currency,
  periodStart: at(invoice.period_start),
  periodEnd: at(invoice.period_end),
  dueAt: orNull(invoice.due_date),
  url: invoice.hosted_invoice_url ?? null,
  pdfUrl: invoice.invoice_pdf ?? null,
  createdAt: at(invoice.created)
})

const eventOf = (event: Stripe.Event): PaymentEvent => {
  const { id } = event
  switch (event.type) {
    case "checkout.session.completed":
      return { id, kind: "checkout", session: event.data.object.id }
    case "customer.subscription.created":
    case "customer.subscription.updated":
    case "customer.subscription.deleted": {
      const customer = idOf(event.data.object.customer)
      return customer === undefined ? { id, kind: "unknown" } : { id, kind: "subscription", customer }
    }
    case "invoice.paid":
    case "invoice.payment_failed": {
      const customer = idOf(event.data.object.customer)
      const invoice = event.data.object.id
      return customer === undefined || invoice === undefined
        ? { id, kind: "unknown" }
        : { id, kind: "invoice", customer, invoice }
    }
    default:
      return { id, kind: "unknown" }
  }
}

export const make = ({ secretKey, webhookSecret, price, api }: StripeAccount): Effect.Effect<PaymentProvider> =>
  Effect.gen(function* () {
    const stripe = new Stripe(Redacted.value(secretKey), {
      timeout: Duration.toMillis(timeout),
      maxNetworkRetries: 1,
      telemetry: false,
      ...api
    })

    /** Properties of the price that do not change; read when first needed, and again after a failure. */
    const [priced, forget] = yield* Effect.cachedInvalidateWithTTL(
      asked(async () => {
        const { recurring } = await stripe.prices.retrieve(price)
        const meter = recurring?.meter ? await stripe.billing.meters.retrieve(recurring.meter) : undefined
        return { isMetered: recurring?.usage_type === "metered", eventName: meter?.event_name }
      }),
      Duration.infinity
    )
    const terms = Effect.tapError(priced, () => forget)

    return {
      checkout: Effect.fn("Stripe.checkout")(function* ({ project, customer, email, currency, returnUrl }) {
        const { isMetered } = yield* terms
        const session = yield* asked(() =>
          stripe.checkout.sessions.create({
            mode: "subscription",
            line_items: [isMetered ? { price } : { price, quantity: 1 }],
            client_reference_id: project,
            currency,
            success_url: returnUrl,
            cancel_url: returnUrl,
            ...(customer === undefined ? { customer_email: email } : { customer })
          })
        )
        return session.url ?? (yield* new ProviderUnavailable({ cause: new Error("The checkout has no URL.") }))
      }),
      portal: (customer, returnUrl) =>
        Effect.map(
          asked(() => stripe.billingPortal.sessions.create({ customer, return_url: returnUrl })),
          ({ url }) => url
        ),
      completed: Effect.fn("Stripe.completed")(function* (id) {
        const session = yield* asked(() => stripe.checkout.sessions.retrieve(id))
        const customer = idOf(session.customer)
        const { client_reference_id: project, currency, status } = session
        if (status !== "complete" || customer === undefined || project === null) return undefined
        return { project, customer, currency: currency ?? "usd", subscription: idOf(session.subscription) }
      }),
      subscription: Effect.fn("Stripe.subscription")(function* (customer) {
        const { data } = yield* asked(() => stripe.subscriptions.list({ customer, status: "all", limit: 100 }))
        // Newest first.
        const found = data.findLast(({ status }) => inForce.includes(status))
        const item = found?.items.data[0]
        if (found === undefined || item === undefined) return undefined
        const period = { start: at(item.current_period_start), end: at(item.current_period_end) }
        return { id: found.id, period, currency: found.currency }
      }),
      cancel: (subscription) =>
        asked(() => stripe.subscriptions.cancel(subscription, { invoice_now: true })).pipe(
          Effect.asVoid,
          Effect.catchIf(isMissing, () => Effect.void)
        ),
      invoices: (customer) =>
        Effect.map(
          asked(() => stripe.invoices.list({ customer, limit: maxInvoices })),
          ({ data }) => data.map(invoiceOf)
        ),
      failedAttempts: (invoice) =>
        asked(() => stripe.invoices.retrieve(invoice)).pipe(
          Effect.map(({ attempt_count, status }) => (settled.includes(status) ? 0 : attempt_count)),
          Effect.catchIf(isMissing, () => Effect.succeed(0))
        ),
      balance: (customer) =>
        Effect.map(
          asked(() => stripe.customers.retrieve(customer)),
          (found) => (found.deleted ? 0 : found.balance)
        ),
      upcoming: (subscription) =>
        asked(() => stripe.invoices.createPreview({ subscription })).pipe(
          Effect.map(({ amount_due, currency, period_end }) => ({
            amountDue: amount_due,
            currency,
            periodEnd: at(period_end)
          })),
          Effect.catchIf(isMissing, () => Effect.undefined)
        ),
      meter: Effect.fn("Stripe.meter")(function* (unit) {
        const { eventName } = yield* terms
        // A price without a meter does not depend on usage.
        if (eventName === undefined) return
        yield* asked(() =>
          stripe.billing.meterEvents.create({
            event_name: eventName,
            identifier: unit.id,
            timestamp: Math.floor(DateTime.toEpochMillis(unit.at) / 1_000),
            payload: { stripe_customer_id: unit.customer, value: "1" }
          })
        )
      }),
      read: (body, signature, now) =>
        Effect.tryPromise({
          try: () =>
            stripe.webhooks.constructEventAsync(
              new TextDecoder().decode(body),
              signature,
              Redacted.value(webhookSecret),
              Duration.toSeconds(tolerance),
              undefined,
              DateTime.toEpochMillis(now)
            ),
          catch: () => new ForgedPaymentEvent()
        }).pipe(Effect.map(eventOf))
    } satisfies PaymentProvider
  })

export const layer = (account: StripeAccount): Layer.Layer<never> => Layer.effect(PaymentProvider, make(account))
