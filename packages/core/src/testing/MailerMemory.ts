/** A transport in memory that stores messages and gives the results that the test sets. */
import { Context, Effect, Layer, Ref } from "effect"
import {
  Composer,
  type Envelope,
  Mailer,
  MailerError,
  type MailServer,
  MailServers,
  type Message,
  type Receipt
} from "../platform/Mailer.ts"
import { loopback, outboundHost } from "../platform/outbound/PublicAddress.ts"

export const receipt: Receipt = {
  transport: "memory",
  remoteHost: "memory.test",
  code: 250,
  enhancedCode: "2.0.0",
  reply: "250 2.0.0 kept"
}

/** The result of a hand-over. `attempt` counts the tries of one message from 1. */
export type HandoverResult = (message: Message, attempt: number) => Effect.Effect<Receipt, MailerError>

export class Peer extends Context.Service<
  Peer,
  {
    /** Sets the result of the next hand-overs. At the start, all are accepted. */
    readonly answer: (answer: HandoverResult) => Effect.Effect<void>
    /** Every hand-over that reached this transport, in order. */
    readonly tries: Effect.Effect<ReadonlyArray<{ readonly envelope: Envelope; readonly message: Message }>>
    /** Every message that was composed, in order. */
    readonly composed: Effect.Effect<ReadonlyArray<Message>>
    /** The messages that it accepted. */
    readonly accepted: Effect.Effect<ReadonlyArray<Message>>
  }
>()("@posthorn/core/testing/MailerMemory/Peer") {}

/** The servers of projects, by their host. At the start, all are reached and accept every mail. */
export class Servers extends Context.Service<
  Servers,
  {
    /** Undefined: connections to the host succeed again. */
    readonly refuse: (
      host: string,
      reason: Extract<MailerError["reason"], "authentication" | "unreachable"> | undefined
    ) => Effect.Effect<void>
    /** Refuses every mail with this reply. Undefined: the host accepts mail again. */
    readonly reply: (host: string, reply: string | undefined) => Effect.Effect<void>
    /** Runs before each mail of a host is accepted. */
    readonly delay: (host: string, wait: Effect.Effect<void>) => Effect.Effect<void>
    /** Subjects of the mails that a host accepted, in order. */
    readonly accepted: (host: string) => Effect.Effect<ReadonlyArray<string>>
    /** How often a connection was opened, or failed to open. */
    readonly connections: (host: string) => Effect.Effect<number>
  }
>()("@posthorn/core/testing/MailerMemory/Servers") {}

const makeServers = (composed: ReadonlyArray<Message>) => {
  const refusals = new Map<string, MailerError["reason"]>()
  const replies = new Map<string, string>()
  const delays = new Map<string, Effect.Effect<void>>()
  const accepted = new Map<string, Array<string>>()
  const connections = new Map<string, number>()

  const connect = ({ host, id, name }: MailServer) =>
    Effect.suspend(() => {
      connections.set(host, (connections.get(host) ?? 0) + 1)
      const reason = refusals.get(host)
      if (reason === undefined) return Effect.void
      const reply = reason === "authentication" ? "535 5.7.8 Wrong password" : `${host}: connection refused`
      return Effect.fail(new MailerError({ reason, transport: name, transportId: id, remoteHost: host, reply }))
    })

  const servers = MailServers.of({
    judge: (host) => {
      const found = outboundHost(host, loopback)
      if (found === undefined) return "refused"
      return found.isOpened ? "opened" : "allowed"
    },
    check: (server) => Effect.as(connect(server), { tls: "TLSv1.3", extensions: ["SIZE 1000000"], size: 1_000_000 }),
    open: (server) =>
      Effect.succeed({
        send: Effect.fnUntraced(function* (_, bytes) {
          yield* connect(server)
          yield* delays.get(server.host) ?? Effect.void
          const reply = replies.get(server.host)
          if (reply !== undefined) {
            return yield* new MailerError({
              reason: "refused",
              transport: server.name,
              transportId: server.id,
              remoteHost: server.host,
              code: Number(reply.slice(0, 3)),
              enhancedCode: /[45]\.\d+\.\d+/.exec(reply)?.[0],
              reply
            })
          }
          const { subject = "" } = composed[Number(new TextDecoder().decode(bytes))] ?? {}
          accepted.set(server.host, [...(accepted.get(server.host) ?? []), subject])
          return { ...receipt, transport: server.name, transportId: server.id, remoteHost: server.host, tls: "TLSv1.3" }
        })
      })
  })

  const control = Servers.of({
    refuse: (host, reason) =>
      Effect.sync(() => void (reason === undefined ? refusals.delete(host) : refusals.set(host, reason))),
    reply: (host, reply) =>
      Effect.sync(() => void (reply === undefined ? replies.delete(host) : replies.set(host, reply))),
    delay: (host, wait) => Effect.sync(() => void delays.set(host, wait)),
    accepted: (host) => Effect.sync(() => accepted.get(host) ?? []),
    connections: (host) => Effect.sync(() => connections.get(host) ?? 0)
  })
  return { servers, control }
}

/** Composed "bytes" are a number: the index of the message in this list. */
export const layer: Layer.Layer<Composer | Mailer | MailServers | Peer | Servers> = Layer.effectContext(
  Effect.gen(function* () {
    const composed: Array<Message> = []
    const tries: Array<{ readonly envelope: Envelope; readonly message: Message }> = []
    const accepted: Array<Message> = []
    const answer = yield* Ref.make<HandoverResult>(() => Effect.succeed(receipt))

    const composer = Composer.of({
      compose: (message) => Effect.sync(() => new TextEncoder().encode(String(composed.push(message) - 1)))
    })

    const mailer = Mailer.of({
      concurrency: 8,
      state: Effect.succeed("ok"),
      send: Effect.fnUntraced(function* (envelope, bytes) {
        const message = composed[Number(new TextDecoder().decode(bytes))]
        if (message === undefined) return yield* Effect.die("these bytes were never composed")
        tries.push({ envelope, message })
        const attempt = tries.filter((each) => each.message.emailId === message.emailId).length
        const given = yield* (yield* Ref.get(answer))(message, attempt)
        accepted.push(message)
        return given
      })
    })

    const peer = Peer.of({
      answer: (next) => Ref.set(answer, next),
      tries: Effect.sync(() => [...tries]),
      composed: Effect.sync(() => [...composed]),
      accepted: Effect.sync(() => [...accepted])
    })

    const { control, servers } = makeServers(composed)
    return Context.make(Composer, composer).pipe(
      Context.add(Mailer, mailer),
      Context.add(MailServers, servers),
      Context.add(Peer, peer),
      Context.add(Servers, control)
    )
  })
)
