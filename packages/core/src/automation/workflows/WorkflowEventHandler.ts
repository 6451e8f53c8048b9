/** Starts workflows when events occur, ends executions by them, and continues those that wait for them. */

import { Effect } from "effect"
import { type EventHandler, Unfinished } from "../../events/EventHandler.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import * as Starts from "./start/Starts.ts"

/**
 * Starts all workflows of a batch of events in one statement. A batch that failed before is handled workflow by
 * workflow, so that a workflow that cannot start does not block the others.
 */
export const reaction: EventHandler<Effect.Services<typeof Starts.make> | Transaction | Wakeups> = {
  name: "workflows",
  react: Effect.fnUntraced(function* (batch) {
    const starts = yield* Starts.make
    const { executions: wakeup } = yield* Wakeups
    const transaction = yield* Transaction
    const run = (reaction: Effect.Effect<number>) =>
      Effect.flatMap(reaction, (due) => (due > 0 ? transaction.afterCommit(wakeup.wake) : Effect.void))
    const workflows = batch.isRepeat ? yield* starts.workflowsOf(batch) : []
    if (workflows.length < 2) return yield* run(starts.byEvents(batch))
    const failures: Array<unknown> = []
    for (const reaction of [
      ...workflows.map((workflow) => starts.oneByEvents(batch, workflow)),
      starts.followEvents(batch)
    ]) {
      yield* transaction
        .attempt(run(reaction))
        .pipe(Effect.catchDefect((defect) => Effect.sync(() => failures.push(defect))))
    }
    if (failures.length > 0) return yield* new Unfinished({ cause: failures[0] })
  })
}
