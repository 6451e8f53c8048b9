/** Names that the service gives. Pure. */
import type { AddedStepType } from "@posthorn/contract/workflows/StepType"
import { eventOf, type TriggerContent } from "./TriggerContents.ts"

const maxName = 100
const copySuffix = " (Copy)"

const cut = (text: string, length: number): string => [...text].slice(0, length).join("")

/** Counted in code points; a name that is too long loses its end, not the suffix. */
export const copyName = (name: string): string => cut(name, maxName - copySuffix.length) + copySuffix

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

export const nameOfTrigger = (trigger: TriggerContent): string => {
  const event = eventOf(trigger)
  return event === null ? "Trigger" : cut(`Trigger: ${event}`, maxName)
}
