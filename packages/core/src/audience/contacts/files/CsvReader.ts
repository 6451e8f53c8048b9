/**
 * Reads comma-separated text record by record (RFC 4180), with any usual delimiter and line end.
 *
 * A faulty record does not affect other records: it is reported by its line, and reading continues after it. csv-parse
 * 7.0.3 does not do this. Read record by record with `skip_records_with_error`, it silently loses the valid record
 * after one that is too long, and everything after a quoted cell with text after its closing quote.
 *
 * Time is linear in the length of the text: a search continues after the last match and never repeats.
 */

/** The position of a record in the text. */
export interface CsvPlace {
  /** The index of its first character. */
  readonly at: number
  /** The line of that character, from 1. */
  readonly line: number
}

export interface CsvRecord extends CsvPlace {
  /** The index of the end of its last cell. */
  readonly end: number
  /** Where the next record begins. */
  readonly next: CsvPlace
  /** Whether it has no quotes. */
  readonly isPlain: boolean
  /** Why the record is faulty. A faulty record has no cells. */
  readonly fault?: string
}

/** The maximum size of a record in bytes. A longer record is faulty. */
export const maxRecordBytes = 64 * 1024

const quote = '"'
const utf8 = new TextEncoder()

const tooLong = `The row is longer than ${maxRecordBytes} bytes.`
const unclosed = "A quoted cell is never closed."
const behindQuote = "Text follows the closing quote of a cell."
const withinCell = "A quote stands within a cell that is not quoted."

const lineBreaks = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0

/** A UTF-16 code unit takes at most three bytes of UTF-8. */
const isTooLong = (text: string, { at, end }: { readonly at: number; readonly end: number }): boolean =>
  end - at > maxRecordBytes ||
  ((end - at) * 3 > maxRecordBytes && utf8.encode(text.slice(at, end)).length > maxRecordBytes)

/** Finds the next occurrence of a character. Searches again only after the last match was passed. */
const seeker = (text: string, character: string) => {
  let found = -1
  return (from: number): number => {
    if (found < from) {
      const index = text.indexOf(character, from)
      found = index === -1 ? text.length : index
    }
    return found
  }
}

/** Reads from any position where a record begins. Skips blank lines. */
export const csvReader = (text: string, delimiter: string, from: CsvPlace = { at: 0, line: 1 }) => {
  const lineFeed = seeker(text, "\n")
  const carriageReturn = seeker(text, "\r")
  const firstQuote = seeker(text, quote)
  const lineEnd = (at: number): number => Math.min(lineFeed(at), carriageReturn(at))
  const behindLineEnd = (end: number): number => (text[end] === "\r" && text[end + 1] === "\n" ? end + 2 : end + 1)

  /**
   * Returns the index after the cell that begins here and its text, or the fault and the index where reading stopped.
   */
  const quotedCell = (at: number) => {
    let close = at
    do {
      close = text.indexOf(quote, close + 1)
      if (close === -1) return { end: text.length, fault: unclosed }
    } while (text[close + 1] === quote && ++close)
    return { end: close + 1, cell: text.slice(at + 1, close).replaceAll('""', quote) }
  }

  const plainCell = (at: number) => {
    let end = at
    for (; end < text.length; end++) {
      const character = text[end]
      if (character === delimiter || character === "\n" || character === "\r") break
      if (character === quote) return { end: lineEnd(end), fault: withinCell }
    }
    return { end, cell: text.slice(at, end) }
  }

  /** Visits the cells of a record with quotes. */
  const walk = (at: number, visit: (cell: string) => void): { readonly end: number; readonly fault?: string } => {
    for (let start = at; ; ) {
      const { end, cell, fault } = text[start] === quote ? quotedCell(start) : { fault: undefined, ...plainCell(start) }
      if (cell === undefined) return { end, fault: fault ?? unclosed }
      visit(cell)
      if (end >= text.length || text[end] === "\n" || text[end] === "\r") return { end }
      if (text[end] !== delimiter) return { end: lineEnd(end), fault: behindQuote }
      start = end + 1
    }
  }

  let place = from

  const next = (): CsvRecord | undefined => {
    for (;;) {
      const { at, line } = place
      if (at >= text.length) return undefined
      const first = lineEnd(at)
      const isPlain = firstQuote(at) >= first
      const { end, fault } = isPlain ? { end: first, fault: undefined } : walk(at, () => {})
      const lines = isPlain ? 0 : lineBreaks(text.slice(at, end))
      place = { at: behindLineEnd(end), line: line + lines + 1 }
      if (isPlain && text.slice(at, end).trim() === "") continue
      const found = fault ?? (isTooLong(text, { at, end }) ? tooLong : undefined)
      return { at, line, end, isPlain, next: place, ...(found !== undefined && { fault: found }) }
    }
  }

  /** The cells of a record without a fault. */
  const cells = ({ at, end, isPlain }: CsvRecord): ReadonlyArray<string> => {
    if (isPlain) return text.slice(at, end).split(delimiter)
    const found: Array<string> = []
    walk(at, (cell) => found.push(cell))
    return found
  }

  return { next, cells }
}
export type CsvReader = ReturnType<typeof csvReader>
