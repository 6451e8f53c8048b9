import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { emailId } from "../../api/EmailId.ts"
import { emailBlocks } from "../../output/EmailText.ts"
import * as Output from "../../output/Output.ts"

export const retry = Command.make(
  "retry",
  { id: emailId, ...connectionOptions },
  Effect.fnUntraced(function* ({ id }) {
    const { call } = yield* Api
    const email = yield* call(({ emails }) => emails.retry(id))
    yield* Output.one(email, ...emailBlocks(email))
  })
).pipe(
  Command.withDescription("Send a failed or ambiguous mail again, with the same Message-ID"),
  Command.withExamples([{ command: "posthorn emails retry 019a9f3c-0000-7000-8000-0000000000e1" }]),
  withApi
)
