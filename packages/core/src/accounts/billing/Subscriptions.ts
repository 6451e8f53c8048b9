/** The subscription of a project, for its members. */

import type {
  BillingConsumption,
  BillingInvoices,
  BillingLink,
  CheckoutCurrency
} from "@posthorn/contract/accounts/billing/Billing"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import {
  Conflict,
  PaymentsUnavailable,
  ResourceNotFound,
  type ServiceUnavailable
} from "@posthorn/contract/platform/Errors"
import { Context, Effect, Layer, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { Settings } from "../../platform/Settings.ts"
import * as BillingAccounts from "./BillingAccounts.ts"
import * as Meter from "./Meter.ts"
import { PaymentProvider, type ProviderUnavailable } from "./PaymentProvider.ts"

type Refused = Conflict | ResourceNotFound | ServiceUnavailable

/** Money in the current period, as the provider states it. */
export type Money = Pick<BillingConsumption, "credits" | "upcomingInvoice">

/** A service, because it needs the payment provider of the host, which handlers and jobs do not see. */
export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    readonly checkout: (
      project: ProjectId,
      email: string,
      currency: NonNullable<CheckoutCurrency["currency"]>
    ) => Effect.Effect<BillingLink, Refused>
    readonly portal: (project: ProjectId) => Effect.Effect<BillingLink, Refused>
    readonly currency: (project: ProjectId) => Effect.Effect<string | null>
    readonly money: (project: ProjectId) => Effect.Effect<Money, ServiceUnavailable>
    readonly invoices: (project: ProjectId) => Effect.Effect<BillingInvoices, ServiceUnavailable>
    /** For a deleted project: reports its usage, cancels its subscription and deletes its billing account. */
    readonly end: (project: ProjectId) => Effect.Effect<void, ServiceUnavailable>
    /**
     * Reports waiting usage to the payment provider. Usage that the provider does not accept is reported again later.
     */
    readonly reportUsage: Effect.Effect<void>
  }
>()("@posthorn/core/accounts/billing/Subscriptions") {}

const nothingSold = (project: ProjectId) => new ResourceNotFound({ resource: "billing", id: project })

const noMoney: Money = {
  credits: { balance: 0, hasCredits: false, creditAmount: 0, currency: null },
  upcomingInvoice: null
}

export const isUnpaid = ({ status }: { readonly status: string | null }) =>
  status === "open" || status === "uncollectible"

const unavailable = <A>(asked: Effect.Effect<A, ProviderUnavailable>) =>
  asked.pipe(
    Effect.tapError(({ cause }) => Effect.logWarning("The payment provider does not answer", cause)),
    Effect.mapError(() => new PaymentsUnavailable())
  )

export const layer: Layer.Layer<Subscriptions, never, SqlClient.SqlClient> = Layer.effect(
  Subscriptions,
  Effect.gen(function* () {
    const known = yield* BillingAccounts.make
    const meter = yield* Meter.make
    const provider = yield* PaymentProvider
    const { publicUrl } = yield* Settings

    const accountOf = (project: ProjectId) => Effect.map(known.find(project), Option.getOrUndefined)

    const checkout = Effect.fn("Subscriptions.checkout")(function* (
      project: ProjectId,
      email: string,
      currency: NonNullable<CheckoutCurrency["currency"]>
    ) {
      if (provider === null) return yield* nothingSold(project)
      const account = yield* accountOf(project)
      if (account && account.subscription !== null) return yield* new Conflict({ reason: "already_subscribed" })
      const given = { project, customer: account?.customer, email, currency, returnUrl: publicUrl }
      return { url: yield* unavailable(provider.checkout(given)) }
    })

    const portal = Effect.fn("Subscriptions.portal")(function* (project: ProjectId) {
      if (provider === null) return yield* nothingSold(project)
      const account = yield* accountOf(project)
      if (account === undefined) return yield* new Conflict({ reason: "no_customer" })
      return { url: yield* unavailable(provider.portal(account.customer, publicUrl)) }
    })

    const money = Effect.fn("Subscriptions.money")(function* (project: ProjectId) {
      const account = yield* accountOf(project)
      if (provider === null || account === undefined) return noMoney
      const balance = yield* unavailable(provider.balance(account.customer))
      const upcoming = account.subscription === null ? undefined : provider.upcoming(account.subscription)
      return {
        credits: {
          balance,
          hasCredits: balance < 0,
          creditAmount: Math.max(0, -balance),
          currency: account.currency
        },
        upcomingInvoice: (upcoming && (yield* unavailable(upcoming))) ?? null
      }
    })

    const invoices = Effect.fn("Subscriptions.invoices")(function* (project: ProjectId) {
      const account = yield* accountOf(project)
      const found =
        provider === null || account === undefined ? [] : yield* unavailable(provider.invoices(account.customer))
      const unpaidInvoices = found.filter(isUnpaid)
      return { invoices: found, hasUnpaidInvoices: unpaidInvoices.length > 0, unpaidInvoices }
    })

    const end = Effect.fn("Subscriptions.end")(function* (project: ProjectId) {
      const account = yield* accountOf(project)
      if (account && account.subscription !== null && provider !== null) {
        yield* meter.drain
        yield* unavailable(provider.cancel(account.subscription))
      }
      yield* known.forget(project)
    })

    const currency = (project: ProjectId) => Effect.map(accountOf(project), (account) => account?.currency ?? null)

    return Subscriptions.of({ checkout, portal, currency, money, invoices, end, reportUsage: meter.drain })
  })
)
