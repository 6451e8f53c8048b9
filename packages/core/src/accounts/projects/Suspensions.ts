/** Port that disables a project and enables it again. Billing and operators call it; the mail area implements it. */
import type { StandingMetric } from "@posthorn/contract/accounts/projects/Security"
import type { DisabledReason, ProjectId } from "@posthorn/contract/platform/Auth"
import type { ResourceNotFound } from "@posthorn/contract/platform/Errors"
import { Context, type Effect } from "effect"

export interface Cause {
  readonly reason: DisabledReason
  /** The rate that was too high, and its value in percent. */
  readonly measured?: { readonly metric: StandingMetric; readonly value: number } | undefined
}

/** A service, because the mail area implements it. */
export class Suspensions extends Context.Service<
  Suspensions,
  {
    /**
     * Disables the project and emails its OWNER and ADMINs, once for each suspension. Waiting mail stays. When it
     * returns, the project is disabled in every process.
     */
    readonly suspend: (project: ProjectId, cause: Cause) => Effect.Effect<void, ResourceNotFound>
    /**
     * Enables the project again and restarts its bounce and complaint rates. Cancels stale transactional mail; with
     * `cancelPending`, all waiting mail and the running campaigns. Other mail is sent. Returns the number of cancelled
     * emails.
     */
    readonly lift: (
      project: ProjectId,
      options: { readonly cancelPending: boolean }
    ) => Effect.Effect<number, ResourceNotFound>
  }
>()("@posthorn/core/mail/reputation/SuspensionRules") {}
