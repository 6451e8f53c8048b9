/** Disabling a project and enabling it again, with what that means for its mail and its people (contract-2 13.3). */
import type { DisabledReason, ProjectId } from "@posthorn/contract/Auth"
import type { ResourceNotFound } from "@posthorn/contract/Errors"
import type { StandingMetric } from "@posthorn/contract/projects/Security"
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Accounts } from "../accounts/Accounts.ts"
import { WaitingMail } from "../emails/WaitingMail.ts"
import { Projects } from "../projects/Projects.ts"
import { SystemMail } from "../systemmail/SystemMail.ts"
import { Transaction } from "../Transaction.ts"
import { RunningCampaigns } from "./RunningCampaigns.ts"
import { disabledLetter } from "./StandingLetters.ts"
import { StandingStore } from "./StandingStore.ts"

export interface Cause {
  readonly reason: DisabledReason
  /** What was too high, and how high it was, in percent. */
  readonly measured?: { readonly metric: StandingMetric; readonly value: number } | undefined
}

/** Transactional mail that waited for longer is stale: a code or a receipt of yesterday helps nobody. */
const staleAfter = Duration.hours(24)

export class Suspensions extends Context.Service<
  Suspensions,
  {
    /**
     * Disables the project and mails its OWNER and ADMINs, once for each suspension. Mail that waits goes on waiting.
     * When it returns, every process knows.
     */
    readonly suspend: (project: ProjectId, cause: Cause) => Effect.Effect<void, ResourceNotFound>
    /**
     * Enables it again; its standing begins anew. Stale transactional mail is cancelled, with `cancelPending` all mail
     * that waits, and the campaigns on their way; the rest goes on. Gives the number of mails that were cancelled here.
     */
    readonly lift: (
      project: ProjectId,
      options: { readonly cancelPending: boolean }
    ) => Effect.Effect<number, ResourceNotFound>
  }
>()("@posthorn/core/security/Suspensions") {}

export const layer: Layer.Layer<
  Suspensions,
  never,
  | Accounts
  | Projects
  | RunningCampaigns
  | SecureRandom.SecureRandom
  | StandingStore
  | SystemMail
  | Transaction
  | WaitingMail
> = Layer.effect(
  Suspensions,
  Effect.gen(function* () {
    const store = yield* StandingStore
    const projects = yield* Projects
    const accounts = yield* Accounts
    const waiting = yield* WaitingMail
    const campaigns = yield* RunningCampaigns
    const mail = yield* SystemMail
    const random = yield* SecureRandom.SecureRandom
    const transaction = yield* Transaction

    const suspend = Effect.fn("Suspensions.suspend")(function* (project: ProjectId, { reason, measured }: Cause) {
      const { name } = yield* projects.get(project)
      const id = yield* random.uuidV7()
      const metric = measured?.metric ?? null
      const value = measured?.value ?? null
      // On record before it takes effect: a process that dies in between disables the project at the next evaluation.
      yield* transaction.run(
        Effect.gen(function* () {
          const isNew = yield* store.open(project, { id, reason, metric, value }, yield* DateTime.now)
          if (!isNew) return
          yield* mail.post((yield* accounts.administrators(project)).map(disabledLetter(name, reason, measured)))
        })
      )
      yield* projects.disable(project, reason)
    })

    const lift = Effect.fn("Suspensions.lift")(function* (
      project: ProjectId,
      { cancelPending }: { readonly cancelPending: boolean }
    ) {
      yield* projects.get(project)
      const now = yield* DateTime.now
      // While the project is still disabled, so that no worker takes what is to be cancelled.
      const cancelled = yield* transaction.run(
        Effect.gen(function* () {
          const staleSince = DateTime.subtractDuration(now, staleAfter)
          if (cancelPending) yield* campaigns.cancelAll(project, now)
          const count = yield* waiting.cancel(project, cancelPending ? "all" : { staleSince }, now)
          yield* store.close(project, now)
          return count
        })
      )
      yield* projects.enable(project)
      return cancelled
    })

    return Suspensions.of({ suspend, lift })
  })
)
