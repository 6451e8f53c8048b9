/** An error of the client as a failure of the command. */
import type { PosthornError } from "@posthorn/client"
import { CommandFailure, type FailureFields } from "../Failure.ts"

const exitOf = ({ code, statusCode }: PosthornError): FailureFields["exit"] => {
  if (code === "NETWORK_ERROR" || code === "TIMEOUT") return "unreachable"
  if (code === "MISSING_KEY" || statusCode === 401 || statusCode === 403) return "notAuthorised"
  if (code === "INVALID_ARGUMENT") return "usage"
  return statusCode === 404 ? "notFound" : "failed"
}

/** Advice on what happened before an answer of the service. */
const suggestions: { readonly [code: string]: string } = {
  NETWORK_ERROR: "Start it with `posthorn dev` or `posthorn serve`, or name another one with --url or POSTHORN_URL.",
  TIMEOUT: "Try again; if it stays, look at the log of the service.",
  MISSING_KEY: "Give it with --key or POSTHORN_KEY. `posthorn track` takes the public key, all others the secret one.",
  UNEXPECTED_RESPONSE: "Check --url: something else answers there."
}

/** The client tells programmers how to give it a key; that part is left out. */
const sentence = ({ code, message }: PosthornError): string =>
  code === "MISSING_KEY" ? message.replace(/: new Posthorn.*$/, ".") : message

export const apiFailure = (error: PosthornError, url: string): CommandFailure => {
  const { code, statusCode, requestId, errors, details } = error
  const hasAnswer = statusCode !== null
  return new CommandFailure({
    exit: exitOf(error),
    code,
    message: code === "NETWORK_ERROR" ? `${url} cannot be reached. ${error.message}` : sentence(error),
    suggestion: error.suggestion ?? suggestions[code],
    ...(hasAnswer && { statusCode, errors, details, requestId: requestId ?? undefined })
  })
}
