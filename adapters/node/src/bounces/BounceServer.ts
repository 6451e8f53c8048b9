/**
 * The mail server that takes bounces, complaints and inbound mail, and hands them to the receivers without HTTP
 * (contract-2 14.1). It relays nothing: whoever has no business here is refused at RCPT.
 */

import { SenderDomains } from "@posthorn/core/domains/SenderDomains"
import { Receivers } from "@posthorn/core/receivers/Receivers"
import { Settings } from "@posthorn/core/Settings"
import { ReturnPath } from "@posthorn/core/sending/ReturnPath"
import { Context, Data, Effect, FiberSet, Layer } from "effect"
import { SMTPServer, type SMTPServerDataStream } from "smtp-server"

export class BounceServer extends Context.Service<BounceServer, { readonly port: number }>()(
  "@posthorn/node/bounces/BounceServer"
) {}

export class CannotListen extends Data.TaggedError("CannotListen")<{ readonly place: string; readonly cause: Error }> {
  override get message() {
    return `The bounce listener cannot listen on ${this.place}: ${this.cause.message}. Choose another port with POSTHORN_BOUNCE_SMTP_PORT.`
  }
}

/** Octets of a mail; more is refused and not held in memory. */
const largestMail = 40 * 1024 * 1024
/** Connections at once, and recipients of a mail: peers report one mail at a time. */
const maxClients = 100
const maxRecipients = 100

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

const readAll = (stream: SMTPServerDataStream) =>
  Effect.callback<Uint8Array | undefined>((resume) => {
    const chunks: Array<Buffer> = []
    stream.on("data", (chunk: Buffer) => {
      if (!stream.sizeExceeded) chunks.push(chunk)
    })
    stream.on("end", () =>
      resume(Effect.succeed(stream.sizeExceeded ? undefined : new Uint8Array(Buffer.concat(chunks))))
    )
    stream.on("error", () => resume(Effect.succeed(undefined)))
  })

const listen = (server: SMTPServer, place: { readonly host: string; readonly port: number }) =>
  Effect.callback<number, CannotListen>((resume) => {
    const fail = (cause: Error) =>
      resume(Effect.fail(new CannotListen({ place: `${place.host}:${place.port}`, cause })))
    server.server.once("error", fail)
    server.listen(place.port, place.host, () => {
      server.server.off("error", fail)
      const address = server.server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : place.port))
    })
  })

const close = (server: SMTPServer) => Effect.callback<void>((resume) => server.close(() => resume(Effect.void)))

const make = Effect.fnUntraced(function* (place: { readonly host: string; readonly port: number }) {
  const receivers = yield* Receivers
  const returnPath = yield* ReturnPath
  const domains = yield* SenderDomains
  const { bounceDomain, publicUrl } = yield* Settings
  const run = yield* FiberSet.makeRuntime<never>()

  const hasBusiness = Effect.fnUntraced(function* (address: string) {
    const mail = yield* returnPath.mailOf(address)
    if (mail === "forged") return false
    if (mail !== "other") return true
    const domain = address.slice(address.lastIndexOf("@") + 1).toLowerCase()
    return domain === bounceDomain || (yield* domains.owners([domain])).size > 0
  })

  const server = new SMTPServer({
    name: bounceDomain ?? new URL(publicUrl).hostname,
    size: largestMail,
    maxClients,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    socketTimeout: 60_000,
    closeTimeout: 5_000,
    onRcptTo: ({ address }, session, reply) => {
      if (session.envelope.rcptTo.length >= maxRecipients) return reply(refusal(452, "4.5.3 Too many recipients"))
      run(
        hasBusiness(address).pipe(
          Effect.map((may) => reply(may ? undefined : refusal(550, "5.1.1 No such address here"))),
          Effect.catchDefect((defect) =>
            Effect.andThen(
              Effect.logError("A recipient could not be looked up", defect),
              Effect.sync(() => reply(refusal(451, "4.3.0 Try again later")))
            )
          )
        )
      )
    },
    onData: (stream, session, reply) => {
      const to = session.envelope.rcptTo.map(({ address }) => address)
      run(
        Effect.gen(function* () {
          const bytes = yield* readAll(stream)
          if (bytes === undefined) return reply(refusal(552, "5.3.4 Mail too large"))
          yield* receivers.takeMail(bytes, to)
          return reply(null, "2.0.0 Taken")
        }).pipe(
          // The peer keeps the mail and tries again: what was applied counts once.
          Effect.catchDefect((defect) =>
            Effect.andThen(
              Effect.logError("A mail could not be taken", defect),
              Effect.sync(() => reply(refusal(451, "4.3.0 Try again later")))
            )
          )
        )
      )
    }
  })
  server.on("error", (error) => run(Effect.logDebug("A mail connection ended badly", error)))

  const port = yield* Effect.acquireRelease(listen(server, place), () => close(server))
  yield* Effect.logInfo("The bounce listener takes mail", { host: place.host, port })
  return BounceServer.of({ port })
})

/** Listens until the scope closes; what is in hand then gets five seconds. 0 takes a free port. */
export const layer = (place: {
  readonly host: string
  readonly port: number
}): Layer.Layer<BounceServer, CannotListen, Receivers | ReturnPath | SenderDomains> =>
  Layer.effect(BounceServer, make(place))
