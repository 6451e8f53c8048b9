/** Converts the cause that ended a command to its failure. */
import { Cause, Predicate } from "effect"
import { CommandFailure, type FailureFields } from "./Failure.ts"

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
 * The message of an expected error says what is wrong and what to do. Other errors are defects, shown without a stack.
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
