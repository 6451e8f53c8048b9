/** For tests: workers that send the mail that is due now, without loops that would follow a moved clock. */
import { randomUUID } from "node:crypto"
import { DateTime, Effect } from "effect"
import * as FrequencyPlaces from "../mail/policy/FrequencyPlaces.ts"
import * as AdaptiveConcurrency from "../mail/sending/AdaptiveConcurrency.ts"
import * as Delivery from "../mail/sending/Delivery.ts"
import * as DeliveryMarks from "../mail/sending/DeliveryMarks.ts"
import { DeliveryQueue } from "../mail/sending/DeliveryQueue.ts"
import * as Shaping from "../mail/shaping/Shaping.ts"
import * as Lanes from "../mail/transports/Lanes.ts"
import * as MailRoutes from "../mail/transports/MailRoutes.ts"
import * as RoutedClaims from "../mail/transports/RoutedClaims.ts"
import { Mailer } from "../platform/Mailer.ts"

const holds = Effect.succeed(true)

/** A worker that claims and delivers until nothing is due, `claims` mails at a time. Returns how many mails it claimed. */
export const makeWorker = (claims: number) =>
  Effect.gen(function* () {
    const queue = yield* DeliveryQueue
    const { concurrency } = yield* Mailer
    const { deliver } = yield* Delivery.make
    const id = randomUUID()
    const shaping = yield* Shaping.make(id)
    const routes = yield* MailRoutes.make
    const routed = RoutedClaims.make(queue, routes, shaping, id)
    const one: Delivery.Worker = {
      id,
      marks: yield* DeliveryMarks.make(queue, id),
      lease: { holds, isSteady: holds },
      pace: yield* AdaptiveConcurrency.make(concurrency),
      places: yield* FrequencyPlaces.make,
      lanes: yield* Lanes.make,
      routes,
      shaping,
      inTurn: (effect) => effect,
      stopping: () => false
    }
    const deliverOne = ({ mail, transport }: RoutedClaims.Routed) =>
      Effect.ensuring(
        deliver(one, mail),
        Effect.sync(() => {
          shaping.free(mail)
          if (transport !== undefined) routed.free(transport)
        })
      )
    return Effect.gen(function* () {
      for (let claimed = 0; ; ) {
        const ofServer = yield* queue.claim(id, claims, yield* DateTime.now, shaping.rooms)
        const ofRoutes = yield* routed.claim(claims)
        const mails = [...ofServer.map((mail): RoutedClaims.Routed => ({ mail, transport: undefined })), ...ofRoutes]
        if (mails.length === 0) return claimed
        for (const { mail, transport } of mails) yield* shaping.take(mail, transport ?? Shaping.ofInstallation)
        claimed += mails.length
        yield* Effect.forEach(mails, deliverOne, { concurrency: "unbounded", discard: true })
      }
    })
  })

/** Several workers at once, each of which takes a few mails at a time. Returns the number of claims. */
export const sendDue = (workers = 1, claims = 50) =>
  Effect.map(
    Effect.forEach(Array.from({ length: workers }), () => Effect.scoped(Effect.flatten(makeWorker(claims))), {
      concurrency: "unbounded"
    }),
    (counts) => counts.reduce((sum, count) => sum + count, 0)
  )
