/** The second factor of an account, for commands that need it. */
import { Effect, Stdio } from "effect"
import { Flag, Prompt } from "effect/cli"
import { wrongUsage } from "../Failure.ts"
import { optional } from "./Optional.ts"

export const code = Flag.String("code").pipe(
  Flag.withMetavar("<code>"),
  Flag.withDescription("Code of the authenticator app, or a recovery code; asked for on a terminal"),
  optional
)

/** Six digits are a code of the app; any other text is a recovery code. */
const factorOf = (given: string) =>
  /^[\d ]{6,20}$/.test(given.trim()) ? { code: given.trim() } : { recoveryCode: given }

/** The second factor in the form of the API. */
export const secondFactorOf = Effect.fnUntraced(function* (given: string | undefined) {
  if (given !== undefined) return factorOf(given)
  const { stdinIsTerminal } = yield* Stdio.Stdio
  if (yield* stdinIsTerminal) {
    return factorOf(yield* Prompt.run(Prompt.String({ message: "Code of the authenticator app, or a recovery code" })))
  }
  return yield* wrongUsage("The account needs a second factor.", "Add --code with a code of the authenticator app.")
})
