/** Checks whether a workflow can be enabled. */

import { InvalidWorkflow } from "@posthorn/contract/automation/workflows/Workflow"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { Effect } from "effect"
import type { Journey } from "../goals/Journeys.ts"
import type { Graph } from "./Graph.ts"
import { graphFaults, reachableSteps } from "./GraphValidity.ts"
import * as StepContents from "./StepContents.ts"
import { makeTriggerContents, type TriggerContent } from "./TriggerContents.ts"

const maxFaults = 50

/** What is checked besides the graph. */
interface CheckedWorkflow extends TriggerContent, Pick<Journey, "goal"> {}

export const make = Effect.gen(function* () {
  const contents = yield* StepContents.make
  const triggers = yield* makeTriggerContents

  /** Faults of the trigger, the graph, and the steps that contacts can reach. */
  const faults = Effect.fn("WorkflowChecks.faults")(function* (
    project: ProjectId,
    workflow: CheckedWorkflow,
    graph: Graph
  ) {
    return [
      ...(yield* triggers.faults(project, workflow)),
      ...graphFaults(graph),
      ...(yield* contents.faults(project, reachableSteps(graph), workflow))
    ].slice(0, maxFaults)
  })

  /** Refuses with all faults. */
  const requireValid = Effect.fn("WorkflowChecks.requireValid")(function* (
    project: ProjectId,
    workflow: CheckedWorkflow,
    graph: Graph,
    more: ReadonlyArray<Fault> = []
  ) {
    const errors = [...(yield* faults(project, workflow, graph)), ...more].slice(0, maxFaults)
    if (errors.length > 0) return yield* new InvalidWorkflow({ errors })
  })

  return { faults, requireValid }
})
