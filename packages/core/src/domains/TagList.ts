/** Tag lists, `tag=value; tag=value`: the text of DKIM and DMARC records (RFC 6376 3.2). */

export interface TagList {
  /** In the order written; of a tag that stands twice, the first. Blanks inside a value are kept. */
  readonly tags: ReadonlyMap<string, string>
  /** False when a part is no `tag=value`, or a tag stands twice. */
  readonly wellFormed: boolean
}

const blanksAround = /^[ \t\r\n]+|[ \t\r\n]+$/g
const tagName = /^[A-Za-z][A-Za-z0-9_]*$/

export const parseTagList = (text: string): TagList => {
  const tags = new Map<string, string>()
  let wellFormed = true
  for (const part of text.split(";")) {
    const spec = part.replace(blanksAround, "")
    if (spec === "") continue
    const equals = spec.indexOf("=")
    const name = spec.slice(0, Math.max(equals, 0)).replace(blanksAround, "")
    if (!tagName.test(name) || tags.has(name)) wellFormed = false
    else tags.set(name, spec.slice(equals + 1).replace(blanksAround, ""))
  }
  return { tags, wellFormed }
}
