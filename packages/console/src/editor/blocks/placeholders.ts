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

/** A Handlebars tag that stands alone in its element. */
export type HelperTag =
  | { readonly kind: "open"; readonly name: "if" | "unless" | "each"; readonly about: string }
  | { readonly kind: "close"; readonly name: string }
  | { readonly kind: "else" }
  | { readonly kind: "piece"; readonly about: string }

const openers: ReadonlySet<string> = new Set(["if", "unless", "each"])

export const helperOf = (content: string): HelperTag | null => {
  const text = content.trim()
  if (!text.startsWith("{{") || !text.endsWith("}}")) return null
  if (placeholdersOf(text)[0]?.[1] !== text.length) return null
  const inner = text.slice(2, -2).trim()
  const rest = inner.slice(1).trim()
  if (inner === "else") return { kind: "else" }
  if (inner.startsWith("/")) return { kind: "close", name: rest }
  if (inner.startsWith(">")) return rest === "" ? null : { kind: "piece", about: rest }
  if (!inner.startsWith("#")) return null
  const [name = ""] = rest.split(/\s/, 1)
  const about = rest.slice(name.length).trim()
  return openers.has(name) && about !== "" ? { kind: "open", name: name as "if" | "unless" | "each", about } : null
}
