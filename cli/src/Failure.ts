/** How a command fails: what went wrong and why, what to do about it, and the exit code (doors 3). */
import { Data } from "effect"

/** What the shell is told. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notAuthorised: 3,
  notFound: 4,
  unreachable: 5
} as const

/** A field that has something wrong with it, as the API names it. */
export interface FieldFault {
  readonly field: string
  readonly message: string
}

/** The names are those of the API's error envelope, so that scripts read both alike. */
export interface FailureFields {
  readonly exit: Exclude<keyof typeof exitCodes, "ok">
  /** What went wrong and why: one sentence. */
  readonly message: string
  /** What to do about it: one sentence. */
  readonly suggestion?: string | undefined
  /** A code of the API's catalogue or of its client, or one of the command line's own. */
  readonly code: string
  readonly statusCode?: number | undefined
  readonly requestId?: string | undefined
  readonly errors?: ReadonlyArray<FieldFault> | undefined
  readonly details?: { readonly [key: string]: unknown } | undefined
}

/** The one error of commands; everything else that can go wrong becomes one before it is told. */
export class CommandFailure extends Data.TaggedError("CommandFailure")<FailureFields> {}

/** The command line cannot be meant as it is. */
export const wrongUsage = (message: string, suggestion?: string): CommandFailure =>
  new CommandFailure({ exit: "usage", code: "WRONG_USAGE", message, suggestion })
