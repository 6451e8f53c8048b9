import { Argument } from "effect/cli"

/** The one argument of commands on a single mail. */
export const emailId = Argument.String("id").pipe(
  Argument.withDescription("Id of the mail, as `posthorn send` tells it")
)
