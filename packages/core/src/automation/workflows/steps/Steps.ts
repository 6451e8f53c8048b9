/** The types of steps. A new type is a file of this folder and a row here; the area's README has the whole list. */
import type { AddedStepType, StepType } from "@posthorn/contract/automation/workflows/StepType"
import { type DateTime, Effect, type Schema, Struct } from "effect"
import { condition } from "./Condition.ts"
import { conditionUses } from "./ConditionUses.ts"
import { delay } from "./Delay.ts"
import { exit } from "./Exit.ts"
import { rateLimit } from "./RateLimit.ts"
import { sendEmail } from "./SendEmail.ts"
import { split } from "./Split.ts"
import type { RunStep, StepChecks, StepDefinition, StepInput, StepUses } from "./StepDefinition.ts"
import { timeWindow } from "./TimeWindow.ts"
import { updateContact } from "./UpdateContact.ts"
import { waitForEvent } from "./WaitForEvent.ts"
import { webhook } from "./Webhook.ts"

const definitions = {
  SEND_EMAIL: sendEmail,
  DELAY: delay,
  WAIT_FOR_EVENT: waitForEvent,
  CONDITION: condition,
  SPLIT: split,
  TIME_WINDOW: timeWindow,
  RATE_LIMIT: rateLimit,
  WEBHOOK: webhook,
  UPDATE_CONTACT: updateContact,
  EXIT: exit
} satisfies { readonly [Type in AddedStepType]: StepDefinition }

export const types = Struct.keys(definitions)

/** The definition of a type. The TRIGGER has none: no execution runs it. */
export const definitionOf = (type: StepType): StepDefinition | undefined =>
  type === "TRIGGER" ? undefined : definitions[type]

/** The types whose definition fits, in the order of the list. */
export const typesWhere = (fits: (definition: StepDefinition) => boolean): ReadonlyArray<AddedStepType> =>
  types.filter((type) => fits(definitions[type]))

/** What the config of a step names. That of the TRIGGER names what its condition names. */
export const usesOf = (type: StepType, config: Schema.JsonObject): StepUses =>
  type === "TRIGGER"
    ? conditionUses(config["condition"])
    : (definitionOf(type)?.uses?.(config) ?? { segments: [], names: [] })

const noChecks = Effect.succeed<StepChecks>({})

/** The checks of each type. */
export const makeChecks = Effect.gen(function* () {
  const checks = new Map<AddedStepType, StepChecks>()
  for (const type of types) checks.set(type, yield* definitions[type].checks ?? noChecks)
  return (type: AddedStepType): StepChecks => checks.get(type) ?? {}
})

/** Runs steps of any type, in the caller's transaction. Returns the outcomes in the order of the inputs. */
export const make = Effect.gen(function* () {
  const runs = new Map<StepType, RunStep>()
  for (const type of types) runs.set(type, yield* definitions[type].run)
  return (type: StepType, inputs: ReadonlyArray<StepInput>, now: DateTime.Utc) => {
    const run = runs.get(type)
    if (run === undefined) return Effect.die(new Error("A TRIGGER is never run"))
    return run(inputs, now).pipe(Effect.withSpan(`Steps.${type}`))
  }
})
