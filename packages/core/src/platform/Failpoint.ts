/**
 * Points where a test may end the process: around the durable steps of an email and of a segment membership, and before
 * events and their effects are committed.
 *
 * They do nothing unless a host provides a `Failpoint`. The names are the windows of the fault matrix
 * (packages/bench/FAULTS.md). Tests reach the windows inside an SMTP exchange from the SMTP server.
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
  | "after_goals"
  | "after_experiment_decision"
  | "before_opt_in_commit"
  | "after_consent_change"
  | "before_ingest_commit"
  | "after_ingest_commit"
  | "before_self_erasure"
  | "after_merge_step"
  | "in_bulk_step"
  | "in_migration_step"
  | "after_migration_step"
  | "after_bulk_step"
  | "before_recurrence_commit"
  | "before_backfill_commit"
  | "after_backfill_commit"
  | "after_partition_detach"

export const Failpoint = Context.Reference<(window: Window) => Effect.Effect<void>>(
  "@posthorn/core/platform/Failpoint",
  { defaultValue: () => () => Effect.void }
)

export const failpoint = (window: Window): Effect.Effect<void> => Effect.flatMap(Failpoint, (reach) => reach(window))
