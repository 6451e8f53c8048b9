/** Writes rows as comma-separated text (RFC 4180) that no spreadsheet runs as formulas. Pure. */

const formula = /^[=+\-@\t\r\n＝＋－＠]/

const quoted = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Text that a spreadsheet would run as a formula gets a leading apostrophe. Values other than text become JSON. */
const cell = (value: unknown): string => {
  if (value === undefined) return ""
  if (typeof value !== "string") return quoted(JSON.stringify(value))
  return quoted(formula.test(value) ? `'${value}` : value)
}

/** One line with its line end. */
export const csvRow = (values: ReadonlyArray<unknown>): string => `${values.map(cell).join(",")}\r\n`
