/** Rows as CSV (RFC 4180). */

/** A cell that a spreadsheet takes as text and not as a formula. */
const cell = (value: string | number): string => {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvOf = (rows: ReadonlyArray<ReadonlyArray<string | number>>): string =>
  rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("")
