/** What `delivery` of a campaign may say. Pure. */
import type { CampaignDelivery } from "@posthorn/contract/automation/campaigns/CampaignDelivery"
import type { Fault } from "@posthorn/contract/platform/Errors"
import { DateTime } from "effect"

const tooEarly = (message: string): Fault => ({ field: "delivery.expiresAt", code: "custom", message })

/** The faults of a delivery that is saved now. */
export const deliveryFaults = (delivery: CampaignDelivery | null, now: DateTime.Utc): ReadonlyArray<Fault> => {
  if (delivery === null) return []
  const { expiresAt, localTime, spreadHours } = delivery
  return [
    ...(localTime !== null && spreadHours !== null
      ? [{ field: "delivery.spreadHours", code: "custom", message: "Not together with `localTime`." } as const]
      : []),
    ...(expiresAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, now) ? [tooEarly("Must be in the future.")] : [])
  ]
}

/** The faults of a delivery of a campaign that is sent at this time, or at once. */
export const sendingFaults = (
  delivery: CampaignDelivery | null,
  scheduledFor: DateTime.Utc | undefined,
  now: DateTime.Utc
): ReadonlyArray<Fault> => {
  if (delivery === null) return []
  const { expiresAt, localTime } = delivery
  return [
    ...(localTime !== null && scheduledFor === undefined
      ? [{ field: "scheduledFor", code: "required", message: "Required with `delivery.localTime`." } as const]
      : []),
    ...(expiresAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, DateTime.max(now, scheduledFor ?? now))
      ? [tooEarly("Must be after the time of sending.")]
      : [])
  ]
}
