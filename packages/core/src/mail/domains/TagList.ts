/** Tag lists, `tag=value; tag=value`: the text of DKIM and DMARC records (RFC 6376 3.2). */

export interface TagList {
  /** In order. Of a repeated tag, the first one counts. White space inside a value is kept. */
  readonly tags: ReadonlyMap<string, string>
  /** False if a part is not `tag=value`, a tag is repeated, or the text has more than 8,192 characters. */
  readonly wellFormed: boolean
}

/** Maximum number of characters. DNS allows 64 kB, but keys and policies are much shorter. */
const longest = 8_192

const tagName = /^[A-Za-z][A-Za-z0-9_]*$/

export const parseTagList = (text: string): TagList => {
  const tags = new Map<string, string>()
  let wellFormed = true
  if (text.length > longest) return { tags, wellFormed: false }
  for (const part of text.split(";")) {
    const spec = part.trim()
    if (spec === "") continue
    const equals = spec.indexOf("=")
    const name = spec.slice(0, Math.max(equals, 0)).trim()
    if (!tagName.test(name) || tags.has(name)) wellFormed = false
    else tags.set(name, spec.slice(equals + 1).trim())
  }
  return { tags, wellFormed }
}
