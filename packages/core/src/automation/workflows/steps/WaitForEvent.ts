/**
 * Waits for an event of the contact, with or without a timeout. The worker that has locked the execution decides between
 * them: an event that was stored before the timeout wins, however late the worker runs. A wake-up only makes a worker
 * run.
 *
 * One transaction stores the wait, and the next one reads the events since the step became current. No event is lost in
 * between: either its dispatcher finds the wait, or that read finds the event.
 */
import { WaitConfig } from "@posthorn/contract/automation/workflows/StepConfig"
import { DateTime, Duration, Effect, Schema } from "effect"
import { eventName } from "../../../events/ChangeNotes.ts"
import { isContext } from "../Context.ts"
import { resolvedTests } from "../goals/EventTests.ts"
import { consequenceOf } from "../goals/Journeys.ts"
import { RunStore, type Wait, type WaitedFor } from "../run/RunStore.ts"
import type { StepDefinition, StepInput, StepOutcome } from "./StepDefinition.ts"

const readConfig = Schema.decodeUnknownSync(WaitConfig)

/** Time by which an event may be stored later than its time says. */
const slack = Duration.minutes(1)
/** Until an event that ends the execution has been dispatched. */
const pause = Duration.seconds(1)

/** Undefined if no event can end the wait now, because a variable that it names is missing. */
const waitOf = ({ execution, contact, context, step, since, visit }: StepInput): Wait | undefined => {
  const match = readConfig(step.config)
  const tests = resolvedTests(match, context)
  if (tests === undefined) return undefined
  const { lookedAt } = execution
  const isFirst = lookedAt === null || tests.length === 0
  return {
    projectId: execution.projectId,
    id: execution.id,
    contactId: contact.id,
    triggerEventId: execution.triggerEventId,
    event: match.eventName,
    tests,
    // Events that fail the tests are looked at once.
    since: isFirst ? since : DateTime.max(since, DateTime.subtractDuration(lookedAt, slack)),
    until: visit?.scheduledFor ?? null
  }
}

const begin = ({ step }: StepInput, now: DateTime.Utc): StepOutcome => {
  const { eventName: event, timeout } = readConfig(step.config)
  const until = timeout == null ? null : DateTime.add(now, { seconds: timeout })
  return { _tag: "Rest", status: "WAITING", until, lookAt: now, event }
}

/** Whether the event reaches the goal or an exit rule and so will end the execution, once it is dispatched. */
const endsFirst = ({ execution, context, workflow }: StepInput, name: string, found: WaitedFor, now: DateTime.Utc) =>
  !found.isDispatched && consequenceOf(workflow, { ...found, name }, { ...execution, context, isLive: true }, now).exit

const settle = (input: StepInput, found: WaitedFor | undefined, now: DateTime.Utc): StepOutcome => {
  const event = readConfig(input.step.config).eventName
  const until = input.visit?.scheduledFor ?? null
  if (found !== undefined && endsFirst(input, event, found, now)) {
    const { lookedAt } = input.execution
    return { _tag: "Rest", status: "WAITING", until, lookAt: DateTime.addDuration(now, pause), event, lookedAt }
  }
  if (found !== undefined) {
    const context = { ...input.context, ...found.data }
    const merged = isContext(context)
    return {
      _tag: "Done",
      branch: "event",
      resumedBy: found.id,
      output: {
        outcome: "EVENT",
        eventName: event,
        eventId: found.id,
        data: found.data,
        receivedAt: DateTime.formatIso(found.createdAt),
        merged
      },
      ...(merged && { context })
    }
  }
  if (until !== null && until.epochMilliseconds <= now.epochMilliseconds) {
    return { _tag: "Done", branch: "timeout", output: { outcome: "TIMEOUT", eventName: event } }
  }
  return { _tag: "Rest", status: "WAITING", until, lookAt: until, event, lookedAt: now }
}

export const waitForEvent: StepDefinition<RunStore, never> = {
  takesTime: () => true,
  branchFault: ({ timeout }, branch) =>
    branch === "timeout" && timeout === undefined ? "The WAIT_FOR_EVENT has no timeout." : undefined,
  warnings: ({ timeout }) =>
    timeout === undefined
      ? [{ field: "config.timeout", code: "custom", message: "Without a timeout it may wait for ever." }]
      : [],
  uses: (config) => ({ segments: [], names: [eventName(String(config["eventName"]))] }),
  usesEventAs: "wait",
  run: Effect.map(RunStore, (store) =>
    Effect.fnUntraced(function* (inputs, now) {
      const waits = inputs.filter(({ visit }) => visit !== null).flatMap((input) => waitOf(input) ?? [])
      const found = yield* store.eventsFor(waits, now)
      return inputs.map((input) =>
        input.visit === null ? begin(input, now) : settle(input, found.get(input.execution.id), now)
      )
    })
  )
}
