/** Checks whether a workflow can be enabled. */

import { InvalidWorkflow } from "@posthorn/contract/automation/workflows/Workflow"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Effect } from "effect"
import type { Graph } from "./Graph.ts"
import { graphFaults, reachableSteps } from "./GraphValidity.ts"
import * as StepContents from "./StepContents.ts"
import { makeTriggerContents, type TriggerContent } from "./TriggerContents.ts"

const maxFaults = 50

export const make = Effect.gen(function* () {
  const contents = yield* StepContents.make
  const triggers = yield* makeTriggerContents

  /** Faults of the trigger, the graph, and the steps that contacts can reach. */
  const faults = Effect.fn("WorkflowChecks.faults")(function* (
    project: ProjectId,
    trigger: TriggerContent,
    graph: Graph
  ) {
    return [
      ...(yield* triggers.faults(project, trigger)),
      ...graphFaults(graph),
      ...(yield* contents.faults(project, reachableSteps(graph)))
    ].slice(0, maxFaults)
  })

  /** Refuses with all faults. */
  const requireValid = Effect.fn("WorkflowChecks.requireValid")(function* (
    project: ProjectId,
    trigger: TriggerContent,
    graph: Graph
  ) {
    const errors = yield* faults(project, trigger, graph)
    if (errors.length > 0) return yield* new InvalidWorkflow({ errors })
  })

  return { faults, requireValid }
})
