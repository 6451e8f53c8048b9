/** Whatever ended a command, as its failure. */
import { Cause, Predicate, Runtime } from "effect"
import { CommandFailure, exitCodes, type FailureFields } from "./Failure.ts"

/** By tag: errors of the service that the database is asked through. */
const exits: { readonly [tag: string]: FailureFields["exit"] } = { RESOURCE_NOT_FOUND: "notFound" }

const exitOf = (error: Error): FailureFields["exit"] => {
  const usage = Runtime.getErrorExitCode(error) === exitCodes.usage
  const tag = Predicate.hasProperty(error, "_tag") ? String(error._tag) : ""
  return exits[tag] ?? (usage ? "usage" : "failed")
}

/** Foreseen errors say in their message what is wrong and what to do. The others are ours: they are told, without a trace. */
export const failureOf = (cause: Cause.Cause<unknown>): CommandFailure => {
  const error = Cause.squash(cause)
  if (error instanceof CommandFailure) return error
  if (Cause.hasFails(cause) && error instanceof Error) {
    return new CommandFailure({ exit: exitOf(error), message: error.message })
  }
  return new CommandFailure({
    exit: "failed",
    code: "UNEXPECTED",
    message: `Something unexpected went wrong: ${error instanceof Error ? error.message : String(error)}`,
    suggestion: "This is a fault of Posthorn; please report it."
  })
}
