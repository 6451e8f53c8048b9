/** The emails to the members of a project about its bounces and complaints. Pure. */

import type { StandingMetric } from "@posthorn/contract/accounts/projects/Security"
import type { DisabledReason } from "@posthorn/contract/platform/Auth"
import { inSubject, inText } from "../../accounts/systemmail/Names.ts"
import { systemEmail, type UnaddressedEmail } from "../../accounts/systemmail/SystemMail.ts"
import { thresholds } from "./Thresholds.ts"

interface Measured {
  readonly metric: StandingMetric
  /** Percent. */
  readonly value: number
}

const names: { readonly [Metric in StandingMetric]: string } = {
  bounce7Day: "bounce rate of the last 7 days",
  bounceAllTime: "bounce rate of all time",
  complaint7Day: "complaint rate of the last 7 days",
  complaintAllTime: "complaint rate of all time"
}

const reasons: { readonly [Reason in DisabledReason]: string } = {
  PAYMENT_FAILED: "A payment failed.",
  EMAIL_REPUTATION: "Too much of its mail bounced or led to complaints.",
  PHISHING_DETECTED: "Its mail looks like phishing.",
  MANUAL: "The operator disabled it."
}

const rateText = ({ metric, value }: Measured) =>
  `The ${names[metric]} is ${value} %. Warnings begin at ${thresholds[metric].warning} %, and at ` +
  `${thresholds[metric].critical} % a project is disabled.`

export const projectDisabledEmail = (project: string, reason: DisabledReason, measured?: Measured): UnaddressedEmail =>
  systemEmail(
    `${inSubject(`The project ${project}`, "A project of yours")} is disabled`,
    `The project ${inText(project)} is disabled: it can be read but not changed, and it sends no mail. Waiting mail is kept.`,
    reasons[reason],
    ...(measured ? [rateText(measured)] : []),
    reason === "PAYMENT_FAILED"
      ? "Unsubscribe links keep working. The project is enabled again as soon as the invoice is paid: see the billing portal."
      : "Unsubscribe links keep working. The operator of the service can enable the project again."
  )

export const warningEmail = (project: string, measured: Measured, critical: boolean): UnaddressedEmail =>
  systemEmail(
    `The ${names[measured.metric]} of ${inSubject(project, "a project")} is ${critical ? "too high" : "high"}`,
    rateText(measured),
    "Check where the addresses came from, and stop sending to addresses that bounce or complain."
  )
