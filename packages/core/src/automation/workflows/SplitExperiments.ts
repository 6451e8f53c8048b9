/**
 * Experiments of SPLIT steps. Each visitor is judged once, when its window has ended. When every branch has enough judged
 * visitors, the experiment is decided, once: figures before that decide nothing.
 */

import { SplitConfig } from "@posthorn/contract/automation/workflows/SplitConfig"
import type {
  DecidedBy,
  ExperimentRules,
  SplitExperiment
} from "@posthorn/contract/automation/workflows/SplitExperiment"
import type { WorkflowId } from "@posthorn/contract/automation/workflows/WorkflowId"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { ResourceNotFound, ValidationError } from "@posthorn/contract/platform/Errors"
import { DateTime, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { acting, recorded } from "../../platform/audit/Audited.ts"
import { Transaction } from "../../platform/Transaction.ts"
import { compare, type VariantComparison } from "../experiments/Proportions.ts"
import type { GraphStep } from "./graph/Graph.ts"
import * as ExperimentSql from "./steps/ExperimentSql.ts"

/** Visitors that one transaction judges. */
const batch = 5_000
/** Experiments that one statement reads. */
const pageSize = 100

const defaults = { windowHours: 72, minimumPerBranch: 500, confidence: 0.95 }

const readConfig = Schema.decodeUnknownSync(SplitConfig)

const noCount = { sent: 0, successes: 0 }

const comparisonOf = (
  branches: ReadonlyArray<{ readonly id: string }>,
  counts: ExperimentSql.BranchCounts,
  { confidence }: ExperimentRules
): VariantComparison =>
  compare(
    branches.map(({ id }) => ({ key: id, ...(counts[id] ?? noCount) })),
    confidence ?? defaults.confidence
  )

const added = (one: ExperimentSql.BranchCounts, other: ExperimentSql.BranchCounts): ExperimentSql.BranchCounts => ({
  ...one,
  ...Object.fromEntries(
    Object.entries(other).map(([branch, { sent, successes }]) => {
      const before = one[branch] ?? noCount
      return [branch, { sent: before.sent + sent, successes: before.successes + successes }]
    })
  )
})

/** The decision, when every branch has enough judged visitors. */
const decision = (
  branches: SplitConfig["branches"],
  counts: ExperimentSql.BranchCounts,
  rules: ExperimentRules
): Pick<ExperimentSql.ExperimentState, "decidedBy" | "significant" | "winner"> | undefined => {
  const minimum = rules.minimumPerBranch ?? defaults.minimumPerBranch
  if (branches.some(({ id }) => (counts[id] ?? noCount).sent < minimum)) return undefined
  const { leader, significant } = comparisonOf(branches, counts, rules)
  if (rules.winner === "MANUAL") return { significant, winner: null, decidedBy: null }
  const chosen = significant ? leader : rules.fallback === "FIRST" ? (branches[0]?.id ?? null) : null
  return { significant, winner: chosen, decidedBy: { kind: "AUTOMATIC", userId: null } }
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction
  const store = yield* ExperimentSql.make
  const audit = recorded(sql)

  const record = ({ projectId, workflowId, stepId, winner, significant }: ExperimentSql.ExperimentState) =>
    audit({ project: projectId, action: "experiment.decided", details: { workflowId, stepId, winner, significant } })

  /** Judges the next visitors of one experiment, and decides it if it can. Returns whether there may be more. */
  const judgeSome = Effect.fn("SplitExperiments.judgeSome")(function* (
    key: ExperimentSql.ExperimentKey,
    config: Schema.JsonObject
  ) {
    const { branches, experiment } = readConfig(config)
    const locked = yield* store.lock(key)
    if (Option.isNone(locked) || locked.value.decidedAt !== null || experiment == null) return false
    const now = yield* DateTime.now
    const hours = experiment.windowHours ?? defaults.windowHours
    // A click of the last moment is still judged to be a person's or a machine's.
    const until = DateTime.subtract(now, { minutes: 1 })
    const judged = yield* store.judge(locked.value, { metric: experiment.metric, hours }, until, batch)
    const counts = added(locked.value.counts, judged.counts)
    const next = { ...locked.value, counts, cursorAt: judged.cursorAt, cursorId: judged.cursorId }
    const decided = decision(branches, counts, experiment)
    if (decided === undefined) {
      if (judged.visitors > 0) yield* store.store(next)
      return judged.visitors === batch
    }
    const final = { ...next, ...decided, decidedAt: now }
    yield* store.store(final)
    yield* store.forget(key)
    yield* record(final)
    return false
  }, transaction.run)

  /** Judges all visitors whose window has ended. */
  const judge = Effect.fn("SplitExperiments.judge")(function* () {
    let page = yield* store.open(undefined, pageSize)
    while (page.length > 0) {
      for (const { config, ...key } of page) while (yield* judgeSome(key, config)) yield* Effect.yieldNow
      page = yield* store.open(page.at(-1), pageSize)
    }
  })

  const experimentOf = Effect.fnUntraced(function* (step: GraphStep) {
    const config = step.type === "SPLIT" ? readConfig(step.config) : undefined
    if (config?.experiment == null) return yield* new ResourceNotFound({ resource: "experiment", id: step.id })
    return { branches: config.branches, rules: config.experiment }
  })

  const keyOf = (projectId: ProjectId, workflowId: WorkflowId, { id }: GraphStep) => ({
    projectId,
    workflowId,
    stepId: id
  })

  const figures = Effect.fn("SplitExperiments.figures")(function* (
    project: ProjectId,
    workflow: WorkflowId,
    step: GraphStep
  ) {
    const { branches, rules } = yield* experimentOf(step)
    const [state] = yield* store.states([keyOf(project, workflow, step)])
    const { leader: _, significant, ...comparison } = comparisonOf(branches, state?.counts ?? {}, rules)
    const isFinal = state !== undefined && state.decidedAt !== null
    return {
      stepId: step.id,
      metric: rules.metric,
      final: isFinal,
      decidedAt: state?.decidedAt ?? null,
      winner: state?.winner ?? null,
      decidedBy: state?.decidedBy ?? null,
      significant: isFinal ? state.significant : significant,
      ...comparison
    } satisfies SplitExperiment
  })

  /** Joins the caller's transaction. */
  const choose = Effect.fn("SplitExperiments.choose")(function* (
    project: ProjectId,
    workflow: WorkflowId,
    step: GraphStep,
    branch: string
  ) {
    const { branches, rules } = yield* experimentOf(step)
    if (!branches.some(({ id }) => id === branch)) {
      return yield* ValidationError.one("branch", "custom", "The step has no such branch.")
    }
    const locked = yield* store.lock(keyOf(project, workflow, step))
    if (Option.isNone(locked) || locked.value.winner === branch) return
    const { user } = yield* acting
    const decidedBy: DecidedBy = { kind: user === null ? "KEY" : "USER", userId: user }
    const { significant } = comparisonOf(branches, locked.value.counts, rules)
    const decidedAt = locked.value.decidedAt ?? (yield* DateTime.now)
    const next = { ...locked.value, decidedAt, decidedBy, winner: branch, significant }
    yield* store.store(next)
    yield* store.forget(next)
    yield* record(next)
  })

  /** Joins the caller's transaction. */
  const restart = Effect.fn("SplitExperiments.restart")(function* (
    project: ProjectId,
    workflow: WorkflowId,
    step: GraphStep
  ) {
    yield* experimentOf(step)
    const locked = yield* store.lock(keyOf(project, workflow, step))
    if (Option.isNone(locked)) return
    yield* store.forget(locked.value)
    yield* store.store({
      ...locked.value,
      counts: {},
      cursorAt: null,
      cursorId: null,
      decidedAt: null,
      decidedBy: null,
      winner: null,
      significant: false
    })
  })

  return { judge: judge(), figures, choose, restart }
})
