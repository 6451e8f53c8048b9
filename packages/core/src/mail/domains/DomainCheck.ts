/** One check of a domain: looks up its records in DNS, and decides its new state. */
import type { DomainRecord } from "@posthorn/contract/mail/domains/Domain"
import { Effect, Result } from "effect"
import { DnsResolver, type DnsUnavailable } from "../../platform/dns/DnsResolver.ts"
import { lastFinding, type RecordLookup, type RecordToPublish } from "./DomainRecords.ts"
import { dkimFinding, dmarcFinding, linkFinding, returnPathFinding, spfFinding } from "./RecordFindings.ts"
import { organisationalDomain } from "./SenderDomain.ts"

/** Number of negative checks in a row after which a domain is no longer verified. */
const maxFailedChecks = 3

/** One record with the answer of DNS. A failed lookup says nothing about the record. */
export interface CheckedRecord {
  readonly record: RecordToPublish
  readonly outcome: Result.Result<RecordLookup, DnsUnavailable>
}

/** Looks up all records at the same time, with at most six DNS queries. */
export const checkRecords = Effect.fn("DomainCheck.checkRecords")(function* (
  records: ReadonlyArray<RecordToPublish>
): Effect.fn.Return<ReadonlyArray<CheckedRecord>, never, DnsResolver> {
  return yield* Effect.forEach(
    records,
    (record) => Effect.map(Effect.result(lookUp(record)), (outcome) => ({ record, outcome })),
    { concurrency: "unbounded" }
  )
})

/** Looks up one record. */
export const lookUp = Effect.fnUntraced(function* (
  record: RecordToPublish
): Effect.fn.Return<RecordLookup, DnsUnavailable, DnsResolver> {
  const { txt, mx, cname } = yield* DnsResolver
  switch (record.purpose) {
    case "DKIM":
      return dkimFinding(record, (yield* txt(record.name)).values)
    case "RETURN_PATH":
      return returnPathFinding(record, (yield* mx(record.name)).values)
    case "SPF":
      return spfFinding(record, (yield* txt(record.name)).values)
    case "LINK":
      return linkFinding(record, (yield* cname(record.name)).values)
    case "DMARC":
      return (yield* lookUpDmarc(record.name.slice("_dmarc.".length))).finding
  }
})

/** The DMARC record of a domain, or that of its organisational domain (`isInherited`). */
export interface DmarcLookup {
  readonly finding: RecordLookup
  readonly texts: ReadonlyArray<string>
  readonly isInherited: boolean
}

/** The nearer record decides, as it does for receivers (RFC 9989). */
export const lookUpDmarc = Effect.fnUntraced(function* (
  domain: string
): Effect.fn.Return<DmarcLookup, DnsUnavailable, DnsResolver> {
  const { txt } = yield* DnsResolver
  const texts = (yield* txt(`_dmarc.${domain}`)).values
  const own = { finding: dmarcFinding(texts), texts, isInherited: false }
  const organisation = organisationalDomain(domain)
  if (own.finding.status !== "PENDING" || organisation === undefined || organisation === domain) return own
  const above = (yield* txt(`_dmarc.${organisation}`)).values
  const inherited = { finding: dmarcFinding(above), texts: above, isInherited: true }
  return inherited.finding.status === "PENDING" ? own : inherited
})

/** A domain as stored, before its check. */
export interface DomainState {
  readonly verified: boolean
  /** Verified by the operator. Checks do not change that. */
  readonly trusted: boolean
  /** Another project has verified the domain. Only one project can. */
  readonly heldElsewhere: boolean
  /** Negative checks in a row. Once the domain is no longer verified, the number stays at the limit. */
  readonly failedChecks: number
  readonly records: ReadonlyArray<DomainRecord>
}

/** A domain as it is to be stored after its check. */
export interface NextState {
  readonly verified: boolean
  /** The DNS records are right, but another project has verified the domain. */
  readonly verifiedElsewhere: boolean
  readonly failedChecks: number
  readonly records: ReadonlyArray<DomainRecord>
  /** Why a record could not be looked up. Null if all were. */
  readonly lastError: string | null
  /** The change of `verified`, if any. */
  readonly flip: "verified" | "unverified" | null
}

/**
 * Only the required record decides. VERIFIED verifies the domain at once. The third PENDING or MISMATCH in a row ends the
 * verification. A failed lookup changes nothing.
 */
export const afterCheck = (before: DomainState, checked: ReadonlyArray<CheckedRecord>): NextState => {
  const { verified, failedChecks } = verdict(before, checked)
  const records = checked.map(({ record, outcome }) => ({
    ...record,
    ...Result.getOrElse(outcome, () => lastFinding(record, before.records))
  }))
  const isRight = records.some(({ required, status }) => required && status === "VERIFIED")
  const [error] = checked.flatMap(({ outcome }) => (Result.isFailure(outcome) ? [outcome.failure.message] : []))
  return {
    verified,
    verifiedElsewhere: !verified && before.heldElsewhere && isRight,
    failedChecks,
    records,
    lastError: error ?? null,
    flip: verified === before.verified ? null : verified ? "verified" : "unverified"
  }
}

const verdict = (
  { verified, trusted, heldElsewhere, failedChecks }: DomainState,
  checked: ReadonlyArray<CheckedRecord>
): { readonly verified: boolean; readonly failedChecks: number } => {
  const outcome = checked.find(({ record }) => record.required)?.outcome
  if (outcome === undefined || Result.isFailure(outcome)) return { verified, failedChecks }
  if (outcome.success.status === "VERIFIED") return { verified: verified || !heldElsewhere, failedChecks: 0 }
  if (trusted) return { verified, failedChecks: 0 }
  if (!verified) return { verified, failedChecks }
  return { verified: failedChecks + 1 < maxFailedChecks, failedChecks: failedChecks + 1 }
}
