/**
 * Takes executions as far as they go by themselves: step by step, all that stand at a step of one type together, until
 * each of them rests, ends or needs a server outside. It writes them in one statement, in the transaction of the effects.
 */
import { StepExecutionId } from "@posthorn/contract/automation/workflows/Execution"
import { Array, type DateTime, Effect, Order } from "effect"
import { SecureRandom } from "effect/crypto"
import { failpoint } from "../../../platform/Failpoint.ts"
import * as Steps from "../steps/Steps.ts"
import { ExecutionState } from "./ExecutionState.ts"
import { type LockedExecution, type Person, RunStore } from "./RunStore.ts"

/** Steps that one turn takes with an execution; what goes on after that waits for the next turn. */
const maxRounds = 20

/** Whoever locks several contacts does it in this order, so that nobody waits in a circle. */
const inLockOrder = Order.mapInput(Order.String, ({ contact }: LockedExecution) => contact.email)

const key = ({ projectId, contact }: LockedExecution) => `${projectId}:${contact.id}`

export const make = Effect.gen(function* () {
  const store = yield* RunStore
  const steps = yield* Steps.make
  const random = yield* SecureRandom.SecureRandom

  /** The journeys of executions, to be taken on by hand and written with `write`. */
  const journeys = Effect.fnUntraced(function* (executions: ReadonlyArray<LockedExecution>) {
    if (executions.length === 0) return []
    const graphs = yield* store.graphs(executions)
    return executions.map((execution) => new ExecutionState(execution, graphs.get(execution.workflowId)))
  })

  /** One step of everybody who moves, type by type. Contacts are shared: what one changes, the next one sees. */
  const round = Effect.fnUntraced(function* (
    moving: ReadonlyArray<ExecutionState>,
    people: Map<string, Person>,
    now: DateTime.Utc
  ) {
    const byType = Map.groupBy(moving, (journey) => journey.step?.type)
    for (const [type, group] of byType) {
      if (type === undefined) continue
      const visitors = group.flatMap((journey) => {
        const { execution, step } = journey
        const contact = people.get(key(execution)) ?? execution.contact
        return step === undefined ? [] : [{ journey, step, visitor: journey.visitor(contact, step) }]
      })
      const outcomes = yield* steps.run(
        type,
        visitors.map(({ visitor }) => visitor),
        now
      )
      for (const [n, { journey, step }] of visitors.entries()) {
        const outcome = outcomes[n]
        if (outcome === undefined) return yield* Effect.die(new Error(`${type} gave no outcome`))
        if (outcome._tag === "Done" && outcome.contact !== undefined) {
          people.set(key(journey.execution), outcome.contact)
        }
        journey.apply(step, outcome, StepExecutionId.make(yield* random.uuidV7()), now)
      }
    }
  })

  const write = Effect.fnUntraced(function* (journeys: ReadonlyArray<ExecutionState>, now: DateTime.Utc) {
    yield* failpoint("before_step_commit")
    yield* store.advance(
      journeys.map((journey) => journey.advance(now)),
      now
    )
  })

  /** Joins the caller's transaction, which has locked the executions. */
  const run = Effect.fn("Advancement.run")(function* (executions: ReadonlyArray<LockedExecution>, now: DateTime.Utc) {
    const all = yield* journeys(Array.sort(executions, inLockOrder))
    const people = new Map<string, Person>()
    for (let n = 0; n < maxRounds; n++) {
      const moving = all.filter((journey) => journey.isMoving)
      if (moving.length === 0) break
      yield* round(moving, people, now)
    }
    yield* write(all, now)
  })

  return { run, journeys, write }
})
