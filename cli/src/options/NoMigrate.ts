import { Flag } from "effect/cli"

export const noMigrate = Flag.Boolean("no-migrate").pipe(
  Flag.withoutNegation,
  Flag.withDefault(false),
  Flag.withDescription("Refuse to start on a database that is not up to date, instead of bringing it up to date")
)
