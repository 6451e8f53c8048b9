import { Flag } from "effect/cli"
import { optional } from "./Optional.ts"

export const idempotencyKey = Flag.String("idempotency-key").pipe(
  Flag.withMetavar("<key>"),
  Flag.withDescription("Makes the command safe to repeat: the second time it is refused instead of done again"),
  optional
)
