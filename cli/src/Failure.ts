/** The failure of a command: what went wrong and why, what to do about it, and the exit code. */
import { Data } from "effect"

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
