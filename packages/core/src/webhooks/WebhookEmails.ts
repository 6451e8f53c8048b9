/** The emails to project members about a failing webhook. Pure. */
import { inSubject } from "../accounts/systemmail/Names.ts"
import { systemEmail, type UnaddressedEmail } from "../accounts/systemmail/SystemMail.ts"

export const failingEmail = (project: string, url: string): UnaddressedEmail =>
  systemEmail(
    `A webhook of ${inSubject(project, "a project")} has been failing for a day`,
    `Nothing could be delivered to ${url} for a day.`,
    "After 5 days without a successful delivery it is disabled. The delivery log shows the errors."
  )

export const endpointDisabledEmail = (project: string, url: string): UnaddressedEmail =>
  systemEmail(
    `A webhook of ${inSubject(project, "a project")} is disabled`,
    `Nothing could be delivered to ${url} for 5 days, so the webhook is disabled and receives no more events.`,
    "When the endpoint works again, enable the webhook and replay the failed and missed deliveries."
  )
