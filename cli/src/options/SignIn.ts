/** Options of the commands that sign in. */
import { Effect, Redacted, Stdio } from "effect"
import { Flag, Prompt } from "effect/cli"
import { wrongUsage } from "../Failure.ts"
import { optional, standardInput } from "./Options.ts"

export const passwordStdin = Flag.Boolean("password-stdin").pipe(
  Flag.withoutNegation,
  Flag.withDefault(false),
  Flag.withDescription("Read the password from standard input, instead of asking for it")
)

export const passwordOf = Effect.fnUntraced(function* (fromStandardInput: boolean) {
  if (fromStandardInput) return Redacted.make(yield* standardInput)
  const { stdinIsTerminal } = yield* Stdio.Stdio
  if (yield* stdinIsTerminal) return yield* Prompt.run(Prompt.Password({ message: "Password" }))
  return yield* wrongUsage(
    "There is no terminal to ask for the password.",
    "Add --password-stdin and pipe the password in."
  )
})

export const code = Flag.String("code").pipe(
  Flag.withMetavar("<code>"),
  Flag.withDescription("Code of the authenticator app, or a recovery code; a terminal asks for it"),
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
