/** Who vouches for a mail that comes in: SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 9989). */
import { Context, Data, Effect } from "effect"

/** RFC 8601 section 2.7. `none`: there was nothing to check, or nothing checks. `temperror`: DNS did not answer in time. */
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

/** Who hands a mail over. */
export interface Peer {
  /** IP address of the client. */
  readonly address: string
  /** What it called itself. */
  readonly helo: string
  /** Envelope sender; empty for `<>`. */
  readonly sender: string
}

export interface MailToCheck extends Peer {
  readonly bytes: Uint8Array
  /** Address of the author, which DMARC is about. */
  readonly from: string
}

/** Checks a mail within a bounded time, and never fails: what cannot be found out is `temperror`. */
export const MailAuthentication = Context.Reference<{
  readonly check: (mail: MailToCheck) => Effect.Effect<AuthenticationResults>
}>("@posthorn/core/mail/receivers/MailAuthentication", {
  defaultValue: () => ({ check: () => Effect.succeed({ spf: "none", dkim: "none", dmarc: "none" }) })
})

/** Each project that the mail is for rejects mail that fails DMARC. */
export class UnauthenticatedMail extends Data.TaggedError("UnauthenticatedMail") {}
