/** The failure of a command: what went wrong and why, what to do about it, the exit code, and how it is printed. */
import type { PosthornError } from "@posthorn/client"
import { Cause, Context, Data, type Effect, Predicate } from "effect"
import type { CliError } from "effect/cli"
import { printable } from "./output/Table.ts"

export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notAuthorised: 3,
  notFound: 4,
  unreachable: 5
} as const

/** An invalid field, under its name in the API. */
export interface FieldFault {
  readonly field: string
  readonly message: string
}

/** The names are those of the API's error envelope, so that scripts read both in the same way. */
export interface FailureFields {
  readonly exit: Exclude<keyof typeof exitCodes, "ok">
  /** What went wrong and why: one sentence. */
  readonly message: string
  /** What to do about it: one sentence. */
  readonly suggestion?: string | undefined
  /** A code of the API, of its client, or of the command line. */
  readonly code: string
  readonly statusCode?: number | undefined
  readonly requestId?: string | undefined
  readonly errors?: ReadonlyArray<FieldFault> | undefined
  readonly details?: { readonly [key: string]: unknown } | undefined
}

/** The only error of commands. Every other error is converted to it before it is printed. */
export class CommandFailure extends Data.TaggedError("CommandFailure")<FailureFields> {}

/** The command line is invalid. */
export const wrongUsage = (message: string, suggestion?: string): CommandFailure =>
  new CommandFailure({ exit: "usage", code: "WRONG_USAGE", message, suggestion })

const exitsOfApi: { readonly [code: string]: FailureFields["exit"] } = {
  NETWORK_ERROR: "unreachable",
  TIMEOUT: "unreachable",
  MISSING_KEY: "notAuthorised",
  INVALID_ARGUMENT: "usage",
  // Status 403, but another key would not help.
  SENDER_DOMAIN_UNVERIFIED: "failed"
}

const exitsOfStatus: { readonly [status: number]: FailureFields["exit"] } = {
  401: "notAuthorised",
  403: "notAuthorised",
  404: "notFound"
}

const exitOf = ({ code, statusCode }: PosthornError): FailureFields["exit"] =>
  exitsOfApi[code] ?? exitsOfStatus[statusCode ?? 0] ?? "failed"

const whichKey =
  "Pass it with --key or POSTHORN_KEY. `posthorn track` needs the public key, all other commands the secret key."

/** Suggestions for the command line. For other codes, the suggestion of the service is used. */
const suggestions: { readonly [code: string]: string } = {
  NETWORK_ERROR: "Start it with `posthorn dev` or `posthorn serve`, or set another URL with --url or POSTHORN_URL.",
  TIMEOUT: "Try again. If it happens again, look at the log of the service.",
  MISSING_KEY: whichKey,
  INVALID_API_KEY: whichKey,
  UNEXPECTED_RESPONSE: "Check --url: the server there is not Posthorn."
}

/** Adapts the client's message: it leaves out how a program sets a key, and adds the URL of the server. */
const sentenceOfApi = ({ code, message }: PosthornError, url: string): string => {
  if (code === "NETWORK_ERROR") return message.replace(/^.*?(?=: )/, `${url} does not answer`)
  return code === "MISSING_KEY" ? message.replace(/: new Posthorn.*$/, ".") : message
}

export const apiFailure = (error: PosthornError, url: string): CommandFailure => {
  const { code, statusCode, requestId, errors, details } = error
  const hasAnswer = statusCode !== null
  return new CommandFailure({
    exit: exitOf(error),
    code,
    message: sentenceOfApi(error, url),
    suggestion: suggestions[code] ?? error.suggestion,
    ...(hasAnswer && { statusCode, errors, details, requestId: requestId ?? undefined })
  })
}

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

/** A service, because the process implements it and tests replace it. */
export class Signals extends Context.Service<
  Signals,
  {
    /** From now on the first signal is the normal end of this command, so the process exits with 0. */
    readonly endInOrder: Effect.Effect<void>
  }
>()("posthorn/Signals") {}
