/** The form of a failure on standard error: lines for people, one object for programs. */
import { type CommandFailure, exitCodes } from "./Failure.ts"
import { printable } from "./output/Printable.ts"

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
