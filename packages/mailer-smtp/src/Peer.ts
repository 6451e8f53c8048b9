/** One configured transport, which turns replies into receipts or errors. */
import { MailerError, type MailerReason, type Receipt } from "@posthorn/core/platform/Mailer"
import { Redacted } from "effect"
import type { NodemailerError } from "nodemailer/lib/errors"
import * as Dialogue from "./Dialogue.ts"
import * as SmtpReply from "./SmtpReply.ts"
import type { SmtpTransport } from "./SmtpUrl.ts"

export interface Peer {
  readonly transport: SmtpTransport
  /** Whether a configured login is required. Otherwise it is omitted if the server supports none. */
  readonly needsLogin: boolean
  /**
   * Whether a project owns it. Then nothing that the server sends is shown before it is recognised as a mail server.
   */
  readonly isOwned: boolean
  /** The error contains the reply, or one sentence about the connection if there is none. */
  readonly failure: (reason: MailerReason, cause: NodemailerError | string) => MailerError
  readonly receipt: (reply: string) => Receipt
  /** The same peer over a connection with this version of TLS. */
  readonly over: (tls: string | undefined) => Peer
  /** Records the lines of one connection, without user and password. */
  readonly record: () => Dialogue.Recorder
}

/** The differences between a transport of a project and those of the installation. */
interface Ownership {
  readonly transportId: string
}

/** One sentence about a connection without the greeting of a mail server. It shows nothing that the other end sent. */
const unseen = ({ code, originalCode }: NodemailerError) =>
  `no mail server could be reached with TLS (${originalCode ?? code ?? "the connection failed"})`

/** The forms in which a password is sent: PLAIN (RFC 4616), LOGIN, and plain text. */
const secretsOf = ({ login }: SmtpTransport): ReadonlyArray<string> => {
  if (login === undefined) return []
  const password = Redacted.value(login.password)
  return [`\0${login.user}\0${password}`, password].map((text) => Buffer.from(text).toString("base64")).concat(password)
}

/** Replies may show the user name, but the dialogue does not need it. */
const hiddenWords = ({ login }: SmtpTransport): ReadonlyArray<string> =>
  login === undefined ? [] : [login.user, Buffer.from(login.user).toString("base64")]

/** `label` is `smtp1`, `smtp2`, ..., or the name of a transport of a project. */
export const make = (label: string, transport: SmtpTransport, owned?: Ownership, tls?: string): Peer => {
  const secrets = secretsOf(transport)
  const named = { transport: label, remoteHost: transport.host, ...owned, ...(tls === undefined ? {} : { tls }) }

  const sentence = (text: string) => ({
    reply: SmtpReply.shown(`${transport.host}:${transport.port}: ${text}`, secrets)
  })
  const describe = (cause: NodemailerError | string) => {
    if (typeof cause === "string") return sentence(cause)
    if (owned !== undefined && cause.command === "CONN" && tls === undefined) return sentence(unseen(cause))
    if (cause.response !== undefined) {
      const said = SmtpReply.read(cause.response, secrets)
      return cause.command === "STARTTLS" ? { ...said, ...sentence(`STARTTLS was answered by ${said.reply}`) } : said
    }
    const text = cause.message || (cause.originalCode ?? cause.code ?? "the connection failed")
    const mayTakeAny = owned === undefined && /certificate|altname/i.test(text)
    return sentence(mayTakeAny ? `${text} (verify=false accepts any certificate)` : text)
  }
  return {
    transport,
    isOwned: owned !== undefined,
    needsLogin: owned !== undefined && transport.login !== undefined,
    failure: (reason, cause) => new MailerError({ reason, ...named, ...describe(cause) }),
    record: () => Dialogue.make([...secrets, ...hiddenWords(transport)]),
    receipt: (reply) => ({ ...named, code: 250, ...SmtpReply.read(reply, secrets) }),
    over: (tls) => make(label, transport, owned, tls)
  }
}
