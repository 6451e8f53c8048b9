/**
 * The loop that sends webhook deliveries. Any number of processes may run it: a process claims a delivery for one
 * minute, and after that any process can claim it again. So each delivery arrives at least once, always with the same
 * id.
 */

import type { WebhookAttempt } from "@posthorn/contract/webhooks/Webhook"
import { Context, DateTime, Duration, Effect, FiberSet, Layer, Metric, Option, Queue, Random } from "effect"
import { keepRunning } from "../platform/jobs/Loop.ts"
import type { OutboundError, OutboundResponse } from "../platform/outbound/SafeFetch.ts"
import { Transaction } from "../platform/Transaction.ts"
import { Wakeups } from "../platform/Wakeups.ts"
import { retryAfter, waitAfterRung } from "./WebhookLadder.ts"
import * as WebhookQueue from "./WebhookQueue.ts"
import * as WebhookRequests from "./WebhookRequests.ts"
import { WebhookStore } from "./WebhookStore.ts"

export interface Options {
  /** The interval between checks of an empty queue, unless a wake-up comes earlier. */
  readonly poll: Duration.Duration
  /** The maximum number of concurrent requests of this process. */
  readonly concurrency: number
}

export const Options = Context.Reference<Options>("@posthorn/core/webhooks/WebhookSender/Options", {
  defaultValue: () => ({ poll: Duration.seconds(1), concurrency: 200 })
})

const deliveriesTotal = Metric.counter("posthorn_webhook_deliveries_total", {
  description: "Attempts to deliver to webhooks, by outcome",
  incremental: true
})

/** The maximum number of response bytes in the log. */
const maxLogged = 4 * 1024

/** A truncated character becomes a replacement character. U+0000 cannot be stored. */
const shown = (body: Uint8Array): string =>
  new TextDecoder().decode(body.subarray(0, maxLogged)).replaceAll("\0", "\uFFFD")

type Needs =
  | Effect.Services<typeof WebhookQueue.make>
  | Effect.Services<typeof WebhookRequests.make>
  | Transaction
  | Wakeups
  | WebhookStore

export const layer: Layer.Layer<never, never, Needs> = Layer.effectDiscard(
  Effect.gen(function* () {
    const queue = yield* WebhookQueue.make
    const store = yield* WebhookStore
    const requests = yield* WebhookRequests.make
    const transaction = yield* Transaction
    const { webhooks: wakeup } = yield* Wakeups
    const { poll, concurrency } = yield* Options

    /** The time of the next attempt. Null after the last rung. */
    const nextTry = Effect.fnUntraced(function* (rung: number, answer: Option.Option<OutboundResponse>) {
      const pause = waitAfterRung(rung, yield* Random.next)
      if (pause === undefined) return null
      const now = yield* DateTime.now
      const asked = Option.flatMapNullishOr(answer, ({ status, headers }) =>
        status === 429 || status === 503 ? retryAfter(headers["retry-after"], now) : undefined
      )
      return DateTime.addDuration(
        now,
        Duration.max(
          pause,
          Option.getOrElse(asked, () => Duration.zero)
        )
      )
    })

    const settle = Effect.fnUntraced(function* (
      delivery: WebhookQueue.ClaimedDelivery,
      begun: { readonly at: DateTime.Utc; readonly durationMs: number },
      answer: Option.Option<OutboundResponse>,
      error: WebhookAttempt["error"]
    ) {
      const statusCode = Option.getOrNull(Option.map(answer, ({ status }) => status))
      const succeeded = statusCode !== null && statusCode >= 200 && statusCode < 300
      const isGone = statusCode === 410
      const nextAt = succeeded || isGone ? null : yield* nextTry(delivery.rung, answer)
      const response = Option.match(answer, { onNone: () => "", onSome: ({ body }) => shown(body) })
      const now = yield* DateTime.now
      const status = yield* transaction.run(
        Effect.gen(function* () {
          const tried = { ...begun, statusCode, error, response, succeeded, nextAt }
          const status = yield* queue.settle(delivery, tried, now)
          if (isGone && Option.isSome(status)) yield* store.disable(delivery.project, delivery.endpoint, "gone", now)
          return status
        })
      )
      if (Option.isNone(status)) return
      yield* Metric.update(Metric.withAttributes(deliveriesTotal, { status: status.value }), 1)
      if (isGone) yield* Effect.logWarning("A webhook answered 410 and is disabled")
    })

    const deliver = Effect.fn("WebhookSender.deliver")(
      function* (delivery: WebhookQueue.ClaimedDelivery) {
        const at = yield* DateTime.now
        const [took, answer] = yield* Effect.timed(Effect.result(requests.send(delivery)))
        const begun = { at, durationMs: Math.round(Duration.toMillis(took)) }
        yield* answer._tag === "Success"
          ? settle(delivery, begun, Option.some(answer.success), null)
          : settle(delivery, begun, Option.none<OutboundResponse>(), (answer.failure satisfies OutboundError).reason)
      },
      (effect, delivery) =>
        effect.pipe(
          // The process is stopping, so another one may try at once.
          Effect.onInterrupt(() => queue.release(delivery)),
          // The claim expires and the delivery is tried again.
          Effect.catchDefect((defect) => Effect.logError("A webhook could not be delivered", defect)),
          Effect.annotateLogs({ projectId: delivery.project, webhookId: delivery.endpoint, deliveryId: delivery.id })
        )
    )

    let underWay = 0
    const freed = yield* Queue.sliding<void>(1)
    const fibers = yield* FiberSet.make<void>()
    const letGo = Effect.andThen(
      Effect.sync(() => void underWay--),
      Queue.offer(freed, undefined)
    )
    const woken = yield* wakeup.listen
    const untilDue = yield* queue.next
    const rest = Effect.raceAllFirst([Effect.orDie(Queue.take(freed)), woken, untilDue(poll)])

    const turn = Effect.gen(function* () {
      if (underWay >= concurrency) return yield* Effect.orDie(Queue.take(freed))
      const claimed = yield* queue.claim(concurrency - underWay, yield* DateTime.now)
      if (claimed.length === 0) return yield* rest
      underWay += claimed.length
      yield* Effect.forEach(claimed, (delivery) => FiberSet.run(fibers, Effect.ensuring(deliver(delivery), letGo)), {
        discard: true
      })
    })

    yield* Effect.forkScoped(keepRunning("Claim of webhook deliveries", turn))
  })
)
