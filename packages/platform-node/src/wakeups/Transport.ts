/** What every carrier of wake-ups does: sends many as one, and gives those that arrive to their listeners. */
import type { WakeupTopic, WakeupTransport } from "@posthorn/core/platform/Wakeups"
import { type Context, Effect, Queue, type Scope } from "effect"

/** The pause between two sends, so that one covers many wake-ups. */
const pause = "20 millis"
/** The pause before listening again, if the carrier did not answer. */
const patience = "1 second"

/** The topic that means every topic, if it is unknown what has changed. */
export const everything = ""

export interface Carrier<E, F> {
  readonly send: (topics: ReadonlyArray<WakeupTopic>) => Effect.Effect<unknown, E>
  /** Receives until it fails. `wake` takes a topic, or `everything` after a gap. */
  readonly receive: (wake: (topic: string) => Effect.Effect<void>) => Effect.Effect<unknown, F, Scope.Scope>
}

/** The first listener begins to receive. A process without listeners receives nothing. */
export const transportOver = <E, F>({
  receive,
  send
}: Carrier<E, F>): Effect.Effect<Context.Service.Shape<typeof WakeupTransport>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope

    const pending = new Set<WakeupTopic>()
    const due = yield* Queue.sliding<void>(1)
    const sendPending = Effect.gen(function* () {
      yield* Queue.take(due)
      const topics = [...pending]
      pending.clear()
      yield* send(topics)
    })
    const sending = sendPending.pipe(
      Effect.catchCause((cause) => Effect.logDebug("Other processes could not be woken", cause)),
      Effect.andThen(Effect.sleep(pause)),
      Effect.forever
    )
    yield* Effect.forkScoped(sending)

    const listeners = new Map<string, Set<Effect.Effect<void>>>()
    const wake = (topic: string) => {
      const woken = topic === everything ? [...listeners.values()].flatMap((all) => [...all]) : listeners.get(topic)
      return Effect.forEach(woken ?? [], (wake) => wake, { discard: true })
    }
    const receiving = Effect.scoped(receive(wake)).pipe(
      Effect.catchCause((cause) => Effect.logDebug("Wake-ups of other processes cannot be received", cause)),
      Effect.andThen(Effect.sleep(patience)),
      Effect.forever
    )
    const isReceiving = yield* Effect.cached(Effect.asVoid(Effect.forkIn(receiving, scope)))

    return {
      send: (topic) =>
        Effect.suspend(() => {
          pending.add(topic)
          return Effect.asVoid(Queue.offer(due, undefined))
        }),
      onReceived: (topic, wake) =>
        Effect.gen(function* () {
          const all = listeners.get(topic) ?? new Set()
          listeners.set(topic, all)
          yield* Effect.acquireRelease(
            Effect.sync(() => all.add(wake)),
            () => Effect.sync(() => all.delete(wake))
          )
          yield* isReceiving
        })
    }
  })
