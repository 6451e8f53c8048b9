/**
 * Finds risky shapes in regular expressions that run on text from outside. Such a shape searches again from each place
 * of a text, and takes quadratic time or worse. The check is cautious: a pattern that is safe for another reason is
 * listed with that reason.
 */

export interface Literal {
  readonly pattern: string
  readonly line: number
}

/** After these characters a `/` begins a pattern, not a division. */
const beforePattern = /(?:[(,=:;!&|?{}[+>]|\breturn|=>)\s*$/

/** The regular expressions of a source: literals, and strings given to `new RegExp`. */
export const patternsOf = (source: string): ReadonlyArray<Literal> => {
  const found: Array<Literal> = []
  for (const [index, line] of source.split("\n").entries()) {
    if (/^\s*(?:\*|\/\/|\/\*)/.test(line)) continue
    let at = 0
    while (at < line.length) {
      const character = line[at] ?? ""
      if (character === '"' || character === "'" || character === "`") {
        at = endOf(line, at, character) + 1
        continue
      }
      if (character === "/" && line[at + 1] === "/") break
      const isBegin = at === line.search(/\S/) || beforePattern.test(line.slice(0, at))
      if (character !== "/" || !isBegin) {
        at++
        continue
      }
      const end = endOfPattern(line, at)
      if (end === -1) break
      found.push({ pattern: line.slice(at + 1, end), line: index + 1 })
      at = end + 1
    }
    for (const [, , text = ""] of line.matchAll(/new RegExp\(\s*([`"'])(.*?)\1/g)) {
      found.push({ pattern: text.replaceAll("\\\\", "\\").replace(/\$\{[^}]*\}/g, "x"), line: index + 1 })
    }
  }
  return found
}

const endOf = (line: string, open: number, quote: string): number => {
  for (let at = open + 1; at < line.length; at++) {
    if (line[at] === "\\") at++
    else if (line[at] === quote) return at
  }
  return line.length
}

const endOfPattern = (line: string, open: number): number => {
  let inClass = 0
  for (let at = open + 1; at < line.length; at++) {
    const character = line[at]
    if (character === "\\") at++
    else if (character === "[") inClass++
    else if (character === "]") inClass = Math.max(0, inClass - 1)
    else if (character === "/" && inClass === 0) return at
  }
  return -1
}

/** An atom: a class, an escape or a character. Classes of the `v` flag may contain others. */
const atom = String.raw`(?:\[(?:\\.|\[[^\]]*\]|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\.|[^\\[\](){}|*+?^$])`
const repeat = String.raw`(?:[*+]|\{\d+,\})\??`

const shapes: ReadonlyArray<readonly [what: string, shape: RegExp]> = [
  ["a repeat within a repeat", new RegExp(String.raw`\((?:\?:)?(?:${atom}|\|)*${atom}${repeat}\)${repeat}`)],
  ["two repeats of the same in a row", new RegExp(String.raw`(${atom})${repeat}\1${repeat}`)],
  ["anything up to something", /(?:\.|\\s\\S\]|\[\^\])[*+]\??[^$)|]/],
  ["a lazy repeat of almost anything", /\[\^[^\]]*\][*+]\?/],
  ["a repeat up to the end, from anywhere", new RegExp(String.raw`^(?!\^).*${atom}[*+]\$`)],
  ["a repeat up to the end, from anywhere", new RegExp(String.raw`\|(?!\^)${atom}[*+]\$`)],
  [
    "a delimiter, its content and its end, from anywhere",
    new RegExp(String.raw`^(?!\^)[^|]*(?:${atom})\[\^[^\]]*\]\*(?:\)|$)?${atom}`)
  ]
]

/** The risky shapes of a pattern. */
export const risksOf = (pattern: string): ReadonlyArray<string> => [
  ...new Set(shapes.flatMap(([what, shape]) => (shape.test(pattern) ? [what] : [])))
]
