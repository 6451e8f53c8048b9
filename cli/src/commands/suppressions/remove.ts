import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { confirm, yes } from "../../options/Confirmation.ts"
import * as Output from "../../output/Output.ts"

export const remove = Command.make(
  "remove",
  { email: Argument.String("address").pipe(Argument.withDescription("The address")), yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ email, yes }) {
    const { call } = yield* Api
    const { reason } = yield* call(({ suppressions }) => suppressions.get(email))
    yield* confirm(`Let mail go to ${email} again? It is suppressed for ${reason}.`, yes)
    yield* call(({ suppressions }) => suppressions.remove(email))
    yield* Output.one({ email, removed: true }, { rows: [["removed", email]] })
  })
).pipe(
  Command.withDescription("Let mail go to an address again; asks first. Its contact stays unsubscribed."),
  Command.withExamples([{ command: "posthorn suppressions remove gone@example.com --yes" }]),
  withApi
)
