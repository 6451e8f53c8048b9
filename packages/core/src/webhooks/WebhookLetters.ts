/** What the people of a project are told about a webhook that fails. Pure. */
import type { Letter } from "../systemmail/SystemMail.ts"

export const failingLetter =
  (project: string, url: string) =>
  (to: string): Letter => ({
    to,
    subject: `A webhook of ${project} has been failing for a day`,
    body: [
      `Nothing could be delivered to ${url} for a day.`,
      "After 5 days without one success it is disabled. The log of its deliveries says how it failed."
    ].join("\n\n")
  })

export const disabledLetter =
  (project: string, url: string) =>
  (to: string): Letter => ({
    to,
    subject: `A webhook of ${project} is disabled`,
    body: [
      `Nothing could be delivered to ${url} for 5 days, so it is disabled and told of nothing any more.`,
      "When it works again, enable it, and replay what failed and what it has missed."
    ].join("\n\n")
  })
