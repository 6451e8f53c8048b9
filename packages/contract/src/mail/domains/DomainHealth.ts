/** The health of a sender domain: what mailbox providers ask of it, and whether it is so. */
import { Schema } from "effect"
import { described, Timestamp } from "../../platform/Primitives.ts"

/** In the order of the answer. */
export const healthChecks = [
  "dkim",
  "dkim_key",
  "alignment",
  "spf",
  "dmarc_record",
  "dmarc_policy",
  "dmarc_reports",
  "one_click",
  "complaint_rate",
  "bounce_rate",
  "volume",
  "authentication",
  "tls",
  "reverse_dns",
  "replies",
  "bimi"
] as const
export const HealthCheckId = Schema.Literals(healthChecks)
export type HealthCheckId = typeof HealthCheckId.Type

export const HealthStatus = Schema.Literals(["PASS", "WARN", "FAIL", "UNKNOWN", "NONE"])
export type HealthStatus = typeof HealthStatus.Type

export const HealthCheck = Schema.Struct({
  id: HealthCheckId,
  status: HealthStatus.pipe(
    described(
      "`FAIL`: providers refuse mail because of it. `WARN`: it can be better. `UNKNOWN`: DNS did not answer, or there is too little mail. `NONE`: it is optional, and not there."
    )
  ),
  requiredBy: Schema.Array(Schema.Literals(["GMAIL", "YAHOO", "OUTLOOK"])).pipe(
    described("The mailbox providers that require it of bulk senders.")
  ),
  found: Schema.Array(Schema.String).pipe(described("What was found, at most 5 values of 1,000 characters.")),
  advice: Schema.String.pipe(described("What to do; empty if there is nothing to do."))
}).annotate({ identifier: "HealthCheck", description: "One requirement of mailbox providers." })
export type HealthCheck = typeof HealthCheck.Type

export const DomainHealth = Schema.Struct({
  ready: Schema.Boolean.pipe(described("Whether no check has the status `FAIL`.")),
  checkedAt: Timestamp.pipe(described("When DNS was asked.")),
  checks: Schema.Array(HealthCheck)
}).annotate({ identifier: "DomainHealth", description: "What mailbox providers require of a sender domain." })
export type DomainHealth = typeof DomainHealth.Type

export const DomainHealthQuery = Schema.Struct({
  refresh: Schema.optionalKey(Schema.Boolean).pipe(
    described("`true` asks DNS now, unless it was asked less than a minute ago.")
  )
})
export type DomainHealthQuery = typeof DomainHealthQuery.Type
