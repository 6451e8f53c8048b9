/** `POST /v1/verify`: checks an address without sending to it. */
import { Schema } from "effect"
import { described, EmailAddress, required } from "../../platform/Primitives.ts"

export const VerifyAddress = Schema.Struct({ email: required(EmailAddress) }).annotate({ identifier: "VerifyAddress" })
export type VerifyAddress = typeof VerifyAddress.Type

export const Verdict = Schema.Struct({
  email: Schema.String.pipe(described("The address, normalised.")),
  valid: Schema.Boolean.pipe(
    described("The domain exists and has mail servers. It does not depend on the other flags.")
  ),
  isDisposable: Schema.Boolean.pipe(described("The domain, or one above it, provides disposable addresses.")),
  isAlias: Schema.Boolean.pipe(described("The domain only forwards to another mailbox.")),
  isTypo: Schema.Boolean.pipe(described("The domain looks like a misspelt one; see `suggestedEmail`.")),
  isPlusAddressed: Schema.Boolean.pipe(described("There is a `+` before the `@`.")),
  isPersonalEmail: Schema.Boolean.pipe(described("The domain belongs to a provider of personal mailboxes.")),
  domainExists: Schema.Boolean,
  hasWebsite: Schema.Boolean.pipe(
    described("The domain, or `www.` before it, has an IP address. For information only.")
  ),
  hasMxRecords: Schema.Boolean.pipe(described("At least one mail server is named, and it is not the null MX.")),
  reasons: Schema.Array(Schema.String).pipe(described("A sentence for each finding, worst first.")),
  suggestedEmail: Schema.optionalKey(Schema.String).pipe(described("Only with `isTypo`.")),
  dnsStatus: Schema.Literals(["ok", "unavailable"]).pipe(
    described("`unavailable`: the DNS gave no usable answer, so `valid` and the fields that need the DNS are false.")
  )
}).annotate({ identifier: "Verdict", description: "The result of checking an address." })
export type Verdict = typeof Verdict.Type

export const VerifiedAddress = Schema.Struct({ success: Schema.Literal(true), data: Verdict }).annotate({
  identifier: "VerifiedAddress",
  description: "The result of checking an address."
})
