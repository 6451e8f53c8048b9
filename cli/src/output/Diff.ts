/** Compares two texts by line: removed lines, added lines, and the lines around them. */
import { TextDiff } from "effect"
import { printableLines } from "./Table.ts"

const around = 2
const signs = { Equal: " ", Delete: "-", Insert: "+" }

/** Texts that differ in more lines are compared in linear time, and may show more changes than there are. */
const maxEdits = 2_000

/** Every line of both texts, with a sign for the text it is in. */
export const diff = (before: string, after: string) =>
  TextDiff.lines(`${before}\n`, `${after}\n`, { maxEdits }).flatMap(({ _tag, items }) =>
    items.map((line) => ({ sign: signs[_tag], text: line.slice(0, -1) }))
  )

/** Leaves out lines that are far from any change. */
export const diffText = (before: string, after: string): string => {
  const lines = diff(before.trimEnd(), after.trimEnd())
  const isNear = (n: number) => lines.slice(Math.max(0, n - around), n + around + 1).some(({ sign }) => sign !== " ")
  const shown = lines.flatMap(({ sign, text }, n) =>
    isNear(n) ? [`${sign} ${text}`.trimEnd()] : n > 0 && isNear(n - 1) ? ["  ..."] : []
  )
  return printableLines(shown.join("\n"))
}
