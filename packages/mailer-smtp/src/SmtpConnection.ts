/** nodemailer's SMTP client, one exchange at a time. */

import { isIP } from "node:net"
import { TLSSocket } from "node:tls"
import { Effect } from "effect"
import type { NodemailerError } from "nodemailer/lib/errors"
import SMTPConnection from "nodemailer/lib/smtp-connection"
import type { Recorder } from "./Dialogue.ts"
import type { SmtpTransport } from "./SmtpUrl.ts"

export interface Connection {
  readonly smtp: SMTPConnection
  readonly dialogue: Recorder
  /**
   * The callback value of `start`, or the error that ended the connection first. Interruption ends the connection,
   * because a later reply could not be matched to its command.
   */
  readonly exchange: <A>(start: (done: Done<A>) => void) => Effect.Effect<A | undefined, NodemailerError>
}

type Done<A> = (error: NodemailerError | null | undefined, value?: A) => void

const connectMilliseconds = 30_000
const greetingMilliseconds = 60_000
/** RFC 5321 section 4.5.3.2.6: a client that stops waiting for the final reply earlier sends duplicates. */
const silenceMilliseconds = 600_000

const ignore = () => {}

/** Nodemailer reports each line of a session to its logger. */
const logger = ({ client, server }: Recorder) => ({
  level: ignore,
  trace: ignore,
  debug: ({ tnx }: { readonly tnx?: unknown }, text: unknown) => {
    if (tnx === "server") server(String(text))
    if (tnx === "client") client(String(text))
  },
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore
})

const client = ({ address, host, name, port, tls, verify }: SmtpTransport, dialogue: Recorder) =>
  new SMTPConnection({
    host: address ?? host,
    port,
    name,
    secure: tls === "implicit",
    requireTLS: tls === "required",
    ignoreTLS: tls === "none",
    tls: { rejectUnauthorized: verify, ...(isIP(host) === 0 ? { servername: host } : {}) },
    // Nodemailer includes the greeting in this timeout; `connect` below keeps its own limit for connecting.
    connectionTimeout: connectMilliseconds + greetingMilliseconds,
    greetingTimeout: greetingMilliseconds,
    socketTimeout: silenceMilliseconds,
    logger: logger(dialogue),
    transactionLog: true,
    socketCloseTimeout: 0 // close() is only called for sessions that have ended: after QUIT, after a failure, on interruption
  })

export const make = (transport: SmtpTransport, dialogue: Recorder): Connection => {
  const smtp = client(transport, dialogue)
  let lastError: NodemailerError = new Error("The connection was closed")
  smtp.on("error", (error: NodemailerError) => {
    lastError = error
  })

  const exchange: Connection["exchange"] = (start) =>
    Effect.callback((resume) => {
      // One tick later, because nodemailer first ends the connection and then calls back with the reason.
      const onEnd = () => queueMicrotask(() => resume(Effect.fail(lastError)))
      smtp.once("end", onEnd)
      start((error, value) => {
        smtp.off("end", onEnd)
        resume(error ? Effect.fail(error) : Effect.succeed(value))
      })
      return Effect.sync(() => {
        smtp.off("end", onEnd)
        smtp.close()
      })
    })

  return { smtp, dialogue, exchange }
}

const refuseSlowConnect = (smtp: SMTPConnection) =>
  Effect.flatMap(Effect.sleep(connectMilliseconds), () =>
    smtp.stage === "init" ? Effect.fail<NodemailerError>(new Error("no connection within 30 seconds")) : Effect.never
  )

/** Version of TLS, such as `TLSv1.3`. Undefined without encryption. */
export const protocolOf = ({ smtp }: Connection): string | undefined => {
  const socket = smtp._socket
  return socket && socket instanceof TLSSocket ? (socket.getProtocol() ?? undefined) : undefined
}

/**
 * Resolves, connects, starts TLS, reads the greeting, and sends EHLO and STARTTLS. Returns the last EHLO reply, which
 * lists the extensions.
 */
export const connect = ({ exchange, smtp }: Connection) =>
  exchange<void>((done) => smtp.connect(done)).pipe(
    Effect.raceFirst(refuseSlowConnect(smtp)),
    Effect.map(() => smtp.lastServerResponse || "")
  )
