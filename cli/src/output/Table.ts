/** Formats rows of text: as a table with a head for people, as tab-separated lines for programs. */
import { CliOutput } from "effect/cli"

/** Makes untrusted text safe for a terminal: it cannot move the cursor, change colours or break the line. */

/** Every control character, C0 and C1, becomes a blank. */
export const printable = (text: string): string => text.replace(/\p{Cc}+/gu, " ")

/** The same for several lines: line breaks and tabs are kept. */
export const printableLines = (text: string): string => text.replace(/(?:(?![\n\t])\p{Cc})+/gu, " ")

export type Cell = string | number | boolean | null | undefined

/** Part of what a command prints. */
export interface Block {
  /** Name of the block. In a pipe, where no head separates the blocks, each line starts with it. */
  readonly name?: string
  /** Column names, for people. Without them, the first cell of a row labels the second. */
  readonly head?: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<Cell>>
}

interface Page {
  /** Formats the head. */
  readonly emphasis: (text: string) => string
  /** The width of a line. The last cell is cut to fit. Default: nothing is cut. */
  readonly width?: number | undefined
}

const gap = "  "

const widthOf = CliOutput.displayWidth

const textOf = (cell: Cell): string => printable(cell === null || cell === undefined ? "" : String(cell))

const pad = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - widthOf(text)))

const clip = (text: string, width: number): string =>
  text.length > width && width > 1 ? `${text.slice(0, width - 1)}…` : text

/** Cells separated by tabs. Always one line, because line breaks in cells become blanks. */
export const plainLine = (row: ReadonlyArray<Cell>): string => row.map(textOf).join("\t")

export const plainLines = ({ name, rows }: Block): ReadonlyArray<string> =>
  rows.map((row) => plainLine(name === undefined ? row : [name, ...row]))

const columnWidths = (lines: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<number> =>
  lines.reduce<ReadonlyArray<number>>(
    (widths, line) =>
      Array.from({ length: Math.max(widths.length, line.length) }, (_, column) =>
        Math.max(widths[column] ?? 0, widthOf(line[column] ?? ""))
      ),
    []
  )

/** The head and the rows in columns. */
export const alignedLines = ({ head, rows }: Block, { emphasis, width }: Page): ReadonlyArray<string> => {
  const titles = head === undefined ? [] : [head.map((name) => name.toUpperCase())]
  const lines = [...titles, ...rows.map((row) => row.map(textOf))]
  const widths = columnWidths(lines)
  return lines.map((line, index) => {
    const before = line
      .slice(0, -1)
      .map((cell, column) => pad(cell, widths[column] ?? 0) + gap)
      .join("")
    const last = line.at(-1) ?? ""
    const text = `${before}${width === undefined ? last : clip(last, width - widthOf(before))}`.trimEnd()
    return index < titles.length ? emphasis(text) : text
  })
}
