/**
 * Sends one message through an open session and classifies failures. Nodemailer reports a broken connection before MAIL
 * in the same way as one after the final dot. So the body shows how much was sent, and the last reply shows whether the
 * peer answered.
 */
import type { Envelope, MailerError, Receipt } from "@posthorn/core/platform/Mailer"
import { Data, Effect } from "effect"
import type { NodemailerError } from "nodemailer/lib/errors"
import type { SMTPConnectionSendInfo } from "nodemailer/lib/smtp-connection"
import { MailBody } from "./MailBody.ts"
import type { Peer } from "./Peer.ts"
import type { Connection } from "./SmtpConnection.ts"

/** The peer ended the session between two messages. No part of this message was sent, so it can use a new session. */
export class StaleSession extends Data.TaggedError("StaleSession")<{ readonly error: MailerError }> {}

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)

/**
 * Addresses without characters that would end the command or the brackets. The sender may be empty (RFC 5321 section
 * 4.5.5).
 */
const isWireSafe = ({ from, to }: Envelope) =>
  to !== "" && [from, to].every((address) => /^[^\0-\x20\x7f<>]*$/.test(address))

const isRefusal = ({ responseCode = 0 }: NodemailerError) => responseCode >= 400 && responseCode < 600

/** RFC 4954 section 6: the peer requires a login, or refuses ours. */
const wantsLogin = ({ response, responseCode }: NodemailerError) =>
  responseCode === 530 || responseCode === 535 || responseCode === 538 || /^\d{3}[ -]5\.7\.8\b/.test(response ?? "")

export const handOver = (peer: Peer, { dialogue, exchange, smtp }: Connection, takesUtf8: boolean) => {
  /** MAIL was accepted and the message refused later, so the next MAIL would be nested in it. */
  let needsReset = false

  const stale = (error: NodemailerError) => new StaleSession({ error: peer.failure("unreachable", error) })

  const destroyed = <A>(value: A): A => {
    smtp.close()
    return value
  }

  const failure = (error: NodemailerError, body: MailBody, wasUsed: boolean) => {
    if (error.code === "EMESSAGE" && error.response === undefined) return peer.failure("unsupported", error)

    const answered = smtp.lastServerResponse !== false
    const leftAtMail = error.responseCode === 421 && error.command === "MAIL FROM"
    if (wasUsed && (leftAtMail || !answered) && !body.taken) return destroyed(stale(error))

    if (!isRefusal(error)) return destroyed(peer.failure(body.taken ? "ambiguous" : "broken", error))
    if (!body.begun && wantsLogin(error)) return destroyed(peer.failure("authentication", error))
    if (body.begun && !body.taken) return destroyed(peer.failure("refused", error))
    needsReset = !body.begun
    return peer.failure("refused", error)
  }

  const reset = Effect.suspend(() => {
    needsReset = false
    return Effect.mapError(
      exchange<boolean>((done) => smtp.reset(done)),
      (error) => destroyed(stale(error))
    )
  })

  /** `wasUsed`: the session has already sent a message. */
  return Effect.fnUntraced(function* (
    { from, to }: Envelope,
    message: Uint8Array,
    wasUsed: boolean
  ): Effect.fn.Return<Receipt, MailerError | StaleSession> {
    if (!isWireSafe({ from, to }))
      return yield* peer.failure("unsupported", "the envelope has an address that SMTP does not allow")
    if (!takesUtf8 && !(isAscii(from) && isAscii(to))) {
      return yield* peer.failure("unsupported", "an address is not ASCII, and the peer does not support SMTPUTF8")
    }
    if (needsReset) yield* reset

    const body = new MailBody(message)
    body.once("end", () => dialogue.client(`(${message.length} octets)`))
    smtp.lastServerResponse = false
    const info = yield* exchange<SMTPConnectionSendInfo>((done) =>
      smtp.send({ from, to: [to], size: message.length }, body, done)
    ).pipe(Effect.mapError((error) => failure(error, body, wasUsed)))
    if (!body.taken)
      return yield* destroyed(peer.failure("ambiguous", "the peer accepted the mail before it was sent completely"))
    return peer.receipt(info?.response ?? "")
  })
}
