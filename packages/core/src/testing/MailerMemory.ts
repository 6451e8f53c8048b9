/** A transport in memory that stores messages and gives the results that the test sets. */
import { Context, Effect, Layer, Ref } from "effect"
import { Composer, type Envelope, Mailer, type MailerError, type Message, type Receipt } from "../platform/Mailer.ts"

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

/** Composed "bytes" are a number: the index of the message in this list. */
export const layer: Layer.Layer<Composer | Mailer | Peer> = Layer.effectContext(
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

    return Context.make(Composer, composer).pipe(Context.add(Mailer, mailer), Context.add(Peer, peer))
  })
)
