/** One configured transport, and how its replies become receipts or errors. */
import { MailerError, type MailerReason, type Receipt } from "@posthorn/core/platform/Mailer"
import { Redacted } from "effect"
import type { NodemailerError } from "nodemailer/lib/errors"
import * as SmtpReply from "./SmtpReply.ts"
import type { Transport } from "./SmtpUrl.ts"

export interface Peer {
  readonly transport: Transport
  /** The error contains the reply, or one sentence about the connection if there is none. */
  readonly failure: (reason: MailerReason, cause: NodemailerError | string) => MailerError
  readonly receipt: (reply: string) => Receipt
}

/** The forms in which a password is sent: PLAIN (RFC 4616), LOGIN, and plain text. */
const secretsOf = ({ login }: Transport): ReadonlyArray<string> => {
  if (login === undefined) return []
  const password = Redacted.value(login.password)
  return [`\0${login.user}\0${password}`, password].map((text) => Buffer.from(text).toString("base64")).concat(password)
}

/** `label` is `smtp1`, `smtp2`, ... */
export const make = (label: string, transport: Transport): Peer => {
  const secrets = secretsOf(transport)
  const named = { transport: label, remoteHost: transport.host }

  const sentence = (text: string) => ({
    reply: SmtpReply.shown(`${transport.host}:${transport.port}: ${text}`, secrets)
  })
  const describe = (cause: NodemailerError | string) => {
    if (typeof cause === "string") return sentence(cause)
    if (cause.response !== undefined) {
      const said = SmtpReply.read(cause.response, secrets)
      return cause.command === "STARTTLS" ? { ...said, ...sentence(`STARTTLS was answered by ${said.reply}`) } : said
    }
    const text = cause.message || (cause.originalCode ?? cause.code ?? "the connection failed")
    return sentence(/certificate|altname/i.test(text) ? `${text} (verify=false takes any certificate)` : text)
  }
  return {
    transport,
    failure: (reason, cause) => new MailerError({ reason, ...named, ...describe(cause) }),
    receipt: (reply) => ({ ...named, code: 250, ...SmtpReply.read(reply, secrets) })
  }
}
