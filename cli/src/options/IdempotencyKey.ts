import { Flag } from "effect/cli"
import { optional } from "./Optional.ts"

export const idempotencyKey = Flag.String("idempotency-key").pipe(
  Flag.withMetavar("<key>"),
  Flag.withDescription("Makes the command safe to repeat: a second run with the same key is refused"),
  optional
)
