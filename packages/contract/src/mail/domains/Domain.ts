/** A sender domain, and the DNS records that prove its ownership and sign its mail. */
import { Schema } from "effect"
import { ProjectId } from "../../platform/Auth.ts"
import { described, Id, Timestamp } from "../../platform/Primitives.ts"

export const DomainId = Id.pipe(Schema.brand("DomainId"))
export type DomainId = typeof DomainId.Type

/** PENDING: the record is not published yet. MISMATCH: DNS has another value. */
export const RecordStatus = Schema.Literals(["PENDING", "MISMATCH", "VERIFIED"])
export type RecordStatus = typeof RecordStatus.Type

/** One DNS record to publish. `found` is what DNS has now, at most 5 values of 1,000 characters. */
export const DomainRecord = Schema.Struct({
  type: Schema.Literals(["TXT", "MX", "CNAME"]),
  name: Schema.String,
  value: Schema.String,
  purpose: Schema.Literals(["DKIM", "RETURN_PATH", "SPF", "DMARC", "LINK"]),
  required: Schema.Boolean.pipe(described("Whether the domain is verified only with it.")),
  status: RecordStatus.pipe(described("`PENDING`: not published yet. `MISMATCH`: DNS has another value.")),
  found: Schema.Array(Schema.String).pipe(described("The current values in DNS, at most 5 of 1,000 characters."))
}).annotate({ identifier: "DomainRecord", description: "One DNS record to publish." })
export type DomainRecord = typeof DomainRecord.Type

/** PENDING: not set up yet. ACTIVE: links use it. FAILING: it was ACTIVE, and three checks in a row failed. */
export const LinkHost = Schema.Struct({
  host: Schema.String,
  status: Schema.Literals(["PENDING", "ACTIVE", "FAILING"]).pipe(
    described(
      "`PENDING`: its CNAME or certificate is not valid yet. `ACTIVE`: links of new mail use it. `FAILING`: three checks in a row failed, and new mail uses the public URL."
    )
  ),
  checkedAt: Schema.NullOr(Timestamp),
  lastError: Schema.NullOr(Schema.String)
}).annotate({ identifier: "LinkHost", description: "The host of the links in mail from this domain." })

export const Domain = Schema.Struct({
  id: DomainId,
  projectId: ProjectId,
  domain: Schema.String,
  verified: Schema.Boolean,
  status: Schema.Literals(["PENDING", "VERIFIED"]),
  selector: Schema.String.pipe(described("DKIM selector.")),
  verifiedElsewhere: Schema.Boolean.pipe(
    described(
      "The records of this domain are published, but another project has already verified it. Only a project that publishes the records sees this."
    )
  ),
  trusted: Schema.Boolean.pipe(described("Verified by the operator, regardless of DNS.")),
  failedChecks: Schema.Int.pipe(described("Negative checks in a row; the third one ends the verification.")),
  linkHost: Schema.NullOr(LinkHost),
  records: Schema.Array(DomainRecord).pipe(described("The DNS records to publish.")),
  dmarcReportAddress: Schema.NullOr(Schema.String).pipe(
    described(
      "Where this service takes DMARC aggregate reports about the domain: the `rua` of its DMARC record. `null` where the installation takes no mail."
    )
  ),
  lastCheckedAt: Schema.NullOr(Timestamp),
  lastError: Schema.NullOr(Schema.String).pipe(described("The reason why the last check had no result.")),
  verifiedAt: Schema.NullOr(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Domain", description: "A sender domain." })
export type Domain = typeof Domain.Type

/** The answer of a forced check. `tokens` repeats the selector for older clients. */
export const CheckedDomain = Schema.Struct({ ...Domain.fields, tokens: Schema.Array(Schema.String) }).annotate({
  identifier: "CheckedDomain",
  description: "The domain after the check; `tokens` repeats the selector for older clients."
})
export type CheckedDomain = typeof CheckedDomain.Type
