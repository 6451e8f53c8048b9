/** Checks a stored domain: looks up its records, stores the result, and records the event. */
import { DateTime, Effect, Metric, Option, Result } from "effect"
import type { DnsResolver } from "../../platform/dns/DnsResolver.ts"
import { Settings } from "../../platform/Settings.ts"
import { ReturnPath } from "../sending/ReturnPath.ts"
import { afterCheck, checkRecords } from "./DomainCheck.ts"
import { lastFinding } from "./DomainRecords.ts"
import { type Checked, DomainStore, type StoredDomain } from "./DomainStore.ts"
import { needsNoDns, recordsOf } from "./DomainView.ts"

const checksTotal = Metric.counter("posthorn_domain_checks_total", {
  description: "Checks of sender domains",
  incremental: true
})

/** Logs a change of the verification. */
export const announce = ({ domain, flip }: Checked): Effect.Effect<void> =>
  flip === null
    ? Effect.void
    : Effect.logInfo(`Domain ${flip}`).pipe(
        Effect.annotateLogs({ projectId: domain.projectId, domainId: domain.id, domain: domain.domain })
      )

/** Checks a domain now. None if it was deleted meanwhile. Two overlapping checks count once. */
export const checkDomain = Effect.fn("DomainVerification.checkDomain")(function* (
  domain: StoredDomain
): Effect.fn.Return<Option.Option<Checked>, never, DnsResolver | DomainStore | ReturnPath> {
  const store = yield* DomainStore
  const settings = yield* Settings
  const dmarcReportAddress = yield* (yield* ReturnPath).reportAddress(domain.id)
  const records = recordsOf({ ...domain, dmarcReportAddress }, settings)
  const assumed = needsNoDns(domain.domain, settings)
  const checked = assumed
    ? records.map((record) => ({ record, outcome: Result.succeed(lastFinding(record, domain.records)) }))
    : yield* checkRecords(records)
  const saved = yield* store.saveCheck(
    domain,
    (state) => afterCheck({ ...state, trusted: state.trusted || assumed }, checked),
    yield* DateTime.now
  )
  if (Option.isSome(saved)) {
    const { verified, lastError } = saved.value.domain
    const result = lastError !== null ? "unavailable" : verified ? "verified" : "pending"
    yield* Metric.update(Metric.withAttributes(checksTotal, { result }), 1)
    yield* announce(saved.value)
  }
  return saved
})
