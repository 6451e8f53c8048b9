/** The command line: from arguments to an exit code. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Console, Effect, Layer } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag } from "effect/cli"
import { posthorn } from "./Commands.ts"
import { exitCodes } from "./Failure.ts"
import { failureOf } from "./FailureOf.ts"
import { failureJson, failureText } from "./FailureText.ts"
import { asksForJson } from "./Json.ts"
import type { Signals } from "./Signals.ts"
import { usageFailure } from "./UsageFailure.ts"
import { version } from "./Version.ts"

/** Help that was asked for is an answer; a command that is only half there gets it as an error. */
const presenter: CliOutput.Presenter = {
  present: (event) => {
    const { formatHelpDoc } = CliOutput.defaultFormatter()
    switch (event._tag) {
      case "Help":
        return event.reason === "Requested" || isBare(event.commandPath)
          ? Console.log(formatHelpDoc(event.helpDoc))
          : Console.error(formatHelpDoc(event.helpDoc))
      case "Version":
        return Console.log(`${event.name} ${event.version}`)
      case "InvalidInvocation":
        return Effect.void
    }
  }
}

/** `posthorn` and nothing else. */
const isBare = (commandPath: ReadonlyArray<string>): boolean => commandPath.length === 1

const layer = Layer.mergeAll(
  NodeServices.layer,
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] }),
  CliOutput.layerPresenter(presenter)
)

/** `posthorn help send` is `posthorn send --help`. */
const withoutHelpVerb = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args[0] === "help" ? [...args.slice(1), "--help"] : args

/** Runs one command line and tells what went wrong. Whoever interrupts it decides about its exit code. */
export const run = (args: ReadonlyArray<string>): Effect.Effect<number, never, Signals> => {
  const tell = asksForJson(args) ? failureJson : failureText
  return Command.runWith(posthorn, { version })(withoutHelpVerb(args)).pipe(
    Effect.as(exitCodes.ok),
    Effect.catchCause((cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
      const error = Cause.squash(cause)
      if (CliError.isCliError(error) && error._tag === "ShowHelp" && error.errors.length === 0) {
        return Effect.succeed(isBare(error.commandPath) ? exitCodes.ok : exitCodes.usage)
      }
      const failure = CliError.isCliError(error) && error._tag === "ShowHelp" ? usageFailure(error) : failureOf(cause)
      return Effect.as(Console.error(tell(failure)), exitCodes[failure.exit])
    }),
    Effect.provide(layer)
  )
}
