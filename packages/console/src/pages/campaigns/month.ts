/** Days of a month as weeks that begin on Monday, without time zones: a day is `2026-11-05`. */

const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

/** The day on which a time falls in a zone. */
export const dayIn = (at: string | number, zone: string): string => {
  const parts = new Intl.DateTimeFormat("en", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" })
    .formatToParts(new Date(at))
    .reduce<{ [type: string]: string }>((all, { type, value }) => Object.assign(all, { [type]: value }), {})
  return `${parts["year"]}-${parts["month"]}-${parts["day"]}`
}

/** `2026-11`, or null. */
export const monthOf = (text: string | undefined): string | null =>
  text !== undefined && /^2\d{3}-(?:0[1-9]|1[0-2])$/.test(text) ? text : null

export const monthAfter = (month: string, count: number): string => {
  const [year = 0, number = 1] = month.split("-").map(Number)
  return dayOf(new Date(Date.UTC(year, number - 1 + count, 1))).slice(0, 7)
}

/** All days of the weeks that the month has days in. */
export const weeksOf = (month: string): ReadonlyArray<ReadonlyArray<string>> => {
  const [year = 0, number = 1] = month.split("-").map(Number)
  const first = new Date(Date.UTC(year, number - 1, 1))
  const start = 1 - ((first.getUTCDay() + 6) % 7)
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate()
  const weeks = Math.ceil((length + 1 - start) / 7)
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => dayOf(new Date(Date.UTC(year, number - 1, start + week * 7 + day))))
  )
}
