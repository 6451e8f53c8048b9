/// <reference path="./html-to-text.d.ts" />
/** Creates the plain text part of a mail from its HTML. */
import { Option, Result } from "effect"
import { compile, type Formatter } from "html-to-text"
import { megabyte } from "./ByteLimit.ts"
import { flatHtml, isCostly } from "./FlatHtml.ts"
import { hasMark, type Skeleton } from "./Skeleton.ts"

/** Deeper content is left out of the text. In a costly document only its tags are dropped. */
const maxDepth = 200
/** The maximum length of the text of a costly document. The rest is dropped. */
const maxLength = 4 * megabyte

/**
 * Converts HTML to plain text. A link becomes its text followed by the address in angle brackets. Lists and line breaks
 * are kept, and each table row is one line. Lines are not wrapped. Takes time in proportion to the HTML.
 */
export const plainText = (html: string): string =>
  clean(Option.getOrElse(convertedAsIs(html), () => convert(flatHtml(html, { maxDepth, maxLength }))))

/**
 * The same as `plainText` of the HTML that the skeleton belongs to. The skeleton is converted once for all recipients,
 * unless their values could change the conversion.
 */
export const plainTextOf = (html: string, skeleton: Skeleton): string => {
  if (isCostly(html) || !skeleton.isUnambiguous) return plainText(html)
  const read = readings.get(skeleton.text) ?? keep(skeleton.text, readingOf(skeleton.text))
  return read === "by itself" || read.links.some((link) => !readsAlike(link, skeleton))
    ? plainText(html)
    : skeleton.fill(read.text)
}

/** A link with marks in it, as written in the skeleton. */
interface Link {
  readonly href: string
  /** The text of the link, without blanks. */
  readonly words: string
}

interface Reading {
  readonly text: string
  readonly links: ReadonlyArray<Link>
}

/** The results for recent skeletons, oldest first. "by itself" means that the skeleton cannot be shared. */
const readings = new Map<string, Reading | "by itself">()
/** The maximum number of characters of cached skeletons: in total and each. */
const maxKept = 4 * megabyte
const maxEach = maxKept / 8
let kept = 0

const keep = (skeleton: string, reading: Reading | "by itself") => {
  if (skeleton.length > maxEach) return reading
  readings.set(skeleton, reading)
  kept += skeleton.length
  for (const oldest of readings.keys()) {
    if (kept <= maxKept) break
    readings.delete(oldest)
    kept -= oldest.length
  }
  return reading
}

const readingOf = (skeleton: string): Reading | "by itself" => {
  if (isFragile(skeleton)) return "by itself"
  links = []
  const text = Option.map(convertedAsIs(skeleton), clean)
  return Option.isNone(text) ? "by itself" : { text: text.value, links }
}

const quotedAddress = /\s(?:href|alt)\s*=\s*(?:"[^"<>]*"|'[^'<>]*')/gi
/** A mark in an entity, in a tag, in the number of a list or in an unquoted value. Each pattern takes linear time. */
const fragileMark =
  /&[#\w]*[\ue000-\uf8ff]|<[^<>]*[\ue000-\uf8ff]|\b(?:start|type)\s*=\s*["']?[^"'=]*[\ue000-\uf8ff]|=\s*[^"'\s<>=]*[\ue000-\uf8ff]/i
/** Elements whose text is not decoded. */
const rawText = /<(?:textarea|xmp|iframe|noembed|noframes|noscript|plaintext|!\[cdata)/i

/** Whether a value could affect how the text around it is read. */
const isFragile = (skeleton: string): boolean =>
  hasMark(skeleton) && (rawText.test(skeleton) || fragileMark.test(skeleton.replace(quotedAddress, "")))

/** Whether the link shows the same parts with the values as with their marks. */
const readsAlike = ({ href, words }: Link, skeleton: Skeleton): boolean => {
  const filled = addressOf(skeleton.fill(href))
  const address = addressOf(href)
  return (
    filled === skeleton.fill(address) && (filled === skeleton.fill(words).replaceAll(" ", "")) === (address === words)
  )
}

const clean = (text: string): string =>
  text
    .replaceAll("\t", " ")
    .replace(/[\p{Cc}--\n]/gv, "")
    .trim()

/** Returns none if the library fails, as it does on an element named `constructor`. */
const convertedAsIs = (html: string): Option.Option<string> =>
  isCostly(html) ? Option.none() : Result.getSuccess(Result.try(() => convert(html)))

/** An image becomes its alternative text. */
const alternative: Formatter = (element, _walk, builder) => builder.addInline(element.attribs["alt"] ?? "")

/** Cells of a row are separated by a blank. */
const cell: Formatter = (element, walk, builder) => {
  walk(element.children, builder)
  builder.addInline(" ")
}

/** The links with marks in the document that is being converted. */
let links: Array<Link> = []

/** Empty for a link to a place in the same mail. */
const addressOf = (href: string): string => {
  const address = href.replace(/^mailto:/, "")
  return address.startsWith("#") ? "" : address
}

/** A link becomes its text and, if different, its address. */
const link: Formatter = (element, walk, builder) => {
  const href = element.attribs["href"] ?? ""
  const address = addressOf(href)
  let words = ""
  builder.pushWordTransform((word) => {
    words += word
    return word
  })
  walk(element.children, builder)
  builder.popWordTransform()
  if (hasMark(href) || hasMark(words)) links.push({ href, words })
  if (address === "" || address === words) return
  builder.addInline(words === "" ? address : ` <${address}>`, { noWordTransform: true })
}

const headings = { uppercase: false, leadingLineBreaks: 2, trailingLineBreaks: 2 }
const lines = { leadingLineBreaks: 1, trailingLineBreaks: 1 }

const convert = compile({
  wordwrap: false,
  limits: { maxInputLength: Number.MAX_SAFE_INTEGER, maxDepth, ellipsis: "" },
  formatters: { alternative, cell, link },
  selectors: [
    { selector: "a", format: "link" },
    { selector: "img", format: "alternative" },
    { selector: "hr", options: { length: 10 } },
    ...["td", "th"].map((selector) => ({ selector, format: "cell" })),
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: headings })),
    ...["tr", "section", "address", "center", "figure", "figcaption", "dl", "dt", "dd", "caption", "blockquote"].map(
      (selector) => ({
        selector,
        format: "block",
        options: lines
      })
    ),
    ...["title", "style", "script", "template"].map((selector) => ({ selector, format: "skip" }))
  ]
})
