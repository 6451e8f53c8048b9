/** Compares two texts by line: removed lines, added lines, and the lines around them. */
import { printableLines } from "./Printable.ts"

export interface DiffLine {
  readonly sign: " " | "-" | "+"
  readonly text: string
}

type Lines = ReadonlyArray<string>

const kept = (lines: Lines): ReadonlyArray<DiffLine> => lines.map((text) => ({ sign: " ", text }))

/**
 * Strips the common start and end, then finds the longest common subsequence of the remaining lines, in quadratic time
 * and space.
 */
export const diff = (before: string, after: string): ReadonlyArray<DiffLine> => {
  const [a, b] = [before.split("\n"), after.split("\n")]
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const between = longestCommon(a.slice(start, a.length - end), b.slice(start, b.length - end))
  return [...kept(a.slice(0, start)), ...between, ...kept(a.slice(a.length - end))]
}

const longestCommon = (a: Lines, b: Lines): ReadonlyArray<DiffLine> => {
  const common = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  const lengthAt = (i: number, j: number): number => common[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = common[i]
      if (row) row[j] = a[i] === b[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
    }
  }
  const lines: Array<DiffLine> = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]]
    if (left !== undefined && left === right) {
      lines.push({ sign: " ", text: left })
      i++
      j++
    } else if (left !== undefined && (right === undefined || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      lines.push({ sign: "-", text: left })
      i++
    } else {
      lines.push({ sign: "+", text: right ?? "" })
      j++
    }
  }
  return lines
}

const around = 2

/** Leaves out lines that are far from any change. */
export const diffText = (before: string, after: string): string => {
  const lines = diff(before.trimEnd(), after.trimEnd())
  const isNear = (n: number) => lines.slice(Math.max(0, n - around), n + around + 1).some(({ sign }) => sign !== " ")
  const shown = lines.flatMap(({ sign, text }, n) =>
    isNear(n) ? [`${sign} ${text}`.trimEnd()] : n > 0 && isNear(n - 1) ? ["  ..."] : []
  )
  return printableLines(shown.join("\n"))
}
