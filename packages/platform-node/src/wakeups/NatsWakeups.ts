/** Wakes the processes of an installation over NATS, so that no connection to the database has to listen. */

import { connect } from "@nats-io/transport-node"
import { WakeupTransport } from "@posthorn/core/platform/Wakeups"
import { Data, Duration, Effect, Layer, Queue, Redacted } from "effect"
import { withoutLogin } from "../postgres/Postgres.ts"
import { everything, transportOver } from "./Transport.ts"

/** NATS does not answer at the start. */
export class NatsRefused extends Data.TaggedError("NatsRefused")<{ readonly message: string }> {}

/** How long a start waits for NATS. */
const patience = Duration.seconds(5)

/** `nats://[user:password@]host[:port]`, or `tls://`. `name` is the setting, for messages. */
export interface Options {
  readonly url: Redacted.Redacted<string>
  readonly name: string
  /** The first part of the subjects. Installations that share a NATS server need different ones. */
  readonly subject: string
}

const open = ({ name, url }: Options) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => {
        const { host, password, protocol, username } = new URL(Redacted.value(url))
        return connect({
          servers: host,
          ...(username !== "" && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
          ...(protocol === "tls:" && { tls: {} }),
          timeout: Duration.toMillis(patience),
          maxReconnectAttempts: -1
        })
      },
      catch: (error) =>
        new NatsRefused({
          message: `${name}: NATS at ${withoutLogin(Redacted.value(url))} does not answer: ${error instanceof Error ? error.message : String(error)}`
        })
    }),
    (connection) => Effect.promise(() => connection.close())
  )

/** Fails if NATS does not answer when the layer is built. Later it connects again by itself. */
export const layer = (options: Options): Layer.Layer<never, NatsRefused> =>
  Layer.effect(
    WakeupTransport,
    Effect.gen(function* () {
      const connection = yield* open(options)
      const prefix = `${options.subject}.wakeups.`
      return yield* transportOver({
        send: (topics) =>
          Effect.sync(() => {
            for (const topic of topics) connection.publish(prefix + topic)
          }),
        receive: Effect.fnUntraced(function* (wake) {
          const received = yield* Queue.unbounded<string>()
          yield* Effect.acquireRelease(
            Effect.sync(() =>
              connection.subscribe(`${prefix}*`, {
                callback: (_error, { subject }) => void Queue.offerUnsafe(received, subject.slice(prefix.length))
              })
            ),
            (subscription) => Effect.sync(() => subscription.unsubscribe())
          )
          // Wakes all topics, because wake-ups sent before the server knew of the subscription were lost. It knows once it
          // has answered.
          const afterGap = async () => {
            await connection.flush()
            Queue.offerUnsafe(received, everything)
          }
          const gaps = async () => {
            for await (const { type } of connection.status()) if (type === "reconnect") await afterGap()
          }
          yield* Effect.promise(afterGap)
          // If either fails, receiving begins again.
          const waking = Effect.forever(Effect.flatMap(Queue.take(received), wake))
          return yield* Effect.raceFirst(waking, Effect.promise(gaps))
        })
      })
    })
  )
