/** Where in a source the things are that checks name. */
import { placeholdersOf } from "./blocks/placeholders.ts"

/** Where the line begins; lines count from 1. */
export const offsetOfLine = (source: string, line: number): number => {
  let at = 0
  for (let count = 1; count < line; count++) {
    const next = source.indexOf("\n", at)
    if (next === -1) return at
    at = next + 1
  }
  return at
}

const isPart = (letter: string | undefined) => letter !== undefined && /[\w.$]/.test(letter)

/** The first placeholder with the variable, or null. */
export const offsetOfVariable = (source: string, name: string): number | null => {
  for (const [start, end] of placeholdersOf(source)) {
    const text = source.slice(start, end)
    const at = text.indexOf(name)
    if (at !== -1 && !isPart(text[at - 1]) && !isPart(text[at + name.length])) return start
  }
  return null
}

/** Where the source has what a warning shows: an element with an address, an address, or a tag. Null if nowhere. */
export const offsetOfExample = (source: string, example: string | null): number | null => {
  if (example === null || example.trim() === "") return null
  const address = /(?:src|href)="([^"]{1,2000})"/i.exec(example)?.[1]
  const at = source.indexOf(address === undefined ? example : `"${address}"`)
  return at === -1 ? null : at
}
