/**
 * Connections of a worker to transports of projects. A transport has its own turns, so that a slow one delays only its
 * own mail. Connections that are not used for ten minutes are closed.
 */
import { Duration, Effect, RcMap, type Scope, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { elapsedMillis } from "../../platform/Elapsed.ts"
import { isNotHandedOver, type Mailer, type MailerError, MailServers } from "../../platform/Mailer.ts"
import { SecretBox } from "../../platform/SecretBox.ts"
import * as TransportHealth from "./TransportHealth.ts"
import type { StoredTransport } from "./TransportRow.ts"
import { serverOf } from "./TransportSecrets.ts"

type Send = Mailer["Service"]["send"]

/** A transport with its open connections. */
export interface Lane {
  /** Runs the effect as soon as the transport takes one more mail. */
  readonly inTurn: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly send: Send
}

export interface Lanes {
  /** The connections stay open until the scope closes. */
  readonly get: (transport: StoredTransport) => Effect.Effect<Lane, never, Scope.Scope>
}

const idleTime = Duration.minutes(10)
/** Milliseconds between two records that mail left through a transport. */
const noteEvery = 60_000

export const make: Effect.Effect<Lanes, never, MailServers | Scope.Scope | SecretBox | SqlClient.SqlClient> =
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const servers = yield* MailServers
    const box = yield* SecretBox
    const known = new Map<string, StoredTransport>()

    const open = Effect.fnUntraced(function* (transport: StoredTransport): Effect.fn.Return<Lane, never, Scope.Scope> {
      const turns = Semaphore.makeUnsafe(transport.pool)
      const { send } = yield* servers.open(yield* serverOf(box, transport))
      let nextNote = 0
      let hasFailed = transport.failures > 0
      let last: MailerError | undefined

      const worked = Effect.gen(function* () {
        const now = yield* elapsedMillis
        if (!hasFailed && now < nextNote) return
        hasFailed = false
        nextNote = now + noteEvery
        yield* TransportHealth.used(sql, transport)
      })

      const failed = (error: MailerError) =>
        Effect.suspend(() => {
          if (!isNotHandedOver(error)) return worked
          // While the breaker is open, it repeats the last error without a try.
          if (error === last) return Effect.void
          last = error
          hasFailed = true
          return TransportHealth.failed(sql, transport, error)
        })

      return {
        inTurn: turns.withPermit,
        send: (envelope, message) =>
          send(envelope, message).pipe(
            Effect.tap(() => worked),
            Effect.tapError(failed)
          )
      }
    })

    const lanes = yield* RcMap.make({
      lookup: (key: string) =>
        Effect.suspend(() => {
          const transport = known.get(key)
          if (transport === undefined) return Effect.die(new Error("A transport is unknown"))
          return Effect.andThen(
            Effect.addFinalizer(() => Effect.sync(() => known.delete(key))),
            open(transport)
          )
        }),
      idleTimeToLive: idleTime
    })

    return {
      get: (transport) =>
        Effect.suspend(() => {
          const key = `${transport.id}:${transport.revision}`
          known.set(key, transport)
          return RcMap.get(lanes, key)
        })
    }
  })
