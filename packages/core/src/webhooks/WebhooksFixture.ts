/** Test helpers: endpoints that record their requests, and the loops that create and send deliveries. */

import { type Delivery, WebhookId } from "@posthorn/contract/webhooks/Webhook"
import { webhookEvents } from "@posthorn/contract/webhooks/WebhookEvent"
import { Duration, Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { freshProject, type TestProject } from "../audience/segments/SegmentsFixture.ts"
import * as EventDispatcher from "../events/EventDispatcher.ts"
import { OutboundError, type OutboundRequest, type OutboundResponse } from "../platform/outbound/SafeFetch.ts"
import { Wakeups } from "../platform/Wakeups.ts"
import { eventually } from "../testing/Eventually.ts"
import { Outside } from "../testing/SafeFetchMemory.ts"
import { reaction } from "./WebhookFanout.ts"
import * as WebhookSender from "./WebhookSender.ts"

const never = Duration.days(100_000)

/** Only `soon` wakes the loops, because a test clock that jumps by days would make them poll every second. */
const idle = Layer.merge(
  Layer.succeed(EventDispatcher.Options, { ...EventDispatcher.Options.defaultValue(), poll: never }),
  Layer.succeed(WebhookSender.Options, { ...WebhookSender.Options.defaultValue(), poll: never })
)

export const sender = Layer.provide(WebhookSender.layer, idle)

/** The loops that a worker runs for webhooks, without the periodic jobs. */
export const loops = Layer.merge(Layer.provide(EventDispatcher.layer([reaction]), idle), sender)

export const answered = (
  status: number,
  headers: OutboundResponse["headers"] = {},
  body = ""
): Effect.Effect<OutboundResponse> => Effect.succeed({ status, headers, body: new TextEncoder().encode(body) })

export const unreachable = Effect.fail(new OutboundError({ reason: "connection_failed" }))

const documented = Schema.decodeUnknownEffect(Schema.Union(Object.values(webhookEvents)), { onExcessProperty: "error" })

/** Dies unless the OpenAPI document describes the body, field by field. A truncated one may lack fields. */
const asDocumented = (text: string) => {
  const body = JSON.parse(text)
  return body.truncated === true ? Effect.void : Effect.orDie(Effect.asVoid(documented(body)))
}

let endpoints = 0

/** An endpoint that records its requests. It responds as the test defines, with 204 by default. */
export const endpoint = Effect.fnUntraced(function* ({ ask }: TestProject, more: object = {}) {
  const { serve } = yield* Outside
  const url = `https://hooks.example/${++endpoints}`
  const requests: Array<OutboundRequest> = []
  let handle: (request: OutboundRequest) => Effect.Effect<OutboundResponse, OutboundError> = () => answered(204)
  yield* serve(url, (request) => {
    requests.push(request)
    return Effect.andThen(
      asDocumented(new TextDecoder().decode(request.body)),
      Effect.suspend(() => handle(request))
    )
  })
  const { status, body } = yield* ask("POST", "/webhooks", { url, events: ["*"], ...more })
  if (status !== 201) return yield* Effect.die(new Error(JSON.stringify(body)))
  const path = `/webhooks/${body.id}`
  const deliveries = Effect.map(
    ask("GET", `${path}/deliveries?limit=100`),
    ({ body }): ReadonlyArray<typeof Delivery.Encoded> => body.data
  )
  return {
    id: WebhookId.make(body.id),
    secret: String(body.secret),
    url,
    path,
    requests,
    answer: (next: typeof handle) => {
      handle = next
    },
    read: Effect.map(ask("GET", path), ({ body }) => body),
    deliveries,
    detail: (id: string) => Effect.map(ask("GET", `${path}/deliveries/${id}`), ({ body }) => body)
  }
})
export type TestEndpoint = Effect.Success<ReturnType<typeof endpoint>>

/** A new project with one endpoint. */
export const listening = Effect.fnUntraced(function* (more: object = {}) {
  const project = yield* freshProject
  return { ...project, hook: yield* endpoint(project, more) }
})

const work = Effect.gen(function* () {
  yield* (yield* Wakeups).events.wake
  yield* (yield* Wakeups).webhooks.wake
  yield* TestClock.adjust("100 millis")
})

/** Repeats the query until the result is as expected, while the loops run and the clock advances a little. */
export const soon = <A, E, R>(look: Effect.Effect<A, E, R>, isWanted: (found: A) => boolean) =>
  eventually(Effect.andThen(work, look), isWanted)

/** The body of a request as text. */
export const textOf = ({ body }: OutboundRequest): string => new TextDecoder().decode(body)
