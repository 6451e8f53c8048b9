/** A sender domain, and the DNS records that prove and sign for it (contract-2 6). */
import { Schema } from "effect"
import { ProjectId } from "../Auth.ts"
import { described, Id, Timestamp } from "../Wire.ts"

export const DomainId = Id.pipe(Schema.brand("DomainId"))
export type DomainId = typeof DomainId.Type

/** PENDING: not there yet. MISMATCH: something else is there. */
export const RecordStatus = Schema.Literals(["PENDING", "MISMATCH", "VERIFIED"])
export type RecordStatus = typeof RecordStatus.Type

/** One DNS record to publish; `found` is what is there, at most 5 values of 1,000 characters. */
export const DomainRecord = Schema.Struct({
  type: Schema.Literals(["TXT", "MX"]),
  name: Schema.String,
  value: Schema.String,
  purpose: Schema.Literals(["DKIM", "RETURN_PATH", "SPF", "DMARC"]),
  required: Schema.Boolean.pipe(described("Whether the domain is verified only with it.")),
  status: RecordStatus.pipe(described("`PENDING`: not there yet. `MISMATCH`: something else is there.")),
  found: Schema.Array(Schema.String).pipe(described("What is there now, at most 5 values of 1,000 characters."))
}).annotate({ identifier: "DomainRecord", description: "One DNS record to publish." })
export type DomainRecord = typeof DomainRecord.Type

export const Domain = Schema.Struct({
  id: DomainId,
  projectId: ProjectId,
  domain: Schema.String,
  verified: Schema.Boolean,
  status: Schema.Literals(["PENDING", "VERIFIED"]),
  selector: Schema.String.pipe(described("DKIM selector.")),
  verifiedElsewhere: Schema.Boolean.pipe(described("DNS is right, but another project holds the domain.")),
  trusted: Schema.Boolean.pipe(described("Verified by the operator, whatever DNS says.")),
  failedChecks: Schema.Int.pipe(described("Negative checks in a row; the third one takes the verification away.")),
  records: Schema.Array(DomainRecord).pipe(described("The DNS records to publish.")),
  lastCheckedAt: Schema.NullOr(Timestamp),
  lastError: Schema.NullOr(Schema.String).pipe(described("Why the last check told nothing.")),
  verifiedAt: Schema.NullOr(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "Domain", description: "A sender domain." })
export type Domain = typeof Domain.Type

/** The answer of a forced check; `tokens` repeats the selector for older clients. */
export const CheckedDomain = Schema.Struct({ ...Domain.fields, tokens: Schema.Array(Schema.String) }).annotate({
  identifier: "CheckedDomain",
  description: "The domain after the check; `tokens` repeats the selector for older clients."
})
export type CheckedDomain = typeof CheckedDomain.Type

/** A mail may only be sent from a domain that is verified for its project. */
export class SenderDomainUnverified extends Schema.TaggedError<SenderDomainUnverified>()("SENDER_DOMAIN_UNVERIFIED", {
  domain: Schema.String
}) {
  override readonly message = `The domain ${this.domain} is not verified for this project.`
}
