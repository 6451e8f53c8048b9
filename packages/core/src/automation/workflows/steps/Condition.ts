import type { Condition } from "@posthorn/contract/audience/filters/Condition"
import { parseCondition, type StepCondition } from "@posthorn/contract/automation/workflows/ConditionConfig"
import { type DateTime, Effect, Result } from "effect"
import { needsContactOnly, needsContext } from "../../../audience/filters/Dependencies.ts"
import { type ContactFacts, holds } from "../../../audience/filters/Evaluate.ts"
import * as Questions from "./Questions.ts"
import type { Outcome, RunStep, StepContext } from "./StepType.ts"

export type Needs = Effect.Services<typeof Questions.make>

/** A config was judged before it was stored. */
const read = ({ step }: StepContext): StepCondition =>
  Result.getOrThrowWith(parseCondition(step.config), () => new Error("A stored condition cannot be read"))

const conditionsOf = (asked: StepCondition): ReadonlyArray<Condition> =>
  asked._tag === "Binary" ? [asked.condition] : asked.branches.map(({ condition }) => condition)

const outcome = (asked: StepCondition, answers: ReadonlyArray<boolean>): Outcome => {
  if (asked._tag === "Binary") {
    const result = answers[0] === true
    const branch = result ? "yes" : "no"
    return { _tag: "Done", output: { result, branch }, branch }
  }
  const branch = asked.branches.find((_, n) => answers[n])?.id
  return {
    _tag: "Done",
    output: { result: branch !== undefined, branch: branch ?? "default" },
    branch: branch ?? "default"
  }
}

/** Nothing that is asked of these. */
const noFacts: ContactFacts = { events: () => 0, memberships: new Set() }

const inMemory = (conditions: ReadonlyArray<Condition>, { contact, context }: StepContext, now: DateTime.Utc) =>
  conditions.map((condition) => holds(condition, contact, noFacts, { now, segments: new Map(), context }))

/**
 * What a contact alone answers is answered here; for events and segments the database is asked, once for all that stand
 * at the same step, unless the variables of each come in.
 */
export const make: Effect.Effect<RunStep, never, Needs> = Effect.map(
  Questions.make,
  (questions): RunStep =>
    Effect.fnUntraced(function* (at, now) {
      const asked = at.map((visitor) => {
        const condition = read(visitor)
        return { visitor, condition, conditions: conditionsOf(condition) }
      })
      const answers = new Map<(typeof asked)[number], ReadonlyArray<boolean>>()
      const stored = asked.filter((each) => {
        const own = each.conditions.every(needsContactOnly)
        if (own) answers.set(each, inMemory(each.conditions, each.visitor, now))
        return !own
      })
      const groups = Map.groupBy(stored, ({ visitor: { execution, step }, conditions }) =>
        JSON.stringify([execution.projectId, step.config, conditions.some(needsContext) && execution.id])
      )
      for (const group of groups.values()) {
        const [first] = group
        if (first === undefined) continue
        const { execution, context } = first.visitor
        const contacts = group.map(({ visitor }) => visitor.contact.id)
        const found = yield* questions.ask(execution.projectId, contacts, first.conditions, context, now)
        for (const each of group) answers.set(each, found.get(each.visitor.contact.id) ?? [])
      }
      return asked.map((each) => outcome(each.condition, answers.get(each) ?? []))
    })
)
