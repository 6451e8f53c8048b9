/**
 * Lets at most so many executions of the workflow go on in each minute, hour or day. Those over the limit wait for a
 * stored instant of their own, or take the branch `exceeded`.
 */
import { RateLimitConfig } from "@posthorn/contract/automation/workflows/TimingConfig"
import { DateTime, Effect, Schema } from "effect"
import type { Projects } from "../../../accounts/projects/Projects.ts"
import { type Allowance, admittedVisitors, slots } from "./Allowance.ts"
import { Allowances } from "./AllowanceSql.ts"
import { type RunStep, restUntil, type StepDefinition, type StepInput, type StepOutcome } from "./StepDefinition.ts"
import * as StepZone from "./StepZone.ts"

const readConfig = Schema.decodeUnknownSync(RateLimitConfig)

const exceeded: StepOutcome = { _tag: "Done", output: { exceeded: true }, branch: "exceeded" }
const passes: StepOutcome = { _tag: "Done", output: { exceeded: false } }

/** Milliseconds are rounded up, so a slot is never early. */
const inSlot = (slot: number | undefined, now: number): StepOutcome => {
  if (slot === undefined) return exceeded
  if (slot <= now) return passes
  return restUntil(DateTime.makeUnsafe(Math.ceil(slot)))
}

const afterWait = (until: DateTime.Utc | null, now: DateTime.Utc): StepOutcome =>
  until !== null && until.epochMilliseconds > now.epochMilliseconds
    ? restUntil(until)
    : { _tag: "Done", output: { ...(until && { until: DateTime.formatIso(until) }), exceeded: false } }

const keyOf = ({ execution, step }: StepInput): string => `${execution.projectId} ${execution.workflowId} ${step.id}`

const run = Effect.gen(function* () {
  const allowances = yield* Allowances
  const zoneOf = yield* StepZone.make

  /** The outcomes of visits of one step that begin, and its state after them. */
  const share = Effect.fnUntraced(function* (visitors: ReadonlyArray<StepInput>, stored: Allowance, now: number) {
    const [first] = visitors
    if (first === undefined) return { stored, outcomes: [] }
    const config = readConfig(first.step.config)
    if (config.onExceeded === "BRANCH") {
      const zone = yield* zoneOf(first, "PROJECT")
      const found = admittedVisitors(config, stored, now, zone, visitors.length)
      return { stored: found.stored, outcomes: visitors.map((_, n) => (n < found.admitted ? passes : exceeded)) }
    }
    const found = slots(config, stored, now, visitors.length)
    return { stored: found.stored, outcomes: found.slots.map((slot) => inSlot(slot, now)) }
  })

  const all: RunStep = Effect.fnUntraced(function* (inputs, now) {
    const groups = Map.groupBy(
      inputs.filter(({ visit }) => visit === null),
      keyOf
    )
    const outcomes = new Map<StepInput, StepOutcome>()
    if (groups.size > 0) {
      const steps = [...groups.values()].flatMap(([first]) =>
        first === undefined
          ? []
          : [{ projectId: first.execution.projectId, workflowId: first.execution.workflowId, stepId: first.step.id }]
      )
      const locked = yield* allowances.lock(steps)
      const changed = yield* Effect.forEach(locked, (step) =>
        Effect.gen(function* () {
          const visitors = groups.get(`${step.projectId} ${step.workflowId} ${step.stepId}`) ?? []
          const found = yield* share(visitors, step, now.epochMilliseconds)
          for (const [n, visitor] of visitors.entries()) outcomes.set(visitor, found.outcomes[n] ?? exceeded)
          return { ...step, ...found.stored }
        })
      )
      yield* allowances.store(changed)
    }
    return inputs.map((input) => outcomes.get(input) ?? afterWait(input.visit?.scheduledFor ?? null, now))
  })
  return all
})

export const rateLimit: StepDefinition<Allowances | Projects, never> = { run }
