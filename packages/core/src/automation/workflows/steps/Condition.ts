/** Continues on the branch whose condition holds for the contact. */
import type { Condition } from "@posthorn/contract/audience/filters/Condition"
import { parseCondition, type StepCondition } from "@posthorn/contract/automation/workflows/ConditionConfig"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { Array, type DateTime, Effect, Predicate, Result, type Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { dependenciesOf, needsContactOnly, needsContext } from "../../../audience/filters/Dependencies.ts"
import { type ContactFacts, holds } from "../../../audience/filters/Evaluate.ts"
import { Audiences } from "../../../audience/segments/Audiences.ts"
import * as ConditionQueries from "./ConditionQueries.ts"
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

/** These conditions need no events and no segments. */
const noFacts: ContactFacts = { events: () => 0, memberships: new Set() }

const inMemory = (conditions: ReadonlyArray<Condition>, { contact, context }: StepInput, now: DateTime.Utc) =>
  conditions.map((condition) => holds(condition, contact, noFacts, { now, segments: new Map(), context }))

/**
 * A condition that needs only the contact is evaluated in memory. One with events or segments is a query, one for all
 * executions at the same step; if it uses the variables of an execution, one for each execution.
 */
const run = Effect.map(
  ConditionQueries.make,
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

/** The segments that filters of the config name, each with the path of the filter. */
const segmentRefs = (
  value: Schema.Json,
  field = "config"
): ReadonlyArray<{ readonly field: string; readonly segment: string }> => {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, nested]) => {
    const segment = key === "field" && Predicate.isString(nested) ? segmentField.exec(nested)?.[1] : undefined
    return segment === undefined
      ? segmentRefs(nested, `${field}.${key}`)
      : [{ field: `${field}.${key}`, segment: segment.toLowerCase() }]
  })
}

const uses = (config: Schema.JsonObject): StepUses => {
  const conditions = Result.match(parseCondition(config), { onSuccess: conditionsOf, onFailure: () => [] })
  return {
    segments: segmentRefs(config).map(({ segment }) => segment),
    names: Array.dedupe(conditions.flatMap((condition) => [...dependenciesOf(condition).names]))
  }
}

const checks = Effect.gen(function* () {
  const audiences = yield* Audiences

  /** Segments that do not exist, and those that make the condition too large. */
  const segmentFaults = Effect.fnUntraced(function* (project: ProjectId, config: Schema.JsonObject) {
    const refs = segmentRefs(config)
    if (refs.length === 0) return []
    const filters = refs.map(({ segment }) => ({
      field: `segment.${segment}`,
      operator: "memberOfSegment" as const
    }))
    return yield* audiences.requireSound(project, { groups: [{ filters }] }, "tree").pipe(
      Effect.as<ReadonlyArray<Fault>>([]),
      Effect.catch(({ errors }) =>
        Effect.succeed(
          errors.map((fault) => {
            const n = /\.filters\.(\d+)\./.exec(fault.field)?.[1]
            return { ...fault, field: refs[Number(n ?? -1)]?.field ?? "config" }
          })
        )
      )
    )
  })

  return {
    save: (project, { config }) => Effect.andThen(audiences.hold(project), segmentFaults(project, config)),
    enable: (project, { config }) => segmentFaults(project, config)
  } satisfies StepChecks
})

export const condition: StepDefinition<Audiences | SqlClient.SqlClient, Audiences> = {
  needsBranch: true,
  uses,
  usesEventAs: "condition",
  checks,
  run
}
