import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { webhookId } from "../../options/Webhook.ts"
import * as Output from "../../output/Output.ts"
import { webhookBlock } from "../../output/WebhookText.ts"

export const get = Command.make(
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
