import { randomBytes } from "node:crypto"
import { NodeCrypto } from "@effect/platform-node"
import type { CreatedWebhook, Webhook, WebhookDelivery, WebhookDeliveryDetail } from "@posthorn/client"
import { isSecret } from "@posthorn/contract/webhooks/Webhook"
import { isPattern, matchesAny } from "@posthorn/contract/webhooks/WebhookTypes"
import { signatureHeaders } from "@posthorn/core/mail/receivers/WebhookSignature"
import { elapsedMillis } from "@posthorn/core/platform/Elapsed"
import { payloadOf, typeOf, webhookBody } from "@posthorn/core/webhooks/WebhookBody"
import { Console, Effect, Redacted, type Schema, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { eventFeed } from "../api/EventFeed.ts"
import { wrongUsage } from "../Failure.ts"
import { Json } from "../Json.ts"
import { confirm, ifUpdatedAt, limitOptions, optional, pageLimit, upTo, yes } from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import { type Block, type Cell, plainLine } from "../output/Table.ts"

const webhookId = Argument.String("id").pipe(
  Argument.withDescription("Id of the webhook, from `posthorn webhooks list`")
)

const webhookOptions = {
  description: Flag.String("description").pipe(
    Flag.withDescription("Purpose of the webhook; at most 500 characters"),
    optional
  ),
  testMode: Flag.Boolean("test-mode").pipe(Flag.withDescription("Also deliver the events of test mail"), optional),
  enabled: Flag.Boolean("enabled").pipe(
    Flag.withDescription("Deliver events; --no-enabled stops that and drops waiting deliveries"),
    optional
  )
}

const eventsDescription = "Events to deliver: a type, a prefix such as email.*, or * for all; may be repeated"

const stateOf = ({ enabled, disabledReason, failingSince }: Webhook): string => {
  if (!enabled) return disabledReason === null ? "disabled" : `disabled: ${disabledReason}`
  return failingSince === null ? "enabled" : `failing since ${failingSince}`
}

const webhookHead = ["url", "state", "events", "id"]
const webhookRow = (webhook: Webhook): ReadonlyArray<Cell> => [
  webhook.url,
  stateOf(webhook),
  webhook.events.join(" "),
  webhook.id
]

const webhookBlock = (webhook: Webhook): Block => ({
  rows: [
    ["id", webhook.id],
    ["url", webhook.url],
    ["state", stateOf(webhook)],
    ["events", webhook.events.join(" ")],
    ["description", webhook.description],
    ["secret ends in", webhook.secretHint],
    ["last success", webhook.lastSuccessAt],
    ["created", webhook.createdAt]
  ]
})

/** Includes the secret, which is shown only once. */
const secretBlock = (webhook: CreatedWebhook): Block => {
  const { rows } = webhookBlock(webhook)
  return { rows: [...rows, ["secret", webhook.secret]] }
}

const deliveryHead = ["created", "status", "type", "attempts", "next attempt", "id"]
const deliveryRow = (delivery: WebhookDelivery): ReadonlyArray<Cell> => [
  delivery.createdAt,
  delivery.status,
  delivery.type,
  delivery.attempts,
  delivery.nextAttemptAt,
  delivery.id
]

const deliveryBlock = (delivery: WebhookDelivery): Block => ({
  rows: [
    ["id", delivery.id],
    ["type", delivery.type],
    ["status", delivery.status],
    ["attempts", delivery.attempts],
    ["next attempt", delivery.nextAttemptAt],
    ["completed", delivery.completedAt]
  ]
})

/** A delivery with its attempts, oldest first, and the request that was sent. */
const deliveryBlocks = (delivery: WebhookDeliveryDetail): ReadonlyArray<Block> => [
  deliveryBlock(delivery),
  {
    name: "attempt",
    head: ["at", "answer", "milliseconds", "response"],
    rows: delivery.attemptLog.map(({ at, statusCode, error, durationMs, response }) => [
      at,
      statusCode ?? error,
      durationMs,
      response
    ])
  },
  { name: "payload", rows: [["payload", JSON.stringify(delivery.payload)]] }
]

const add = Command.make(
  "add",
  {
    endpoint: Argument.String("url").pipe(
      Argument.withDescription("URL of the endpoint: http or https, at a public host")
    ),
    events: Flag.String("events").pipe(Flag.withDescription(eventsDescription), Flag.atLeast(1)),
    secret: Flag.String("secret").pipe(
      Flag.withDescription("whsec_ and the base64 of 24 to 64 bytes; default: generated"),
      optional
    ),
    ...webhookOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ endpoint, events, secret, description, enabled, testMode }) {
    const { call } = yield* Api
    const body = { url: endpoint, events, secret, description, enabled, testMode }
    const webhook = yield* call(({ webhooks }) => webhooks.create(body))
    yield* Output.one(webhook, secretBlock(webhook))
  })
).pipe(
  Command.withDescription("Add a webhook and show its signing secret, only once"),
  Command.withExamples([
    {
      command:
        "posthorn webhooks add https://app.example.com/hooks/mail --events 'email.*' --events contact.unsubscribed"
    }
  ]),
  withApi
)

const filter = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), optional)

const deliveries = Command.make(
  "deliveries",
  {
    id: webhookId,
    delivery: Argument.String("delivery").pipe(
      Argument.withDescription("Id of a delivery, to show its payload and its attempts"),
      Argument.atMost(1)
    ),
    status: Flag.Literals("status", ["PENDING", "SUCCEEDED", "FAILED"]).pipe(
      Flag.withDescription("Only deliveries in this state"),
      optional
    ),
    type: filter("type", "Only deliveries of this type, such as email.bounce"),
    startDate: filter("start-date", "Created at or after this date or date-time"),
    endDate: filter("end-date", "Created before this date-time, or on or before this date"),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, delivery: given, url, key, project, dataDir, limit, all, ...query }) {
    const { call, items } = yield* Api
    const [one] = given
    if (one !== undefined) {
      const delivery = yield* call(({ webhooks }) => webhooks.delivery(id, one))
      return yield* Output.one(delivery, ...deliveryBlocks(delivery))
    }
    const found = items(({ webhooks }) => webhooks.deliveries(id, { ...query, limit: pageLimit({ limit, all }) }))
    yield* Output.list(upTo({ limit, all })(found), {
      head: deliveryHead,
      row: deliveryRow,
      none: "The webhook has no deliveries yet. Test it with `posthorn webhooks test <id>`."
    })
  })
).pipe(
  Command.withDescription("List the deliveries of a webhook, newest first, or show one delivery"),
  Command.withExamples([
    { command: "posthorn webhooks deliveries 019a9f3c-0000-7000-8000-0000000000f1 --status FAILED" },
    {
      command:
        "posthorn webhooks deliveries 019a9f3c-0000-7000-8000-0000000000f1 019a9f3c-0000-7000-8000-0000000000f2 --json",
      description: "One delivery, with its payload and attempts"
    }
  ]),
  withApi
)

const get = Command.make(
  "get",
  { id: webhookId, ...connectionOptions },
  Effect.fnUntraced(function* ({ id }) {
    const { call } = yield* Api
    const webhook = yield* call(({ webhooks }) => webhooks.get(id))
    yield* Output.one(webhook, webhookBlock(webhook))
  })
).pipe(
  Command.withDescription("Show a webhook"),
  Command.withExamples([{ command: "posthorn webhooks get 019a9f3c-0000-7000-8000-0000000000f1" }]),
  withApi
)

const list = Command.make(
  "list",
  connectionOptions,
  Effect.fnUntraced(function* () {
    const { call } = yield* Api
    const webhooks = yield* call(({ webhooks }) => webhooks.list())
    yield* Output.list(Stream.fromIterable(webhooks), {
      head: webhookHead,
      row: webhookRow,
      none: "The project has no webhooks yet. Add one with `posthorn webhooks add <url> --events '*'`."
    })
  })
).pipe(
  Command.withDescription("List the webhooks of the project"),
  Command.withExamples([{ command: "posthorn webhooks list" }]),
  withApi
)

/** The response of the local URL, or why there was none. */
const forward = (to: string, headers: Record<string, string>, body: string) =>
  Effect.tryPromise({
    try: async () => {
      const { status } = await fetch(to, { method: "POST", headers, body, signal: AbortSignal.timeout(15_000) })
      return { statusCode: status, error: null }
    },
    catch: (error) => (error instanceof DOMException ? "timeout" : "connection_failed")
  }).pipe(Effect.catch((error) => Effect.succeed({ statusCode: null, error })))

const listen = Command.make(
  "listen",
  {
    forwardTo: Flag.String("forward-to").pipe(
      Flag.withDescription("URL on this machine that receives each request, such as http://localhost:3001/hooks")
    ),
    events: Flag.String("events").pipe(
      Flag.withDescription(
        "Events to forward: a type, a prefix such as email.*, or * for all (default); may be repeated"
      ),
      Flag.atLeast(0)
    ),
    secret: Flag.String("secret").pipe(
      Flag.withDescription("Signing secret: whsec_ and the base64 of 24 to 64 bytes; default: generated"),
      optional
    ),
    count: Flag.Int("count").pipe(Flag.withDescription("Exit after this many events"), optional),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ forwardTo, events, secret: given, count }) {
    const wrong = events.find((pattern) => !isPattern(pattern))
    if (wrong !== undefined) return yield* wrongUsage(`No event type matches ${wrong}.`)
    if (!/^https?:$/.test(URL.parse(forwardTo)?.protocol ?? "")) {
      return yield* wrongUsage("--forward-to must be a URL that begins with http:// or https://.")
    }
    if (given !== undefined && !isSecret(given)) {
      return yield* wrongUsage("--secret must be whsec_ and the base64 of 24 to 64 bytes.")
    }
    const secret = given ?? `whsec_${randomBytes(32).toString("base64")}`
    const feed = yield* eventFeed({ source: "all" }, 0)
    const json = yield* Json
    yield* json
      ? Console.log(JSON.stringify({ forwardTo, secret }))
      : Console.log(`Forwarding events of the project to ${forwardTo}, signed with ${secret}. Press Ctrl-C to stop.`)

    const wanted = Stream.filter(
      Stream.map(feed, (event) => ({ event, type: typeOf(event) })),
      ({ type }) => events.length === 0 || matchesAny(type, events)
    )
    yield* Stream.runForEach(
      Stream.take(wanted, count ?? Number.POSITIVE_INFINITY),
      Effect.fnUntraced(function* ({ event, type }) {
        const { id, projectId, contactId, contact, createdAt, source, name, data } = event
        const body = webhookBody({
          type,
          project: projectId,
          at: createdAt,
          eventId: id,
          contactId,
          contactEmail: contact?.email ?? null,
          // The data of an event is JSON: it came in a response.
          payload: payloadOf({ source, name, data: data as Schema.JsonObject | null })
        })
        const headers = {
          "content-type": "application/json",
          "user-agent": "Posthorn",
          ...(yield* signatureHeaders([Redacted.make(secret)], id, new TextEncoder().encode(body)))
        }
        const began = yield* elapsedMillis
        const { statusCode, error } = yield* forward(forwardTo, headers, body)
        const durationMs = (yield* elapsedMillis) - began
        yield* Console.log(
          json
            ? JSON.stringify({ eventId: id, type, createdAt, statusCode, error, durationMs })
            : plainLine([createdAt, type, statusCode ?? error ?? "", `${durationMs} ms`])
        )
      })
    )
  })
).pipe(
  Command.withDescription("Forward events as webhooks to a URL on this machine; needs no public URL"),
  Command.withExamples([
    { command: "posthorn webhooks listen --forward-to http://localhost:3001/hooks --events 'email.*'" }
  ]),
  Command.provide(NodeCrypto.layer),
  withApi
)

const remove = Command.make(
  "remove",
  { id: webhookId, yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ id, yes }) {
    const { call } = yield* Api
    const { url } = yield* call(({ webhooks }) => webhooks.get(id))
    yield* confirm(`Remove the webhook to ${url} and its log?`, yes)
    yield* call(({ webhooks }) => webhooks.remove(id))
    yield* Output.one({ id, removed: true }, { rows: [["removed", id]] })
  })
).pipe(
  Command.withDescription("Remove a webhook and its log; asks first"),
  Command.withExamples([{ command: "posthorn webhooks remove 019a9f3c-0000-7000-8000-0000000000f1 --yes" }]),
  withApi
)

const replay = Command.make(
  "replay",
  {
    id: webhookId,
    delivery: Argument.String("delivery").pipe(
      Argument.withDescription("Id of one delivery; without it, --start-date selects deliveries"),
      Argument.atMost(1)
    ),
    startDate: Flag.String("start-date").pipe(
      Flag.withDescription("Start of the period: a date or a date-time"),
      optional
    ),
    endDate: Flag.String("end-date").pipe(Flag.withDescription("Until when"), optional),
    status: Flag.Literals("status", ["failed", "missed", "all"]).pipe(
      Flag.withDescription("Failed deliveries (default), events that the webhook missed while it was disabled, or all"),
      optional
    ),
    types: Flag.String("types").pipe(
      Flag.withDescription("Only these types, such as email.*; may be repeated"),
      Flag.atLeast(0)
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, delivery: given, startDate, endDate, status, types }) {
    const { call } = yield* Api
    const [one] = given
    if (one !== undefined) {
      const delivery = yield* call(({ webhooks }) => webhooks.replayDelivery(id, one))
      return yield* Output.one(delivery, deliveryBlock(delivery))
    }
    if (startDate === undefined) return yield* wrongUsage("Pass the id of a delivery, or --start-date.")
    const { queued } = yield* call(({ webhooks }) => webhooks.replay(id, { startDate, endDate, status, types }))
    yield* Output.one({ id, queued }, { rows: [["queued", queued]] })
  })
).pipe(
  Command.withDescription("Repeat one delivery, or up to 10,000 deliveries of a period"),
  Command.withExamples([
    { command: "posthorn webhooks replay 019a9f3c-0000-7000-8000-0000000000f1 --start-date 2026-03-01" },
    { command: "posthorn webhooks replay 019a9f3c-0000-7000-8000-0000000000f1 --start-date 2026-03-01 --status missed" }
  ]),
  withApi
)

const rotateSecret = Command.make(
  "rotate-secret",
  { id: webhookId, yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ id, yes }) {
    const { call } = yield* Api
    const { url } = yield* call(({ webhooks }) => webhooks.get(id))
    yield* confirm(`Replace the secret of the webhook to ${url}? The old one also signs for 24 more hours.`, yes)
    const webhook = yield* call(({ webhooks }) => webhooks.rotateSecret(id))
    const { rows } = secretBlock(webhook)
    yield* Output.one(webhook, { rows: [...rows, ["old secret signs until", webhook.previousValidUntil]] })
  })
).pipe(
  Command.withDescription("Create a new secret; asks first. The old secret also signs for 24 hours."),
  Command.withExamples([{ command: "posthorn webhooks rotate-secret 019a9f3c-0000-7000-8000-0000000000f1 --yes" }]),
  withApi
)

const test = Command.make(
  "test",
  { id: webhookId, ...connectionOptions },
  Effect.fnUntraced(function* ({ id }) {
    const { call } = yield* Api
    const delivery = yield* call(({ webhooks }) => webhooks.test(id))
    yield* Output.one(delivery, deliveryBlock(delivery))
  })
).pipe(
  Command.withDescription("Send a webhook.test event to a webhook, even if it is disabled"),
  Command.withExamples([{ command: "posthorn webhooks test 019a9f3c-0000-7000-8000-0000000000f1" }]),
  withApi
)

const update = Command.make(
  "update",
  {
    id: webhookId,
    // `--url` is already the URL of the service.
    endpoint: Flag.String("endpoint").pipe(Flag.withDescription("New URL of the endpoint"), optional),
    events: Flag.String("events").pipe(Flag.withDescription(eventsDescription), Flag.atLeast(0)),
    ...webhookOptions,
    ifUpdatedAt,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, endpoint, events, ...change }) {
    const { call } = yield* Api
    const { description, enabled, testMode, ifUpdatedAt } = change
    const patterns = events.length === 0 ? undefined : events
    const body = { url: endpoint, events: patterns, description, enabled, testMode, ifUpdatedAt }
    const webhook = yield* call(({ webhooks }) => webhooks.update(id, body))
    yield* Output.one(webhook, webhookBlock(webhook))
  })
).pipe(
  Command.withDescription("Change a webhook; options that are not given keep their value"),
  Command.withExamples([
    {
      command: "posthorn webhooks update 019a9f3c-0000-7000-8000-0000000000f1 --enabled",
      description: "Enable it again; then `replay --status missed` delivers the events it missed"
    }
  ]),
  withApi
)

export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("URLs that receive events"),
  Command.withExamples([{ command: "posthorn webhooks list" }]),
  Command.withSubcommands([list, get, add, update, remove, test, deliveries, listen, replay, rotateSecret])
)
