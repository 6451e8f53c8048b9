/** The DNS records that the owner of a domain publishes. */
import type { DomainRecord } from "@posthorn/contract/mail/domains/Domain"
import { Option } from "effect"

/** A record to publish. `required` is true only for the RSA DKIM record, which verifies the domain. */
export type RecordToPublish = Omit<DomainRecord, "status" | "found">

/** The result of the last lookup of a record. */
export type RecordLookup = Pick<DomainRecord, "status" | "found">

/** The values from which the records of a domain are made. They do not change after it is added. */
export interface DomainIdentity {
  /** Canonical. */
  readonly domain: string
  readonly selector: string
  /** `p=` of RFC 6376: the SubjectPublicKeyInfo in base64. */
  readonly rsaPublicKey: string
  /** `p=` of RFC 8463: the 32 bytes in base64. */
  readonly ed25519PublicKey: string
  /** Where DMARC reports go. Null without a bounce domain. */
  readonly dmarcReportAddress?: string | null
}

/** Where bounces go: `POSTHORN_BOUNCE_DOMAIN` and `POSTHORN_RETURN_PATH_LABEL`. */
interface ReturnPath {
  readonly bounceDomain: string
  readonly label: string
}

/** RFC 8463 4.3: the second key has a selector of its own. */
export const ed25519Selector = (selector: string): string => `${selector}e`

/** RETURN_PATH and SPF only where the installation has a bounce domain. */
export const recordsToPublish = (
  { domain, selector, rsaPublicKey, ed25519PublicKey, dmarcReportAddress = null }: DomainIdentity,
  returnPath: Option.Option<ReturnPath>
): ReadonlyArray<RecordToPublish> => {
  const dkim = (name: string, value: string, required: boolean): RecordToPublish => ({
    type: "TXT",
    name: `${name}._domainkey.${domain}`,
    value: `v=DKIM1; ${value}`,
    purpose: "DKIM",
    required
  })
  return [
    dkim(selector, `k=rsa; p=${rsaPublicKey}`, true),
    dkim(ed25519Selector(selector), `k=ed25519; p=${ed25519PublicKey}`, false),
    ...Option.match(returnPath, { onNone: () => [], onSome: (path) => returnPathRecords(domain, path) }),
    {
      type: "TXT",
      name: `_dmarc.${domain}`,
      value: dmarcValue("none", dmarcReportAddress),
      purpose: "DMARC",
      required: false
    }
  ]
}

/** A DMARC record with this policy, whose reports go to the address. */
export const dmarcValue = (policy: "none" | "quarantine" | "reject", reportAddress: string | null): string =>
  `v=DMARC1; p=${policy}${reportAddress === null ? "" : `; rua=mailto:${reportAddress}`}`

const returnPathRecords = (domain: string, { bounceDomain, label }: ReturnPath): ReadonlyArray<RecordToPublish> => {
  const name = `${label}.${domain}`
  return [
    { type: "MX", name, value: `10 ${bounceDomain}`, purpose: "RETURN_PATH", required: false },
    { type: "TXT", name, value: `v=spf1 include:${bounceDomain} ~all`, purpose: "SPF", required: false }
  ]
}

const unknown: RecordLookup = { status: "PENDING", found: [] }

/** The stored result of the same record. PENDING if the record is new or changed. Any valid DMARC record will do. */
export const lastFinding = (record: RecordToPublish, stored: ReadonlyArray<DomainRecord>): RecordLookup => {
  const same = stored.find(
    (each) =>
      each.type === record.type &&
      each.name === record.name &&
      (each.value === record.value || (each.purpose === "DMARC" && record.purpose === "DMARC"))
  )
  return same ? { status: same.status, found: same.found } : unknown
}

/** The records as the API shows them: those to publish now, with their stored results. */
export const withFindings = (
  records: ReadonlyArray<RecordToPublish>,
  stored: ReadonlyArray<DomainRecord>
): ReadonlyArray<DomainRecord> => records.map((record) => ({ ...record, ...lastFinding(record, stored) }))
