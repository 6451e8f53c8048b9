/**
 * An event and the timeout are settled by whoever holds the lock of the execution, and in this order: an event that was
 * stored in time wins, however late anybody looks. Whatever wakes the execution only makes a worker look.
 *
 * The wait is stored by one transaction and looked back from by the next, so an event in between is found: either its
 * dispatcher sees the wait, or the look back sees the event.
 */
import { WaitConfig } from "@posthorn/contract/automation/workflows/StepConfig"
import { DateTime, Effect, Schema } from "effect"
import { isContext } from "../Context.ts"
import type { RunStore, Wait, WaitedFor } from "../run/RunStore.ts"
import type { Outcome, RunStep, StepContext } from "./StepType.ts"

const readConfig = Schema.decodeUnknownSync(WaitConfig)

const waitOf = ({ execution, contact, step, since, visit }: StepContext): Wait => ({
  projectId: execution.projectId,
  id: execution.id,
  contactId: contact.id,
  triggerEventId: execution.triggerEventId,
  event: readConfig(step.config).eventName,
  since,
  until: visit?.scheduledFor ?? null
})

const begin = ({ step }: StepContext, now: DateTime.Utc): Outcome => {
  const { eventName, timeout } = readConfig(step.config)
  const until = timeout == null ? null : DateTime.add(now, { seconds: timeout })
  return { _tag: "Rest", status: "WAITING", until, lookAt: now, event: eventName }
}

const settle = (visitor: StepContext, found: WaitedFor | undefined, now: DateTime.Utc): Outcome => {
  const { event: eventName, until } = waitOf(visitor)
  if (found !== undefined) {
    const context = { ...visitor.context, ...found.data }
    const merged = isContext(context)
    return {
      _tag: "Done",
      branch: "event",
      resumedBy: found.id,
      output: {
        outcome: "EVENT",
        eventName,
        eventId: found.id,
        data: found.data,
        receivedAt: DateTime.formatIso(found.createdAt),
        merged
      },
      ...(merged && { context })
    }
  }
  if (until !== null && until.epochMilliseconds <= now.epochMilliseconds) {
    return { _tag: "Done", branch: "timeout", output: { outcome: "TIMEOUT", eventName } }
  }
  return { _tag: "Rest", status: "WAITING", until, lookAt: until, event: eventName }
}

export const make =
  (store: RunStore["Service"]): RunStep =>
  (at, now) =>
    Effect.gen(function* () {
      const found = yield* store.eventsFor(at.filter(({ visit }) => visit !== null).map(waitOf))
      return at.map((visitor) =>
        visitor.visit === null ? begin(visitor, now) : settle(visitor, found.get(visitor.execution.id), now)
      )
    })
