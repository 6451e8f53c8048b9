import { Effect } from "effect"
import { Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { emailId } from "../../api/EmailId.ts"
import { emailDetailBlocks } from "../../output/EmailText.ts"
import * as Output from "../../output/Output.ts"

export const show = Command.make(
  "show",
  { id: emailId, ...connectionOptions },
  Effect.fnUntraced(function* ({ id }) {
    const { call } = yield* Api
    const email = yield* call(({ emails }) => emails.get(id))
    yield* Output.one(email, ...emailDetailBlocks(email))
  })
).pipe(
  Command.withDescription("Show a mail, every try to hand it over, and what became of it"),
  Command.withExamples([{ command: "posthorn emails show 019a9f3c-0000-7000-8000-0000000000e1" }]),
  withApi
)
