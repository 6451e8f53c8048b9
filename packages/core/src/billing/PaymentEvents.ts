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
import { type PaymentEvent, PaymentProvider } from "./PaymentProvider.ts"
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

    const tie = Effect.fnUntraced(function* (provider: PaymentProvider, session: string) {
      const done = yield* provider.completed(session)
      const project = Option.getOrUndefined(isProject(done?.project))
      if (done === undefined || project === undefined) return
      yield* known.tie(project, done.customer, done.currency, yield* DateTime.now)
      if (Option.isNone(yield* known.find(project))) {
        return yield* Effect.logError("Somebody pays for a project that is not there", { project, session })
      }
      yield* refresh(provider, project, done.customer)
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
