/**
 * Rewrites HTML so that it is cheap to convert to text. The parser behind `plainText` takes quadratic time in the depth
 * of a document, and nested lists indent every line below them. One pass writes a document with the same text and only
 * the elements that shape it, each closed, up to a maximum depth and length.
 */
import { megabyte } from "./ByteLimit.ts"

/** Up to this number of tags the parser is always fast. */
const fewTags = 10_000
/** The maximum number of characters of text after the indentation by lists. */
const maxIndented = 16 * megabyte
/** The approximate indentation that a list adds to each line inside it. */
const indentation = 4
/** The number of characters of text that cost the parser as much as one tag. */
const tagCost = 60

/** Whether converting the document may take more time or space than its size suggests. */
export const isCostly = (html: string): boolean =>
  html.length > 2 * fewTags &&
  (exceeds(html, /<[a-z/]/gi, fewTags) || exceeds(html, /<[ou]l/gi, maxIndented / (indentation * html.length)))

const exceeds = (html: string, pattern: RegExp, limit: number): boolean => {
  let count = 0
  for (const _match of html.matchAll(pattern)) if (++count > limit) return true
  return false
}

export interface FlatLimits {
  readonly maxDepth: number
  /** The approximate maximum length of the text, with tags counted by their cost. The rest is dropped. */
  readonly maxLength: number
}

export const flatHtml = (html: string, limits: FlatLimits): string => {
  const document = new FlatDocument(limits)
  let at = 0
  while (at < html.length && document.room > 0) {
    const tag = indexOr(html, "<", at)
    document.text(html.slice(at, tag))
    at = tag === html.length ? tag : takeTag(html, tag, document)
  }
  return document.written
}

/** The document written so far, and its open elements. */
class FlatDocument {
  written = ""
  /** The remaining number of characters of text, including indentation. */
  room: number
  private readonly open: Array<string> = []
  private readonly counts = new Map<string, number>()
  private readonly maxDepth: number

  constructor({ maxDepth, maxLength }: FlatLimits) {
    this.maxDepth = maxDepth
    this.room = maxLength
  }

  text(text: string): void {
    const indent = indentation * (this.count("ol") + this.count("ul"))
    const room = Math.max(0, this.room)
    const lines = text.slice(0, room).split("\n", indent === 0 ? undefined : Math.ceil(room / indent))
    const taken = lines.join("\n")
    this.written += taken
    this.room -= taken.length + indent * lines.length
  }

  /** Writes an element without content. */
  single(name: string, attributes = ""): void {
    this.text(`<${name}${attributes}>`)
    this.room -= tagCost
  }

  start(name: string, attributes: string): void {
    for (let top = this.open.at(-1); top && impliedEnds.get(name)?.includes(top); top = this.open.at(-1)) this.pop()
    if (this.open.length >= this.maxDepth) return
    this.single(name, attributes)
    this.open.push(name)
    this.counts.set(name, this.count(name) + 1)
  }

  /** Closes an element and all elements left open inside it. An end tag without an open element is dropped. */
  end(name: string): void {
    if (this.count(name) === 0) return
    while (this.pop() !== name);
  }

  private count(name: string): number {
    return this.counts.get(name) ?? 0
  }

  private pop(): string | undefined {
    const name = this.open.pop()
    if (name === undefined) return undefined
    this.written += `</${name}>`
    this.room -= name.length + 3
    this.counts.set(name, this.count(name) - 1)
    return name
  }
}

/** Elements that a start tag closes if they are open directly before it. */
const impliedEnds: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["p", ["p"]],
  ["li", ["p", "li"]],
  ["dt", ["dt", "dd"]],
  ["dd", ["dt", "dd"]],
  ["td", ["td", "th"]],
  ["th", ["td", "th"]],
  ["tr", ["td", "th", "tr"]]
])

/** Elements that affect the text. The tags of all others are dropped. */
const shaping = new Set(
  (
    "address article aside blockquote body caption center dd div dl dt figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header li main nav ol p pre section table td th tr ul"
  ).split(" ")
)
const withoutText = new Set(["script", "style", "title", "textarea", "iframe", "noembed", "noframes", "xmp"])
const tagName = /<\/?([a-z][^\s/>]*)/iy

/** Processes what begins with the `<` at `start` and returns where it ends. */
const takeTag = (html: string, start: number, document: FlatDocument): number => {
  if (html.startsWith("<!--", start)) return after(html, "-->", start + 4)
  if (html[start + 1] === "!" || html[start + 1] === "?") return after(html, ">", start)
  tagName.lastIndex = start
  const match = tagName.exec(html)
  if (match === null) {
    document.text("&lt;")
    return start + 1
  }
  const name = (match[1] ?? "").toLowerCase()
  if (html[start + 1] === "/") {
    document.end(name)
    return after(html, ">", start)
  }
  const nameEnd = start + match[0].length
  const end = endOfTag(html, nameEnd)
  if (withoutText.has(name)) return endOfRawText(html, name, end)
  if (name === "img") document.single(name, attribute(html.slice(nameEnd, end), "alt"))
  else if (name === "br" || name === "hr") document.single(name)
  else if (name === "a") document.start(name, attribute(html.slice(nameEnd, end), "href"))
  else if (shaping.has(name)) document.start(name, "")
  return end
}

const indexOr = (html: string, text: string, from: number): number => {
  const at = html.indexOf(text, from)
  return at === -1 ? html.length : at
}

const after = (html: string, text: string, from: number): number =>
  Math.min(html.length, indexOr(html, text, from) + text.length)

/** Finds the end of a tag. A `>` in a quoted value does not end it. Quotes count only at the start of a value. */
const endOfTag = (html: string, from: number): number => {
  let isValue = false
  for (let at = from; at < html.length; at++) {
    const character = html[at] ?? ""
    if (character === ">") return at + 1
    if (isValue && (character === '"' || character === "'")) at = indexOr(html, character, at + 1)
    isValue = character === "=" || (isValue && /\s/.test(character))
  }
  return html.length
}

const endOfRawText = (html: string, name: string, from: number): number => {
  const end = new RegExp(`</${name}`, "gi")
  end.lastIndex = from
  const match = end.exec(html)
  return match === null ? html.length : after(html, ">", match.index)
}

/** The attribute as ` name="value"`, ready to be written. Entities in it stay unchanged. */
const attribute = (attributes: string, name: "href" | "alt"): string => {
  const [, double, single, bare] = attributePatterns[name].exec(attributes) ?? []
  const value = double ?? single ?? bare
  return value === undefined ? "" : ` ${name}="${value.replaceAll('"', "&quot;")}"`
}

const attributePatterns = {
  href: /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i,
  alt: /(?:^|\s)alt\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i
}
