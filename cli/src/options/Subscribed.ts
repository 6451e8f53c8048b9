/** `--subscribed` and `--no-subscribed`. */
import { Flag } from "effect/cli"
import { optional } from "./Optional.ts"

export const subscribed = (description: string): Flag.Flag<boolean | undefined> =>
  Flag.Boolean("subscribed").pipe(Flag.withDescription(description), optional)
