/** The emails to project members about a failing webhook. Pure. */
import { inSubject } from "../accounts/systemmail/Names.ts"
import type { SystemEmail } from "../accounts/systemmail/SystemMail.ts"

export const failingLetter =
  (project: string, url: string) =>
  (to: string): SystemEmail => ({
    to,
    subject: `A webhook of ${inSubject(project, "a project")} has been failing for a day`,
    body: [
      `Nothing could be delivered to ${url} for a day.`,
      "After 5 days without one success it is disabled. The log of its deliveries says how it failed."
    ].join("\n\n")
  })

export const disabledLetter =
  (project: string, url: string) =>
  (to: string): SystemEmail => ({
    to,
    subject: `A webhook of ${inSubject(project, "a project")} is disabled`,
    body: [
      `Nothing could be delivered to ${url} for 5 days, so it is disabled and told of nothing any more.`,
      "When it works again, enable it, and replay what failed and what it has missed."
    ].join("\n\n")
  })
