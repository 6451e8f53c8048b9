/** The slug of a segment, used in the names of its events. Pure. */

const maxLength = 80

/** Letters and digits of any script, `_` and hyphens. `segment` if nothing is left of the name. */
export const slugOf = (name: string): string => {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
  const words = plain.replace(/[^\p{L}\p{Nd}_\s-]/gu, "").replace(/[\s-]+/g, "-")
  const cut = [...words.replace(/^-|-$/g, "")].slice(0, maxLength).join("")
  return cut === "" ? "segment" : cut
}

/** The first free slug: the slug itself, then with `-2`, `-3` and so on. */
export const freeSlug = (slug: string, taken: ReadonlySet<string>): string => {
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? slug : `${slug}-${n}`
    if (!taken.has(candidate)) return candidate
  }
}
