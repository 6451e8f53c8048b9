/** The form of a failure on standard error: lines for people, one object for programs. */

import { Cause, Predicate } from "effect"
import type { CliError } from "effect/cli"
import { CommandFailure, exitCodes, type FailureFields, wrongUsage } from "./Failure.ts"
import { printable } from "./output/Table.ts"

/** Exit codes of the service's errors, by tag. All others use the general code. */
const exits: { readonly [tag: string]: FailureFields["exit"] } = {
  DatabaseRefused: "unreachable",
  InvalidAccount: "usage",
  InvalidConfig: "usage",
  RESOURCE_NOT_FOUND: "notFound"
}

/** `FolderInUse` becomes `FOLDER_IN_USE`. */
const codeOf = (tag: string): string => tag.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase()

/**
 * Expected errors say in their message what is wrong and what to do. All others are defects, printed without a stack.
 */
export const failureOf = (cause: Cause.Cause<unknown>): CommandFailure => {
  const error = Cause.squash(cause)
  if (error instanceof CommandFailure) return error
  if (Cause.hasFails(cause) && error instanceof Error) {
    const tag = Predicate.hasProperty(error, "_tag") ? String(error._tag) : "Failed"
    return new CommandFailure({ exit: exits[tag] ?? "failed", code: codeOf(tag), message: error.message })
  }
  return new CommandFailure({
    exit: "failed",
    code: "UNEXPECTED",
    message: `Something unexpected went wrong: ${error instanceof Error ? error.message : String(error)}`,
    suggestion: "This is a fault of Posthorn; please report it."
  })
}

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

const indented = (line: string) => `  ${line}`

/** What, why and what to do, each on its own line. */
export const failureText = ({
  message,
  code,
  statusCode,
  requestId,
  errors = [],
  suggestion
}: CommandFailure): string =>
  [
    `posthorn: ${message}${statusCode === undefined ? "" : ` (${code}, ${statusCode})`}`,
    ...errors.map(({ field, message }) => indented(`${field}: ${message}`)),
    ...(suggestion === undefined ? [] : [indented(suggestion)]),
    ...(requestId === undefined || statusCode === undefined || statusCode < 500
      ? []
      : [indented(`Request ${requestId}`)])
  ]
    .map(printable)
    .join("\n")

/** `{"error": {...}}` with the fields of the API's envelope. */
export const failureJson = ({
  exit,
  code,
  message,
  statusCode,
  requestId,
  errors,
  details,
  suggestion
}: CommandFailure): string =>
  JSON.stringify({
    error: { code, message, statusCode, requestId, errors, details, suggestion, exitCode: exitCodes[exit] }
  })
