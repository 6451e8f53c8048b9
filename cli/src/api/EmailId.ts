import { Argument } from "effect/cli"

/** The argument of commands on a single email. */
export const emailId = Argument.String("id").pipe(
  Argument.withDescription("Id of the email, from the output of `posthorn send`")
)
