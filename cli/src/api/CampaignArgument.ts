import { Argument } from "effect/cli"

/** The argument of commands on a single campaign. */
export const campaignId = Argument.String("id").pipe(
  Argument.withDescription("Id of the campaign, as `posthorn campaigns list` shows it")
)
