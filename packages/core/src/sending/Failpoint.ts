/**
 * Places where a test may end the process: before, between and after the durable steps of a mail, and
 * between those of a segment's membership, and before events and their effects are committed.
 *
 * Always there and always inert, unless a host provides something that is not. The names are the windows of the fault
 * matrix; those inside an SMTP exchange are reached from the peer's side.
 */
import { Context, Effect } from "effect"

export type Window =
  | "before_accept_commit"
  | "after_accept_commit"
  | "after_claim"
  | "after_begin"
  | "after_reply"
  | "after_settle"
  | "after_membership_step"
  | "before_step_commit"
  | "after_step_commit"
  | "after_webhook_answer"
  | "after_reactions"

export const Failpoint = Context.Reference<(window: Window) => Effect.Effect<void>>(
  "@posthorn/core/sending/Failpoint",
  { defaultValue: () => () => Effect.void }
)

export const failpoint = (window: Window): Effect.Effect<void> => Effect.flatMap(Failpoint, (reach) => reach(window))
