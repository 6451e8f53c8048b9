/** Reads the time at which a mail is to be sent. */
import { ValidationError } from "@posthorn/contract/platform/Errors"
import { DateTime, Effect, Option } from "effect"
import { utcInstant } from "../../platform/DateRange.ts"

const maxDays = 365

const refused = (code: "invalid_string" | "too_big", message: string) =>
  ValidationError.one("scheduledFor", code, message)

/** Null if the mail is to be sent at once: no time, or one that is not later than now. */
export const sendTime = (
  given: string | null | undefined,
  now: DateTime.Utc
): Effect.Effect<DateTime.Utc | null, ValidationError> => {
  if (given == null) return Effect.succeed(null)
  const found = utcInstant(given)
  if (Option.isNone(found)) return Effect.fail(refused("invalid_string", "Not a calendar date or date-time."))
  if (DateTime.isGreaterThan(found.value, DateTime.add(now, { days: maxDays }))) {
    return Effect.fail(refused("too_big", `At most ${maxDays} days ahead.`))
  }
  return Effect.succeed(DateTime.isGreaterThan(found.value, now) ? found.value : null)
}
