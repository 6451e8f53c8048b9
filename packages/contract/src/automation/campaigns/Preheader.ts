/** The text that inboxes show beside the subject. */
import { Schema } from "effect"
import { isLength } from "../../platform/Primitives.ts"

export const Preheader = Schema.String.check(
  isLength(0, 250),
  Schema.isPattern(/^[^\r\n]*$/, { message: "Must not contain a line break." })
)
