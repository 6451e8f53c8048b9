/** For the tests of this package: a sink, a mailer that uses it, and messages to send. */
import { type Envelope, Mailer, type MailerError, type Receipt } from "@posthorn/core/platform/Mailer"
import { Effect, Result, type Scope } from "effect"
import * as Smtp from "../Smtp.ts"
import { type Misbehave, type Misbehaviour, type Sink, type SinkOptions, type Stage, startSink } from "./SmtpSink.ts"

export const envelope: Envelope = { from: "bounces+x@example.com", to: "anna@example.org" }

export const mail = (id: string, lines = 1) =>
  Buffer.from(`Message-ID: <${id}>\r\nSubject: x\r\n\r\n${"a line of the mail\r\n".repeat(lines)}`)

export const small = mail("small@example.com")
/** More than the buffers between two sockets hold. */
export const large = mail("large@example.com", 1_000_000)

export const makeSink = (options: SinkOptions = {}): Effect.Effect<Sink, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => startSink(options)),
    (sink) => Effect.promise(() => sink.close())
  )

/** Misbehaves at a stage, always or this many times. */
export const at = (stage: Stage, misbehaviour: Misbehaviour, times = Number.POSITIVE_INFINITY): Misbehave => {
  let left = times
  return (moment) => (moment.stage === stage && left-- > 0 ? misbehaviour : undefined)
}

export const urlOf = ({ port }: { readonly port: number }, query = "") => `smtp://127.0.0.1:${port}${query}`

export const over =
  (...urls: ReadonlyArray<string>) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.provide(self, Smtp.layerUrl(urls.join()))

export const send = (message: Uint8Array = small, change: Partial<Envelope> = {}) =>
  Effect.flatMap(Mailer, (mailer) => mailer.send({ ...envelope, ...change }, message))

export const sendFails = (message: Uint8Array = small, change: Partial<Envelope> = {}) =>
  Effect.flip(send(message, change))

/** `accepted`, or the reason of the failure. */
export const outcomeOf = <R>(sent: Effect.Effect<Receipt, MailerError, R>) =>
  Effect.map(
    Effect.result(sent),
    Result.match({ onFailure: ({ reason }) => reason, onSuccess: () => "accepted" as const })
  )

/** Waits, in real time, until the other side of a socket has reacted. */
export const until = (condition: () => boolean) =>
  Effect.promise(async () => {
    while (!condition()) await new Promise((later) => setTimeout(later, 5))
  })
