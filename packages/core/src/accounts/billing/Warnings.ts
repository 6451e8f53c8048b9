/** Warns the members of a project before a limit is reached. */
import { DateTime, Duration, Effect } from "effect"
import { Transaction } from "../../platform/Transaction.ts"
import { Accounts } from "../people/Accounts.ts"
import { Projects } from "../projects/Projects.ts"
import { SystemMail } from "../systemmail/SystemMail.ts"
import { Billing } from "./Billing.ts"
import { limitWarningEmail } from "./BillingEmails.ts"
import { BillingStore } from "./BillingStore.ts"

/** Percent of the limit. */
export const warningPercent = 80
/** How long counters are kept after the end of their period. */
const kept = Duration.days(40)

/** Emails the OWNER and ADMINs of every project that is close to a limit, once for each category and period. */
export const sendWarnings: Effect.Effect<
  void,
  never,
  Accounts | Billing | BillingStore | Projects | SystemMail | Transaction
> = Effect.gen(function* () {
  const accounts = yield* Accounts
  const billing = yield* Billing
  const mail = yield* SystemMail
  const projects = yield* Projects
  const store = yield* BillingStore
  const transaction = yield* Transaction

  const now = yield* DateTime.now
  for (const project of yield* store.watched(now)) {
    const { caps, period } = yield* billing.capUsage(project)
    const near = caps
      .map((cap) => ({ ...cap, resetsAt: DateTime.formatIso(period.end) }))
      .filter(({ limit, used }) => used * 100 >= limit * warningPercent)
    if (near.length === 0) continue
    const found = yield* Effect.option(projects.get(project))
    if (found._tag === "None") continue
    const { name } = found.value
    for (const each of near) {
      yield* transaction.run(
        Effect.gen(function* () {
          if (!(yield* store.firstWarning(project, each.category, period))) return
          yield* mail.post((yield* accounts.administrators(project)).map(limitWarningEmail(name, each)))
        })
      )
    }
  }
  yield* store.sweep(DateTime.subtractDuration(now, kept))
}).pipe(Effect.withSpan("Warnings.send"))
