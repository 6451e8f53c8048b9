/** Where a mail leads: the links of its HTML, or the addresses in its text when it has no HTML. */
import type { MailContent } from "./MailContent.ts"

const mostLinks = 200
/** No `<` outside quotes: each start reads no further than the next one, so hostile HTML takes linear time too. */
const anchor = /<a\s(?:[^<>"']|"[^"]*"|'[^']*')*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi
const bare = /\bhttps?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]/gi

/** In order, each once, at most 200; of any scheme, also one that must not become a link. */
export const linksOf = ({ html, text }: Pick<MailContent, "html" | "text">): ReadonlyArray<string> => {
  const links = new Set<string>()
  const found = html === null ? (text ?? "").matchAll(bare) : html.matchAll(anchor)
  for (const [whole, double, single, unquoted] of found) {
    if (links.size === mostLinks) break
    links.add(html === null ? whole : decode(double ?? single ?? unquoted ?? "").trim())
  }
  return [...links].filter((link) => link !== "")
}

/** Schemes that a page may link to. */
export const isSafeLink = (link: string): boolean => /^(?:https?|mailto|tel):/i.test(link)

const named: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

/** The character references that appear in URLs; any other stays as it is. */
const decode = (attribute: string): string =>
  attribute.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[String(name).toLowerCase()] ?? whole
    const point = hex === undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
