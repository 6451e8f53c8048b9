/**
 * The mail server of dev mode. It accepts and stores every message on loopback, or simulates the outcome that an
 * address names. One reply covers all recipients of a message (RFC 5321 4.2.5), so if one recipient defers the message,
 * it is deferred for all.
 */
import { deferredTries, slowReply, throttledFor } from "@posthorn/core/mail/sending/OutcomeAddress"
import { Clock, Context, Data, Effect, FiberSet, Layer } from "effect"
import type { SMTPServer, SMTPServerDataStream } from "smtp-server"
import { load, type PackageMissing } from "../OptionalPackage.ts"
import { type Entry, MailboxStore } from "./MailboxStore.ts"
import { readHead } from "./MailContent.ts"
import { outcomeOf } from "./Outcomes.ts"

/** A service, because its port is known only after it listens. */
export class MailboxServer extends Context.Service<
  MailboxServer,
  {
    readonly host: string
    readonly port: number
    /** `smtp://127.0.0.1:<port>`; accepts any login and offers no TLS. */
    readonly url: string
  }
>()("@posthorn/platform-node/mailbox/MailboxServer") {}

/** A message of this service that its recipient has received. */
export interface AcceptedMessage {
  /** A UUID from the header of the message. It is unverified, so the email may not exist. */
  readonly emailId: string
  /** Envelope recipient. */
  readonly to: string
  /** The recipient reports it as spam at once. */
  readonly complained: boolean
}

export interface MailboxServerOptions<R> {
  /** 0, the default, selects a free port. */
  readonly port?: number | undefined
  /** If the port cannot be used, use a free one and log it as a warning. Default: false. */
  readonly orAny?: boolean | undefined
  /** Whether outcome addresses simulate their outcome. Default: true. */
  readonly outcomes?: boolean | undefined
  /** Runs after the final reply was written, so the sender may not have recorded it yet. Its defects are logged. */
  readonly onAccepted: (accepted: AcceptedMessage) => Effect.Effect<void, never, R>
}

export class MailboxCannotListen extends Data.TaggedError("MailboxCannotListen")<{
  readonly port: number
  readonly cause: Error
}> {
  override get message() {
    return `The dev mailbox cannot listen on ${host}:${this.port}: ${this.cause.message}`
  }
}

const host = "127.0.0.1"

/** Octets of a message. A larger one is refused and not kept in memory. */
const largestMail = 128 * 1024 * 1024

/** Throttled addresses that are remembered. Beyond it the memory is emptied. */
const maxThrottled = 1_000

/** Ends an SMTP transaction with this reply. */
class Refusal extends Data.TaggedError("Refusal")<{ readonly responseCode: number; readonly message: string }> {}

const make = Effect.fnUntraced(function* <R>({
  port = 0,
  orAny = false,
  outcomes = true,
  onAccepted
}: MailboxServerOptions<R>) {
  const store = yield* MailboxStore
  const run = yield* FiberSet.makeRuntime<R>()
  const wished = (address: string) => (outcomes ? outcomeOf(address) : undefined)

  /** When the first mail to a throttled address came. */
  const throttledSince = new Map<string, number>()

  const isThrottled = (address: string) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const since = throttledSince.get(address) ?? now
      if (throttledSince.size >= maxThrottled) throttledSince.clear()
      throttledSince.set(address, since)
      return now < since + throttledFor
    })

  const refusalOf = Effect.fnUntraced(function* (address: string) {
    const wish = wished(address)
    if (wish === "bounced")
      return new Refusal({ responseCode: 550, message: "5.1.1 No such mailbox, simulated for bounced@" })
    if (wish === "throttled" && (yield* isThrottled(address.toLowerCase())))
      return new Refusal({ responseCode: 421, message: "4.7.28 Too much mail, simulated for throttled@" })
    return undefined
  })

  /** Each recipient has a mailbox, so each gets a copy. */
  const receive = Effect.fn("MailboxServer.receive")(
    function* (from: string, to: ReadonlyArray<string>, stream: SMTPServerDataStream) {
      const bytes = yield* readAll(stream)
      if (stream.sizeExceeded) return yield* new Refusal({ responseCode: 552, message: "5.3.4 Mail too large" })

      const wishes = to.map(wished)
      if (wishes.includes("deferred")) {
        const { messageId } = yield* readHead(bytes)
        const tries = yield* store.countTry(messageId ?? [from, ...to].join(" "))
        if (tries <= deferredTries) {
          const message = `4.3.0 Deferred, simulated for deferred@ (refusal ${tries} of ${deferredTries})`
          return yield* new Refusal({ responseCode: 451, message })
        }
      }

      const kept = yield* Effect.forEach(to, (recipient) => store.keep({ from, to: recipient }, bytes))
      // Kept before the reply: a peer that disconnects while it waits has handed over the message all the same (RFC
      // 1047).
      if (wishes.includes("slow")) yield* Effect.sleep(slowReply)
      return kept
    },
    Effect.catchTag("PlatformError", (error) =>
      Effect.andThen(
        Effect.logError("An email could not be written to the mailbox", error),
        new Refusal({ responseCode: 452, message: "4.3.1 The mailbox cannot store the message" })
      )
    ),
    Effect.catchDefect((defect) =>
      Effect.andThen(
        Effect.logError("A message could not be accepted", defect),
        new Refusal({ responseCode: 451, message: "4.3.0 The mailbox failed; see its log" })
      )
    )
  )

  const announce = Effect.fnUntraced(function* ({ emailId, to }: Entry) {
    if (emailId === null) return
    yield* onAccepted({ emailId, to, complained: wished(to) === "complained" }).pipe(
      Effect.catchDefect((defect) => Effect.logError("An accepted email could not be marked as delivered", defect))
    )
  })

  const library = yield* load("smtp-server", "The mailbox of dev mode", () => import("smtp-server"))
  const server = new library.SMTPServer({
    name: "mailbox.posthorn.test",
    size: largestMail,
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    // Long enough for a pending reply, short enough for idle connections of a sender's pool.
    closeTimeout: 500,
    onAuth: ({ username }, _session, reply) => reply(null, { user: username ?? "anybody" }),
    onRcptTo: ({ address }, _session, reply) => {
      run(Effect.map(refusalOf(address), (refusal) => reply(refusal)))
    },
    onData: (stream, session, reply) => {
      const { mailFrom, rcptTo } = session.envelope
      const from = mailFrom ? mailFrom.address : ""
      const to = rcptTo.map(({ address }) => address)
      const accept = Effect.matchEffect(receive(from, to, stream), {
        onFailure: (refusal) => Effect.sync(() => reply(refusal)),
        onSuccess: (kept) =>
          Effect.andThen(
            Effect.sync(() => reply(null, "2.0.0 Kept")),
            Effect.forEach(kept, announce, { discard: true })
          )
      })
      run(accept)
    }
  })
  server.on("error", (error) => run(Effect.logDebug("An SMTP connection failed", error)))

  const listening = orAny ? Effect.catch(listen(server, port), () => listen(server, 0)) : listen(server, port)
  const bound = yield* Effect.acquireRelease(listening, () => close(server))
  if (port !== 0 && bound !== port) {
    yield* Effect.logWarning(`Port ${port} is in use, so the SMTP server of the mailbox is at smtp://${host}:${bound}.`)
  }
  return MailboxServer.of({ host, port: bound, url: `smtp://${host}:${bound}` })
})

/** Listens until the scope closes. Then messages in transmission have half a second to finish. */
export const layer = <R = never>(
  options: MailboxServerOptions<R>
): Layer.Layer<MailboxServer, MailboxCannotListen | PackageMissing, MailboxStore | R> =>
  Layer.effect(MailboxServer, make(options))

const listen = (server: SMTPServer, port: number) =>
  Effect.callback<number, MailboxCannotListen>((resume) => {
    const fail = (cause: Error) => resume(Effect.fail(new MailboxCannotListen({ port, cause })))
    server.once("error", fail)
    server.listen(port, host, () => {
      server.off("error", fail)
      const address = server.server.address()
      resume(Effect.succeed(address !== null && typeof address === "object" ? address.port : port))
    })
  })

const close = (server: SMTPServer) => Effect.callback<void>((resume) => server.close(() => resume(Effect.void)))

/** The whole message, unless it is too large. Fails if the peer disconnects before the end. */
const readAll = (stream: SMTPServerDataStream) =>
  Effect.tryPromise({
    try: async () => {
      const chunks: Array<Uint8Array> = []
      for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
    catch: () => new Refusal({ responseCode: 451, message: "4.4.2 The connection ended before the mail" })
  })
