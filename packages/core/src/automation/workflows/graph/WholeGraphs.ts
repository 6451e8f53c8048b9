/** Reads the whole graph of a workflow from a caller: what it changes, and every fault of it. */

import { StepId, StepNotFound } from "@posthorn/contract/automation/workflows/Step"
import { TransitionId } from "@posthorn/contract/automation/workflows/Transition"
import { maxSteps, type WholeGraph } from "@posthorn/contract/automation/workflows/WholeGraph"
import type { WorkflowRecord } from "@posthorn/contract/automation/workflows/Workflow"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { type DateTime, Effect, Equal, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import type { StepContent } from "../steps/StepDefinition.ts"
import { WorkflowStore } from "../WorkflowStore.ts"
import {
  changeBetween,
  drawnStep,
  drawnTransitions,
  type IdentifiedStep,
  identityFaults,
  idsIn,
  inNamesOf
} from "./DrawnGraph.ts"
import { type FormerStep, type Graph, type GraphChange, type GraphStep, triggerOf } from "./Graph.ts"
import * as StepContents from "./StepContents.ts"
import { isSameTrigger, makeTriggerContents, type TriggerContent, withTrigger } from "./TriggerContents.ts"

export interface ReadGraph {
  readonly trigger: TriggerContent
  readonly change: GraphChange
  /** The ids of the steps that have a key, by key. */
  readonly ids: { readonly [key: string]: StepId }
  /** Faults of the body. The change must not be stored if there are any. */
  readonly faults: ReadonlyArray<Fault>
  /** A fault of the graph in the names of the body: steps by key or id, transitions by position. */
  readonly inNames: (fault: Fault) => Fault
}

const maxFaults = 50

const nothing: StepContent = { config: {}, templateId: null }

export const make = Effect.gen(function* () {
  const contents = yield* StepContents.make
  const random = yield* SecureRandom.SecureRandom
  const store = yield* WorkflowStore
  const triggers = yield* makeTriggerContents

  /** The steps of the body. Refused if it names an id that the workflow neither has nor had. */
  const identified = Effect.fnUntraced(function* (
    { id: workflow, projectId }: WorkflowRecord,
    graph: Graph,
    body: WholeGraph,
    now: DateTime.Utc
  ) {
    const present = new Map<string, GraphStep>(graph.steps.map((step) => [step.id, step]))
    const others = [...idsIn(body)].filter((id) => !present.has(id))
    const former = others.length === 0 ? [] : yield* store.formerSteps(projectId, workflow, others)
    const known = new Map<string, FormerStep>(former.map((step) => [step.id, step]))
    const unknown = others.find((id) => !known.has(id))
    if (unknown !== undefined) return yield* new StepNotFound({ id: unknown })
    for (const { id, type, ordinal, createdAt } of graph.steps) known.set(id, { id, type, ordinal, createdAt })
    let ordinal = graph.steps.at(-1)?.ordinal ?? 0
    const steps: Array<IdentifiedStep> = []
    for (const [at, input] of body.steps.entries()) {
      const id = input.id ?? (input.type === "TRIGGER" ? triggerOf(graph)?.id : undefined)
      const found = id === undefined ? undefined : known.get(id)
      steps.push({
        input,
        identity: found ?? {
          id: StepId.make(yield* random.uuidV7()),
          type: input.type,
          ordinal: ++ordinal,
          createdAt: now
        },
        before: found && present.get(found.id),
        path: `steps.${input.key ?? input.id ?? at}`
      })
    }
    return steps
  })

  /** The content to store, or its faults. Content that stays the same is not checked again. */
  const contentOf = Effect.fnUntraced(function* (
    project: ProjectId,
    { input, identity: { type }, before, path }: IdentifiedStep,
    trigger: TriggerContent
  ) {
    if (type === "TRIGGER") return { ...nothing, config: trigger.triggerConfig }
    const given = { config: input.config ?? {}, templateId: input.templateId ?? undefined }
    if (before && before.templateId === (input.templateId ?? null) && Equal.equals(before.config, given.config)) {
      return { config: before.config, templateId: before.templateId }
    }
    return yield* contents
      .read(project, type, given, nothing)
      .pipe(
        Effect.mapError((error) =>
          (error._tag === "VALIDATION_ERROR"
            ? error.errors
            : [{ field: "templateId", code: "custom" as const, message: error.message }]
          ).map((fault) => ({ ...fault, field: `${path}.${fault.field}` }))
        )
      )
  }, Effect.result)

  /** The change is not stored. Joins the caller's transaction. */
  const read = Effect.fn("WholeGraphs.read")(function* (
    workflow: WorkflowRecord,
    graph: Graph,
    body: WholeGraph,
    now: DateTime.Utc
  ): Effect.fn.Return<ReadGraph, StepNotFound> {
    const identities = yield* identified(workflow, graph, body, now)
    const faults = [...identityFaults(identities)]

    const given = yield* Effect.result(triggers.read(workflow.projectId, body, workflow))
    if (Result.isFailure(given)) faults.push(...given.failure.errors)
    const trigger = Result.isFailure(given) || isSameTrigger(given.success, workflow) ? workflow : given.success

    const steps: Array<GraphStep> = []
    const unclear = new Set<GraphStep>()
    const byName = new Map<string, GraphStep>()
    for (const each of identities) {
      const content = yield* contentOf(workflow.projectId, each, trigger)
      const step = drawnStep(
        each,
        Result.getOrElse(content, () => nothing),
        steps.at(-1) ?? graph.steps.at(-1),
        now
      )
      steps.push(step)
      for (const name of [step.id, each.input.key]) if (name != null) byName.set(name, step)
      if (Result.isFailure(content)) {
        faults.push(...content.failure)
        unclear.add(step)
      }
    }
    const stays = triggerOf(graph)
    if (stays !== undefined && !byName.has(stays.id)) {
      byName.set(stays.id, stays)
      steps.unshift(stays)
    }
    if (steps.length > maxSteps) {
      faults.push({ field: "steps", code: "too_big", message: `At most ${maxSteps} steps with the TRIGGER.` })
    }

    const ids: Array<TransitionId> = []
    for (const _ of body.transitions) ids.push(TransitionId.make(yield* random.uuidV7()))
    const drawn = drawnTransitions(body.transitions, byName, unclear, graph.transitions, ids, now)
    faults.push(...drawn.faults)

    const next = {
      steps: steps.map((step) => (step.type === "TRIGGER" ? withTrigger(step, workflow, trigger, now) : step)),
      transitions: drawn.transitions
    }
    return {
      trigger,
      change: changeBetween(graph, next),
      ids: Object.fromEntries(
        identities.flatMap(({ input, identity }) => (input.key == null ? [] : [[input.key, identity.id]]))
      ),
      faults: faults.slice(0, maxFaults),
      inNames: inNamesOf(identities, drawn.transitions)
    }
  })

  return { read }
})
