import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import * as Output from "../../output/Output.ts"
import { suppressionBlock } from "../../output/SuppressionText.ts"

export const get = Command.make(
  "get",
  { email: Argument.String("address").pipe(Argument.withDescription("The address")), ...connectionOptions },
  Effect.fnUntraced(function* ({ email }) {
    const { call } = yield* Api
    const suppression = yield* call(({ suppressions }) => suppressions.get(email))
    yield* Output.one(suppression, suppressionBlock(suppression))
  })
).pipe(
  Command.withDescription("Tell whether an address is suppressed, and why; ends with 4 when it is not"),
  Command.withExamples([{ command: "posthorn suppressions get gone@example.com" }]),
  withApi
)
