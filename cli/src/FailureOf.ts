/** Whatever ended a command, as its failure. */
import { Cause, Predicate } from "effect"
import { CommandFailure, type FailureFields } from "./Failure.ts"

/** Errors of the service's own parts, by their tag; all others just failed. */
const exits: { readonly [tag: string]: FailureFields["exit"] } = {
  DatabaseRefused: "unreachable",
  InvalidAccount: "usage",
  InvalidConfig: "usage",
  RESOURCE_NOT_FOUND: "notFound"
}

/** `FolderInUse` as a code. */
const codeOf = (tag: string): string => tag.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase()

/** Foreseen errors say in their message what is wrong and what to do. The others are ours: they are told, without a trace. */
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
