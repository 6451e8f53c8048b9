/**
 * Finds the positions of the links in a document, in one pass over its characters (HTML 13.2.5). Recognizes exactly the
 * tags that a browser recognizes, whatever the markup around them. Pure.
 */
import { decodeHTMLAttribute } from "entities/decode"

export interface HtmlLink {
  /** The position of the `href` value with its quotes. */
  readonly start: number
  readonly end: number
  /** The value with its entities decoded. */
  readonly href: string
}

export interface HtmlLinks {
  /** The links of `<a>` and `<area>`, in order, without those that opt out of tracking. */
  readonly links: ReadonlyArray<HtmlLink>
  /**
   * Where content can be inserted at the end of the body: before its last `</body>`, or after the last complete tag.
   */
  readonly bodyEnd: number
}

/** Elements whose content is always text. */
const rawText = new Set(["script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"])

const tagName = /<\/?([a-z][^\t\n\f\r />]*)/iy
const commentEnd = /--!?>/g

export const htmlLinks = (html: string): HtmlLinks => {
  const links: Array<HtmlLink> = []
  let bodyEnd: number | undefined
  let at = html.indexOf("<")
  while (at !== -1) {
    const next = takeTag(html, at, links)
    // A truncated tag consumes everything after it.
    if (next.isCut) return { links, bodyEnd: bodyEnd ?? at }
    if (next.isBodyEnd) bodyEnd = at
    at = html.indexOf("<", next.end)
  }
  return { links, bodyEnd: bodyEnd ?? html.length }
}

interface Taken {
  readonly end: number
  readonly isCut?: boolean
  readonly isBodyEnd?: boolean
}

const cut: Taken = { end: -1, isCut: true }

/** Processes what begins with the `<` at `start`. */
const takeTag = (html: string, start: number, links: Array<HtmlLink>): Taken => {
  if (html.startsWith("<!--", start)) return endOfComment(html, start)
  tagName.lastIndex = start
  const match = tagName.exec(html)
  if (match === null) return endOfOddity(html, start)
  const name = (match[1] ?? "").toLowerCase()
  const isEnd = html[start + 1] === "/"
  const isLink = !isEnd && (name === "a" || name === "area")
  const attributes = readAttributes(html, start + match[0].length, isLink)
  if (attributes.end === -1) return cut
  if (isEnd) return { end: attributes.end, isBodyEnd: name === "body" }
  if (attributes.link !== undefined) links.push(attributes.link)
  if (name === "plaintext") return cut
  return rawText.has(name) ? endOfRawText(html, name, attributes.end) : { end: attributes.end }
}

/** `<!-->` and `<!--->` are complete comments. */
const endOfComment = (html: string, start: number): Taken => {
  commentEnd.lastIndex = start + 2
  return commentEnd.test(html) ? { end: commentEnd.lastIndex } : cut
}

/** `<!doctype>`, `<?php ?>` and `</ >` end with the next `>`. Any other `<` is text. */
const endOfOddity = (html: string, start: number): Taken => {
  if (!"!?/".includes(html[start + 1] ?? " ")) return { end: start + 1 }
  const end = html.indexOf(">", start)
  return end === -1 ? cut : { end: end + 1 }
}

const rawTextEnds = new Map<string, RegExp>()

const endOfRawText = (html: string, name: string, from: number): Taken => {
  const pattern = rawTextEnds.get(name) ?? new RegExp(`</${name}[\\t\\n\\f\\r />]`, "gi")
  rawTextEnds.set(name, pattern)
  pattern.lastIndex = from
  const match = pattern.exec(html)
  if (match === null) return cut
  return name === "script" && hidesItsEnd(html.slice(from, match.index)) ? cut : { end: match.index }
}

/** A script inside a comment inside a script hides its end (HTML 13.2.5.26). */
const hidesItsEnd = (script: string): boolean => {
  const comment = script.indexOf("<!--")
  return comment !== -1 && /<script/i.test(script.slice(comment))
}

interface Attributes {
  /** The index after the `>`, or -1 if there is none. */
  readonly end: number
  readonly link?: HtmlLink | undefined
}

const isBlank = (code: number) => code === 32 || code === 10 || code === 9 || code === 13 || code === 12
const slash = 47
const equals = 61
const greater = 62
const doubleQuote = 34
const singleQuote = 39

/** If an attribute occurs twice, the first one counts. */
const readAttributes = (html: string, from: number, isLink: boolean): Attributes => {
  let at = from
  let href: HtmlLink | undefined
  let untracked: string | undefined
  const { length } = html
  for (;;) {
    while (at < length && (isBlank(html.charCodeAt(at)) || html.charCodeAt(at) === slash)) at++
    if (at >= length) return { end: -1 }
    if (html.charCodeAt(at) === greater) break
    const nameStart = at++
    while (at < length && !endsName(html.charCodeAt(at))) at++
    const nameEnd = at
    while (at < length && isBlank(html.charCodeAt(at))) at++
    let start = at
    let value = ""
    if (html.charCodeAt(at) === equals) {
      at++
      while (at < length && isBlank(html.charCodeAt(at))) at++
      start = at
      const quote = html.charCodeAt(at)
      if (quote === doubleQuote || quote === singleQuote) {
        at = html.indexOf(quote === doubleQuote ? '"' : "'", at + 1) + 1
        if (at === 0) return { end: -1 }
        value = html.slice(start + 1, at - 1)
      } else {
        while (at < length && !isBlank(html.charCodeAt(at)) && html.charCodeAt(at) !== greater) at++
        value = html.slice(start, at)
      }
    }
    if (!isLink) continue
    const name = html.slice(nameStart, nameEnd).toLowerCase()
    if (name === "href") href ??= { start, end: at, href: value.includes("&") ? decodeHTMLAttribute(value) : value }
    if (name === "data-posthorn-track") untracked ??= value
  }
  const isTracked = href !== undefined && href.href !== "" && untracked?.trim().toLowerCase() !== "off"
  return isTracked ? { end: at + 1, link: href } : { end: at + 1 }
}

const endsName = (code: number) => isBlank(code) || code === slash || code === equals || code === greater
