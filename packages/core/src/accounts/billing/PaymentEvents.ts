/** Handles the payment provider's events about customers, subscriptions and invoices. */

import { InvalidSignature, ReceiverNotConfigured } from "@posthorn/contract/mail/receivers/ReceiversApi"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { ParkedNotifications } from "../../platform/ParkedNotifications.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Accounts } from "../people/Accounts.ts"
import { Projects } from "../projects/Projects.ts"
import { Suspensions } from "../projects/Suspensions.ts"
import { SystemMail } from "../systemmail/SystemMail.ts"
import * as BillingAccounts from "./BillingAccounts.ts"
import { paymentFailedEmail } from "./BillingEmails.ts"
import {
  type CompletedCheckout,
  type PaymentEvent,
  PaymentProvider,
  type ProviderUnavailable
} from "./PaymentProvider.ts"
import { isUnpaid } from "./Subscriptions.ts"

/** A service, because it needs the payment provider of the host, which handlers in the mail area do not see. */
export class PaymentEvents extends Context.Service<
  PaymentEvents,
  {
    /**
     * Handles an event of the provider. The event says only that something changed, and the state is read from the
     * provider, so events may arrive twice and in any order. After a failure the provider sends the event again.
     */
    readonly take: (
      body: Uint8Array,
      signature: string
    ) => Effect.Effect<void, InvalidSignature | ReceiverNotConfigured>
  }
>()("@posthorn/core/accounts/billing/PaymentEvents") {}

const isProject = Schema.decodeUnknownOption(ProjectId)

export const layer: Layer.Layer<
  PaymentEvents,
  never,
  Accounts | ParkedNotifications | Projects | SqlClient.SqlClient | Suspensions | SystemMail | Transaction
> = Layer.effect(
  PaymentEvents,
  Effect.gen(function* () {
    const known = yield* BillingAccounts.make
    const accounts = yield* Accounts
    const projects = yield* Projects
    const suspensions = yield* Suspensions
    const receipts = yield* ParkedNotifications
    const mail = yield* SystemMail
    const transaction = yield* Transaction
    const provider = yield* PaymentProvider

    const refresh = Effect.fnUntraced(function* (provider: PaymentProvider, project: ProjectId, customer: string) {
      const subscription = yield* provider.subscription(customer)
      yield* known.setSubscription(project, subscription, yield* DateTime.now)
      return subscription
    })

    /**
     * Enables only a project that was disabled for unpaid invoices. A project that was disabled for another reason
     * stays disabled.
     */
    const liftIfPaid = Effect.fnUntraced(function* (
      provider: PaymentProvider,
      { project, customer }: BillingAccounts.BillingAccount
    ) {
      const { disabled } = yield* projects.get(project)
      if (disabled !== "PAYMENT_FAILED") return
      for (const { id } of (yield* provider.invoices(customer)).filter(isUnpaid)) {
        if ((yield* provider.failedAttempts(id)) > 1) return
      }
      yield* suspensions.lift(project, { cancelPending: false })
    })

    const warnOnce = Effect.fnUntraced(function* (project: ProjectId, invoice: string) {
      if (!(yield* receipts.receive("payment-failed", invoice, yield* DateTime.now))) return
      const { name } = yield* projects.get(project)
      yield* mail.post((yield* accounts.administrators(project)).map(paymentFailedEmail(name)))
    }, transaction.run)

    const settle = Effect.fnUntraced(function* (
      provider: PaymentProvider,
      account: BillingAccounts.BillingAccount,
      invoice: string
    ) {
      const failed = yield* provider.failedAttempts(invoice)
      if (failed === 0) return yield* liftIfPaid(provider, account)
      if (failed === 1) return yield* warnOnce(account.project, invoice)
      const { disabled } = yield* projects.get(account.project)
      if (disabled === null) yield* suspensions.suspend(account.project, { reason: "PAYMENT_FAILED" })
    })

    /** A project has one subscription. Of two concurrent checkouts, the one that finishes second is cancelled. */
    const endSecond = Effect.fnUntraced(function* (provider: PaymentProvider, project: ProjectId, second: string) {
      yield* Effect.logWarning("A second checkout was completed; its subscription is cancelled", { project, second })
      yield* provider.cancel(second)
    })

    const settleCheckout = (
      provider: PaymentProvider,
      project: ProjectId,
      done: CompletedCheckout
    ): Effect.Effect<void, ProviderUnavailable> =>
      Effect.gen(function* () {
        const { currency, customer, subscription } = done
        const before = Option.getOrUndefined(yield* known.find(project))?.customer
        if (before !== undefined && before !== customer && (yield* refresh(provider, project, before)) !== undefined) {
          return subscription === undefined ? undefined : yield* endSecond(provider, project, subscription)
        }
        yield* known.tie(project, customer, currency, before, yield* DateTime.now)
        const tied = Option.getOrUndefined(yield* known.find(project))?.customer
        if (tied === undefined) {
          return yield* Effect.logError("A subscription was paid for a project that does not exist", {
            project,
            customer
          })
        }
        // Another checkout finished first.
        if (tied !== customer && tied !== before) return yield* settleCheckout(provider, project, done)
        const kept = yield* refresh(provider, project, tied)
        if (subscription !== undefined && kept !== undefined && kept.id !== subscription) {
          yield* endSecond(provider, project, subscription)
        }
      })

    const tie = Effect.fnUntraced(function* (provider: PaymentProvider, session: string) {
      const done = yield* provider.completed(session)
      const project = Option.getOrUndefined(isProject(done?.project))
      if (done !== undefined && project !== undefined) yield* settleCheckout(provider, project, done)
    })

    const apply = Effect.fnUntraced(function* (provider: PaymentProvider, event: PaymentEvent) {
      if (event.kind === "unknown") return
      if (event.kind === "checkout") return yield* tie(provider, event.session)
      const account = Option.getOrUndefined(yield* known.findByCustomer(event.customer))
      if (account === undefined) return
      if (event.kind === "subscription") return yield* refresh(provider, account.project, account.customer)
      yield* settle(provider, account, event.invoice)
    })

    const take = Effect.fn("PaymentEvents.take")(function* (body: Uint8Array, signature: string) {
      if (provider === null) return yield* new ReceiverNotConfigured()
      const now = yield* DateTime.now
      const event = yield* Effect.mapError(provider.read(body, signature, now), () => new InvalidSignature())
      yield* apply(provider, event).pipe(
        // The project was deleted in the meantime.
        Effect.catchTag("RESOURCE_NOT_FOUND", () => Effect.void),
        Effect.orDie
      )
    })

    return PaymentEvents.of({ take })
  })
)
