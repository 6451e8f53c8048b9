/**
 * Continues on one of several branches. The same contact takes the same branch on every visit, until an experiment has a
 * winner, which takes everybody.
 */
import { SplitConfig } from "@posthorn/contract/automation/workflows/SplitConfig"
import { type DateTime, Effect, Schema } from "effect"
import { Digest } from "effect/crypto"
import { bucket, partOf } from "../../../platform/Bucket.ts"
import { type ExperimentKey, Experiments } from "./ExperimentSql.ts"
import type { StepChecks, StepDefinition, StepInput } from "./StepDefinition.ts"

const readConfig = Schema.decodeUnknownSync(SplitConfig)

const keyOf = ({ execution, step }: StepInput): ExperimentKey => ({
  projectId: execution.projectId,
  workflowId: execution.workflowId,
  stepId: step.id
})

const place = Effect.fnUntraced(function* (input: StepInput) {
  const { contact, execution, step } = input
  const config = readConfig(step.config)
  const at = yield* bucket(`split:${config.salt ?? `${execution.workflowId}:${step.id}`}`, contact.id)
  const share = partOf(config.branches, at)?.id
  if (share === undefined) return yield* Effect.die(new Error("The shares of a stored SPLIT are not 100 in all"))
  return { input, config, at, share }
})

const run = Effect.gen(function* () {
  const digest = yield* Digest.Digest
  const store = yield* Experiments

  return Effect.fnUntraced(function* (inputs: ReadonlyArray<StepInput>, now: DateTime.Utc) {
    const placed = yield* Effect.provideService(Effect.forEach(inputs, place), Digest.Digest, digest)
    const tested = placed.filter(({ config }) => config.experiment != null)
    const known = yield* store.states(tested.map(({ input }) => keyOf(input)))
    const states = new Map(known.map((state) => [state.stepId, state]))
    yield* store.note(
      tested.flatMap(({ input, share }) =>
        states.get(input.step.id)?.decidedAt == null
          ? [{ ...keyOf(input), executionId: input.execution.id, branch: share }]
          : []
      ),
      now
    )
    return placed.map(({ input, config, at, share }) => {
      const winner = config.experiment == null ? null : states.get(input.step.id)?.winner
      const isWon = winner != null && config.branches.some(({ id }) => id === winner)
      const branch = isWon ? winner : share
      return {
        _tag: "Done" as const,
        branch,
        output: { branch, bucket: at, decidedBy: isWon ? "winner" : "share" }
      }
    })
  })
})

const checks: StepChecks = {
  enable: (_, { config }, { goal }) =>
    Effect.succeed(
      goal === null && (config as SplitConfig).experiment?.metric === "GOAL"
        ? [{ field: "config.experiment.metric", code: "custom", message: "The workflow has no goal." }]
        : []
    )
}

export const split: StepDefinition<Digest.Digest | Experiments, never> = {
  checks: Effect.succeed(checks),
  run
}
