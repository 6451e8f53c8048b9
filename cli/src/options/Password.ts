/** Reads a password. It is never an argument, because other users of the machine can read arguments. */
import { Effect, Redacted, Stdio } from "effect"
import { Flag, Prompt } from "effect/cli"
import { wrongUsage } from "../Failure.ts"
import { standardInput } from "./StandardInput.ts"

export const passwordStdin = Flag.Boolean("password-stdin").pipe(
  Flag.withoutNegation,
  Flag.withDefault(false),
  Flag.withDescription("Read the password from standard input, instead of asking for it")
)

export const passwordOf = Effect.fnUntraced(function* (fromStandardInput: boolean) {
  if (fromStandardInput) return Redacted.make(yield* standardInput)
  const { stdinIsTerminal } = yield* Stdio.Stdio
  if (yield* stdinIsTerminal) return yield* Prompt.run(Prompt.Password({ message: "Password" }))
  return yield* wrongUsage("There is no terminal to ask for the password.", "Add --password-stdin and pipe it in.")
})
