/**
 * HTML of a text block as a document of the text editor, and back. HTML that the editor cannot represent gives null: it
 * stays code. Attributes are kept as they stand in the source, and each Handlebars placeholder is one token.
 */
import { Parser } from "htmlparser2"
import { decoded, encoded } from "./edits.ts"
import { masked, placeholdersOf } from "./placeholders.ts"
import { attributesOf, deepest } from "./tree.ts"

export interface RichMark {
  readonly type: "link" | "span" | "bold" | "italic" | "underline"
  readonly attrs: { readonly [name: string]: unknown }
}

export interface RichNode {
  readonly type: string
  readonly attrs?: { readonly [name: string]: unknown }
  readonly text?: string
  readonly marks?: ReadonlyArray<RichMark>
  readonly content?: ReadonlyArray<RichNode>
}

type Open = { readonly type: string; readonly attrs: Record<string, unknown>; readonly content: Array<RichNode> }

const marksByTag: { readonly [tag: string]: RichMark["type"] } = {
  a: "link",
  span: "span",
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  u: "underline"
}

const blocksByTag: { readonly [tag: string]: string } = {
  p: "paragraph",
  h1: "heading",
  h2: "heading",
  h3: "heading",
  h4: "heading",
  h5: "heading",
  h6: "heading",
  ul: "bulletList",
  ol: "orderedList",
  li: "listItem"
}

/** Stands for a placeholder while the HTML is read: no letter of HTML. */
const stand = "\uFFFC"

const isLine = (type: string | undefined) => type === "paragraph" || type === "heading"
const isList = (type: string | undefined) => type === "bulletList" || type === "orderedList"

class Reader {
  isGood = true
  readonly top: Open = { type: "doc", attrs: {}, content: [] }
  readonly open: Array<Open> = [this.top]
  readonly marks: Array<RichMark> = []
  /** How many pieces of text there were when each of the marks began. */
  private readonly begins: Array<number> = []
  private pieces = 0
  private readonly read: Array<string> = []
  private readonly placeholders: ReadonlyArray<string>
  private next = 0

  constructor(placeholders: ReadonlyArray<string>) {
    this.placeholders = placeholders
  }

  fail() {
    this.isGood = false
  }
  /** Puts the placeholders back into the next piece of the source. */
  restored(text: string): string {
    return text.replaceAll(stand, () => this.placeholders[this.next++] ?? "")
  }
  private get last(): Open | undefined {
    return this.open.at(-1)
  }
  /** The line that takes text; one without a tag of its own is opened where none is. */
  private line(): Open | null {
    if (isLine(this.last?.type)) return this.last ?? null
    if (isList(this.last?.type)) return null
    const line: Open = { type: "paragraph", attrs: { bare: true, attrs: "" }, content: [] }
    this.open.push(line)
    return line
  }
  private closeLine() {
    const line = this.last
    if (line === undefined || !isLine(line.type)) return
    this.open.pop()
    const end = line.content.at(-1)
    if (end?.text?.endsWith(" ")) {
      line.content.pop()
      if (end.text.length > 1) line.content.push({ ...end, text: end.text.slice(0, -1) })
    }
    if (line.attrs["bare"] === true && line.content.length === 0) return
    this.last?.content.push(line)
  }
  private put(node: RichNode) {
    const line = this.line()
    if (line === null) return this.fail()
    this.pieces++
    const marks = this.marks.length === 0 ? {} : { marks: sorted(this.marks) }
    const before = line.content.at(-1)
    if (node.text !== undefined) {
      const isAtStart = before === undefined || before.type === "hardBreak" || before.text?.endsWith(" ") === true
      const text = isAtStart ? node.text.replace(/^ /, "") : node.text
      if (text === "") {
        this.pieces--
        return
      }
      if (before?.text !== undefined && JSON.stringify(before.marks) === JSON.stringify(marks.marks)) {
        line.content[line.content.length - 1] = { ...before, text: before.text + text }
      } else line.content.push({ ...node, ...marks, text })
    } else line.content.push({ ...node, ...marks })
  }
  /** The parser gives a text in pieces. */
  text(text: string) {
    this.read.push(text)
  }
  private flush() {
    const text = this.read.splice(0).join("")
    if (text === "") return
    // A space that cannot be broken is a letter.
    const parts = text.replace(/[ \t\r\n\f]+/g, " ").split(stand)
    parts.forEach((part, index) => {
      if (index > 0) this.put({ type: "token", attrs: { text: this.placeholders[this.next++] ?? "" } })
      if (part !== "" && (part !== " " || isLine(this.last?.type))) this.put({ type: "text", text: part })
    })
  }
  start(tag: string, attributes: string) {
    this.flush()
    const attrs = this.restored(attributes)
    const mark = marksByTag[tag]
    const block = blocksByTag[tag]
    if (tag === "br" && attrs === "") return this.put({ type: "hardBreak" })
    if (mark !== undefined) {
      if (this.marks.some(({ type }) => type === mark)) return this.fail()
      this.begins.push(this.pieces)
      this.marks.push({ type: mark, attrs: mark === "link" ? linkOf(attrs) : { tag, attrs } })
      return
    }
    if (block === undefined || this.marks.length > 0) return this.fail()
    this.closeLine()
    const holder = this.last?.type
    if (isList(holder) !== (block === "listItem")) return this.fail()
    if (holder === "listItem" && this.last?.content.length === 0 && block !== "paragraph") {
      this.last.content.push({ type: "paragraph", attrs: { bare: true, attrs: "" }, content: [] })
    }
    this.open.push({
      type: block,
      attrs: {
        attrs,
        ...(block === "paragraph" && { bare: false }),
        ...(block === "heading" && { level: Number(tag[1]) })
      },
      content: []
    })
  }
  end(tag: string) {
    if (tag === "br") return
    this.flush()
    if (marksByTag[tag] !== undefined) {
      // A mark without text would be lost.
      if (this.marks.pop()?.type !== marksByTag[tag] || this.begins.pop() === this.pieces) this.fail()
      return
    }
    const block = blocksByTag[tag]
    if (isLine(block)) {
      const line = this.last
      // The end of a line without a tag of its own is not that of its holder.
      if (line?.type !== block || line?.attrs["bare"] === true) return this.fail()
      return this.closeLine()
    }
    this.closeLine()
    const node = this.open.pop()
    if (node === undefined || node.type !== block) return this.fail()
    if (node.content.length === 0) {
      if (node.type !== "listItem") return this.fail()
      node.content.push({ type: "paragraph", attrs: { bare: true, attrs: "" }, content: [] })
    }
    this.last?.content.push(node)
  }
  done(): RichNode | null {
    this.flush()
    this.closeLine()
    if (!this.isGood || this.open.length !== 1 || this.marks.length > 0) return null
    if (this.top.content.length === 0) {
      this.top.content.push({ type: "paragraph", attrs: { bare: true, attrs: "" }, content: [] })
    }
    return { type: "doc", content: this.top.content }
  }
}

const linkOf = (attrs: string) => {
  // The letters before it are those of a tag that is read like any other.
  const found = attributesOf(masked(`<a ${attrs}>`), -3).find(({ name }) => name.toLowerCase() === "href")
  if (found === undefined) return { href: null, attrs }
  const rest = `${attrs.slice(0, found.start)}${attrs.slice(found.end).trimStart()}`.trim()
  const value = attrs.slice(attrs.indexOf("=", found.start) + 1, found.end).trim()
  const isQuoted = value.startsWith('"') || value.startsWith("'")
  return { href: decoded(isQuoted ? value.slice(1, -1) : value), attrs: rest }
}

const order: ReadonlyArray<RichMark["type"]> = ["link", "span", "bold", "italic", "underline"]
const sorted = (marks: ReadonlyArray<RichMark>): ReadonlyArray<RichMark> =>
  [...marks].sort((one, other) => order.indexOf(one.type) - order.indexOf(other.type))

/** Linear. */
export const docOf = (html: string): RichNode | null => {
  if (html.includes(stand)) return null
  const found = placeholdersOf(html)
  const reader = new Reader(found.map(([start, end]) => html.slice(start, end)))
  const letters: Array<string> = []
  let at = 0
  for (const [start, end] of found) {
    letters.push(html.slice(at, start), stand)
    at = end
  }
  const source = letters.join("") + html.slice(at)
  const parser = new Parser(
    {
      onopentag: (name, _attributes, isImplied) => {
        if (isImplied || reader.open.length > deepest) reader.fail()
        if (!reader.isGood) return parser.pause()
        const tag = source.slice(parser.startIndex, parser.endIndex + 1)
        reader.start(name, tag.slice(1 + name.length, tag.endsWith("/>") ? -2 : -1).trim())
      },
      onclosetag: (name) => reader.end(name),
      ontext: (text) => reader.text(text),
      oncomment: () => reader.fail(),
      onprocessinginstruction: () => reader.fail()
    },
    { decodeEntities: true, lowerCaseTags: true, recognizeSelfClosing: true }
  )
  parser.write(source)
  if (!reader.isGood) return null
  parser.end()
  return reader.done()
}

/** Quotes need no entity outside of tags. */
const encodedText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\u00A0", "&nbsp;")

const openingOf = ({ type, attrs }: RichMark): string => {
  const rest = String(attrs["attrs"] ?? "")
  if (type === "link") {
    const href = attrs["href"]
    const own = typeof href === "string" ? [`href="${encoded(href)}"`] : []
    return `<${["a", ...own, ...(rest === "" ? [] : [rest])].join(" ")}>`
  }
  return `<${[tagOf({ type, attrs }), ...(rest === "" ? [] : [rest])].join(" ")}>`
}

const usualTags: { readonly [type: string]: string } = { span: "span", bold: "b", italic: "i", underline: "u" }

const tagOf = ({ type, attrs }: RichMark): string => {
  const tag = attrs["tag"]
  if (type === "link") return "a"
  return typeof tag === "string" && marksByTag[tag] === type ? tag : (usualTags[type] ?? "span")
}

const inlineOf = (nodes: ReadonlyArray<RichNode>): string => {
  const open: Array<RichMark> = []
  let text = ""
  const closeTo = (length: number) => {
    while (open.length > length) {
      const mark = open.pop()
      if (mark !== undefined) text += `</${tagOf(mark)}>`
    }
  }
  for (const node of nodes) {
    const marks = sorted(node.marks ?? [])
    let same = 0
    while (same < open.length && same < marks.length && JSON.stringify(open[same]) === JSON.stringify(marks[same]))
      same++
    closeTo(same)
    for (const mark of marks.slice(same)) {
      text += openingOf(mark)
      open.push(mark)
    }
    text +=
      node.type === "hardBreak"
        ? "<br />"
        : node.type === "token"
          ? String(node.attrs?.["text"] ?? "")
          : encodedText(node.text ?? "")
  }
  closeTo(0)
  return text
}

const isBare = (node: RichNode | undefined) => node?.type === "paragraph" && node.attrs?.["bare"] !== false

const blocksOf = (nodes: ReadonlyArray<RichNode>): string =>
  nodes
    .map((node, index) => {
      const content = node.content ?? []
      const given = String(node.attrs?.["attrs"] ?? "")
      const attrs = given === "" ? "" : ` ${given}`
      const wrap = (tag: string, inner: string) => `<${tag}${attrs}>${inner}</${tag}>`
      if (node.type === "heading") return wrap(`h${node.attrs?.["level"] ?? 2}`, inlineOf(content))
      if (node.type === "bulletList") return wrap("ul", blocksOf(content))
      if (node.type === "orderedList") return wrap("ol", blocksOf(content))
      if (node.type === "listItem") return wrap("li", blocksOf(content))
      // Two lines without tags of their own would be one.
      const isAlone = !isBare(nodes[index - 1]) && !isBare(nodes[index + 1])
      return isBare(node) && isAlone ? inlineOf(content) : wrap("p", inlineOf(content))
    })
    .join("")

export const htmlOf = (doc: RichNode): string => blocksOf(doc.content ?? [])

const kept = new Set([...Object.keys(marksByTag), ...Object.keys(blocksByTag), "br", "div"])
const dropped = new Set([
  "script",
  "style",
  "title",
  "template",
  "noscript",
  "textarea",
  "iframe",
  "object",
  "svg",
  "math"
])

/** Whether a link of pasted text is taken over. */
export const isLinkable = (href: string | null | undefined): href is string =>
  typeof href === "string" && /^(?:https?:|mailto:|tel:|\{\{)/i.test(href)

/** Pasted HTML with the elements that the editor knows, and no attribute but the address of a link. Linear. */
export const cleanHtml = (html: string): string => {
  let text = ""
  let open = 0
  let inDropped = 0
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++open > deepest) return parser.pause()
        if (dropped.has(name)) inDropped++
        if (inDropped > 0 || !kept.has(name)) return
        const href = attributes["href"] ?? attributes["data-link"]
        text +=
          isLinkable(href) && (name === "a" || name === "span") ? `<${name} data-link="${encoded(href)}">` : `<${name}>`
      },
      onclosetag: (name) => {
        open--
        if (dropped.has(name)) inDropped--
        else if (inDropped === 0 && kept.has(name) && name !== "br") text += `</${name}>`
      },
      ontext: (letters) => {
        if (inDropped === 0) text += encodedText(letters)
      }
    },
    { decodeEntities: true }
  )
  parser.write(html)
  if (open <= deepest) parser.end()
  return text
}
