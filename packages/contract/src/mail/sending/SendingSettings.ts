/** The rules of a project's sending. */
import { Schema, SchemaIssue } from "effect"
import { dayWindow, isWindow, TimeOfDay, Weekdays, ZoneChoice } from "../../accounts/projects/DayWindow.ts"
import { TopicReference } from "../../audience/topics/TopicReference.ts"
import { described, isLength, isOneLine, optional, required, Timestamp } from "../../platform/Primitives.ts"

export const ApprovalRule = Schema.Literals(["OFF", "MEMBERS", "ALL"]).annotate({
  description:
    "Whose campaigns need an approval before they are sent. `OFF`: none. `MEMBERS`: those that a MEMBER sends. `ALL`: all, also those sent with a key, by another ADMIN or OWNER than the one who asks; a single administrator may approve alone."
})
export type ApprovalRule = typeof ApprovalRule.Type

const QuietAction = Schema.Literals(["WAIT", "SKIP"])
const quietAction = "`WAIT`: mail waits until the hours end. `SKIP`: mail that would begin in the hours is not sent."

export const QuietHours = Schema.Struct({
  days: Weekdays.annotate({ description: "The days on which the hours begin." }),
  from: TimeOfDay.annotate({ description: "When they begin, as `HH:MM`." }),
  to: TimeOfDay.annotate({ description: "When they end, as `HH:MM`. Before `from`: on the next day." }),
  timezone: ZoneChoice,
  action: QuietAction.pipe(described(quietAction))
}).annotate({
  identifier: "QuietHours",
  description:
    "Hours of the day in which no mail of type MARKETING or HEADLESS of a campaign or a workflow begins, unless its `policy` bypasses them."
})
export type QuietHours = typeof QuietHours.Type

const maxMinutes = 23 * 60
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** An hour of each day stays open, so that mail which waits leaves. */
const isWithinADay = Schema.makeFilter<{ readonly from: string; readonly to: string }>(({ from, to }) =>
  (minutesOf(to) - minutesOf(from) + 24 * 60) % (24 * 60) > maxMinutes
    ? [{ path: ["to"], issue: new SchemaIssue.InvalidValue({ code: "too_big", message: "At most 23 hours." }) }]
    : []
)

const WriteQuietHoursFields = Schema.Struct({
  ...dayWindow,
  action: optional(QuietAction).pipe(described(quietAction, "WAIT"))
}).annotate({ identifier: "WriteQuietHours", description: "A window of the day of at most 23 hours." })

export const WriteQuietHours = WriteQuietHoursFields.check(isWindow, isWithinADay)
export type WriteQuietHours = typeof WriteQuietHours.Type

const whole = (least: number, most: number) =>
  Schema.Int.check(
    Schema.isGreaterThanOrEqualTo(least, { message: `At least ${least}.` }),
    Schema.isLessThanOrEqualTo(most, { message: `At most ${most}.` })
  )

const capUnit = Schema.Literals(["hours", "days"])
const mostOfUnit = { hours: 720, days: 30 }

const capId = "Name of the cap, of letters, digits, `-` and `_`."
const CapId = Schema.String.check(
  isLength(1, 50),
  isOneLine,
  Schema.isPattern(/^[A-Za-z0-9_-]*$/, { message: "Letters, digits, - and _." })
)

export const FrequencyCap = Schema.Struct({
  id: CapId.annotate({ description: capId }),
  limit: Schema.Int.pipe(described("The most mails to one contact in that time.")),
  amount: Schema.Int,
  unit: capUnit,
  topicId: Schema.NullOr(Schema.String).pipe(
    described("Only mail of this topic counts and is limited. Null: all mail.")
  )
}).annotate({
  identifier: "FrequencyCap",
  description: "The most marketing mail that a contact gets in any span of this length. A day is 24 hours."
})
export type FrequencyCap = typeof FrequencyCap.Type

const WriteFrequencyCapFields = Schema.Struct({
  id: required(CapId).pipe(described(capId)),
  limit: required(whole(1, 100)).pipe(described("The most mails to one contact in that time, 1 to 100.")),
  amount: required(whole(1, 720)).pipe(described("1 to 720 hours, or 1 to 30 days.")),
  unit: required(capUnit),
  topicId: optional(TopicReference).pipe(
    described("Id or key of a topic: only its mail counts and is limited. Once the topic is deleted, so is the cap.")
  )
}).annotate({ identifier: "WriteFrequencyCap", description: "A frequency cap." })

export const WriteFrequencyCap = WriteFrequencyCapFields.check(
  Schema.makeFilter(({ amount, unit }) =>
    amount > mostOfUnit[unit]
      ? [
          {
            path: ["amount"],
            issue: new SchemaIssue.InvalidValue({ code: "too_big", message: `At most ${mostOfUnit[unit]} ${unit}.` })
          }
        ]
      : []
  )
)
export type WriteFrequencyCap = typeof WriteFrequencyCap.Type

const areNamedOnce = Schema.makeFilter<ReadonlyArray<{ readonly id: string }>>((caps) =>
  caps.flatMap(({ id }, n) =>
    caps.slice(0, n).some((other) => other.id === id)
      ? [{ path: [n, "id"], issue: new SchemaIssue.InvalidValue({ code: "custom", message: "Each id once." }) }]
      : []
  )
)

const CapAction = Schema.Literals(["SKIP", "WAIT"])

export const OnCap = Schema.Struct({
  campaigns: CapAction.pipe(described("What happens to mail of a campaign above a cap.")),
  workflows: CapAction.pipe(described("What happens to mail of a workflow above a cap."))
}).annotate({
  identifier: "OnCap",
  description: "`SKIP`: the mail is not sent. `WAIT`: it waits until the cap allows it, at most `maxWaitHours`."
})
export type OnCap = typeof OnCap.Type

const WriteOnCap = Schema.Struct({
  campaigns: optional(CapAction).pipe(described("Absent: as before.")),
  workflows: optional(CapAction).pipe(described("Absent: as before."))
}).annotate({ identifier: "WriteOnCap", description: "What happens to mail above a cap." })

export const SendingSettings = Schema.Struct({
  quietHours: Schema.NullOr(QuietHours).annotateKey({ description: "Null: none." }),
  frequencyCaps: Schema.Array(FrequencyCap).pipe(
    described(
      "They limit mail of type MARKETING or HEADLESS of campaigns and workflows, unless its `policy` bypasses them. That mail and such mail of `send` count."
    )
  ),
  onCap: OnCap,
  maxWaitHours: Schema.Int.pipe(described("Mail that has waited so long for a cap is not sent.")),
  campaignApproval: ApprovalRule,
  capsCountSince: Schema.NullOr(Timestamp).pipe(described("Since when mail counts for the caps. Null without caps.")),
  updatedAt: Schema.NullOr(Timestamp).pipe(described("Null while nothing is set."))
}).annotate({ identifier: "SendingSettings", description: "The rules of the project's sending." })
export type SendingSettings = typeof SendingSettings.Type

/** Body of `PATCH /settings/sending`. Absent fields keep their values. */
export const UpdateSendingSettings = Schema.Struct({
  quietHours: Schema.optionalKey(Schema.NullOr(WriteQuietHours)).annotateKey({
    description: "Replaces the quiet hours. Null: none."
  }),
  frequencyCaps: Schema.optionalKey(
    Schema.NullOr(
      Schema.Array(WriteFrequencyCap).check(
        Schema.isMaxLength(5, { code: "too_big", message: "At most 5 caps." }),
        areNamedOnce
      )
    )
  ).annotateKey({ description: "Replaces the caps, at most 5. Null: none." }),
  onCap: Schema.optionalKey(Schema.NullOr(WriteOnCap)).annotateKey({
    description: "Null: campaigns skip, and workflows wait."
  }),
  maxWaitHours: optional(whole(1, 168)).pipe(described("1 to 168. Null: 24.", "24")),
  campaignApproval: optional(ApprovalRule).pipe(described("Null: `OFF`."))
}).annotate({ identifier: "UpdateSendingSettings" })
export type UpdateSendingSettings = typeof UpdateSendingSettings.Type
