import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { optional } from "../../options/Optional.ts"
import { eventsDescription, webhookOptions } from "../../options/Webhook.ts"
import * as Output from "../../output/Output.ts"
import { secretBlock } from "../../output/WebhookText.ts"

export const add = Command.make(
  "add",
  {
    endpoint: Argument.String("url").pipe(Argument.withDescription("Where it is told: http or https, a public host")),
    events: Flag.String("events").pipe(Flag.withDescription(eventsDescription), Flag.atLeast(1)),
    secret: Flag.String("secret").pipe(
      Flag.withDescription("whsec_ and base64 of 24 to 64 bytes; made unless given"),
      optional
    ),
    ...webhookOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ endpoint, events, secret, description, enabled }) {
    const { call } = yield* Api
    const body = { url: endpoint, events, secret, description, enabled }
    const webhook = yield* call(({ webhooks }) => webhooks.create(body))
    yield* Output.one(webhook, secretBlock(webhook))
  })
).pipe(
  Command.withDescription("Add a webhook, and show the secret that signs what it is told: this once"),
  Command.withExamples([
    {
      command:
        "posthorn webhooks add https://app.example.com/hooks/mail --events 'email.*' --events contact.unsubscribed"
    }
  ]),
  withApi
)
