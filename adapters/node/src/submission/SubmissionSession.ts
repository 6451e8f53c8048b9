/**
 * Adapts the SMTP session of the library to the submission service (RFC 6409): its replies, its commands and its
 * trusted proxies.
 *
 * The library adds an enhanced status code to every reply, derived from its code. The replies of the service contain
 * their own, as in `5.7.8 The key is unknown`.
 */
import type { Socket } from "node:net"
import * as ClientLimit from "@posthorn/core/platform/http/ClientLimit"
import { SMTPServer } from "smtp-server"
import { SMTPConnection, type SMTPConnectionOptions } from "smtp-server/lib/smtp-connection.js"
import { SMTPStream } from "smtp-server/lib/smtp-stream.js"

const hasStatus = (text: string) => /^[245]\.\d{1,3}\.\d{1,3} /.test(text)

interface Reply {
  readonly code: number
  readonly text: string
}

/** Replies of the library that get another code, status or text here. */
const replaced = (code: number, text: string, context: string | false | undefined): Reply | undefined => {
  if (context === "MAILBOX_SYNTAX_ERROR") return { code: 553, text: "5.1.3 Malformed recipient address" }
  if (code === 538) return { code, text: "5.7.11 Encryption is required to log in: use STARTTLS first" }
  if (code === 421 && /shutting down/i.test(text)) return { code, text: "4.3.2 The server is stopping, try again" }
  if (code === 421 && /too many/i.test(text)) return { code, text: "4.7.0 Too many commands without a login" }
  return undefined
}

/**
 * The parser of the library forgets that the reply to a message is awaited if that message came in one packet with the
 * end of the one before it. It then answers no further command.
 */
class SubmissionStream extends SMTPStream {
  override continue(): void {
    const resume = this._continueCallback
    this._continueCallback = typeof resume !== "function"
    // It may read a whole message, and then sets another callback.
    if (typeof resume === "function") resume()
  }
}

export class SubmissionConnection extends SMTPConnection {
  override _createParser(): SMTPStream {
    const parser = new SubmissionStream({ maxCommandLength: this._server.options.maxCommandLength })
    parser.oncommand = (command, callback) => this._onCommand(command, callback)
    parser.on("error", (error: Error) => this.send(421, `Error: ${error.message}`))
    return parser
  }

  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    if (Array.isArray(data)) {
      // RFC 4954 section 4: without encryption no mechanism is offered that sends the password in clear.
      const offered = data.filter((line) => !line.startsWith("AUTH ") || this.takesLogin)
      super.send(code, offered, context)
      return
    }
    const text = data ?? ""
    const reply = (hasStatus(text) ? undefined : replaced(code, text, context)) ?? { code, text }
    super.send(reply.code, reply.text, hasStatus(reply.text) ? false : context)
  }

  /** Whether a password may be sent over this connection. */
  get takesLogin(): boolean {
    return this.secure || this._isDisabled("STARTTLS")
  }

  /** Whether the content of a message is being received or handled. */
  get isInMessage(): boolean {
    return Boolean(this._dataStream)
  }

  handler_EXPN(_command: Buffer, callback: () => void): void {
    this.send(502, "5.5.1 EXPN is not implemented")
    callback()
  }
}

/** TLS handshakes of one client that have not ended. */
const maxHandshakes = 50

export class SubmissionListener extends SMTPServer {
  /** Whether a peer writes the PROXY header before each connection. */
  expectsProxy: (peer: string) => boolean = () => false
  readonly #handshakes = new Map<string, number>()

  override connect(socket: Socket, options?: SMTPConnectionOptions | null): void {
    const connection = new SubmissionConnection(this, socket, options ?? undefined)
    this.connections.add(connection)
    connection.on("error", (error: Error) => this._onError(error))
    connection.init()
  }

  override _expectsProxyHeader(socket: Socket): boolean {
    return this.expectsProxy(socket.remoteAddress ?? "")
  }

  /** One client cannot use all connections that are still in the TLS handshake. */
  override _acceptSocket(socket: Socket, handshake: boolean): (() => void) | false {
    const client = ClientLimit.clientOf(socket.remoteAddress ?? "")
    const open = this.#handshakes.get(client) ?? 0
    if (handshake && open >= maxHandshakes && !this._expectsProxyHeader(socket)) {
      socket.on("error", () => undefined)
      socket.destroy()
      return false
    }
    const accepted = super._acceptSocket(socket, handshake)
    if (accepted === false || !handshake) return accepted
    this.#handshakes.set(client, open + 1)
    let isCounted = true
    const leave = () => {
      if (!isCounted) return
      isCounted = false
      const left = (this.#handshakes.get(client) ?? 1) - 1
      if (left > 0) this.#handshakes.set(client, left)
      else this.#handshakes.delete(client)
    }
    socket.once("close", leave)
    return () => {
      leave()
      accepted()
    }
  }

  connectionOf(id: string): SubmissionConnection | undefined {
    for (const connection of this.connections) {
      if (connection.id === id && connection instanceof SubmissionConnection) return connection
    }
    return undefined
  }
}
