/** Names that the service gives. Pure. */
import type { AddedStepType } from "@posthorn/contract/automation/workflows/StepType"
import { eventOf, type TriggerContent } from "./TriggerContents.ts"

/** Of workflows and steps, in code points. */
export const maxName = 100

/** What a step is called unless a caller says otherwise. */
export const nameOfType: { readonly [Type in AddedStepType]: string } = {
  SEND_EMAIL: "Send email",
  DELAY: "Delay",
  WAIT_FOR_EVENT: "Wait for event",
  CONDITION: "Condition",
  WEBHOOK: "Webhook",
  UPDATE_CONTACT: "Update contact",
  EXIT: "Exit"
}

/** What the TRIGGER is called: after its event, where it has one. */
export const nameOfTrigger = (trigger: TriggerContent): string => {
  const event = eventOf(trigger)
  return event === null ? "Trigger" : [...`Trigger: ${event}`].slice(0, maxName).join("")
}
