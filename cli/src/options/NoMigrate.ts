import { Flag } from "effect/cli"

export const noMigrate = Flag.Boolean("no-migrate").pipe(
  Flag.withoutNegation,
  Flag.withDefault(false),
  Flag.withDescription("Refuse to start if migrations are pending, instead of running them")
)
