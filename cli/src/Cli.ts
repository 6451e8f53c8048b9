/** The command line: from arguments to an exit code. */
import { Cause, Console, Effect, Exit, Layer } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag } from "effect/cli"
import { posthorn } from "./Commands.ts"
import { exitCodes } from "./Failure.ts"
import { failureOf } from "./FailureOf.ts"
import { failureJson, failureText } from "./FailureText.ts"
import { asksForJson } from "./Json.ts"
import { isBare, presenter } from "./Presenter.ts"
import { usageFailure } from "./UsageFailure.ts"
import { version } from "./Version.ts"

const layer = Layer.mergeAll(
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] }),
  CliOutput.layerPresenter(presenter)
)

/** `posthorn help send` is `posthorn send --help`. */
const withoutHelpVerb = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args[0] === "help" ? [...args.slice(1), "--help"] : args

/** A command without its verb has shown its help already. */
const isIncomplete = (error: unknown): error is CliError.ShowHelp => isShowHelp(error) && error.errors.length === 0

const isShowHelp = (error: unknown): error is CliError.ShowHelp =>
  CliError.isCliError(error) && error._tag === "ShowHelp"

/** Runs one command line where its surroundings are provided, tells what went wrong, and answers the exit code. */
export const run = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const ended = yield* Effect.exit(Command.runWith(posthorn, { version })(withoutHelpVerb(args)))
  if (Exit.isSuccess(ended)) return exitCodes.ok
  if (Cause.hasInterruptsOnly(ended.cause)) return yield* Effect.interrupt
  const error = Cause.squash(ended.cause)
  if (isIncomplete(error)) return isBare(error.commandPath) ? exitCodes.ok : exitCodes.usage
  const failure = isShowHelp(error) ? usageFailure(error) : failureOf(ended.cause)
  yield* Console.error(asksForJson(args) ? failureJson(failure) : failureText(failure))
  return exitCodes[failure.exit]
}, Effect.provide(layer))
