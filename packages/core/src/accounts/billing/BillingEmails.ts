/** Emails to the members of a project about its limits and payments. Plain text. Pure. */
import type { BillingLimitExceeded, LimitedCategory } from "@posthorn/contract/accounts/billing/Billing"
import { inSubject, inText } from "../systemmail/Names.ts"
import type { SystemEmail } from "../systemmail/SystemMail.ts"

type Addressed = (to: string) => SystemEmail

const letter =
  (subject: string, ...paragraphs: ReadonlyArray<string>): Addressed =>
  (to) => ({ to, subject, body: paragraphs.join("\n\n") })

const names: { readonly [Category in LimitedCategory]: string } = {
  workflows: "mail of workflows",
  campaigns: "mail of campaigns",
  transactional: "transactional mail",
  inbound: "inbound mail",
  total: "mail of the free plan"
}

export const warningLetter = (
  project: string,
  { category, limit, used, resetsAt }: Pick<BillingLimitExceeded, "category" | "limit" | "resetsAt" | "used">
): Addressed =>
  letter(
    `${inSubject(project, "A project")} has used ${Math.floor((used * 100) / limit)} % of its ${names[category]}`,
    `The project ${inText(project)} has used ${used} of ${limit} for ${names[category]}. A new period begins at ${resetsAt}.`,
    category === "inbound"
      ? "Mail that comes in is taken beyond the limit, too."
      : "What would pass the limit is refused. PUT /users/@me/projects/{id}/billing-limits raises it."
  )

export const campaignRefusedLetter = (
  project: string,
  campaign: string,
  { category, limit, used, requested, resetsAt }: BillingLimitExceeded
): Addressed =>
  letter(
    `${inSubject(`The campaign ${campaign}`, "A campaign")} was not sent`,
    `The campaign ${inText(campaign)} of the project ${inText(project)} was due, and would have passed the limit: ${used} of ${limit} for ${names[category]} are used, and it has ${requested} recipients. It is cancelled; nobody got it.`,
    `Raise the limit with PUT /users/@me/projects/{id}/billing-limits, or wait for the next period, which begins at ${resetsAt}. Then duplicate the campaign and send it.`
  )

export const paymentFailedLetter = (project: string): Addressed =>
  letter(
    `A payment for ${inSubject(project, "a project")} failed`,
    `The payment of an invoice for the project ${inText(project)} failed. It will be tried again; if it fails once more the project is disabled.`,
    "Check the payment method in the billing portal."
  )
