/** Whether a workflow could be enabled. */

import { InvalidWorkflow } from "@posthorn/contract/automation/workflows/Workflow"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { Context, Effect, Layer } from "effect"
import type { Graph } from "./Graph.ts"
import { graphFaults, reachableSteps } from "./GraphValidity.ts"
import { StepContents } from "./StepContents.ts"
import { type TriggerContent, TriggerContents } from "./TriggerContents.ts"

const maxFaults = 50

export class WorkflowChecks extends Context.Service<
  WorkflowChecks,
  {
    /** Of the trigger, the graph and every step that contacts can come to. */
    readonly faults: (project: ProjectId, trigger: TriggerContent, graph: Graph) => Effect.Effect<ReadonlyArray<Fault>>
    /** Refuses with all faults. */
    readonly requireValid: (
      project: ProjectId,
      trigger: TriggerContent,
      graph: Graph
    ) => Effect.Effect<void, InvalidWorkflow>
  }
>()("@posthorn/core/automation/workflows/graph/WorkflowChecks") {}

export const layer: Layer.Layer<WorkflowChecks, never, StepContents | TriggerContents> = Layer.effect(
  WorkflowChecks,
  Effect.gen(function* () {
    const contents = yield* StepContents
    const triggers = yield* TriggerContents

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

    const requireValid = Effect.fn("WorkflowChecks.requireValid")(function* (
      project: ProjectId,
      trigger: TriggerContent,
      graph: Graph
    ) {
      const errors = yield* faults(project, trigger, graph)
      if (errors.length > 0) return yield* new InvalidWorkflow({ errors })
    })

    return WorkflowChecks.of({ faults, requireValid })
  })
)
