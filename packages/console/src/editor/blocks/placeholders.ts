/** Handlebars placeholders in MJML. What stands between the braces is no markup, whatever letters it has. */

/** The ranges of all placeholders. One that is not closed before the next one opens is plain text. Linear. */
export const placeholdersOf = (source: string): ReadonlyArray<readonly [start: number, end: number]> => {
  const found: Array<readonly [number, number]> = []
  let start = source.indexOf("{{")
  while (start !== -1) {
    const end = source.indexOf("}}", start + 2)
    if (end === -1) return found
    const next = source.indexOf("{{", start + 2)
    if (next !== -1 && next < end && source[start + 2] !== "{") {
      start = next
      continue
    }
    const after = source[end + 2] === "}" ? end + 3 : end + 2
    found.push([start, after])
    start = source.indexOf("{{", after)
  }
  return found
}

/** The source with each placeholder replaced by letters, so that all positions stay. */
export const masked = (source: string): string => {
  const parts: Array<string> = []
  let end = 0
  for (const [from, to] of placeholdersOf(source)) {
    parts.push(source.slice(end, from), "x".repeat(to - from))
    end = to
  }
  return parts.join("") + source.slice(end)
}

/** Changes the text between placeholders. */
export const outside = (source: string, change: (text: string) => string): string => {
  const parts: Array<string> = []
  let end = 0
  for (const [from, to] of placeholdersOf(source)) {
    parts.push(change(source.slice(end, from)), source.slice(from, to))
    end = to
  }
  return parts.join("") + change(source.slice(end))
}
