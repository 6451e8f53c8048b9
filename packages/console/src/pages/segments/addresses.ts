/** The addresses in a text: a list, a column of a table, or a CSV file. Each one once. */
export const addressesIn = (text: string): ReadonlyArray<string> => [
  ...new Set(
    text
      .split(/[\s,;<>()"']+/)
      .filter((part) => part.length <= 320 && /^[^@]+@[^@]+$/.test(part))
      .map((part) => part.replace(/^mailto:/i, "").replace(/[.:]+$/, ""))
  )
]

/** Lists of at most so many. */
export const portionsOf = <A>(list: ReadonlyArray<A>, most: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(list.length / most) }, (_, n) => list.slice(n * most, (n + 1) * most))
