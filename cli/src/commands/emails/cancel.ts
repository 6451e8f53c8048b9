import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { emailId } from "../../api/EmailId.ts"
import { emailBlocks } from "../../output/EmailText.ts"
import * as Output from "../../output/Output.ts"

export const cancel = Command.make(
  "cancel",
  { id: emailId, ...connectionOptions },
  Effect.fnUntraced(function* ({ id }) {
    const { call } = yield* Api
    const email = yield* call(({ emails }) => emails.cancel(id))
    yield* Output.one(email, ...emailBlocks(email))
  })
).pipe(
  Command.withDescription("Stop a mail that is still waiting to be sent"),
  Command.withExamples([{ command: "posthorn emails cancel 019a9f3c-0000-7000-8000-0000000000e1" }]),
  withApi
)
