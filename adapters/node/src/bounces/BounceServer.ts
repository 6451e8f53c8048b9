/**
 * The SMTP server that receives bounces, complaints and inbound mail, and passes them to the receivers without HTTP. It
 * does not relay: RCPT refuses an address that receives no mail here, and a return path with a wrong token.
 */
import { domainOf } from "@posthorn/contract/platform/Mailbox"
import { SenderDomains } from "@posthorn/core/content/templates/SenderDomains"
import { Receivers } from "@posthorn/core/mail/receivers/Receivers"
import { ReturnPath } from "@posthorn/core/mail/sending/ReturnPath"
import * as ClientLimit from "@posthorn/core/platform/http/ClientLimit"
import { Settings } from "@posthorn/core/platform/Settings"
import { Context, Data, Effect, FiberSet, Layer, Option } from "effect"
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server"
import * as BounceClients from "./BounceClients.ts"

/** A service, because its port is known only after it listens. */
export class BounceServer extends Context.Service<BounceServer, { readonly port: number }>()(
  "@posthorn/node/bounces/BounceServer"
) {}

export class BounceCannotListen extends Data.TaggedError("BounceCannotListen")<{
  readonly place: string
  readonly cause: Error
}> {
  override get message() {
    return `The bounce server cannot listen on ${this.place}: ${this.cause.message}. Choose another port with POSTHORN_BOUNCE_SMTP_PORT.`
  }
}

/** Recipients of one message. Peers report one message at a time. */
const maxRecipients = 100

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

const tooLarge = refusal(552, "5.3.4 Mail too large")
const noRoom = refusal(452, "4.3.1 Not enough memory for the mail, try again later")
const tooSlow = refusal(421, "4.4.2 The mail took too long")
const unauthenticated = refusal(550, "5.7.26 The mail fails DMARC, and the recipient rejects such mail")
const later = refusal(451, "4.3.0 Try again later")

/** Reads the content while there is room for it, then reads on and discards the rest. The caller releases the room. */
const readAll = (stream: SMTPServerDataStream, limit: number, takeRoom: (size: number) => boolean) =>
  Effect.callback<Uint8Array | Error>((resume) => {
    const chunks: Array<Buffer> = []
    let size = 0
    let fault: Error | undefined
    const refuse = (error: Error) => {
      fault = error
      chunks.length = 0
    }
    stream.on("data", (chunk: Buffer) => {
      if (fault !== undefined) return
      size += chunk.length
      if (size > limit) refuse(tooLarge)
      else if (takeRoom(chunk.length)) chunks.push(chunk)
      else refuse(noRoom)
    })
    stream.on("end", () => resume(Effect.succeed(fault ?? new Uint8Array(Buffer.concat(chunks)))))
    const broken = () => resume(Effect.succeed(later))
    stream.on("error", broken)
    stream.on("close", broken)
  })

const listen = (server: SMTPServer, place: { readonly host: string; readonly port: number }) =>
  Effect.callback<number, BounceCannotListen>((resume) => {
    const fail = (cause: Error) =>
      resume(Effect.fail(new BounceCannotListen({ place: `${place.host}:${place.port}`, cause })))
    server.server.once("error", fail)
    server.listen(place.port, place.host, () => {
      server.server.off("error", fail)
      const address = server.server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : place.port))
    })
  })

const close = (server: SMTPServer) => Effect.callback<void>((resume) => server.close(() => resume(Effect.void)))

const make = Effect.fnUntraced(function* (
  place: { readonly host: string; readonly port: number },
  limits: BounceClients.ClientLimits
) {
  const receivers = yield* Receivers
  const returnPath = yield* ReturnPath
  const domains = yield* SenderDomains
  const { bounceDomain, publicUrl } = yield* Settings
  const run = yield* FiberSet.makeRuntime<never>()

  const clients = BounceClients.connections(limits)
  const mailRate = ClientLimit.make(limits.mailsPerMinute)
  const reportRoom = BounceClients.room(limits.reportRoom, limits.reportRoomPerClient)
  const mailRoom = BounceClients.room(limits.mailRoom, limits.mailRoomPerClient)
  /** Connections whose message is for an address that is not a bounce address. */
  const withOther = new Set<string>()
  /** Stops reading when the connection has closed. */
  const ends = new Map<string, () => void>()

  const takenAs = Effect.fnUntraced(function* (address: string): Effect.fn.Return<"report" | "mail" | "refused"> {
    const mail = yield* returnPath.mailOf(address)
    if (mail === "forged") return "refused"
    if (mail !== "other") return "report"
    // A DMARC report may be as large as a mail.
    const reported = yield* returnPath.reportedDomain(address)
    if (reported !== "other") return reported === "forged" ? "refused" : "mail"
    const domain = domainOf(address).toLowerCase()
    if (domain === bounceDomain) return "report"
    return (yield* domains.owners([domain])).size > 0 ? "mail" : "refused"
  })

  const shed = (id: string) => {
    for (const connection of server.connections) {
      if (connection.id !== id) continue
      connection.send(421, "4.3.2 Other clients are waiting; try again later")
      connection.close()
    }
  }

  const take = Effect.fnUntraced(
    function* (stream: SMTPServerDataStream, session: SMTPServerSession) {
      const client = ClientLimit.clientOf(session.remoteAddress)
      const [space, limit] = withOther.has(session.id)
        ? [mailRoom, limits.largestMail]
        : [reportRoom, limits.largestReport]
      let held = 0
      yield* Effect.addFinalizer(() => Effect.sync(() => space.giveBack(client, held)))
      const takeRoom = (size: number) => {
        if (!space.take(client, size)) return false
        held += size
        return true
      }
      const gone = Effect.callback<Error>((resume) => {
        ends.set(session.id, () => resume(Effect.succeed(later)))
      })
      const slow = Effect.as(Effect.sleep(limits.sending), tooSlow)
      const read = yield* Effect.raceAllFirst([readAll(stream, limit, takeRoom), gone, slow])
      clients.active(session.id, performance.now(), false)
      if (read instanceof Error) return read
      yield* receivers.takeMail(
        read,
        session.envelope.rcptTo.map(({ address }) => address),
        {
          address: session.remoteAddress,
          helo: session.hostNameAppearsAs || "",
          sender: session.envelope.mailFrom ? session.envelope.mailFrom.address : ""
        }
      )
    },
    Effect.scoped,
    Effect.catchTag("UnauthenticatedMail", () => Effect.succeed(unauthenticated)),
    // The peer keeps the message and tries again. What was already applied counts once.
    Effect.catchDefect((defect) => Effect.as(Effect.logError("A message could not be accepted", defect), later))
  )

  const server: SMTPServer = new SMTPServer({
    name: bounceDomain ?? new URL(publicUrl).hostname,
    size: limits.largestMail,
    // Our own limit applies first. This one limits connections before the greeting.
    maxClients: 2 * limits.connections,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    socketTimeout: limits.idle,
    closeTimeout: 5_000,
    onConnect: (session, reply) => {
      const entered = clients.enter(session.id, ClientLimit.clientOf(session.remoteAddress), performance.now())
      if (entered.shed !== undefined) shed(entered.shed)
      reply(entered.isTaken ? undefined : refusal(421, "4.7.0 Too many connections, try again later"))
    },
    onClose: (session) => {
      clients.leave(session.id)
      withOther.delete(session.id)
      ends.get(session.id)?.()
      ends.delete(session.id)
    },
    onMailFrom: (_, session, reply) => {
      withOther.delete(session.id)
      clients.active(session.id, performance.now(), false)
      run(
        Effect.map(mailRate.take(ClientLimit.clientOf(session.remoteAddress)), (wait) =>
          reply(Option.isNone(wait) ? undefined : refusal(450, "4.7.1 Too many mails, try again later"))
        )
      )
    },
    onRcptTo: ({ address }, session, reply) => {
      if (session.envelope.rcptTo.length >= maxRecipients) return reply(refusal(452, "4.5.3 Too many recipients"))
      run(
        takenAs(address).pipe(
          Effect.map((taken) => {
            if (taken === "mail") withOther.add(session.id)
            return reply(taken === "refused" ? refusal(550, "5.1.1 No such address here") : undefined)
          }),
          Effect.catchDefect((defect) =>
            Effect.andThen(
              Effect.logError("The lookup of a recipient failed", defect),
              Effect.sync(() => reply(later))
            )
          )
        )
      )
    },
    onData: (stream, session, reply) => {
      clients.active(session.id, performance.now(), true)
      run(
        Effect.map(take(stream, session), (fault) => {
          ends.delete(session.id)
          if (fault === undefined) return reply(null, "2.0.0 Taken")
          reply(fault)
          if (fault === tooSlow) shed(session.id)
        })
      )
    }
  })
  server.on("error", (error) => run(Effect.logDebug("An SMTP connection failed", error)))

  const port = yield* Effect.acquireRelease(listen(server, place), () => close(server))
  yield* Effect.logInfo("The bounce server is ready", { host: place.host, port })
  return BounceServer.of({ port })
})

/**
 * Listens until the scope closes. Then messages in transmission have five seconds to finish. Port 0 selects a free one.
 */
export const layer = (
  place: {
    readonly host: string
    readonly port: number
  },
  limits: BounceClients.ClientLimits = BounceClients.defaults
): Layer.Layer<BounceServer, BounceCannotListen, Receivers | ReturnPath | SenderDomains> =>
  Layer.effect(BounceServer, make(place, limits))
