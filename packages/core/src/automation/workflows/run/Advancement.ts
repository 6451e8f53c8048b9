/**
 * Runs the steps of executions until each execution waits, ends or needs an outbound request. Executions at steps of
 * the same type run together. One statement stores them all, in the transaction of their effects.
 */
import { StepExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import { Array, type DateTime, Effect, Order } from "effect"
import { SecureRandom } from "effect/crypto"
import { failpoint } from "../../../platform/Failpoint.ts"
import * as Steps from "../steps/Steps.ts"
import { ExecutionState } from "./ExecutionState.ts"
import { graphKey, type LockedExecution, type Person, RunStore } from "./RunStore.ts"

/** Steps of an execution in one transaction. Further steps run in the next one. */
const maxRounds = 20

/** The order in which every transaction locks contacts, to avoid deadlocks. */
const inLockOrder = Order.mapInput(Order.String, ({ contact }: LockedExecution) => contact.email)

const key = ({ projectId, contact }: LockedExecution) => `${projectId}:${contact.id}`

/** Runs steps of one type for executions. */
export type RunSteps = Effect.Success<typeof Steps.make>

export const makeWith = Effect.fnUntraced(function* (runSteps: RunSteps) {
  const store = yield* RunStore
  const random = yield* SecureRandom.SecureRandom

  /** The states of executions, for callers that apply outcomes themselves and store them with `write`. */
  const states = Effect.fnUntraced(function* (executions: ReadonlyArray<LockedExecution>) {
    if (executions.length === 0) return []
    const graphs = yield* store.graphs(executions)
    return executions.map(
      (execution) => new ExecutionState(execution, graphs.get(graphKey(execution.workflowId, execution.version)))
    )
  })

  /** Runs one step of each execution, type by type. Executions of a contact share it: each sees earlier changes. */
  const round = Effect.fnUntraced(function* (
    moving: ReadonlyArray<ExecutionState>,
    contacts: Map<string, Person>,
    now: DateTime.Utc
  ) {
    const byType = Map.groupBy(moving, (state) => state.step?.type)
    for (const [type, group] of byType) {
      if (type === undefined) continue
      const inputs = group.flatMap((state) => {
        const { execution, step } = state
        const contact = contacts.get(key(execution)) ?? execution.contact
        return step === undefined ? [] : [{ state, step, input: state.stepInput(contact, step) }]
      })
      const outcomes = yield* runSteps(
        type,
        inputs.map(({ input }) => input),
        now
      )
      for (const [n, { state, step }] of inputs.entries()) {
        const outcome = outcomes[n]
        if (outcome === undefined) return yield* Effect.die(new Error(`${type} returned no outcome`))
        if (outcome._tag === "Done" && outcome.contact !== undefined) {
          contacts.set(key(state.execution), outcome.contact)
        }
        state.apply(step, outcome, StepExecutionId.make(yield* random.uuidV7()), now)
      }
    }
  })

  const write = Effect.fnUntraced(function* (states: ReadonlyArray<ExecutionState>, now: DateTime.Utc) {
    yield* failpoint("before_step_commit")
    yield* store.advance(
      states.map((state) => state.advance(now)),
      now
    )
  })

  /** Joins the caller's transaction, which has locked the executions. */
  const run = Effect.fn("Advancement.run")(function* (executions: ReadonlyArray<LockedExecution>, now: DateTime.Utc) {
    const all = yield* states(Array.sort(executions, inLockOrder))
    const contacts = new Map<string, Person>()
    for (let n = 0; n < maxRounds; n++) {
      const moving = all.filter((state) => state.isMoving)
      if (moving.length === 0) break
      yield* round(moving, contacts, now)
    }
    yield* write(all, now)
  })

  return { run, states, write }
})

export const make = Effect.flatMap(Steps.make, makeWith)
