/** Authentication of inbound mail: SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 9989). */
import { Context, Data, Effect } from "effect"

/** RFC 8601 section 2.7. `none`: nothing to check, or no checker. `temperror`: DNS did not answer in time. */
export type AuthenticationResult =
  | "fail"
  | "neutral"
  | "none"
  | "pass"
  | "permerror"
  | "policy"
  | "softfail"
  | "temperror"

export interface AuthenticationResults {
  readonly spf: AuthenticationResult
  /** The best of all signatures. */
  readonly dkim: AuthenticationResult
  readonly dmarc: AuthenticationResult
}

/** The SMTP client that sends a mail. */
export interface SmtpClient {
  /** IP address of the client. */
  readonly address: string
  /** Its name in HELO or EHLO. */
  readonly helo: string
  /** Envelope sender; empty for `<>`. */
  readonly sender: string
}

export interface MailToCheck extends SmtpClient {
  readonly bytes: Uint8Array
  /** Address of the author, which DMARC checks. */
  readonly from: string
}

/** Checks a mail within a time limit. Never fails: a result that cannot be determined is `temperror`. */
export const MailAuthentication = Context.Reference<{
  readonly check: (mail: MailToCheck) => Effect.Effect<AuthenticationResults>
}>("@posthorn/core/mail/receivers/MailAuthentication", {
  defaultValue: () => ({ check: () => Effect.succeed({ spf: "none", dkim: "none", dmarc: "none" }) })
})

/** Every project that the mail is for rejects mail that fails DMARC. */
export class UnauthenticatedMail extends Data.TaggedError("UnauthenticatedMail") {}
