/**
 * The sender: claims due mail and sends it.
 *
 * One loop claims as many mails as it can send. Each mail runs in its own fiber (`Delivery`). When the scope closes, no
 * further transmission begins, running ones finish and are recorded, and the other mails are released.
 */

import type { EmailId } from "@posthorn/contract/mail/emails/Email"
import {
  Cause,
  Clock,
  Context,
  DateTime,
  Duration,
  Effect,
  Fiber,
  FiberSet,
  Layer,
  Option,
  Queue,
  Ref,
  Semaphore
} from "effect"
import { SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import type { Projects } from "../../accounts/projects/Projects.ts"
import type { Contacts } from "../../audience/contacts/Contacts.ts"
import type { Suppressions } from "../../audience/suppression/Suppressions.ts"
import type { TestEvents } from "../../events/TestEvents.ts"
import type { DnsResolver } from "../../platform/dns/DnsResolver.ts"
import { failpoint } from "../../platform/Failpoint.ts"
import { polled } from "../../platform/jobs/Agenda.ts"
import { keepRunning } from "../../platform/jobs/Loop.ts"
import { Mailer, type MailServers } from "../../platform/Mailer.ts"
import type { SecretBox } from "../../platform/SecretBox.ts"
import type { Transaction } from "../../platform/Transaction.ts"
import { Wakeups } from "../../platform/Wakeups.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import * as FrequencyPlaces from "../policy/FrequencyPlaces.ts"
import type { SendingPolicy } from "../policy/SendingPolicy.ts"
import type * as SenderReputation from "../reputation/SenderReputation.ts"
import * as Shaping from "../shaping/Shaping.ts"
import * as Lanes from "../transports/Lanes.ts"
import * as MailRoutes from "../transports/MailRoutes.ts"
import * as RoutedClaims from "../transports/RoutedClaims.ts"
import * as AdaptiveConcurrency from "./AdaptiveConcurrency.ts"
import * as Delivery from "./Delivery.ts"
import * as DeliveryMarks from "./DeliveryMarks.ts"
import { DeliveryQueue } from "./DeliveryQueue.ts"
import * as Lease from "./Lease.ts"
import type { MessageBuilder } from "./MessageBuilder.ts"
import type { ReturnPath } from "./ReturnPath.ts"

export interface Options {
  /** Time between two checks of an empty queue, unless a wake-up comes earlier. */
  readonly poll: Duration.Duration
  /** How long the sender waits for running transmissions when it stops. */
  readonly drain: Duration.Duration
  /** Whether only this process uses the database. Mails of other workers are then taken back at once. */
  readonly exclusive: boolean
}

export const Options = Context.Reference<Options>("@posthorn/core/sending/EmailSender/Options", {
  defaultValue: () => ({ poll: Duration.millis(500), drain: Duration.seconds(30), exclusive: false })
})

/** How often the sender takes back mails of dead workers, and queues ambiguous mails again. */
const sweepEvery = Duration.seconds(5)

/**
 * The events of sent mail start their reactions once the sender had no mail for this long. While mail comes more often,
 * the loop of events finds them by itself, many at a time.
 */
const eventsAfter = Duration.millis(50)

/** Runs the effect at most once in an interval of the monotonic clock. */
const every = (pause: Duration.Duration, effect: Effect.Effect<void>) =>
  Effect.map(Ref.make<bigint | undefined>(undefined), (last) =>
    Effect.gen(function* () {
      const now = yield* Clock.monotonicTimeNanos
      const before = yield* Ref.get(last)
      if (before !== undefined && now - before < Duration.toNanosUnsafe(pause)) return
      yield* effect
      yield* Ref.set(last, now)
    })
  )

export const layer: Layer.Layer<
  never,
  never,
  | MessageBuilder
  | Contacts
  | DeliveryQueue
  | DnsResolver
  | Mailer
  | MailServers
  | Projects
  | Wakeups
  | ReturnPath
  | SecretBox
  | SecureRandom.SecureRandom
  | SenderReputation.Needs
  | SendingPolicy
  | SqlClient.SqlClient
  | Suppressions
  | Ledger
  | TestEvents
  | Transaction
> = Layer.effectDiscard(
  Effect.gen(function* () {
    const queue = yield* DeliveryQueue
    const mailer = yield* Mailer
    const { events, limits, mail: wakeup } = yield* Wakeups
    const random = yield* SecureRandom.SecureRandom
    const { poll, drain, exclusive } = yield* Options
    const { deliver } = yield* Delivery.make

    const id = yield* random.uuidV7()
    const lease = yield* Lease.hold(queue, id)
    const marks = yield* DeliveryMarks.make(queue, id)
    const pace = yield* AdaptiveConcurrency.make(mailer.concurrency)
    const turns = yield* Semaphore.make(mailer.concurrency)
    const places = yield* FrequencyPlaces.make
    const lanes = yield* Lanes.make
    const routes = yield* MailRoutes.make
    const shaping = yield* Shaping.make(id)
    const routed = RoutedClaims.make(queue, routes, shaping, id)
    const fibers = yield* FiberSet.make<void>()
    const freed = yield* Queue.sliding<void>(1)
    const ranOut = yield* Queue.sliding<void>(1)
    let stopping = false
    /** The number of the claim of each mail, because a mail can be lost and claimed again. */
    const held = new Map<EmailId, number>()
    /** How many of them wait for a transport of their project. They take no room at those of the installation. */
    let elsewhere = 0
    const worker: Delivery.Worker = {
      ...{ id, marks, places, lease, pace, lanes, routes, shaping },
      inTurn: turns.withPermits(1),
      stopping: () => stopping
    }

    /** A defect in one mail must not end the loop. `disown` releases the mail later. */
    const take = ({ mail, transport }: RoutedClaims.Routed) =>
      deliver(worker, mail).pipe(
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError("Delivery failed unexpectedly", cause)
        ),
        Effect.ensuring(
          Effect.andThen(
            Effect.sync(() => {
              if (held.get(mail.id) === mail.claim) held.delete(mail.id)
              if (held.size === 0) Queue.offerUnsafe(ranOut, undefined)
              shaping.free(mail)
              if (transport === undefined) return
              elsewhere--
              routed.free(transport)
            }),
            Queue.offer(freed, undefined)
          )
        ),
        Effect.annotateLogs({ emailId: mail.id })
      )

    const woken = yield* wakeup.listen
    const untilDue = yield* queue.nextDue ?? polled
    const sleep = Effect.raceAllFirst([woken, Effect.orDie(Queue.take(freed)), untilDue(poll)])

    /** Runs between two claims, so that `held` has every claimed mail. */
    const disown = yield* every(
      sweepEvery,
      Effect.suspend(() => queue.disown(id, [...held.keys()]))
    )

    const begin = Effect.fnUntraced(function* (mails: ReadonlyArray<RoutedClaims.Routed>) {
      for (const { mail, transport } of mails) {
        held.set(mail.id, mail.claim)
        if (transport !== undefined) elsewhere++
        yield* shaping.take(mail, transport ?? Shaping.ofInstallation)
      }
      if (mails.length > 0) yield* failpoint("after_claim")
      for (const mail of mails) yield* FiberSet.run(fibers, take(mail))
    })

    const claim = Effect.gen(function* () {
      yield* disown
      const limit = yield* pace.room
      // For each mail in transmission another one is prepared, so that the transport does not wait for the database.
      const room = () => (limit === 1 ? 1 : 2 * limit) - (held.size - elsewhere)
      const ofRoutes = yield* routed.claim(room())
      yield* begin(ofRoutes)
      if (room() < Math.max(1, limit / 2)) return yield* ofRoutes.length === 0 ? sleep : Effect.void
      const mails = yield* queue.claim(id, room(), yield* DateTime.now, shaping.rooms)
      yield* begin(mails.map((mail) => ({ mail, transport: undefined })))
      if (mails.length + ofRoutes.length === 0) yield* sleep
    })

    const sweep = Effect.gen(function* () {
      if (!(yield* lease.isSteady)) return
      const now = yield* DateTime.now
      const back = (yield* queue.reclaim(now)) + (yield* queue.evidenceOver(now))
      if (back > 0) yield* wakeup.wake
    })

    if (exclusive) yield* queue.expireOthers(id)
    yield* sweep.pipe(Effect.catchDefect((defect) => Effect.logError("First sweep failed", defect)))
    const untilLost = yield* queue.nextLost ?? polled
    yield* Effect.forkScoped(keepRunning("Sweep", Effect.andThen(untilLost(sweepEvery), sweep)))
    yield* Effect.forkScoped(keepRunning("Limits", Effect.andThen(yield* limits.listen, shaping.learn)))
    yield* Effect.forkScoped(keepRunning("Traffic", Effect.delay(shaping.publish, Shaping.publishEvery)))
    const wakeEvents = Effect.gen(function* () {
      yield* Queue.take(ranOut)
      do yield* Effect.sleep(eventsAfter)
      while (Option.isSome(yield* Queue.poll(ranOut)))
      yield* events.wake
    })
    yield* Effect.forkScoped(keepRunning("Events of mail", Effect.orDie(wakeEvents)))
    const claiming = yield* Effect.forkScoped(keepRunning("Claim", claim))

    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        stopping = true
        yield* Fiber.interrupt(claiming)
        const finished = yield* Effect.timeoutOption(FiberSet.awaitEmpty(fibers), drain)
        if (Option.isNone(finished))
          yield* Effect.logWarning("Mails were still in transmission when the drain time ended")
        yield* FiberSet.clear(fibers)
        yield* queue.release(id)
        yield* queue.retire(id)
      }).pipe(Effect.catchDefect((defect) => Effect.logError("The sender did not stop in order", defect)))
    )
  })
)
