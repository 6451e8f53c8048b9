/** What the sending policy of the project means for one contact now. */
import { Schema } from "effect"
import { described, Timestamp } from "../../platform/Primitives.ts"

export const SendingState = Schema.Struct({
  timezone: Schema.String.pipe(described("The time zone of the contact, else that of the project.")),
  quietHours: Schema.NullOr(
    Schema.Struct({
      inside: Schema.Boolean.pipe(described("Whether mail to the contact would begin in the quiet hours now.")),
      until: Schema.NullOr(Timestamp).pipe(described("When the quiet hours end. Null outside of them."))
    })
  ).annotateKey({ description: "Null if the project has no quiet hours." }),
  caps: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      used: Schema.Int.pipe(described("Mails to the contact that the cap counts now.")),
      limit: Schema.Int,
      freeAt: Schema.NullOr(Timestamp).pipe(described("When the cap allows the next mail. Null: now."))
    })
  ).annotateKey({ description: "One entry for each frequency cap of the project." })
}).annotate({ identifier: "SendingState", description: "How the sending policy of the project acts on the contact." })
export type SendingState = typeof SendingState.Type
