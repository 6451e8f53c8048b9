/**
 * The job that moves live executions from versions of a workflow to another one, 500 in each transaction. Its checkpoint
 * has where it is, so that a process that dies moves nobody twice. An execution whose webhook request is on its way is
 * moved when the request has ended.
 */

import { ExecutionId, StepExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import { StepId } from "@posthorn/contract/automation/workflows/Step"
import { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import { MigrationResult } from "@posthorn/contract/automation/workflows/WorkflowVersion"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { failpoint } from "../../../platform/Failpoint.ts"
import * as Job from "../../../platform/jobs/Job.ts"
import { Transaction } from "../../../platform/Transaction.ts"
import { Wakeups } from "../../../platform/Wakeups.ts"
import { endExecutions } from "../executions/EndSql.ts"
import { cancelUnsent } from "../goals/UnsentMail.ts"
import * as MigrationSql from "./MigrationSql.ts"

/** Executions of one transaction. */
const batch = 500
/** Time between two looks at executions whose request is on its way. */
const pause = Duration.seconds(1)

export type Needs = SecureRandom.SecureRandom | SqlClient.SqlClient | Transaction | Wakeups

const MigrationOrder = Schema.Struct({
  workflowId: WorkflowId,
  toVersion: Schema.Int,
  fromVersions: Schema.Array(Schema.Int),
  /** Where executions go on, by step. Executions at other steps stay, or end. */
  routes: Schema.Record(Schema.String, StepId),
  unmapped: Schema.Literals(["STAY", "EXIT"]),
  /** Executions that start later are not moved. */
  at: Schema.DateTimeUtcFromString
})
export type MigrationOrder = typeof MigrationOrder.Type

/** What becomes of an execution at a step. One at no step ends by itself. */
export const routeOf = (
  { routes, unmapped }: Pick<MigrationOrder, "routes" | "unmapped">,
  step: StepId | null
): { readonly action: "MOVE" | "STAY" | "EXIT"; readonly toStepId: StepId | null } => {
  if (step === null) return { action: "MOVE", toStepId: null }
  const toStepId = routes[step]
  return toStepId === undefined ? { action: unmapped, toStepId: null } : { action: "MOVE", toStepId }
}

const Checkpoint = Schema.Struct({
  total: Schema.Int,
  /** Executions looked at. */
  done: Schema.Int,
  /** The position in `fromVersions`, and the last execution of that version. */
  position: Schema.Int,
  after: Schema.NullOr(Schema.String),
  busy: Schema.Array(ExecutionId)
})
type Checkpoint = typeof Checkpoint.Type

const none: MigrationResult = { moved: 0, stayed: 0, exited: 0, failed: 0 }

export const job: Job.Job<"workflow-migration", MigrationOrder, MigrationResult, Needs> = Job.define({
  name: "workflow-migration",
  payload: MigrationOrder,
  result: MigrationResult,
  checkpoint: Checkpoint,
  whileEnabled: true,
  run: Effect.fnUntraced(function* (order, { project, save, saved }) {
    const random = yield* SecureRandom.SecureRandom
    const sql = yield* SqlClient.SqlClient
    const transaction = yield* Transaction
    const { executions: wakeup } = yield* Wakeups
    const store = MigrationSql.make(sql)
    const { workflowId, toVersion, fromVersions, unmapped, at } = order
    const ends = unmapped === "EXIT"

    /** Moves locked executions. Returns what became of them. */
    const apply = Effect.fnUntraced(function* (found: ReadonlyArray<MigrationSql.LiveExecution>) {
      const now = yield* DateTime.now
      const same: Array<ExecutionId> = []
      const moved: Array<MigrationSql.MovedExecution> = []
      const exited: Array<ExecutionId> = []
      let stayed = 0
      for (const { id, stepId, isBusy } of found) {
        if (isBusy) continue
        const { action, toStepId } = routeOf(order, stepId)
        if (action === "STAY") stayed++
        else if (action === "EXIT") exited.push(id)
        else if (toStepId === null || toStepId === stepId) same.push(id)
        else moved.push({ id, toStepId, visitId: StepExecutionId.make(yield* random.uuidV7()) })
      }
      yield* store.keep(project, toVersion, same, now)
      yield* store.move(project, toVersion, moved, now)
      if (exited.length > 0) yield* exit(project, exited, now)
      if (moved.length > 0) yield* transaction.afterCommit(wakeup.wake)
      return { moved: same.length + moved.length, stayed, exited: exited.length, failed: 0 }
    })

    const exit = Effect.fnUntraced(function* (project: ProjectId, ids: ReadonlyArray<ExecutionId>, now: DateTime.Utc) {
      const ended = ids.map((id) => ({
        project,
        id,
        status: "EXITED" as const,
        reason: "migrated",
        ruleId: null,
        because: "migrated"
      }))
      yield* Effect.orDie(endExecutions(sql, ended, now))
      yield* cancelUnsent(sql, ended, now)
    })

    const isHeld = Effect.map(
      Effect.orDie(sql`select 1 from projects where id = ${project} and disabled_at is not null`),
      (rows) => rows.length > 0
    )

    const start: Effect.Effect<Checkpoint> = Effect.map(store.plan(project, workflowId, fromVersions), (steps) => ({
      total: steps.reduce((sum, { executions }) => sum + executions, 0),
      done: 0,
      position: 0,
      after: null,
      busy: []
    }))

    let { result, checkpoint } = Option.isSome(saved) ? saved.value : { result: none, checkpoint: yield* start }

    /** One step of the job, in one transaction. False when nothing is left but executions with a request on its way. */
    const advance = (isAgain: boolean) =>
      Effect.gen(function* () {
        if (yield* isHeld) return yield* new Job.JobHeld()
        const version = fromVersions[checkpoint.position]
        if (!isAgain && version === undefined) return false
        if (!(yield* store.holdVersion(project, workflowId, toVersion))) {
          return yield* new Job.JobFailed({ reason: "The version is gone." })
        }
        const found =
          isAgain || version === undefined
            ? yield* store.again(project, workflowId, toVersion, checkpoint.busy, { ends })
            : yield* store.next(project, workflowId, version, { after: checkpoint.after, at, limit: batch, ends })
        const counts = yield* apply(found)
        const busy = found.flatMap(({ id, isBusy }) => (isBusy ? [id] : []))
        const isOver = found.length < batch
        const next: Checkpoint = isAgain
          ? { ...checkpoint, done: checkpoint.done + found.length - busy.length, busy }
          : {
              ...checkpoint,
              done: checkpoint.done + found.length - busy.length,
              position: checkpoint.position + (isOver ? 1 : 0),
              after: isOver ? null : (found.at(-1)?.id ?? null),
              busy: [...checkpoint.busy, ...busy]
            }
        const reached = {
          moved: result.moved + counts.moved,
          stayed: result.stayed + counts.stayed,
          exited: result.exited + counts.exited,
          failed: 0
        }
        yield* failpoint("in_migration_step")
        const progress = Math.min(99, (100 * next.done) / Math.max(next.total, 1))
        yield* save({ progress, result: reached, checkpoint: next })
        result = reached
        checkpoint = next
        return true
      })

    while (yield* transaction.run(advance(false))) yield* failpoint("after_migration_step")
    while (checkpoint.busy.length > 0) {
      yield* Effect.sleep(pause)
      yield* transaction.run(advance(true))
    }
    return result
  })
})
