/** The error of an invalid command line in one sentence, with the nearest valid name. */
import type { CliError } from "effect/cli"
import { type CommandFailure, wrongUsage } from "./Failure.ts"

const meant = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length === 0 ? "" : ` Did you mean ${suggestions.join(" or ")}?`

const sentence = (error: CliError.NonShowHelpErrors): string => {
  switch (error._tag) {
    case "UnknownSubcommand":
      return `There is no command ${[...(error.parent ?? []).slice(1), error.subcommand].join(" ")}.${meant(error.suggestions)}`
    case "UnrecognizedOption":
      return `There is no option ${error.option} here.${meant(error.suggestions)}`
    case "MissingOption":
      return `--${error.option} is missing.`
    case "MissingArgument":
      return `<${error.argument}> is missing.`
    default:
      return error.message
  }
}

/** An unknown command is the cause of the unknown options after it, so only the command is reported. */
export const usageFailure = ({ commandPath, errors }: CliError.ShowHelp): CommandFailure => {
  const error = errors.find(({ _tag }) => _tag === "UnknownSubcommand") ?? errors[0]
  return wrongUsage(
    error === undefined ? "Nothing to do." : sentence(error),
    `See \`${commandPath.join(" ")} --help\`.`
  )
}
