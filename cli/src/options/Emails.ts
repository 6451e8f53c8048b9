/** Email addresses from the command line, or one on each line of standard input. */
import { Array, Effect } from "effect"
import { Flag } from "effect/cli"
import { wrongUsage } from "../Failure.ts"
import { standardInput } from "./StandardInput.ts"

export const emailsOption = Flag.String("emails").pipe(
  Flag.withMetavar("<address|->"),
  Flag.withDescription("Address of a contact; may be repeated. `-` reads standard input, one on each line"),
  Flag.atLeast(1)
)

/** Addresses in one request. */
const maxEmails = 1_000

/** All addresses, in portions that fit a request. */
export const emailPortions = Effect.fnUntraced(function* (given: ReadonlyArray<string>) {
  const lines = given.includes("-") ? (yield* standardInput).split(/\r?\n/) : []
  const emails = [...given.filter((each) => each !== "-"), ...lines].map((each) => each.trim()).filter((each) => each)
  if (!Array.isArrayNonEmpty(emails)) return yield* wrongUsage("There are no addresses.", "Give some with --emails.")
  return Array.chunksOf(emails, maxEmails)
})
