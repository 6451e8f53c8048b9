import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { optional } from "../../options/Optional.ts"
import { eventsDescription, webhookId, webhookOptions } from "../../options/Webhook.ts"
import * as Output from "../../output/Output.ts"
import { webhookBlock } from "../../output/WebhookText.ts"

export const update = Command.make(
  "update",
  {
    id: webhookId,
    // `--url` is the address of the service.
    endpoint: Flag.String("endpoint").pipe(Flag.withDescription("Where it is told from now on"), optional),
    events: Flag.String("events").pipe(Flag.withDescription(eventsDescription), Flag.atLeast(0)),
    ...webhookOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ id, endpoint, events, description, enabled }) {
    const { call } = yield* Api
    const body = { url: endpoint, events: events.length === 0 ? undefined : events, description, enabled }
    const webhook = yield* call(({ webhooks }) => webhooks.update(id, body))
    yield* Output.one(webhook, webhookBlock(webhook))
  })
).pipe(
  Command.withDescription("Change a webhook; what is not given stays"),
  Command.withExamples([
    {
      command: "posthorn webhooks update 019a9f3c-0000-7000-8000-0000000000f1 --enabled",
      description: "After it was disabled; `replay --status missed` fetches up what it has missed"
    }
  ]),
  withApi
)
