/** The links of an email's HTML, or the URLs in its text if it has no HTML. */
import type { MailContent } from "./MailContent.ts"

const mostLinks = 200
/** Allows no `<` outside quotes, so that each match ends before the next tag and hostile HTML takes linear time. */
const anchor = /<a\s(?:[^<>"']|"[^"]*"|'[^']*')*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi
const bare = /\bhttps?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]/gi

/** In order, without duplicates, at most 200. Includes schemes that must not become a link. */
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

/** Decodes the character references that occur in URLs; any other is unchanged. */
const decode = (attribute: string): string =>
  attribute.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[String(name).toLowerCase()] ?? whole
    const point = hex === undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
