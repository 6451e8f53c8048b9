/**
 * Runs a program as the process: handles signals, sets the exit code and prints the final message on standard error.
 */
import { Cause, type Effect, Exit, Runtime } from "effect"
import type { Target } from "./Logs.ts"

/** The target of log lines. */
export const standardError: Target = {
  isTerminal: process.stderr.isTTY === true,
  hasColours: process.stderr.isTTY === true && (process.env["NO_COLOR"] ?? "") === "",
  write: (text) => void process.stderr.write(text)
}

const signals = { SIGINT: 2, SIGTERM: 15 } as const

/** One sentence for an expected failure, the whole cause for a defect. */
const lastWords = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  const foreseen = Cause.hasFails(cause) && error instanceof Error
  return `posthorn: ${foreseen ? error.message : Cause.pretty(cause)}\n`
}

const exitCode = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return 0
  return Runtime.getErrorExitCode(Cause.squash(exit.cause))
}

/**
 * The first SIGTERM or SIGINT shuts the program down, and the process exits with 0. A second signal ends the process at
 * once, with 128 plus the number of the signal. A program that fails prints one line with the reason.
 */
export const runMain = <A, E>(program: Effect.Effect<A, E>): void => {
  let isEnding = false
  const run = Runtime.makeRunMain(({ fiber }) => {
    for (const [signal, number] of Object.entries(signals)) {
      process.on(signal, () => {
        if (isEnding) process.exit(128 + number)
        isEnding = true
        fiber.interruptUnsafe()
      })
    }
    fiber.addObserver((exit) => {
      if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) standardError.write(lastWords(exit.cause))
      process.exit(exitCode(exit))
    })
  })
  run(program, { disableErrorReporting: true })
}
