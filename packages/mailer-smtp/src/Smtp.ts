/** The mailer over SMTP: pooled sessions, failover in the order of the transports, one circuit breaker for each. */
import { type Envelope, Mailer, type MailerError } from "@posthorn/core/sending/Mailer"
import { type Array, Effect, Layer, type Redacted, type Scope, Semaphore } from "effect"
import * as Breaker from "./Breaker.ts"
import * as Peer from "./Peer.ts"
import * as SmtpPool from "./SmtpPool.ts"
import * as SmtpSession from "./SmtpSession.ts"
import { type InvalidSmtpUrl, parse, type Transport } from "./SmtpUrl.ts"

/** Nothing of the mail was handed over, so another transport may have it. */
const failsOver = ({ reason }: Pick<MailerError, "reason">) => reason === "unreachable" || reason === "authentication"

const lane = Effect.fnUntraced(function* (peer: Peer.Peer): Effect.fn.Return<SmtpPool.SmtpPool, never, Scope.Scope> {
  const turns = Semaphore.makeUnsafe(peer.transport.pool)
  const breaker = Breaker.make()
  const pool = yield* SmtpPool.make(Effect.tap(SmtpSession.open(peer), () => breaker.close))
  return { send: (envelope, message) => turns.withPermit(breaker.guard(pool.send(envelope, message))) }
})

const make = Effect.fnUntraced(function* (transports: Array.NonEmptyReadonlyArray<Transport>) {
  const [first, ...others] = yield* Effect.forEach(transports, (transport, position) =>
    lane(Peer.make(`smtp${position + 1}`, transport))
  )
  let state: "ok" | "failed" | "unknown" = "unknown"

  /** A mail that broke off tells nothing about the next connection. */
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
 * Sessions open with the first mails, not with the layer. Closing the layer ends them with QUIT; a mail that is still
 * under way then is broken off.
 */
export const layer = (transports: Array.NonEmptyReadonlyArray<Transport>): Layer.Layer<Mailer> =>
  Layer.effect(Mailer, make(transports))

/** As `POSTHORN_SMTP_URL` has it: see `SmtpUrl.ts`. */
export const layerUrl = (urls: Redacted.Redacted<string> | string): Layer.Layer<Mailer, InvalidSmtpUrl> =>
  Layer.unwrap(Effect.map(parse(urls), layer))

/** Opens a session and ends it: name, connection, TLS and login are as they should be, or the error says what is not. */
export const verifyLogin = Effect.fn("Smtp.verifyLogin")(function* (transport: Transport, label = "smtp1") {
  const session = yield* SmtpSession.open(Peer.make(label, transport))
  yield* session.quit
  return { isEncrypted: session.isEncrypted }
})
