/**
 * Waits for an event of the contact, with or without a timeout. The worker that has locked the execution decides between
 * them: an event that was stored before the timeout wins, however late the worker runs. A wake-up only makes a worker
 * run.
 *
 * One transaction stores the wait, and the next one reads the events since the step became current. No event is lost in
 * between: either its dispatcher finds the wait, or that read finds the event.
 */
import { WaitConfig } from "@posthorn/contract/automation/workflows/StepConfig"
import { DateTime, Effect, Schema } from "effect"
import { eventName } from "../../../events/ChangeNotes.ts"
import { isContext } from "../Context.ts"
import { RunStore, type Wait, type WaitedFor } from "../run/RunStore.ts"
import type { StepDefinition, StepInput, StepOutcome } from "./StepDefinition.ts"

const readConfig = Schema.decodeUnknownSync(WaitConfig)

const waitOf = ({ execution, contact, step, since, visit }: StepInput): Wait => ({
  projectId: execution.projectId,
  id: execution.id,
  contactId: contact.id,
  triggerEventId: execution.triggerEventId,
  event: readConfig(step.config).eventName,
  since,
  until: visit?.scheduledFor ?? null
})

const begin = ({ step }: StepInput, now: DateTime.Utc): StepOutcome => {
  const { eventName: event, timeout } = readConfig(step.config)
  const until = timeout == null ? null : DateTime.add(now, { seconds: timeout })
  return { _tag: "Rest", status: "WAITING", until, lookAt: now, event }
}

const settle = (input: StepInput, found: WaitedFor | undefined, now: DateTime.Utc): StepOutcome => {
  const { event, until } = waitOf(input)
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
  return { _tag: "Rest", status: "WAITING", until, lookAt: until, event }
}

export const waitForEvent: StepDefinition<RunStore, never> = {
  takesTime: true,
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
      const found = yield* store.eventsFor(inputs.filter(({ visit }) => visit !== null).map(waitOf))
      return inputs.map((input) =>
        input.visit === null ? begin(input, now) : settle(input, found.get(input.execution.id), now)
      )
    })
  )
}
