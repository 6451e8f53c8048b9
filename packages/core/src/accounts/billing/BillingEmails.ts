/** Emails to the members of a project about its limits and payments. Plain text. Pure. */
import type { BillingLimitExceeded, LimitedCategory } from "@posthorn/contract/accounts/billing/Billing"
import { inSubject, inText } from "../systemmail/Names.ts"
import { systemEmail, type UnaddressedEmail } from "../systemmail/SystemMail.ts"

const names: { readonly [Category in LimitedCategory]: string } = {
  workflows: "workflow mail",
  campaigns: "campaign mail",
  transactional: "transactional mail",
  inbound: "inbound mail",
  total: "mail on the free plan"
}

export const limitWarningEmail = (
  project: string,
  { category, limit, used, resetsAt }: Pick<BillingLimitExceeded, "category" | "limit" | "resetsAt" | "used">
): UnaddressedEmail =>
  systemEmail(
    `${inSubject(project, "A project")} has used ${Math.floor((used * 100) / limit)} % of its ${names[category]}`,
    `The project ${inText(project)} has used ${used} of ${limit} emails of its limit for ${names[category]}. A new period begins at ${resetsAt}.`,
    category === "inbound"
      ? "Inbound mail is still accepted beyond the limit."
      : "Mail beyond the limit is refused. PUT /users/@me/projects/{id}/billing-limits raises the limit."
  )

export const campaignRefusedEmail = (
  project: string,
  campaign: string,
  { category, limit, used, requested, resetsAt }: BillingLimitExceeded
): UnaddressedEmail =>
  systemEmail(
    `${inSubject(`The campaign ${campaign}`, "A campaign")} was not sent`,
    `The campaign ${inText(campaign)} of the project ${inText(project)} was due, but it has ${requested} recipients, and ${used} of ${limit} emails of the limit for ${names[category]} are used. The campaign is cancelled. It was not sent to anyone.`,
    `Raise the limit with PUT /users/@me/projects/{id}/billing-limits, or wait for the next period, which begins at ${resetsAt}. Then duplicate the campaign and send it.`
  )

export const paymentFailedEmail = (project: string): UnaddressedEmail =>
  systemEmail(
    `A payment for ${inSubject(project, "a project")} failed`,
    `The payment of an invoice for the project ${inText(project)} failed. The payment is tried again. If it fails once more, the project is disabled.`,
    "Check the payment method in the billing portal."
  )
