import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { confirm, yes } from "../../options/Confirmation.ts"
import { webhookId } from "../../options/Webhook.ts"
import * as Output from "../../output/Output.ts"
import { secretBlock } from "../../output/WebhookText.ts"

export const rotateSecret = Command.make(
  "rotate-secret",
  { id: webhookId, yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ id, yes }) {
    const { call } = yield* Api
    const { url } = yield* call(({ webhooks }) => webhooks.get(id))
    yield* confirm(`Replace the secret of the webhook to ${url}? The present one signs for 24 hours more.`, yes)
    const webhook = yield* call(({ webhooks }) => webhooks.rotateSecret(id))
    const { rows } = secretBlock(webhook)
    yield* Output.one(webhook, { rows: [...rows, ["the previous one signs until", webhook.previousValidUntil]] })
  })
).pipe(
  Command.withDescription("Make a new secret; asks first. For 24 hours the previous one signs too."),
  Command.withExamples([{ command: "posthorn webhooks rotate-secret 019a9f3c-0000-7000-8000-0000000000f1 --yes" }]),
  withApi
)
