/** For tests: endpoints whose requests are kept, and the loops that make and send deliveries. */
import { type Delivery, WebhookId } from "@posthorn/contract/webhooks/Webhook"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as EventDispatcher from "../events/EventDispatcher.ts"
import { EventNudge } from "../events/EventNudge.ts"
import { OutboundError, type OutboundRequest, type OutboundResponse } from "../outbound/SafeFetch.ts"
import { freshProject, type TestProject } from "../segments/SegmentsFixture.ts"
import { eventually } from "../testing/Eventually.ts"
import { Outside } from "../testing/SafeFetchMemory.ts"
import { reaction } from "./Telling.ts"
import { WebhookNudge } from "./WebhookNudge.ts"
import * as WebhookSender from "./WebhookSender.ts"

const never = Duration.days(100_000)

/** Woken by `soon` alone: a clock that jumps by days would have them look once a second. */
const idle = Layer.merge(
  Layer.succeed(EventDispatcher.Options, { ...EventDispatcher.Options.defaultValue(), poll: never }),
  Layer.succeed(WebhookSender.Options, { ...WebhookSender.Options.defaultValue(), poll: never })
)

export const sender = Layer.provide(WebhookSender.layer, idle)

/** What a worker runs for webhooks, but for what comes round. */
export const loops = Layer.merge(Layer.provide(EventDispatcher.layer([reaction]), idle), sender)

export const answered = (
  status: number,
  headers: OutboundResponse["headers"] = {},
  body = ""
): Effect.Effect<OutboundResponse> => Effect.succeed({ status, headers, body: new TextEncoder().encode(body) })

export const unreachable = Effect.fail(new OutboundError({ reason: "connection_failed" }))

let endpoints = 0

/** An endpoint that keeps what it is told, and answers as the test says: 204 at first. */
export const endpoint = Effect.fnUntraced(function* ({ ask }: TestProject, more: object = {}) {
  const { serve } = yield* Outside
  const url = `https://hooks.example/${++endpoints}`
  const requests: Array<OutboundRequest> = []
  let handle: (request: OutboundRequest) => Effect.Effect<OutboundResponse, OutboundError> = () => answered(204)
  yield* serve(url, (request) => {
    requests.push(request)
    return Effect.suspend(() => handle(request))
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

/** A project of its own with one endpoint. */
export const listening = Effect.fnUntraced(function* (more: object = {}) {
  const project = yield* freshProject
  return { ...project, hook: yield* endpoint(project, more) }
})

const work = Effect.gen(function* () {
  yield* (yield* EventNudge).wake
  yield* (yield* WebhookNudge).wake
  yield* TestClock.adjust("100 millis")
})

/** Looks until it is as wanted, while the loops work and the clock moves on a little. */
export const soon = <A, E, R>(look: Effect.Effect<A, E, R>, isWanted: (found: A) => boolean) =>
  eventually(Effect.andThen(work, look), isWanted)

/** The body of a request as text. */
export const textOf = ({ body }: OutboundRequest): string => new TextDecoder().decode(body)
