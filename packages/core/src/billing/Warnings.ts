/** Tells the people of a project before a limit is reached (contract-2 12.2). */
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { Accounts } from "../accounts/Accounts.ts"
import { Projects } from "../projects/Projects.ts"
import { SystemMail } from "../systemmail/SystemMail.ts"
import { Transaction } from "../Transaction.ts"
import { Billing } from "./Billing.ts"
import { warningLetter } from "./BillingLetters.ts"
import { BillingStore, usedOf } from "./BillingStore.ts"

/** Of a limit. */
export const warningPercent = 80
/** After the end of a period its counters are of no use any more. */
const kept = Duration.days(40)

export class Warnings extends Context.Service<
  Warnings,
  {
    /** Mails OWNER and ADMINs of every project that has come near a limit, once for each category and period. */
    readonly send: Effect.Effect<void>
  }
>()("@posthorn/core/billing/Warnings") {}

export const layer: Layer.Layer<
  Warnings,
  never,
  Accounts | Billing | BillingStore | Projects | SystemMail | Transaction
> = Layer.effect(
  Warnings,
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const billing = yield* Billing
    const mail = yield* SystemMail
    const projects = yield* Projects
    const store = yield* BillingStore
    const transaction = yield* Transaction

    const send = Effect.gen(function* () {
      const now = yield* DateTime.now
      for (const project of yield* store.watched(now)) {
        const { caps, period, usage } = yield* billing.currentUsage(project)
        const near = caps
          .map((cap) => ({ ...cap, used: usedOf(usage, cap.category), resetsAt: DateTime.formatIso(period.end) }))
          .filter(({ limit, used }) => used * 100 >= limit * warningPercent)
        // Whatever went past the counters is in them again by now.
        yield* store.recountIfWrong(project, period)
        if (near.length === 0) continue
        const found = yield* Effect.option(projects.get(project))
        if (found._tag === "None") continue
        const { name } = found.value
        for (const each of near) {
          yield* transaction.run(
            Effect.gen(function* () {
              if (!(yield* store.firstWarning(project, each.category, period))) return
              yield* mail.post((yield* accounts.administrators(project)).map(warningLetter(name, each)))
            })
          )
        }
      }
      yield* store.sweep(DateTime.subtractDuration(now, kept))
    }).pipe(Effect.withSpan("Warnings.send"))

    return Warnings.of({ send })
  })
)
