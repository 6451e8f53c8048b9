/** Waits for a time, or until a moment. The end is computed and stored when the delay begins. */
import { DelayConfig, delaySeconds } from "@posthorn/contract/automation/workflows/TimingConfig"
import { DateTime, Effect, Schema } from "effect"
import type { Projects } from "../../../accounts/projects/Projects.ts"
import { fieldNames, momentOf } from "./Moments.ts"
import { restUntil, type StepDefinition, type StepInput, type StepOutcome } from "./StepDefinition.ts"
import * as StepZone from "./StepZone.ts"

const readConfig = Schema.decodeUnknownSync(DelayConfig)

/** A date that moved by less is the same: a wait ends at most so early. */
const tolerance = 60_000

const rest = (until: number): StepOutcome => restUntil(DateTime.makeUnsafe(until))

const done = (until: number, branch?: string): StepOutcome => ({
  _tag: "Done",
  output: { until: DateTime.formatIso(DateTime.makeUnsafe(until)) },
  ...(branch !== undefined && { branch })
})

const missing: StepOutcome = { _tag: "Done", output: { until: null }, branch: "missing" }

const outcome = (
  { step, visit, contact, context }: StepInput,
  zone: DateTime.TimeZone | undefined,
  now: number
): StepOutcome => {
  const config = readConfig(step.config)
  const { until } = config
  const stored = visit?.scheduledFor?.epochMilliseconds
  if (stored !== undefined && stored > now) return rest(stored)
  const seconds = delaySeconds(config)
  if (seconds !== undefined || until == null || zone === undefined) {
    return stored === undefined ? rest(now + (seconds ?? 0) * 1_000) : done(stored)
  }
  if (stored !== undefined && until.field == null) return done(stored)
  const since = visit?.startedAt.epochMilliseconds ?? now
  const moment = momentOf(until, { data: contact.data, context }, since, zone)
  if (moment === undefined) return missing
  // At the due time the field is read again.
  if (stored !== undefined) return moment > stored + tolerance && moment > now ? rest(moment) : done(stored)
  if (moment > now) return rest(moment)
  return until.field != null && moment < now ? done(moment, "passed") : done(moment)
}

export const delay: StepDefinition<Projects, never> = {
  takesTime: (config) => {
    const { until } = config as DelayConfig
    return until == null || until.weekdays != null
  },
  uses: (config) => {
    const { until } = config as DelayConfig
    return { segments: [], names: until == null ? [] : fieldNames(until) }
  },
  run: Effect.map(StepZone.make, (zoneOf) =>
    Effect.fnUntraced(function* (inputs, now) {
      return yield* Effect.forEach(inputs, (input) => {
        const { until } = input.step.config as DelayConfig
        const zone = until == null ? Effect.succeed(undefined) : zoneOf(input, until.timezone)
        return Effect.map(zone, (found) => outcome(input, found, now.epochMilliseconds))
      })
    })
  )
}
