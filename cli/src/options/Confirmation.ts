/** Asks for confirmation of irreversible actions. */
import { Clock, Effect, Stdio } from "effect"
import { Flag, Prompt } from "effect/cli"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { printable } from "../output/Table.ts"

/** The option `--yes` of every command that asks. */
export const yes = Flag.Boolean("yes").pipe(
  Flag.withAlias("y"),
  Flag.withoutNegation,
  Flag.withDefault(false),
  Flag.withDescription("Do not ask; required without a terminal")
)

/** Asks for confirmation if the time is in the past. The service validates the time. */
export const confirmPast = Effect.fnUntraced(function* (time: string | undefined, then: string, yes: boolean) {
  if (time !== undefined && Date.parse(time) < (yield* Clock.currentTimeMillis)) {
    yield* confirm(`${time} is in the past: ${then}. Continue?`, yes)
  }
})

/** Asks on a terminal. Without a terminal there is no one to answer, so the action is refused. */
export const confirm = Effect.fnUntraced(function* (question: string, yes: boolean) {
  if (yes) return
  const stdio = yield* Stdio.Stdio
  if (!((yield* stdio.stdinIsTerminal) && (yield* stdio.stdoutIsTerminal))) {
    return yield* wrongUsage(`The command needs a confirmation: ${question}`, "Add --yes to confirm.")
  }
  const agreed = yield* Prompt.run(Prompt.Confirm({ message: printable(question) }))
  if (!agreed) return yield* new CommandFailure({ exit: "failed", code: "DECLINED", message: "Nothing was changed." })
})
