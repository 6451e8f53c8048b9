/** Rows as comma-separated text (RFC 4180) that no spreadsheet runs (contract 12.16). Pure. */

const formula = /^[=+\-@\t\r]/

const quoted = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Text that would be run as a formula gets an apostrophe in front; anything else than text is JSON. */
const cell = (value: unknown): string => {
  if (value === undefined) return ""
  if (typeof value !== "string") return quoted(JSON.stringify(value))
  return quoted(formula.test(value) ? `'${value}` : value)
}

/** One line with its end. */
export const csvRow = (values: ReadonlyArray<unknown>): string => `${values.map(cell).join(",")}\r\n`
