/** The limits of bounce and complaint rates. Pure. */
import type { StandingLevel, StandingMetric } from "@posthorn/contract/accounts/projects/Security"

interface Threshold {
  /** In percent of the mails, as `critical`. */
  readonly warning: number
  readonly critical: number
  /** The minimum number of bounces or complaints for each level, whatever the rate. */
  readonly fewest: { readonly warning: number; readonly critical: number }
}

const ofBounces = { warning: 5, critical: 10 }
const ofComplaints = { warning: 3, critical: 5 }

export const thresholds: { readonly [Metric in StandingMetric]: Threshold } = {
  bounce7Day: { warning: 5, critical: 10, fewest: ofBounces },
  bounceAllTime: { warning: 4, critical: 8, fewest: ofBounces },
  complaint7Day: { warning: 0.075, critical: 0.15, fewest: ofComplaints },
  complaintAllTime: { warning: 0.03, critical: 0.12, fewest: ofComplaints }
}

/** In the order of the response. */
export const metrics = ["bounce7Day", "bounceAllTime", "complaint7Day", "complaintAllTime"] as const

/** With fewer mails, no rate is evaluated. */
export const minimumEmails = 100

export interface Share {
  readonly count: number
  readonly emails: number
}

/** Compares integers, so that a rate equal to the limit reaches it. */
const reaches = ({ count, emails }: Share, percent: number): boolean =>
  count * 100_000 >= Math.round(percent * 1_000) * emails

export const levelOf = (metric: StandingMetric, share: Share): StandingLevel => {
  const { warning, critical, fewest } = thresholds[metric]
  if (share.emails < minimumEmails) return "healthy"
  if (share.count >= fewest.critical && reaches(share, critical)) return "critical"
  return share.count >= fewest.warning && reaches(share, warning) ? "warning" : "healthy"
}

/** In percent, rounded to `decimals`. 0 if nothing was sent. */
export const rate = ({ count, emails }: Share, decimals: number): number => {
  const unit = 10 ** decimals
  return emails === 0 ? 0 : Math.round((count * 100 * unit) / emails) / unit
}
