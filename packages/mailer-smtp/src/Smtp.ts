/** The mailer over SMTP: pooled sessions, failover in the order of the transports, and one circuit breaker for each. */
import { elapsedMillis } from "@posthorn/core/platform/Elapsed"
import {
  type Dialogue,
  type Envelope,
  isNotHandedOver as failsOver,
  Mailer,
  MailerError
} from "@posthorn/core/platform/Mailer"
import { type Array, Effect, Layer, type Redacted, type Scope, Semaphore } from "effect"
import * as Breaker from "./Breaker.ts"
import * as Peer from "./Peer.ts"
import * as SmtpPool from "./SmtpPool.ts"
import * as SmtpSession from "./SmtpSession.ts"
import { type InvalidSmtpUrl, parse, type SmtpTransport } from "./SmtpUrl.ts"

/** Milliseconds between two log warnings about a failing transport. */
const warnEvery = 5 * 60 * 1_000

/** Warns about a failing transport: at its first failure, then every five minutes while it lasts. */
const warnings = ({ transport: { host, port } }: Peer.Peer) => {
  let since: number | undefined
  let next = 0

  const failed = Effect.fnUntraced(function* ({ reason, reply, transport }: MailerError) {
    const now = yield* elapsedMillis
    if (since !== undefined && now < next) return
    since ??= now
    next = now + warnEvery
    const what = reason === "authentication" ? "The SMTP server refuses the login" : "The SMTP server cannot be reached"
    yield* Effect.logWarning(`${what}; mail waits and is retried`, { transport, host, port, reply })
  })

  const worked = Effect.suspend(() => {
    if (since === undefined) return Effect.void
    since = undefined
    return Effect.logInfo("The SMTP server accepts mail again", { host, port })
  })

  return <A>(sent: Effect.Effect<A, MailerError>): Effect.Effect<A, MailerError> =>
    sent.pipe(
      Effect.tap(() => worked),
      Effect.tapError((error) => (failsOver(error) ? failed(error) : Effect.void))
    )
}

const withoutDialogue = ({ dialogue: _, ...error }: MailerError) => new MailerError(error)

/** A pool of sessions to one server, with its breaker. */
export const lane = Effect.fnUntraced(function* (
  peer: Peer.Peer,
  open: Effect.Effect<SmtpSession.SmtpSession, MailerError> = SmtpSession.open(peer)
): Effect.fn.Return<SmtpPool.SmtpPool, never, Scope.Scope> {
  const turns = Semaphore.makeUnsafe(peer.transport.pool)
  const breaker = Breaker.make()
  const pool = yield* SmtpPool.make(Effect.tap(open, () => breaker.close))
  const warned = warnings(peer)
  return {
    send: (envelope, message) =>
      // The breaker keeps the error, and fails other messages with it.
      Effect.suspend(() => {
        let dialogue: Dialogue | undefined
        const sent = Effect.mapError(pool.send(envelope, message), (error) => {
          dialogue = error.dialogue
          return withoutDialogue(error)
        })
        return Effect.mapError(turns.withPermit(warned(breaker.guard(sent))), (error) =>
          dialogue === undefined || (envelope.dialogue ?? "NONE") === "NONE"
            ? error
            : new MailerError({ ...error, dialogue })
        )
      })
  }
})

const make = Effect.fnUntraced(function* (transports: Array.NonEmptyReadonlyArray<SmtpTransport>) {
  const [first, ...others] = yield* Effect.forEach(transports, (transport, position) =>
    lane(Peer.make(`smtp${position + 1}`, transport))
  )
  let state: "ok" | "failed" | "unknown" = "unknown"

  /** A break during a message says nothing about the next connection. */
  const note = ({ reason }: MailerError) =>
    Effect.sync(() => {
      if (reason !== "broken" && reason !== "ambiguous") state = failsOver({ reason }) ? "failed" : "ok"
    })

  const send = Effect.fn("Mailer.send")(function* (envelope: Envelope, message: Uint8Array) {
    const receipt = yield* others.reduce(
      (sent, next) => Effect.catchIf(sent, failsOver, () => next.send(envelope, message)),
      first.send(envelope, message)
    )
    state = "ok"
    return receipt
  }, Effect.tapError(note))

  return Mailer.of({ send, concurrency: transports[0].pool, state: Effect.sync(() => state) })
})

/**
 * Sessions open with the first messages, not with the layer. Closing the layer ends them with QUIT and interrupts
 * messages that are still in transmission.
 */
export const layer = (transports: Array.NonEmptyReadonlyArray<SmtpTransport>): Layer.Layer<Mailer> =>
  Layer.effect(Mailer, make(transports))

/** From the value of `POSTHORN_SMTP_URL`; see `SmtpUrl.ts`. */
export const layerUrl = (urls: Redacted.Redacted<string> | string): Layer.Layer<Mailer, InvalidSmtpUrl> =>
  Layer.unwrap(Effect.map(parse(urls), layer))

/** Opens and closes a session. The error says whether the name, the connection, TLS or the login failed. */
export const verifyLogin = Effect.fn("Smtp.verifyLogin")(function* (transport: SmtpTransport, label = "smtp1") {
  const session = yield* SmtpSession.open(Peer.make(label, transport))
  yield* session.quit
  return { isEncrypted: session.isEncrypted }
})
