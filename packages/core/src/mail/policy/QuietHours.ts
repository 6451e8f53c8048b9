/** The quiet hours of a project, as one contact has them. Pure. */
import type { QuietHours } from "@posthorn/contract/mail/sending/SendingSettings"
import type { Schema } from "effect"
import { timezoneIn } from "../../audience/contacts/NamedData.ts"
import { chosenZone, isOpen, nextClosing } from "../../platform/WallClock.ts"

/** When the quiet hours of a contact with this zone end. Undefined outside of them. */
export const quietUntilInZone = (
  hours: QuietHours,
  now: number,
  ofContact: string | null,
  ofProject: string
): number | undefined => {
  const zone = chosenZone(hours.timezone, ofContact, ofProject)
  return isOpen(hours, now, zone) ? nextClosing(hours, now, zone) : undefined
}

/** As `quietUntilInZone`, for the data of a contact. */
export const quietUntil = (
  hours: QuietHours,
  now: number,
  data: Schema.JsonObject,
  ofProject: string
): number | undefined => quietUntilInZone(hours, now, timezoneIn(data), ofProject)
