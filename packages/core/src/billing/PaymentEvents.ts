/** What the payment provider tells of customers, subscriptions and invoices (contract-2 14.2). */
import { ProjectId } from "@posthorn/contract/Auth"
import { InvalidSignature, ReceiverNotConfigured } from "@posthorn/contract/receivers/ReceiversApi"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { Accounts } from "../accounts/Accounts.ts"
import { Projects } from "../projects/Projects.ts"
import { ParkedNotifications } from "../receivers/ParkedNotifications.ts"
import { Suspensions } from "../security/Suspensions.ts"
import { SystemMail } from "../systemmail/SystemMail.ts"
import { Transaction } from "../Transaction.ts"
import { type BillingAccount, BillingAccounts } from "./BillingAccounts.ts"
import { paymentFailedLetter } from "./BillingLetters.ts"
import {
  type CompletedCheckout,
  type PaymentEvent,
  PaymentProvider,
  type ProviderUnavailable
} from "./PaymentProvider.ts"
import { isUnpaid } from "./Subscriptions.ts"

export class PaymentEvents extends Context.Service<
  PaymentEvents,
  {
    /**
     * Takes an event of the provider. Only what happened is taken from it: how things stand is read again from the
     * provider, so events may come twice and in any order. What fails by our fault, or the provider's, is to be sent again.
     */
    readonly take: (
      body: Uint8Array,
      signature: string
    ) => Effect.Effect<void, InvalidSignature | ReceiverNotConfigured>
  }
>()("@posthorn/core/billing/PaymentEvents") {}

const isProject = Schema.decodeUnknownOption(ProjectId)

export const layer: Layer.Layer<
  PaymentEvents,
  never,
  Accounts | BillingAccounts | ParkedNotifications | Projects | Suspensions | SystemMail | Transaction
> = Layer.effect(
  PaymentEvents,
  Effect.gen(function* () {
    const known = yield* BillingAccounts
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

    /** Whoever disabled it for another reason enables it, too. */
    const liftIfPaid = Effect.fnUntraced(function* (provider: PaymentProvider, { project, customer }: BillingAccount) {
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
      yield* mail.post((yield* accounts.administrators(project)).map(paymentFailedLetter(name)))
    }, transaction.run)

    const settle = Effect.fnUntraced(function* (provider: PaymentProvider, account: BillingAccount, invoice: string) {
      const failed = yield* provider.failedAttempts(invoice)
      if (failed === 0) return yield* liftIfPaid(provider, account)
      if (failed === 1) return yield* warnOnce(account.project, invoice)
      const { disabled } = yield* projects.get(account.project)
      if (disabled === null) yield* suspensions.suspend(account.project, { reason: "PAYMENT_FAILED" })
    })

    /** A project pays once: of two checkouts that were open side by side, the one that came later buys nothing. */
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
          return yield* Effect.logError("Somebody pays for a project that is not there", { project, customer })
        }
        // Another checkout was faster.
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
        // A project that has been deleted meanwhile owes us nothing.
        Effect.catchTag("RESOURCE_NOT_FOUND", () => Effect.void),
        Effect.orDie
      )
    })

    return PaymentEvents.of({ take })
  })
)
