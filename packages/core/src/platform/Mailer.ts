/** Ports that compose an email and hand it to a mail server. */
import { Context, Data, type DateTime, type Effect, type Redacted, type Scope } from "effect"

export interface Mailbox {
  /** An addr-spec in its stored form: lower case, domain in ASCII. */
  readonly address: string
  /** Display name in any Unicode, without control characters. */
  readonly name?: string | undefined
}

export interface MessageAttachment {
  readonly filename: string
  readonly contentType: string
  readonly disposition: "attachment" | "inline"
  /** Without angle brackets. Inline parts have one. */
  readonly contentId?: string | undefined
  readonly content: Uint8Array
}

/** A DKIM key. A message has one signature for each key (RFC 6376, RFC 8463). */
export interface DkimKey {
  /** The sender domain (`d=`). */
  readonly domain: string
  readonly selector: string
  readonly algorithm: "rsa-sha256" | "ed25519-sha256"
  /** PKCS#8, PEM. */
  readonly privateKey: Redacted.Redacted<string>
}

/** A complete email to one recipient. Building it needs no lookup, no request and no file. */
export interface Message {
  /** Seed of the MIME boundaries, so that the email is the same to the octet each time it is built. */
  readonly emailId: string
  readonly from: Mailbox
  /** The header `To`. Empty: `undisclosed-recipients:;`. */
  readonly to: ReadonlyArray<Mailbox>
  /** The header `Cc`, absent if this is empty. */
  readonly cc: ReadonlyArray<Mailbox>
  readonly replyTo?: Mailbox | undefined
  readonly subject: string
  readonly html: string
  readonly text: string
  /** Further headers, in order. Their names are checked, and differ from the fields of this interface. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly attachments: ReadonlyArray<MessageAttachment>
  /** Without angle brackets. */
  readonly messageId: string
  readonly date: DateTime.Utc
  readonly dkim: ReadonlyArray<DkimKey>
}

/** The message cannot be built or signed. A retry gives the same result. */
export class CannotCompose extends Data.TaggedError("CannotCompose")<{ readonly message: string }> {}

/**
 * Builds the RFC 5322 message: CRLF, no line above 998 octets, RFC 2047 for headers beyond ASCII, multipart only where
 * it is needed, and one DKIM signature for each key. Checks that the signatures are present. Equal input gives equal
 * bytes. A separate port from `Mailer`, because processes that only accept mail have no connection to a mail server.
 */
export class Composer extends Context.Service<
  Composer,
  {
    readonly compose: (message: Message) => Effect.Effect<Uint8Array, CannotCompose>
  }
>()("@posthorn/core/sending/Composer") {}

/** RFC 5321 envelope. It has one recipient, so a delivery never succeeds in part. */
export interface Envelope {
  readonly from: string
  readonly to: string
  /** The tries whose dialogue is wanted; default `NONE`. A mailer without dialogues ignores it. */
  readonly dialogue?: DialogueMode | undefined
}

/** `FAILURES`: every try that was not accepted. */
type DialogueMode = "FAILURES" | "ALL" | "NONE"

/** One line of SMTP. `at` is in milliseconds since the try began; `from` is the client or the server. */
export interface DialogueLine {
  readonly at: number
  readonly from: "C" | "S"
  readonly text: string
}

/**
 * What both sides said during one try: at most 100 lines of 512 bytes, 8 KB together. Words of the login and all that the
 * client sends for `AUTH` are `***`; the message is `(48211 octets)`.
 */
export interface Dialogue {
  /** The connection had taken a message before. Its lines up to `AUTH` are left out. */
  readonly reused: boolean
  readonly lines: ReadonlyArray<DialogueLine>
}

/** The mail server has accepted the email. */
export interface Receipt {
  /** The configured transport: `smtp1`, `smtp2`, ..., or the name of a transport of the project. */
  readonly transport: string
  /** Id of the transport, if it belongs to a project. */
  readonly transportId?: string | undefined
  readonly remoteHost: string
  /** Protocol of the connection, such as `TLSv1.3`. Undefined without TLS. */
  readonly tls?: string | undefined
  readonly code: number
  readonly enhancedCode?: string | undefined
  /** The whole final reply, at most 1 KB. */
  readonly reply: string
  readonly dialogue?: Dialogue | undefined
}

/**
 * Why an email was not handed over:
 *
 * - `unreachable`: no transport could be reached (name, connection, TLS, greeting). The email was not sent.
 * - `authentication`: no transport accepts the login (530, 535, 538, 5.7.8). The email was not sent.
 * - `refused`: the server answered MAIL, RCPT, DATA or the final dot with 4xx or 5xx. `code` has the code.
 * - `broken`: the connection ended before the whole body was written. The email was not delivered.
 * - `ambiguous`: the connection ended, or timed out, after the whole body and before a reply. It is unknown whether the
 *   email was delivered.
 * - `unsupported`: the server lacks an extension that the email needs (SMTPUTF8, size).
 */
export type MailerReason = "unreachable" | "authentication" | "refused" | "broken" | "ambiguous" | "unsupported"

export class MailerError extends Data.TaggedError("MailerError")<{
  readonly reason: MailerReason
  readonly transport: string
  readonly transportId?: string | undefined
  readonly remoteHost?: string | undefined
  readonly tls?: string | undefined
  /** SMTP reply code, if there was a reply. */
  readonly code?: number | undefined
  /** RFC 3463 code at the start of the reply text. */
  readonly enhancedCode?: string | undefined
  /** The whole reply, or one sentence about the connection. At most 1 KB, without credentials. */
  readonly reply: string
  readonly dialogue?: Dialogue | undefined
}> {
  override get message() {
    return this.reply
  }
}

/** No part of the email was handed over, so another transport may send it. */
export const isNotHandedOver = ({ reason }: Pick<MailerError, "reason">): boolean =>
  reason === "unreachable" || reason === "authentication"

/**
 * A port: hands composed bytes to a mail server. It never repeats an email by itself; the delivery queue decides about
 * retries.
 */
export class Mailer extends Context.Service<
  Mailer,
  {
    readonly send: (envelope: Envelope, message: Uint8Array) => Effect.Effect<Receipt, MailerError>
    /** The number of emails that can usefully be handed over at once. */
    readonly concurrency: number
    /** The last known state of the connection. Does not probe it. */
    readonly state: Effect.Effect<"ok" | "failed" | "unknown">
    /** Whether its servers are the mail exchanges of the recipients. Default: they are relays. */
    readonly isExchange?: boolean | undefined
  }
>()("@posthorn/core/platform/Mailer") {}

/** The mail server of a project. Its connections always use TLS with a valid certificate. */
export interface MailServer {
  readonly id: string
  /** The name that receipts and errors have. */
  readonly name: string
  /** A DNS name, or an address without brackets. */
  readonly host: string
  readonly port: number
  readonly tls: "IMPLICIT" | "STARTTLS"
  readonly login: { readonly user: string; readonly password: Redacted.Redacted<string> } | null
  /** Concurrent connections. */
  readonly pool: number
}

/** The answer of a server to EHLO. */
export interface ServerGreeting {
  /** Such as `TLSv1.3`. */
  readonly tls: string
  /** As the server lists them. */
  readonly extensions: ReadonlyArray<string>
  /** Largest message in bytes. Null if the server names none. */
  readonly size: number | null
}

/**
 * A port: connections to mail servers that callers chose. A host is looked up at each connection, all its addresses must
 * be allowed, and the connection goes to an address that was checked. Errors show nothing of a server that does not
 * greet with 220.
 */
export class MailServers extends Context.Service<
  MailServers,
  {
    /** Whether the host may be used as far as its text shows, and whether the operator opened all its ports. */
    readonly judge: (host: string) => "refused" | "allowed" | "opened"
    /** Opens a session, logs in, and closes it. Takes at most 15 seconds. */
    readonly check: (server: MailServer) => Effect.Effect<ServerGreeting, MailerError>
    /**
     * A mailer with sessions of its own, until the scope closes. Sessions open with the first email, each in at most 15
     * seconds.
     */
    readonly open: (
      server: MailServer
    ) => Effect.Effect<{ readonly send: Mailer["Service"]["send"] }, never, Scope.Scope>
  }
>()("@posthorn/core/platform/MailServers") {}
