/**
 * The job behind a change of the versioning of a workflow with many live executions: it pins them to the version that was
 * published, or lets them follow the graph again, 500 in each transaction. The first part is done with the change itself.
 *
 * Until it has ended, the graph stays what the executions follow either way: nothing is published, and no step goes that
 * an execution of the version is at.
 */
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { DateTime, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { failpoint } from "../../../platform/Failpoint.ts"
import * as Job from "../../../platform/jobs/Job.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import * as PinningSql from "./PinningSql.ts"

const PinningOrder = Schema.Struct({
  workflowId: WorkflowId,
  version: Schema.Int,
  /** Whether executions are pinned, or follow the graph. */
  pins: Schema.Boolean,
  /** Where the change itself ended. */
  after: Schema.NullOr(PinningSql.Place)
})
export type PinningOrder = typeof PinningOrder.Type

const Checkpoint = Schema.Struct({ done: Schema.Int, after: Schema.NullOr(PinningSql.Place) })
type Checkpoint = typeof Checkpoint.Type

export const job: Job.Job<
  "workflow-versioning",
  PinningOrder,
  { readonly changed: number },
  SqlClient.SqlClient | Transaction
> = Job.define({
  name: "workflow-versioning",
  payload: PinningOrder,
  result: Schema.Struct({ changed: Schema.Int }),
  checkpoint: Checkpoint,
  whileEnabled: true,
  run: Effect.fnUntraced(function* (order, { project, save, saved }) {
    const sql = yield* SqlClient.SqlClient
    const transaction = yield* Transaction
    const store = PinningSql.make(sql)
    const { workflowId, version, pins } = order
    let checkpoint: Checkpoint = Option.match(saved, {
      onNone: () => ({ done: 0, after: order.after }),
      onSome: (point) => point.checkpoint
    })

    /** One part, in one transaction. False when it was the last. */
    const advance = Effect.gen(function* () {
      const now = yield* DateTime.now
      if (!(yield* store.hold(project, workflowId))) return false
      const part = yield* store.change(project, workflowId, { version, pins, after: checkpoint.after }, now)
      if (part.isLast && !pins) yield* store.released(project, workflowId)
      const next = { done: checkpoint.done + part.changed, after: part.after }
      yield* failpoint("in_migration_step")
      yield* save({ progress: part.isLast ? 100 : 50, result: { changed: next.done }, checkpoint: next })
      checkpoint = next
      return !part.isLast
    })

    while (yield* transaction.run(advance)) yield* failpoint("after_migration_step")
    return { changed: checkpoint.done }
  })
})
