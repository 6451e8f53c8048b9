/** Suggests the known name closest to a misspelt one. */
import { Array, Option, Order } from "effect"

/** The Levenshtein distance of two texts. */
const distance = (a: string, b: string): number => {
  let row = Array.makeBy(b.length + 1, (column) => column)
  for (let i = 1; i <= a.length; i++) {
    const next = Array.of(i)
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** Names with a larger distance are not suggested. */
const farthest = 4

/** The closest name, the first of several; none if all are too far. */
export const nearestName = (name: string, known: ReadonlyArray<string>): Option.Option<string> =>
  Option.map(
    Array.head(
      Array.sort(
        known.map((candidate) => ({ candidate, far: distance(name, candidate) })).filter(({ far }) => far <= farthest),
        Order.mapInput(Order.Number, ({ far }: { readonly far: number }) => far)
      )
    ),
    ({ candidate }) => candidate
  )
