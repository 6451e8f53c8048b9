/** How one campaign or step follows the sending policy of its project. */
import { Schema } from "effect"
import { described, optional } from "../../platform/Primitives.ts"

const Choice = Schema.Literals(["APPLY", "BYPASS"])

export const MailPolicy = Schema.Struct({
  quietHours: Choice.pipe(described("`BYPASS`: its mail is also sent in the quiet hours of the project.")),
  frequencyCaps: Choice.pipe(
    described("`BYPASS`: its mail is also sent above the frequency caps, and counts for them.")
  )
}).annotate({ identifier: "MailPolicy", description: "Which rules of `/settings/sending` its mail follows." })
export type MailPolicy = typeof MailPolicy.Type

export const WriteMailPolicy = Schema.Struct({
  quietHours: optional(Choice).pipe(described("`BYPASS`: also in the quiet hours of the project.", "APPLY")),
  frequencyCaps: optional(Choice).pipe(
    described("`BYPASS`: also above the frequency caps of the project; the mail counts for them.", "APPLY")
  )
}).annotate({ identifier: "WriteMailPolicy", description: "Which rules of `/settings/sending` the mail follows." })
export type WriteMailPolicy = typeof WriteMailPolicy.Type

/** The policy with its defaults. */
export const mailPolicy = (given: WriteMailPolicy | null | undefined): MailPolicy => ({
  quietHours: given?.quietHours ?? "APPLY",
  frequencyCaps: given?.frequencyCaps ?? "APPLY"
})
