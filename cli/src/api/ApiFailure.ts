/** An error of the client as a failure of the command. */
import type { PosthornError } from "@posthorn/client"
import { CommandFailure, type FailureFields } from "../Failure.ts"

const exits: { readonly [code: string]: FailureFields["exit"] } = {
  NETWORK_ERROR: "unreachable",
  TIMEOUT: "unreachable",
  MISSING_KEY: "notAuthorised",
  INVALID_ARGUMENT: "usage",
  // With 403 it is a sender domain that is not verified: no other key would help.
  INTERNAL_SERVER_ERROR: "failed"
}

const exitsOfStatus: { readonly [status: number]: FailureFields["exit"] } = {
  401: "notAuthorised",
  403: "notAuthorised",
  404: "notFound"
}

const exitOf = ({ code, statusCode }: PosthornError): FailureFields["exit"] =>
  exits[code] ?? exitsOfStatus[statusCode ?? 0] ?? "failed"

const whichKey = "Give it with --key or POSTHORN_KEY. `posthorn track` takes the public key, all others the secret one."

/** Advice for a command line; with other codes that of the service is right. */
const suggestions: { readonly [code: string]: string } = {
  NETWORK_ERROR: "Start it with `posthorn dev` or `posthorn serve`, or name another one with --url or POSTHORN_URL.",
  TIMEOUT: "Try again; if it stays, look at the log of the service.",
  MISSING_KEY: whichKey,
  INVALID_API_KEY: whichKey,
  UNEXPECTED_RESPONSE: "Check --url: something else answers there."
}

/** The client speaks to programmers: how they give it a key is left out, and which server it was is said. */
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
