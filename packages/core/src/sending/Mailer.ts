/** The way out: how a mail becomes bytes, and how the bytes leave. */
import { Context, Data, type DateTime, type Effect, type Redacted } from "effect"

export interface Mailbox {
  /** An addr-spec in its stored form: lower case, domain in ASCII. */
  readonly address: string
  /** Display name, any Unicode; free of control characters. */
  readonly name?: string | undefined
}

export interface Attachment {
  readonly filename: string
  readonly contentType: string
  readonly disposition: "attachment" | "inline"
  /** Without angle brackets; present on inline parts. */
  readonly contentId?: string | undefined
  readonly content: Uint8Array
}

/** One key that signs; a message carries one signature for each (RFC 6376, RFC 8463). */
export interface DkimKey {
  /** `d=`: the sender domain. */
  readonly domain: string
  readonly selector: string
  readonly algorithm: "rsa-sha256" | "ed25519-sha256"
  /** PKCS#8, PEM. */
  readonly privateKey: Redacted.Redacted<string>
}

/** A mail to one recipient, complete: nothing in it is looked up, fetched or read from a file any more. */
export interface Message {
  /** Seeds the MIME boundaries, so that every copy of a mail is the same to the octet. */
  readonly emailId: string
  readonly from: Mailbox
  readonly to: Mailbox
  readonly replyTo?: string | undefined
  readonly subject: string
  readonly html: string
  readonly text: string
  /** Every further header, in order; the names are checked and never among those that this interface has a field for. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly attachments: ReadonlyArray<Attachment>
  /** Without angle brackets. */
  readonly messageId: string
  readonly date: DateTime.Utc
  readonly dkim: ReadonlyArray<DkimKey>
}

/** The message cannot be built or signed as it is; trying again gives the same. */
export class CannotCompose extends Data.TaggedError("CannotCompose")<{ readonly message: string }> {}

/**
 * Builds the RFC 5322 message: CRLF, no line above 998 octets, RFC 2047 where a header leaves ASCII, multipart only as
 * deep as needed, one DKIM signature for each key, and the proof that they are there. Equal input gives equal bytes.
 */
export class Composer extends Context.Service<
  Composer,
  {
    readonly compose: (message: Message) => Effect.Effect<Uint8Array, CannotCompose>
  }
>()("@posthorn/core/sending/Composer") {}

/** RFC 5321 envelope: one recipient, so that there is no such thing as half a success. */
export interface Envelope {
  readonly from: string
  readonly to: string
}

/** The peer has taken the mail over. */
export interface Receipt {
  /** Which of the configured transports: `smtp1`, `smtp2`, ... */
  readonly transport: string
  readonly remoteHost: string
  readonly code: number
  readonly enhancedCode?: string | undefined
  /** The whole final reply, at most 1 KB. */
  readonly reply: string
}

/**
 * Why a mail was not handed over:
 *
 * - `unreachable`: no transport could be reached (name, connection, TLS, greeting). The mail was not touched.
 * - `authentication`: no transport takes our login (530, 535, 538, 5.7.8). The mail was not touched.
 * - `refused`: the peer replied to MAIL, RCPT, DATA or the final dot with 4xx or 5xx; `code` says which.
 * - `broken`: the connection ended before the whole body was written. Certainly not delivered.
 * - `ambiguous`: the connection ended, or timed out, after the whole body and before a reply. Nobody knows.
 * - `unsupported`: the peer lacks an extension this mail cannot go without (SMTPUTF8, size).
 */
export type MailerReason = "unreachable" | "authentication" | "refused" | "broken" | "ambiguous" | "unsupported"

export class MailerError extends Data.TaggedError("MailerError")<{
  readonly reason: MailerReason
  readonly transport: string
  readonly remoteHost?: string | undefined
  /** SMTP reply code, where there was a reply. */
  readonly code?: number | undefined
  /** RFC 3463 code at the start of the reply text. */
  readonly enhancedCode?: string | undefined
  /** The whole reply, or one sentence about the connection; at most 1 KB, without credentials. */
  readonly reply: string
}> {
  override get message() {
    return this.reply
  }
}

/** Hands composed bytes over. It never repeats a mail by itself: retries belong to the ledger. */
export class Mailer extends Context.Service<
  Mailer,
  {
    readonly send: (envelope: Envelope, message: Uint8Array) => Effect.Effect<Receipt, MailerError>
    /** How many mails it pays to hand over at once. */
    readonly concurrency: number
    /** The last thing known about the connection; asks nobody. */
    readonly state: Effect.Effect<"ok" | "failed" | "unknown">
  }
>()("@posthorn/core/sending/Mailer") {}
