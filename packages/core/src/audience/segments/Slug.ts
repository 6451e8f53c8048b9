/** The slug of a segment and the keys of topics and forms, used in the names of their events. Pure. */

const maxLength = 80

/** Letters and digits of any script, `_` and hyphens. `segment` if nothing is left of the name. */
export const slugOf = (name: string): string => {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
  const words = plain.replace(/[^\p{L}\p{Nd}_\s-]/gu, "").replace(/[\s-]+/g, "-")
  const cut = [...words.replace(/^-|-$/g, "")].slice(0, maxLength).join("")
  return cut === "" ? "segment" : cut
}

/** So short that a number fits behind it. */
const maxKey = 60

/** A key of `a-z`, `0-9`, `_` and `-`: what is left of the slug of a name, or else the given word. */
export const keyFrom = (name: string, otherwise: string): string => {
  const slug = slugOf(name)
  // An empty slug reads `segment`.
  if (slug === "segment" && !/segment/i.test(name)) return otherwise
  let key = slug
    .replace(/[^a-z0-9_-]/g, "")
    .replace(/^[_-]+/, "")
    .slice(0, maxKey)
  while (key.endsWith("-")) key = key.slice(0, -1)
  return key === "" ? otherwise : key
}

/** The first free slug: the slug itself, then with `-2`, `-3` and so on. */
export const freeSlug = (slug: string, taken: ReadonlySet<string>): string => {
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? slug : `${slug}-${n}`
    if (!taken.has(candidate)) return candidate
  }
}
