/** When the mails of a campaign are sent, once its sending has started. */
import { Schema } from "effect"
import { described, IntBetween, optional, Timestamp, TimestampInput } from "../../platform/Primitives.ts"

export const LocalTime = Schema.Struct({
  passed: Schema.Literals(["SEND_NOW", "NEXT_DAY"]).pipe(
    described(
      "What happens where that time has passed when sending starts: `NEXT_DAY` sends at that time of the next day."
    )
  )
}).annotate({
  identifier: "LocalTime",
  description:
    "The wall clock of `scheduledFor`, in the time zone of the project, holds for every recipient in its own time zone."
})
export type LocalTime = typeof LocalTime.Type

export const CampaignDelivery = Schema.Struct({
  localTime: Schema.NullOr(LocalTime),
  spreadHours: Schema.NullOr(Schema.Int).pipe(described("The hours over which its mails are spread.")),
  ratePerMinute: Schema.NullOr(Schema.Int).pipe(described("Its mails in a minute, at most.")),
  expiresAt: Schema.NullOr(Timestamp).pipe(described("Mail whose first attempt has not begun by then is cancelled."))
}).annotate({ identifier: "CampaignDelivery", description: "When its mails are sent." })
export type CampaignDelivery = typeof CampaignDelivery.Type

export const WriteLocalTime = Schema.Struct({
  passed: optional(LocalTime.fields.passed).pipe(
    described("What happens where that time has passed when sending starts.", "SEND_NOW")
  )
}).annotate({ identifier: "WriteLocalTime" })

export const WriteCampaignDelivery = Schema.Struct({
  localTime: optional(WriteLocalTime).annotateKey({
    description:
      "Sends at the wall clock of `scheduledFor`, as it is in the time zone of the project, in the time zone of each recipient. Sending then starts when the first time zone of the world has reached it. Not with `spreadHours`."
  }),
  spreadHours: optional(IntBetween(1, 168)).pipe(
    described("Spreads its mails evenly over so many hours from the start; each part is a fair sample of the audience.")
  ),
  ratePerMinute: optional(IntBetween(1, 1_000_000)).pipe(
    described("Its mails in a minute, at most, over all workers; those of a second may leave at once.")
  ),
  expiresAt: optional(TimestampInput).pipe(
    described(
      "Cancels mail whose first attempt has not begun by then. In the future, and after `scheduledFor` when the campaign is sent."
    )
  )
}).annotate({ identifier: "WriteCampaignDelivery", description: "When its mails are sent." })
export type WriteCampaignDelivery = typeof WriteCampaignDelivery.Type

/** With every field. Null if none is set. */
export const campaignDelivery = (given: WriteCampaignDelivery | null | undefined): CampaignDelivery | null => {
  const localTime = given?.localTime ?? null
  const delivery = {
    localTime: localTime && { passed: localTime.passed ?? "SEND_NOW" },
    spreadHours: given?.spreadHours ?? null,
    ratePerMinute: given?.ratePerMinute ?? null,
    expiresAt: given?.expiresAt ?? null
  } as const
  return Object.values(delivery).every((value) => value === null) ? null : delivery
}
