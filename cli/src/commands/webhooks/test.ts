import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { webhookId } from "../../options/Webhook.ts"
import * as Output from "../../output/Output.ts"
import { deliveryBlock } from "../../output/WebhookText.ts"

export const test = Command.make(
  "test",
  { id: webhookId, ...connectionOptions },
  Effect.fnUntraced(function* ({ id }) {
    const { call } = yield* Api
    const delivery = yield* call(({ webhooks }) => webhooks.test(id))
    yield* Output.one(delivery, deliveryBlock(delivery))
  })
).pipe(
  Command.withDescription("Tell a webhook of a webhook.test, also when it is disabled"),
  Command.withExamples([{ command: "posthorn webhooks test 019a9f3c-0000-7000-8000-0000000000f1" }]),
  withApi
)
