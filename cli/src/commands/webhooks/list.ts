import { Effect, Stream } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import * as Output from "../../output/Output.ts"
import { webhookHead, webhookRow } from "../../output/WebhookText.ts"

export const list = Command.make(
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
