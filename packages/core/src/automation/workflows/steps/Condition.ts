/** Continues on the branch whose condition holds for the contact. */
import type { Condition } from "@posthorn/contract/audience/filters/Condition"
import type { Filter } from "@posthorn/contract/audience/filters/FilterTree"
import { allows, isOperator } from "@posthorn/contract/audience/filters/Operators"
import { topicKey } from "@posthorn/contract/audience/filters/TopicFields"
import { parseCondition, type StepCondition } from "@posthorn/contract/automation/workflows/ConditionConfig"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { Array, type DateTime, Effect, Predicate, Result, type Schema } from "effect"
import { dependenciesOf, needsContactOnly, needsContext } from "../../../audience/filters/Dependencies.ts"
import { holds, noFacts } from "../../../audience/filters/Evaluate.ts"
import { noDefinitions } from "../../../audience/filters/SegmentDefinitions.ts"
import * as Audiences from "../../../audience/segments/Audiences.ts"
import { ConditionQueries } from "./ConditionQueries.ts"
import type { RunStep, StepChecks, StepDefinition, StepInput, StepOutcome, StepUses } from "./StepDefinition.ts"

/** Stored configs are valid. */
const read = ({ step }: StepInput): StepCondition =>
  Result.getOrThrowWith(parseCondition(step.config), () => new Error("A stored condition cannot be read"))

const conditionsOf = (parsed: StepCondition): ReadonlyArray<Condition> =>
  parsed._tag === "Binary" ? [parsed.condition] : parsed.branches.map(({ condition }) => condition)

const outcome = (parsed: StepCondition, results: ReadonlyArray<boolean>): StepOutcome => {
  if (parsed._tag === "Binary") {
    const result = results[0] === true
    const branch = result ? "yes" : "no"
    return { _tag: "Done", output: { result, branch }, branch }
  }
  const branch = parsed.branches.find((_, n) => results[n])?.id
  return {
    _tag: "Done",
    output: { result: branch !== undefined, branch: branch ?? "default" },
    branch: branch ?? "default"
  }
}

const inMemory = (conditions: ReadonlyArray<Condition>, { contact, context }: StepInput, now: DateTime.Utc) =>
  conditions.map((condition) => holds(condition, contact, noFacts, { now, ...noDefinitions, context }))

/**
 * A condition that needs only the contact is evaluated in memory. One with anything else is a query, one for all
 * executions at the same step; if it uses the variables of an execution, one for each execution.
 */
const run = Effect.map(
  ConditionQueries,
  (queries): RunStep =>
    Effect.fnUntraced(function* (inputs, now) {
      const parsed = inputs.map((input) => {
        const condition = read(input)
        return { input, condition, conditions: conditionsOf(condition) }
      })
      const results = new Map<(typeof parsed)[number], ReadonlyArray<boolean>>()
      const stored = parsed.filter((each) => {
        const own = each.conditions.every(needsContactOnly)
        if (own) results.set(each, inMemory(each.conditions, each.input, now))
        return !own
      })
      const groups = Map.groupBy(stored, ({ input: { execution, step }, conditions }) =>
        JSON.stringify([execution.projectId, step.config, conditions.some(needsContext) && execution.id])
      )
      for (const group of groups.values()) {
        const [first] = group
        if (first === undefined) continue
        const { execution, context } = first.input
        const contacts = group.map(({ input }) => input.contact.id)
        const found = yield* queries.evaluate(execution.projectId, contacts, first.conditions, context, now)
        for (const each of group) results.set(each, found.get(each.input.contact.id) ?? [])
      }
      return parsed.map((each) => outcome(each.condition, results.get(each) ?? []))
    })
)

const segmentField = /^segment\.([0-9a-f-]{36})$/i

/** A filter that names a segment or a topic, at its place in the config. */
interface Ref {
  readonly place: string
  readonly segment?: string
  readonly filter: Filter
}

const refTo = (named: string, operator: unknown): Omit<Ref, "place"> | undefined => {
  const segment = segmentField.exec(named)?.[1]?.toLowerCase()
  if (segment !== undefined) return { segment, filter: { field: `segment.${segment}`, operator: "memberOfSegment" } }
  const isHistory = Predicate.isString(operator) && isOperator(operator) && allows("history", operator)
  const topic = isHistory ? undefined : topicKey(named.replace(/^contact\./, ""))
  return topic && { filter: { field: named, operator: "equals", value: topic.isTaking ? true : "unset" } }
}

/** The segments and topics that filters of the config name. */
const refsIn = (value: Schema.Json, place = "config"): ReadonlyArray<Ref> => {
  if (typeof value !== "object" || value === null) return []
  const { operator } = value as { readonly operator?: unknown }
  return Object.entries(value).flatMap(([key, nested]) => {
    const at = `${place}.${key}`
    const ref = key === "field" && Predicate.isString(nested) ? refTo(nested, operator) : undefined
    return ref === undefined ? refsIn(nested, at) : [{ place: at, ...ref }]
  })
}

const uses = (config: Schema.JsonObject): StepUses => {
  const conditions = Result.match(parseCondition(config), { onSuccess: conditionsOf, onFailure: () => [] })
  return {
    segments: refsIn(config).flatMap(({ segment }) => segment ?? []),
    names: Array.dedupe(conditions.flatMap((condition) => [...dependenciesOf(condition).names]))
  }
}

const checks = Effect.gen(function* () {
  const audiences = yield* Audiences.make

  /** Segments and topics that do not exist, and segments that make the condition too large. */
  const refFaults = Effect.fnUntraced(function* (project: ProjectId, config: Schema.JsonObject) {
    const refs = refsIn(config)
    if (refs.length === 0) return []
    const tree = { groups: [{ filters: refs.map(({ filter }) => filter) }] }
    return yield* audiences.requireSound(project, tree, "tree").pipe(
      Effect.as<ReadonlyArray<Fault>>([]),
      Effect.catch(({ errors }) =>
        Effect.succeed(
          errors.map((fault) => {
            const n = /\.filters\.(\d+)\./.exec(fault.field)?.[1]
            return { ...fault, field: refs[Number(n ?? -1)]?.place ?? "config" }
          })
        )
      )
    )
  })

  return {
    save: (project, { config }) => Effect.andThen(audiences.hold(project), refFaults(project, config)),
    enable: (project, { config }) => refFaults(project, config)
  } satisfies StepChecks
})

export const condition: StepDefinition<ConditionQueries, Audiences.Needs> = {
  needsBranch: true,
  uses,
  usesEventAs: "condition",
  checks,
  run
}
