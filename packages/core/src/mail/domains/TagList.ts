/** Tag lists, `tag=value; tag=value`: the text of DKIM and DMARC records (RFC 6376 3.2). */

export interface TagList {
  /** In the order written; of a tag that stands twice, the first. Blanks inside a value are kept. */
  readonly tags: ReadonlyMap<string, string>
  /** False when a part is no `tag=value`, a tag stands twice, or the text has more than 8,192 characters. */
  readonly wellFormed: boolean
}

/** Characters of a record. A resolver hands on up to 64 kB, and no key or policy needs a tenth of it. */
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
