/** The health of a sender domain: the last answers of DNS, and the figures of its mail as they are now. */
import type { DomainId } from "@posthorn/contract/mail/domains/Domain"
import {
  type DomainHealth,
  type HealthCheck,
  HealthCheckId,
  HealthStatus,
  healthChecks
} from "@posthorn/contract/mail/domains/DomainHealth"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { DnsResolver } from "../../../platform/dns/DnsResolver.ts"
import { advice } from "../../dmarc/Dmarc.ts"
import type { ReturnPath } from "../../sending/ReturnPath.ts"
import type { StoredDomain } from "../DomainStore.ts"
import { type CheckOutcome, dnsChecks } from "./DnsChecks.ts"
import { figureChecks } from "./FigureChecks.ts"

export type Needs = DnsResolver | ReturnPath | SqlClient.SqlClient

/** How soon DNS is asked again when a caller wants it. */
const apart = Duration.minutes(1)
/** How old the answers of DNS may be otherwise. */
export const dnsEvery = Duration.days(1)

const all = ["GMAIL", "YAHOO", "OUTLOOK"] as const

/** The requirements that the providers publish for bulk senders. */
const requiredBy: { readonly [Id in HealthCheckId]?: HealthCheck["requiredBy"] } = {
  dkim: all,
  alignment: all,
  spf: all,
  dmarc_record: all,
  one_click: ["GMAIL", "YAHOO"],
  complaint_rate: ["GMAIL", "YAHOO"],
  authentication: all,
  tls: ["GMAIL"],
  reverse_dns: ["GMAIL", "YAHOO"]
}

const Stored = Schema.Struct({
  checkedAt: Schema.DateTimeUtcFromDate,
  checks: Schema.Array(
    Schema.Struct({
      id: HealthCheckId,
      status: HealthStatus,
      found: Schema.Array(Schema.String),
      advice: Schema.String
    })
  )
})
const storedRows = Schema.decodeUnknownEffect(Schema.Array(Stored))

const stored = Effect.fnUntraced(function* (project: ProjectId, id: DomainId) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* storedRows(
    yield* sql`
      select checked_at as "checkedAt", checks from domain_health where project_id = ${project} and domain_id = ${id}`
  )
  return found
}, Effect.orDie)

/** A domain that was deleted meanwhile stores nothing. */
const ask = Effect.fnUntraced(function* (domain: StoredDomain) {
  const sql = yield* SqlClient.SqlClient
  const checks = yield* dnsChecks(domain, yield* advice(domain))
  const checkedAt = yield* DateTime.now
  yield* sql`
    insert into domain_health (project_id, domain_id, checked_at, checks)
    select project_id, id, ${DateTime.toDate(checkedAt)}, ${JSON.stringify(checks)}::text::jsonb
    from domains where project_id = ${domain.projectId} and id = ${domain.id}
    on conflict (project_id, domain_id) do update set checked_at = excluded.checked_at, checks = excluded.checks`
  return { checkedAt, checks }
}, Effect.orDie)

const inOrder = (outcomes: ReadonlyArray<CheckOutcome>): ReadonlyArray<HealthCheck> =>
  healthChecks.flatMap((id) => {
    const found = outcomes.find((outcome) => outcome.id === id)
    return found === undefined ? [] : [{ ...found, requiredBy: requiredBy[id] ?? [] }]
  })

/** Asks DNS if its answers are older than `maxAge`. */
export const healthOf = Effect.fn("DomainHealth.healthOf")(function* (
  domain: StoredDomain,
  maxAge: Duration.Duration | undefined
): Effect.fn.Return<DomainHealth, never, Needs> {
  const before = yield* stored(domain.projectId, domain.id)
  const now = yield* DateTime.now
  const isFresh =
    before !== undefined &&
    (maxAge === undefined || DateTime.isLessThan(now, DateTime.addDuration(before.checkedAt, maxAge)))
  const dns = isFresh ? before : yield* ask(domain)
  const checks = inOrder([...dns.checks, ...(yield* figureChecks(domain.projectId, domain.domain))])
  return { ready: checks.every(({ status }) => status !== "FAIL"), checkedAt: dns.checkedAt, checks }
})

/** For a caller, who may want DNS to be asked now. */
export const healthNow = (domain: StoredDomain, refresh: boolean) => healthOf(domain, refresh ? apart : undefined)
