/**
 * When the mails of a campaign are due. With local time, the wall clock holds in the zone of each recipient: sending
 * starts when UTC+14, the first zone of the world, has reached it. Pure.
 */
import type { CampaignDelivery } from "@posthorn/contract/automation/campaigns/CampaignDelivery"
import { DateTime, Schema } from "effect"
import { dayMillis, instantOf, localMillis, zoneNamed } from "../../platform/WallClock.ts"

const hourMillis = 3_600_000

/** The offset of the first zone that reaches a local time. */
const firstOffset = 14 * hourMillis

/** A start that is late by less than this counts as punctual, so that no zone has missed its time. */
const punctual = 5 * 60_000

/** When each mail of a mailing is due. Local times and instants are milliseconds since 1970. */
export const MailTiming = Schema.Struct({
  local: Schema.NullOr(
    Schema.Struct({
      wall: Schema.Int,
      passed: Schema.Literals(["SEND_NOW", "NEXT_DAY"]),
      /** Local times that are earlier have passed. */
      from: Schema.Int
    })
  ),
  spread: Schema.NullOr(Schema.Struct({ start: Schema.Int, hours: Schema.Int }))
})
export type MailTiming = typeof MailTiming.Type

/** When sending starts, if that is not `scheduledFor` itself. */
export const startsAt = (
  delivery: CampaignDelivery | null,
  scheduledFor: DateTime.Utc,
  ofProject: string
): DateTime.Utc | null =>
  delivery?.localTime == null
    ? null
    : DateTime.makeUnsafe(localMillis(scheduledFor.epochMilliseconds, zoneNamed(ofProject)) - firstOffset)

/** The timing of a campaign whose sending starts now. */
export const timingOf = (
  delivery: CampaignDelivery | null,
  startsAt: DateTime.Utc | null,
  now: DateTime.Utc
): MailTiming | null => {
  const localTime = startsAt === null ? null : (delivery?.localTime ?? null)
  const hours = delivery?.spreadHours ?? null
  if (localTime === null && hours === null) return null
  const [start, planned] = [now.epochMilliseconds, startsAt?.epochMilliseconds ?? now.epochMilliseconds]
  return {
    local: localTime && {
      wall: planned + firstOffset,
      passed: localTime.passed,
      from: start - planned < punctual ? planned : start
    },
    spread: hours === null ? null : { start, hours }
  }
}

/** When mail to this zone is due. Undefined: at once. */
export const localDue = ({ local }: MailTiming, zone: string): number | undefined => {
  if (local === null) return undefined
  const timezone = zoneNamed(zone)
  let { wall } = local
  let due = instantOf(wall, timezone)
  if (due >= local.from) return due
  if (local.passed === "SEND_NOW") return undefined
  wall += Math.floor((local.from - due) / dayMillis) * dayMillis
  for (due = instantOf(wall, timezone); due < local.from; due = instantOf(wall, timezone)) wall += dayMillis
  return due
}
