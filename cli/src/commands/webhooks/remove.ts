import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { confirm, yes } from "../../options/Confirmation.ts"
import { webhookId } from "../../options/Webhook.ts"
import * as Output from "../../output/Output.ts"

export const remove = Command.make(
  "remove",
  { id: webhookId, yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ id, yes }) {
    const { call } = yield* Api
    const { url } = yield* call(({ webhooks }) => webhooks.get(id))
    yield* confirm(`Remove the webhook to ${url}? Its log goes with it.`, yes)
    yield* call(({ webhooks }) => webhooks.remove(id))
    yield* Output.one({ id, removed: true }, { rows: [["removed", id]] })
  })
).pipe(
  Command.withDescription("Remove a webhook and its log; asks first"),
  Command.withExamples([{ command: "posthorn webhooks remove 019a9f3c-0000-7000-8000-0000000000f1 --yes" }]),
  withApi
)
