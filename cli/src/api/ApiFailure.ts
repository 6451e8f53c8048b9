/** Converts an error of the client to the failure of the command. */
import type { PosthornError } from "@posthorn/client"
import { CommandFailure, type FailureFields } from "../Failure.ts"

const exits: { readonly [code: string]: FailureFields["exit"] } = {
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
  exits[code] ?? exitsOfStatus[statusCode ?? 0] ?? "failed"

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
const sentence = ({ code, message }: PosthornError, url: string): string => {
  if (code === "NETWORK_ERROR") return message.replace(/^.*?(?=: )/, `${url} does not answer`)
  return code === "MISSING_KEY" ? message.replace(/: new Posthorn.*$/, ".") : message
}

export const apiFailure = (error: PosthornError, url: string): CommandFailure => {
  const { code, statusCode, requestId, errors, details } = error
  const hasAnswer = statusCode !== null
  return new CommandFailure({
    exit: exitOf(error),
    code,
    message: sentence(error, url),
    suggestion: suggestions[code] ?? error.suggestion,
    ...(hasAnswer && { statusCode, errors, details, requestId: requestId ?? undefined })
  })
}
