/**
 * The sessions of one peer. The most recently used one is used first, so that surplus sessions become idle and close.
 *
 * If a peer accepts fewer connections than the pool allows, it is not down: messages then wait for an open session.
 */
import { elapsedMillis } from "@posthorn/core/platform/Elapsed"
import type { Envelope, MailerError, Receipt } from "@posthorn/core/platform/Mailer"
import { Deferred, Effect, Result, type Scope } from "effect"
import type { SmtpSession } from "./SmtpSession.ts"

export interface SmtpPool {
  /** If the peer has closed a session meanwhile, the message is sent once more over a fresh one. */
  readonly send: (envelope: Envelope, message: Uint8Array) => Effect.Effect<Receipt, MailerError>
}

/** Peers limit the messages of a session, and reply 421 above that limit. */
const mailsPerSession = 100
/** How long no connection is attempted after the peer has refused one while others were open. */
const fullMilliseconds = 10_000

type Restore = <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

export const make = Effect.fnUntraced(function* (
  open: Effect.Effect<SmtpSession, MailerError>,
  idleMilliseconds = 10_000
): Effect.fn.Return<SmtpPool, never, Scope.Scope> {
  const live = new Set<SmtpSession>()
  const idle: Array<{ readonly session: SmtpSession; readonly timer: NodeJS.Timeout }> = []
  let opening = 0
  let fullUntil = 0
  let isClosing = false
  let change: Deferred.Deferred<void> | undefined

  const announceChange = () => {
    if (change !== undefined) Deferred.doneUnsafe(change, Effect.void)
    change = undefined
  }

  const takeIdle = (position: number): SmtpSession | undefined => {
    const [entry] = position < 0 ? [] : idle.splice(position, 1)
    clearTimeout(entry?.timer)
    return entry?.session
  }

  const watch = (session: SmtpSession) => {
    live.add(session)
    session.onEnd(() => {
      live.delete(session)
      takeIdle(idle.findIndex((entry) => entry.session === session))
      announceChange()
    })
  }

  const release = (session: SmtpSession) => {
    if (!session.isAlive()) return
    const retire = () => {
      takeIdle(idle.findIndex((entry) => entry.session === session))
      Effect.runFork(session.quit)
    }
    if (isClosing || session.taken() >= mailsPerSession) retire()
    else idle.push({ session, timer: setTimeout(retire, idleMilliseconds).unref() })
    announceChange()
  }

  const othersOpen = () => live.size + opening > 0

  const waitForChange = Effect.suspend(() => {
    if (idle.length > 0 || !othersOpen()) return Effect.void
    change ??= Deferred.makeUnsafe()
    return Deferred.await(change)
  })

  const openOne = (restore: Restore) =>
    Effect.suspend(() => {
      opening++
      return restore(open)
    }).pipe(
      Effect.tap((session) => Effect.sync(() => watch(session))),
      Effect.ensuring(
        Effect.sync(() => {
          opening--
          announceChange()
        })
      )
    )

  /**
   * A message whose connection was refused while others were open waits for one of those and does not connect again.
   */
  const acquire = Effect.fnUntraced(function* (restore: Restore, mustBeFresh: boolean) {
    let refusal: MailerError | undefined
    for (let skipsIdle = mustBeFresh; ; skipsIdle = false) {
      const kept = skipsIdle ? undefined : takeIdle(idle.length - 1)
      if (kept !== undefined) return kept
      const now = yield* elapsedMillis
      if (refusal === undefined && (!othersOpen() || now >= fullUntil)) {
        const opened = yield* Effect.result(openOne(restore))
        if (Result.isSuccess(opened)) return opened.success
        refusal = opened.failure
        fullUntil = now + fullMilliseconds
      }
      if (refusal !== undefined && (refusal.reason !== "unreachable" || !othersOpen())) return yield* refusal
      yield* restore(waitForChange)
    }
  })

  const sendOver = (envelope: Envelope, message: Uint8Array, mustBeFresh: boolean) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(acquire(restore, mustBeFresh), (session) =>
        Effect.ensuring(
          restore(session.send(envelope, message)),
          Effect.sync(() => release(session))
        )
      )
    )

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      isClosing = true
      const unused = idle.map(({ session }) => session)
      for (const _ of unused) takeIdle(0)
      return Effect.forEach(unused, (session) => session.quit, { concurrency: "unbounded" })
    }).pipe(
      Effect.andThen(
        Effect.sync(() => {
          for (const session of live) session.destroy()
        })
      )
    )
  )

  return {
    send: (envelope, message) =>
      sendOver(envelope, message, false).pipe(
        Effect.catchTag("StaleSession", () => sendOver(envelope, message, true)),
        Effect.catchTag("StaleSession", ({ error }) => Effect.fail(error))
      )
  }
})
