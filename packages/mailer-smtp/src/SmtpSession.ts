/** One SMTP session: opened, used for several messages in turn, closed. */
import { type Envelope, MailerError, type Receipt } from "@posthorn/core/platform/Mailer"
import { Effect, Redacted } from "effect"
import type { Recorder } from "./Dialogue.ts"
import { handOver, type StaleSession } from "./Handover.ts"
import type { Peer } from "./Peer.ts"
import * as SmtpConnection from "./SmtpConnection.ts"
import * as SmtpReply from "./SmtpReply.ts"
import type { SmtpTransport } from "./SmtpUrl.ts"

export interface SmtpSession {
  readonly isAlive: () => boolean
  readonly isEncrypted: boolean
  /** Version of TLS. Undefined without encryption. */
  readonly tls: string | undefined
  /** Extensions of the server, as its last EHLO reply lists them. */
  readonly extensions: ReadonlyArray<string>
  /** The number of messages it has accepted. */
  readonly taken: () => number
  /** Calls back once, when the session ends for any reason. */
  readonly onEnd: (ended: () => void) => void
  /** After a failure the session may stay usable. Interruption destroys it. */
  readonly send: (envelope: Envelope, message: Uint8Array) => Effect.Effect<Receipt, MailerError | StaleSession>
  /** Sends QUIT and waits two seconds for the reply. */
  readonly quit: Effect.Effect<void>
  readonly destroy: () => void
}

const withDialogue = (error: MailerError, dialogue: Recorder) =>
  new MailerError({ ...error, dialogue: dialogue.read() })

const openTimeout = "120 seconds"
const quitMilliseconds = 2_000

const isLoopback = (address: string | undefined) => address !== undefined && /^(127\.|::1$|::ffff:127\.)/.test(address)

/** A login is never sent unencrypted over a network, unless `tls=none` is set. */
export const mayLogIn = ({ tls }: SmtpTransport, isEncrypted: boolean, address: string | undefined) =>
  isEncrypted || tls === "none" || isLoopback(address)

/** Sends AUTH if a login is configured and the peer supports it. */
const logIn = Effect.fnUntraced(function* (peer: Peer, connection: SmtpConnection.Connection) {
  const { failure, needsLogin, transport } = peer.over(SmtpConnection.protocolOf(connection))
  const { smtp } = connection
  if (needsLogin && !smtp.allowsAuth) return yield* failure("authentication", "the server offers no login")
  if (transport.login === undefined || !smtp.allowsAuth) return
  const { password, user } = transport.login
  if (!mayLogIn(transport, smtp.secure, smtp._socket ? smtp._socket.remoteAddress : undefined)) {
    return yield* failure(
      "authentication",
      "the server offers no STARTTLS, and the login is not sent without encryption unless tls=none"
    )
  }
  connection.dialogue.hide(true)
  yield* connection
    .exchange<boolean>((done) => smtp.login({ user, pass: Redacted.value(password) }, done))
    .pipe(
      Effect.ensuring(Effect.sync(() => connection.dialogue.hide(false))),
      Effect.mapError((error) =>
        failure(error.code === "EAUTH" && error.responseCode !== 421 ? "authentication" : "unreachable", error)
      )
    )
})

/** The lines of an EHLO reply after the first (RFC 5321 section 4.1.1.1), at most 50. */
const extensionsIn = (reply: string): ReadonlyArray<string> =>
  reply
    .split(/\r?\n/)
    .slice(1, 51)
    .map((line) => SmtpReply.shown(line.replace(/^250[ -]/, ""), []).slice(0, 200))
    .filter((line) => line !== "")

const quit = ({ smtp }: SmtpConnection.Connection) =>
  Effect.callback<void>((resume) => {
    if (smtp.destroyed) return resume(Effect.void)
    const timer = setTimeout(() => smtp.close(), quitMilliseconds)
    smtp.once("end", () => {
      clearTimeout(timer)
      resume(Effect.void)
    })
    smtp.quit()
  })

/**
 * Connects, greets, starts TLS and logs in. Fails with `unreachable` or `authentication`; then no connection stays
 * open.
 */
export const open = (peer: Peer): Effect.Effect<SmtpSession, MailerError> =>
  Effect.suspend(() => {
    const dialogue = peer.record()
    const connection = SmtpConnection.make(peer.transport, dialogue)
    const { smtp } = connection
    let taken = 0
    let isConnected = false

    const session = (reply: string): SmtpSession => {
      const tls = SmtpConnection.protocolOf(connection)
      const send = handOver(peer.over(tls), connection, /^250[ -]SMTPUTF8\b/im.test(reply))
      return {
        isAlive: () => !smtp.destroyed,
        isEncrypted: smtp.secure,
        tls,
        extensions: extensionsIn(reply),
        taken: () => taken,
        onEnd: (ended) => smtp.once("end", ended),
        send: (envelope, message) =>
          Effect.suspend(() => {
            const wasUsed = taken++ > 0
            if (wasUsed) dialogue.reuse()
            return send(envelope, message, wasUsed)
          }).pipe(
            Effect.map((receipt) =>
              envelope.dialogue === "ALL" ? { ...receipt, dialogue: dialogue.read() } : receipt
            ),
            Effect.mapError((error) => (error._tag === "StaleSession" ? error : withDialogue(error, dialogue)))
          ),
        quit: quit(connection),
        destroy: () => smtp.close()
      }
    }

    return SmtpConnection.connect(connection).pipe(
      Effect.mapError((error) => peer.failure("unreachable", error)),
      Effect.tap(() => {
        isConnected = true
        return logIn(peer, connection)
      }),
      Effect.timeoutOrElse({
        duration: openTimeout,
        orElse: () => Effect.fail(peer.failure("unreachable", `no session within ${openTimeout}`))
      }),
      Effect.mapError((error) => (peer.isOwned && !isConnected ? error : withDialogue(error, dialogue))),
      Effect.map(session),
      Effect.onError(() => Effect.sync(() => smtp.close()))
    )
  })
