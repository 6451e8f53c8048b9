/**
 * Header fields that a caller may not set. Pure.
 *
 * The service sets some of them: addressing, identity, structure, trace and authentication (RFC 5322 3.6). Relays act
 * on others: a caller could choose configuration, sub-account, pool, tracking or recipients at the provider that all
 * projects of an installation share.
 */
const names = new Set([
  "from",
  "to",
  "cc",
  "bcc",
  "subject",
  "sender",
  "date",
  "message-id",
  "mime-version",
  "dkim-signature",
  "domainkey-signature",
  "authentication-results",
  // Trace: MTAs write these, and a relay takes Delivered-To as the sign of a mail loop (Postfix local(8)).
  "return-path",
  "received",
  "received-spf",
  "delivered-to",
  "x-original-to",
  "envelope-to",
  "x-envelope-to",
  "x-envelope-from",
  // Recipients and reports outside the envelope.
  "apparently-to",
  "errors-to",
  "x-errors-to",
  "return-receipt-to",
  // SendGrid and PowerMTA.
  "x-smtpapi",
  "x-virtual-mta",
  "x-vmta",
  "x-job",
  "x-envid"
])

const prefixes = [
  "content-",
  "arc-",
  "resent-",
  "x-posthorn-",
  "x-ses-",
  "x-sg-",
  "x-mc-",
  "x-mandrill-",
  "x-mailgun-",
  "x-pm-",
  "x-postmark-",
  "x-mj-",
  "x-mailjet-",
  "x-msys-",
  "x-sib-",
  "x-mailin-",
  "x-ms-exchange-organization-"
]

export const isReservedHeader = (name: string): boolean => {
  const folded = name.toLowerCase()
  return names.has(folded) || prefixes.some((prefix) => folded.startsWith(prefix))
}
