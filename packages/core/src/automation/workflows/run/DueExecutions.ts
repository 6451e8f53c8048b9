/** Advances due executions as far as possible, one batch in each transaction. */
import { DateTime, Duration, Effect, Ref } from "effect"
import { pauseAfter } from "../../../platform/Backoff.ts"
import { failpoint } from "../../../platform/Failpoint.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import * as Advancement from "./Advancement.ts"
import { type LockedExecution, RunStore } from "./RunStore.ts"

const batchSize = 200

/** Each runner makes its own, because it has the state of a failed batch. */
export const make = Effect.gen(function* () {
  const advancement = yield* Advancement.make
  const store = yield* RunStore
  const transaction = yield* Transaction

  /** How many executions run one by one, because their batch failed. */
  const alone = yield* Ref.make(0)

  const advance = Effect.fnUntraced(function* (limit: number, taken: Ref.Ref<ReadonlyArray<LockedExecution>>) {
    const now = yield* DateTime.now
    const executions = yield* store.lockDue(now, limit, null)
    yield* Ref.set(taken, executions)
    if (executions.length > 0) yield* advancement.run(executions, now)
  })

  const postpone = Effect.fnUntraced(function* (execution: LockedExecution, defect: unknown) {
    const wait = pauseAfter(execution.failures + 1)
    yield* Effect.logError(`A workflow step failed; next try in ${Duration.format(wait)}`, defect).pipe(
      Effect.annotateLogs({ projectId: execution.projectId, executionId: execution.id })
    )
    yield* store.postpone(execution, DateTime.addDuration(yield* DateTime.now, wait))
  })

  const isolate = Effect.fnUntraced(function* (taken: ReadonlyArray<LockedExecution>, defect: unknown) {
    const [first, ...others] = taken
    // Nothing was locked, so no execution caused the failure.
    if (first === undefined) return yield* Effect.die(defect)
    if (others.length === 0) return yield* postpone(first, defect)
    yield* Effect.logWarning("A batch of workflow steps failed; its executions run one by one", defect)
    yield* Ref.set(alone, taken.length)
  })

  /**
   * Returns whether any execution was due. The executions of a failed batch run again one by one, and an execution that
   * fails alone is postponed.
   */
  const take = Effect.gen(function* () {
    const limit = (yield* Ref.get(alone)) > 0 ? 1 : batchSize
    const taken = yield* Ref.make<ReadonlyArray<LockedExecution>>([])
    yield* Ref.update(alone, (left) => Math.max(0, left - 1))
    yield* transaction
      .run(advance(limit, taken))
      .pipe(Effect.catchDefect((defect) => Effect.flatMap(Ref.get(taken), (found) => isolate(found, defect))))
    const found = yield* Ref.get(taken)
    if (found.length > 0) yield* failpoint("after_step_commit")
    return found.length > 0
  }).pipe(Effect.withSpan("DueExecutions.take"))

  return { take }
})
