/** The kinds of values that a field has. Pure. */
import type { FieldType } from "@posthorn/contract/audience/contacts/ContactField"

/** The kind of one value. An ISO date is a text. */
export type ValueKind = Exclude<FieldType, "mixed">

const month31 = "(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])"
const month30 = "(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)"
const february = "02-(?:0[1-9]|1\\d|2[0-8])"
const leapYear = "(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
const date = `(?:\\d{4}-(?:${month31}|${month30}|${february})|${leapYear}-02-29)`
const time = "(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,9})?)?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)?"

/**
 * A pattern for ISO date texts: `YYYY-MM-DD`, or with `T`, hours and minutes, and optional seconds, fraction and zone.
 * The date must exist in the calendar. The same pattern works in JavaScript and PostgreSQL.
 */
export const isoDatePattern = `^${date}(?:T${time})?$`

/** The type of a field, from the kinds of its values. */
export const fieldTypeOf = (kinds: ReadonlySet<ValueKind>): FieldType => {
  const [kind = "string", ...others] = kinds
  if (others.length === 0) return kind
  return [...kinds].every((each) => each === "string" || each === "date") ? "string" : "mixed"
}
