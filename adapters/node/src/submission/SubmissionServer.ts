/**
 * The SMTP server through which applications submit mail (RFC 6409). It logs clients in and receives messages.
 * `Submission` checks the logins and accepts or refuses the messages.
 */
import * as Submission from "@posthorn/core/mail/submission/Submission"
import { refused, type SubmissionRefused } from "@posthorn/core/mail/submission/SubmissionRefused"
import { recipientOf } from "@posthorn/core/mail/submission/SubmittedRequest"
import * as BodyMemoryLimit from "@posthorn/core/platform/http/BodyMemoryLimit"
import * as ClientLimit from "@posthorn/core/platform/http/ClientLimit"
import { Overloaded } from "@posthorn/core/platform/http/Overloaded"
import { Settings } from "@posthorn/core/platform/Settings"
import { Data, Effect, FiberSet, Layer, Option, Result, type Scope } from "effect"
import type { SMTPServerDataStream, SMTPServerSession } from "smtp-server"
import { isProxy, type TrustedProxies } from "../http/ClientAddress.ts"
import { SubmissionListener } from "./SubmissionSession.ts"
import * as TlsFiles from "./TlsFiles.ts"

export interface Options {
  readonly host: string
  /** The port with STARTTLS, and the port with TLS from the first byte. 0 selects a free one. */
  readonly ports: { readonly starttls: number | null; readonly tls: number | null }
  /** `undefined`: no encryption, so logins are in clear text. Only for a host that other machines cannot reach. */
  readonly certificate: TlsFiles.TlsFiles | undefined
  /** Concurrent connections of all clients. */
  readonly maxClients: number
  /** The proxies that write the PROXY header. `undefined`: none. */
  readonly proxies: TrustedProxies | undefined
}

/** Limits that are not settings. Tests lower them. */
export interface Limits {
  /** Connections of one client (an address, or the /64 of an IPv6 address). */
  readonly perClient: number
  /** Milliseconds without an octet after which a connection is closed. */
  readonly idle: number
  /** Milliseconds that a message may take to arrive. */
  readonly sending: number
  /** Milliseconds that messages in transmission may take to finish when the process ends. */
  readonly stopping: number
}

const minute = 60_000

export const defaults: Limits = { perClient: 50, idle: 5 * minute, sending: 10 * minute, stopping: 30_000 }

export class SubmissionCannotListen extends Data.TaggedError("SubmissionCannotListen")<{
  readonly place: string
  readonly variable: string
  readonly cause: Error
}> {
  override get message() {
    return `The submission service cannot listen on ${this.place}: ${this.cause.message}. Choose another port with ${this.variable}.`
  }
}

const maxRecipients = 100
/** Failed logins of one connection. */
const maxFailures = 3
/** Commands of a client that has not logged in. */
const maxUnauthenticated = 30
/** Octets of a message up to which it reserves no memory. */
const freeOctets = 1024 * 1024

const tooManyConnections = refused(421, "4.7.0", "Too many connections, try again later")
const tooManyRecipients = refused(452, "4.5.3", "Too many recipients")
const tooLarge = refused(552, "5.3.4", "The message is too large")
const noRoom = refused(452, "4.3.1", "Not enough memory for the message, try again later")
const tooSlow = refused(421, "4.4.2", "The message took too long")
const broken = refused(451, "4.4.2", "The connection broke")
const unknownParameter = refused(555, "5.5.4", "A parameter is not supported")

/** Parameters of MAIL (RFC 1870, RFC 6152, RFC 6531, RFC 4954 section 5). */
const known = new Set(["SIZE", "BODY", "SMTPUTF8", "AUTH"])

const replyOf = (refusal: SubmissionRefused) =>
  Object.assign(new Error(refusal.message), { responseCode: refusal.code })

const listen = (server: SubmissionListener, host: string, port: number, variable: string) =>
  Effect.callback<number, SubmissionCannotListen>((resume) => {
    const fail = (cause: Error) =>
      resume(Effect.fail(new SubmissionCannotListen({ place: `${host}:${port}`, variable, cause })))
    server.server.once("error", fail)
    server.listen(port, host, () => {
      server.server.off("error", fail)
      const address = server.server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : port))
    })
  })

/** The size that the client declared with MAIL. */
const declaredOf = ({ envelope: { mailFrom } }: SMTPServerSession): number | undefined => {
  const { SIZE = "" } = (mailFrom ? mailFrom.args : false) || {}
  return BodyMemoryLimit.declared(String(SIZE))
}

/**
 * Reads a message to its end, even if it is refused, because the reply follows the last octet. After its first megabyte
 * it reserves memory of the project's share until the scope closes.
 */
const readAll = Effect.fnUntraced(function* (
  stream: SMTPServerDataStream,
  limit: number,
  caller: string,
  declared: number | undefined
): Effect.fn.Return<Uint8Array, SubmissionRefused, Scope.Scope> {
  const chunks: Array<Uint8Array> = []
  const octets = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const next = Effect.mapError(
    Effect.tryPromise(() => octets.next()),
    () => broken
  )
  let size = 0
  let refusal: SubmissionRefused | undefined
  let holdsRoom = false
  for (let chunk = yield* next; chunk.done !== true; chunk = yield* next) {
    size += chunk.value.length
    if (size > limit) refusal = tooLarge
    if (refusal === undefined && size > freeOctets && !holdsRoom) {
      holdsRoom = true
      refusal = yield* BodyMemoryLimit.reserve(caller, Math.min(declared ?? limit, limit)).pipe(
        Effect.as(undefined),
        Effect.catchDefect((defect) => (defect instanceof Overloaded ? Effect.succeed(noRoom) : Effect.die(defect)))
      )
    }
    if (refusal === undefined) chunks.push(chunk.value)
    else chunks.length = 0
  }
  return refusal === undefined ? new Uint8Array(Buffer.concat(chunks)) : yield* refusal
})

/** Counts connections, of all clients and of each. */
const counter = (most: number, mostPerClient: number) => {
  let all = 0
  const byClient = new Map<string, number>()
  return {
    enter: (client: string): boolean => {
      const own = byClient.get(client) ?? 0
      if (all >= most || own >= mostPerClient) return false
      all++
      byClient.set(client, own + 1)
      return true
    },
    leave: (client: string): void => {
      const own = (byClient.get(client) ?? 0) - 1
      all--
      if (own > 0) byClient.set(client, own)
      else byClient.delete(client)
    }
  }
}

const make = Effect.fnUntraced(function* (options: Options, limits: Limits) {
  const submission = yield* Submission.Submission
  const { maxMessageBytes, publicUrl } = yield* Settings
  const run = yield* FiberSet.makeRuntime<never>()
  const name = new URL(publicUrl).hostname.replace(/^\[|\]$/g, "")
  const certificate = options.certificate && (yield* TlsFiles.read(options.certificate))
  const connections = counter(options.maxClients, limits.perClient)
  /** The client of each accepted connection. */
  const clients = new Map<string, string>()
  const failures = new Map<string, number>()
  let isStopping = false

  const loginOf = (session: SMTPServerSession): Submission.SubmissionLogin => session.user

  /** Runs a decision and replies with its refusal, or with nothing. */
  const decide = <A>(
    decision: Effect.Effect<A, SubmissionRefused>,
    reply: (error: Error | null, value?: A) => void
  ): void => {
    run(
      Effect.match(decision, {
        onFailure: (refusal) => reply(replyOf(refusal)),
        onSuccess: (value) => reply(null, value)
      })
    )
  }

  const listener = (secure: boolean) => {
    const server = new SubmissionListener({
      secure,
      name,
      ...(certificate && { ...certificate, minVersion: "TLSv1.2" }),
      size: maxMessageBytes,
      authMethods: ["PLAIN", "LOGIN"],
      authRequiredMessage: "5.7.0 Log in first",
      maxAllowedUnauthenticatedCommands: maxUnauthenticated,
      // Our own limit applies first, with a status code of its own.
      maxClients: 2 * options.maxClients,
      disabledCommands: ["XCLIENT", "XFORWARD", "WIZ", "SHELL", "KILL", ...(certificate ? [] : ["STARTTLS"])],
      hideENHANCEDSTATUSCODES: false,
      heloResponse: "%s",
      disableReverseLookup: true,
      logger: false,
      socketTimeout: limits.idle,
      closeTimeout: limits.stopping,
      onConnect: (session, reply) => {
        const client = ClientLimit.clientOf(session.remoteAddress)
        if (!connections.enter(client)) return reply(replyOf(tooManyConnections))
        clients.set(session.id, client)
        reply()
      },
      onClose: ({ id }) => {
        const client = clients.get(id)
        if (client !== undefined) connections.leave(client)
        clients.delete(id)
        failures.delete(id)
      },
      onAuth: ({ password }, session, reply) =>
        decide(submission.logIn(password ?? "", session.remoteAddress), (error, user) => {
          if (error === null) return reply(null, { user })
          reply(error)
          const failed = (failures.get(session.id) ?? 0) + 1
          failures.set(session.id, failed)
          if (failed >= maxFailures) server.connectionOf(session.id)?.send(421, "4.7.0 Too many failed logins")
        }),
      onMailFrom: ({ args }, session, reply) => {
        const isKnown = Object.keys(args || {}).every((parameter) => known.has(parameter))
        decide(isKnown ? submission.begin(loginOf(session)) : Effect.fail(unknownParameter), reply)
      },
      onRcptTo: ({ address, args }, { envelope }, reply) => {
        const recipient = recipientOf(address)
        if (args && Object.keys(args).length > 0) return reply(replyOf(unknownParameter))
        if (Result.isFailure(recipient)) return reply(replyOf(recipient.failure))
        reply(envelope.rcptTo.length >= maxRecipients ? replyOf(tooManyRecipients) : null)
      },
      onData: (stream, session, reply) => {
        const login = loginOf(session)
        const recipients = new Set(
          session.envelope.rcptTo.flatMap(({ address }) => Option.toArray(Result.getSuccess(recipientOf(address))))
        )
        const receive = readAll(stream, maxMessageBytes, login.project, declaredOf(session)).pipe(
          Effect.timeoutOrElse({ duration: limits.sending, orElse: () => Effect.fail(tooSlow) }),
          Effect.flatMap((bytes) => submission.submit(login, { bytes, recipients: [...recipients] })),
          Effect.scoped
        )
        decide(receive, (error, id) => {
          const connection = server.connectionOf(session.id)
          // The client is still sending, and would take this reply as the reply to its next command.
          if (error?.message === tooSlow.message) return connection?.send(tooSlow.code, tooSlow.message)
          reply(error, `2.0.0 Ok: queued as ${id}`)
          if (isStopping) connection?.send(421, "4.3.2 The server is stopping, try again")
        })
      }
    })
    const { proxies } = options
    if (proxies !== undefined) server.expectsProxy = (peer) => isProxy(proxies, peer)
    server.on("error", (error: Error) => run(Effect.logDebug("An SMTP connection failed", error)))
    return server
  }

  /** Stops listening. Clients between two messages are disconnected; messages in transmission finish. */
  const stop = (server: SubmissionListener) =>
    Effect.callback<void>((resume) => {
      isStopping = true
      server.close(() => resume(Effect.void))
      for (const connection of [...server.connections]) {
        if (!server.connectionOf(connection.id)?.isInMessage) {
          connection.send(421, "4.3.2 The server is stopping, try again")
        }
      }
    })

  const open = Effect.fnUntraced(function* (port: number | null, secure: boolean, variable: string) {
    if (port === null) return null
    const server = listener(secure)
    const found = yield* Effect.acquireRelease(listen(server, options.host, port, variable), () => stop(server))
    const files = options.certificate
    if (files !== undefined) {
      yield* Effect.forkScoped(TlsFiles.watch(files, (renewed) => server.updateSecureContext(renewed)))
    }
    return found
  })

  const ports = {
    starttls: yield* open(options.ports.starttls, false, "POSTHORN_SUBMISSION_PORT"),
    tls: yield* open(options.ports.tls, true, "POSTHORN_SUBMISSIONS_PORT")
  }
  yield* submission.opened({ host: name, ports })
  yield* Effect.logInfo("The submission service is ready", { host: options.host, ...ports })
})

/**
 * Listens until the scope closes. Then messages in transmission have at most 30 seconds to finish. Several processes
 * may listen, each on its own port.
 */
export const layer = (
  options: Options,
  limits: Limits = defaults
): Layer.Layer<never, SubmissionCannotListen | TlsFiles.UnusableCertificate, Submission.Submission> =>
  Layer.effectDiscard(make(options, limits))
