/**
 * The links of a text as it is written, and which of them a clicked address came from. Pure.
 *
 * `https://shop.example/item?u={{id}}` is one link for all the addresses that it becomes.
 */
import { decodeHTML } from "entities/decode"
import { readTag } from "../rendering/TemplateTag.ts"
import { tokenize } from "../rendering/TemplateTokens.ts"
import { htmlLinks } from "../text/HtmlLinks.ts"

/** Links of one source that have totals of their own. */
export const maxLinks = 500
const maxLabel = 100
/** Where the end of a link is looked for. */
const maxContent = 4_000

export interface SourceLink {
  /** With its placeholders, as in the source. */
  readonly url: string
  /** What the link shows: its text, or that of its image. May be empty. */
  readonly text: string
}

/** The texts that mail is made from, in each of its languages, and what stands around them. */
export interface SourceTexts {
  readonly texts: ReadonlyArray<string>
  /** The name of a partial. */
  readonly layout: string | null
  /** The HTML of the partials by name. */
  readonly partials: { readonly [name: string]: string }
}

/** All texts of a template or campaign, in each of its languages. */
export const textsOf = ({
  body,
  translations
}: {
  readonly body: string
  readonly translations: { readonly [language: string]: { readonly body: string } }
}): ReadonlyArray<string> => [body, ...Object.values(translations).map((translated) => translated.body)]

/** Partials name each other at most five deep. The layout is one more. */
const maxDepth = 7
const maxExpanded = 5 * 1024 * 1024

/** The text inside its layout, with its partials in their places. Their parameters are not put in. */
const expanded = (source: string, { layout, partials }: SourceTexts): string => {
  let length = 0
  const insert = (text: string, depth: number, content: string | undefined): string => {
    if (depth > maxDepth || !/\{\{~?>/.test(text)) return text
    let written = ""
    let from = 0
    for (const token of tokenize(text).tokens) {
      if (token._tag !== "Partial") continue
      const read = readTag(text, token.at)
      const name = /^[a-z0-9-]+/.exec(token.inner)?.[0] ?? ""
      const inner =
        name === "content" && content !== undefined ? insert(content, depth + 1, undefined) : (partials[name] ?? "")
      const put = name === "content" ? inner : insert(inner, depth + 1, content)
      length += put.length
      if (length > maxExpanded || !("end" in read)) return text
      written += text.slice(from, token.at) + put
      from = read.end
    }
    return written + text.slice(from)
  }
  return layout === null ? insert(source, 0, undefined) : insert(partials[layout] ?? "{{> content}}", 0, source)
}

/** Private-use characters stand for tags while a source is read as HTML. Their number follows. */
const marks = {
  Partial: "\ue000",
  Value: "\ue000",
  Open: "\ue001",
  Else: "\ue002",
  ElseIf: "\ue002",
  Close: "\ue003"
} as const
const mark = /[\ue000-\ue003](\d+)\ue00f/g
const reserved = /[\ue000-\ue003\ue00f]/g

/** A source with a mark in place of each tag, and the text of each tag. Comments are left out. */
const masked = (source: string) => {
  const tags: Array<string> = []
  let text = ""
  for (const token of tokenize(source).tokens) {
    if (token._tag === "Text") {
      text += token.text.replace(reserved, "")
      continue
    }
    if (token._tag === "Comment") continue
    const read = readTag(source, token.at)
    const end = "end" in read ? read.end : token.at
    text += `${marks[token._tag]}${tags.push(source.slice(token.at, end)) - 1}\ue00f`
  }
  return { text, tags }
}

const unmasked = (text: string, tags: ReadonlyArray<string>) => text.replace(mark, (_, n) => tags[Number(n)] ?? "")

const alternative = /<img\b[^>]*?\balt\s*=\s*(?:"([^"]*)"|'([^']*)')/i

/** What stands between the tags of a link. */
const labelOf = (html: string, from: number, tags: ReadonlyArray<string>): string => {
  const rest = html.slice(from, from + maxContent)
  const end = rest.search(/<\/a[\s/>]/i)
  const content = end === -1 ? "" : rest.slice(0, end)
  const shown = content.replace(/<[^>]*>/g, " ")
  const [, double, single] = shown.trim() === "" ? (alternative.exec(content) ?? []) : []
  const text = unmasked(decodeHTML(double ?? single ?? shown), tags)
  return Array.from(text.replace(/\s+/g, " ").trim()).slice(0, maxLabel).join("")
}

/** The links of texts in their order, each address once. Links that are not tracked are left out. */
export const sourceLinks = (source: SourceTexts): ReadonlyArray<SourceLink> => {
  const found = new Map<string, SourceLink>()
  for (const each of source.texts) {
    const { text, tags } = masked(expanded(each, source))
    for (const { href, end } of htmlLinks(text).links) {
      if (found.size === maxLinks) break
      const url = unmasked(href, tags).trim()
      if (found.has(url) || !isLink(url)) continue
      found.set(url, { url, text: labelOf(text, text.indexOf(">", end) + 1, tags) })
    }
  }
  return [...found.values()]
}

/** Without a fixed character it could be any address, and so is none. */
const isLink = (url: string): boolean => {
  const parts = fixedParts(url)
  if (parts.every((part) => part === "")) return false
  return parts[0] === "" || /^https?:/i.test(url)
}

/** Survives the normalisation of a URL wherever it stands. */
const wildcard = "zqposthornplaceholderqz"

/** What stands between the placeholders. A whole block is one placeholder. */
const fixedParts = (url: string): ReadonlyArray<string> => {
  const { text } = masked(url)
  let depth = 0
  let written = ""
  for (const piece of text.split(/([\ue000-\ue003]\d+\ue00f)/)) {
    const kind = /^[\ue000-\ue003]/.exec(piece)?.[0]
    if (kind === marks.Open) depth++
    if (kind === marks.Close) depth = Math.max(0, depth - 1)
    if (kind !== undefined) written += wildcard
    else if (depth === 0) written += piece
  }
  return split(normalised(written))
}

const split = (text: string) => text.split(new RegExp(`(?:${wildcard})+`))

/** As the address of a tracked link is written, so that they can be compared. */
const normalised = (text: string): string => {
  const { href } = URL.parse(text) ?? { href: text }
  if (split(href).length !== split(text).length) return text
  return href.endsWith(`${wildcard}/`) && !text.endsWith("/") ? href.slice(0, -1) : href
}

const matches = (parts: ReadonlyArray<string>, url: string): boolean => {
  const first = parts[0] ?? ""
  const last = parts.at(-1) ?? ""
  if (url.length < first.length + last.length || !url.startsWith(first) || !url.endsWith(last)) return false
  const end = url.length - last.length
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const next = url.indexOf(part, at)
    if (next === -1 || next + part.length > end) return false
    at = next + part.length
  }
  return true
}

/** Finds the link that a clicked address belongs to: the one with the most fixed characters that fits. */
export const matcher = <Link extends { readonly url: string }>(
  links: ReadonlyArray<Link>
): ((url: string) => Link | undefined) => {
  const whole = new Map<string, Link>()
  const patterns: Array<{ readonly link: Link; readonly parts: ReadonlyArray<string>; readonly fixed: number }> = []
  for (const link of links) {
    const parts = fixedParts(link.url)
    const fixed = parts.join("").length
    if (parts.length > 1) patterns.push({ link, parts, fixed })
    else if (!whole.has(parts[0] ?? "")) whole.set(parts[0] ?? "", link)
  }
  patterns.sort((a, b) => b.fixed - a.fixed)
  return (url) => whole.get(url) ?? patterns.find(({ parts }) => matches(parts, url))?.link
}
