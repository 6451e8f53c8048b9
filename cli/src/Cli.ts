/** The command line: from the arguments to an exit code. */
import { Cause, Console, Effect, Exit, Layer } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag, type HelpDoc } from "effect/cli"
import { posthorn } from "./Commands.ts"
import { exitCodes, failureJson, failureOf, failureText, usageFailure } from "./Failure.ts"
import { asksForJson } from "./Json.ts"
import { version } from "./Version.ts"

/** Breaks lines between words after at most 96 characters, and indents them like the first line of a help text. */
const folded = (text: string): string => text.replace(/(.{1,96})(?:\s+|$)/g, "$1\n  ").trimEnd()

/** Whether it is `posthorn` without a command. */
const isBare = (commandPath: ReadonlyArray<string>): boolean => commandPath.length === 1

const help = (doc: HelpDoc.HelpDoc): string =>
  CliOutput.defaultFormatter().formatHelpDoc({ ...doc, description: folded(doc.description) })

/** Requested help goes to standard output. Help for an incomplete command goes to standard error. */
const presenter: CliOutput.Presenter = {
  present: (event) => {
    switch (event._tag) {
      case "Help":
        return event.reason === "Requested" || isBare(event.commandPath)
          ? Console.log(help(event.helpDoc))
          : Console.error(help(event.helpDoc))
      case "Version":
        return Console.log(`${event.name} ${event.version}`)
      case "InvalidInvocation":
        return Effect.void
    }
  }
}

const layer = Layer.mergeAll(
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version] }),
  CliOutput.layerPresenter(presenter)
)

/** `posthorn help send` means `posthorn send --help`. */
const withoutHelpVerb = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args[0] === "help" ? [...args.slice(1), "--help"] : args

/** Whether the words before the options name a command. Its arguments are not checked. */
const namesCommand = (args: ReadonlyArray<string>): boolean => {
  let commands = subcommandsOf(posthorn)
  for (const word of args) {
    if (word.startsWith("-") || commands.length === 0) return true
    const command = commands.find(({ name }) => name === word)
    if (command === undefined) return false
    commands = subcommandsOf(command)
  }
  return true
}

const subcommandsOf = ({ subcommands }: Command.Command.Any): ReadonlyArray<Command.Command.Any> =>
  subcommands.flatMap(({ commands }) => commands)

/** An unknown command gets no help, because help would hide the mistake. */
const understood = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const wanted = withoutHelpVerb(args)
  return namesCommand(wanted) ? wanted : wanted.filter((word) => word !== "--help" && word !== "-h")
}

/** A command without its subcommand has already shown its help. */
const isIncomplete = (error: unknown): error is CliError.ShowHelp => isShowHelp(error) && error.errors.length === 0

const isShowHelp = (error: unknown): error is CliError.ShowHelp =>
  CliError.isCliError(error) && error._tag === "ShowHelp"

/** Runs one command line, prints its failure and returns the exit code. */
export const run = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const ended = yield* Effect.exit(Command.runWith(posthorn, { version })(understood(args)))
  if (Exit.isSuccess(ended)) return exitCodes.ok
  if (Cause.hasInterruptsOnly(ended.cause)) return yield* Effect.interrupt
  const error = Cause.squash(ended.cause)
  if (isIncomplete(error)) return isBare(error.commandPath) ? exitCodes.ok : exitCodes.usage
  const failure = isShowHelp(error) ? usageFailure(error) : failureOf(ended.cause)
  yield* Console.error(asksForJson(args) ? failureJson(failure) : failureText(failure))
  return exitCodes[failure.exit]
}, Effect.provide(layer))
