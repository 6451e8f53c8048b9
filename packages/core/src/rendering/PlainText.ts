/// <reference path="./html-to-text.d.ts" />
/** The plain text part of a mail, made from its HTML (contract 7.3). */
import { Option, Result } from "effect"
import { compile, type Formatter } from "html-to-text"
import { megabyte } from "./ByteLimit.ts"
import { flatHtml, isCostly } from "./FlatHtml.ts"

/** What is nested deeper is left out of the text; in a costly document it loses its tags only. */
const maxDepth = 200
/** Of the text of a costly document; what is behind is left out. */
const maxLength = 4 * megabyte

/**
 * Links as their text followed by the address in angle brackets, lists, line breaks, one line for each row of a table.
 * Lines are not wrapped. Takes time in proportion to the HTML, whatever is in it.
 */
export const plainText = (html: string): string =>
  Option.getOrElse(convertedAsIs(html), () => convert(flatHtml(html, { maxDepth, maxLength })))
    .replaceAll("\t", " ")
    .replace(/[\p{Cc}--\n]/gv, "")
    .trim()

/** The library stumbles over some documents, such as one with an element named `constructor`. */
const convertedAsIs = (html: string): Option.Option<string> =>
  isCostly(html) ? Option.none() : Result.getSuccess(Result.try(() => convert(html)))

/** A picture is its description. */
const alternative: Formatter = (element, _walk, builder) => builder.addInline(element.attribs["alt"] ?? "")

/** Cells of a row are kept apart by a blank. */
const cell: Formatter = (element, walk, builder) => {
  walk(element.children, builder)
  builder.addInline(" ")
}

const headings = { uppercase: false, leadingLineBreaks: 2, trailingLineBreaks: 2 }
const lines = { leadingLineBreaks: 1, trailingLineBreaks: 1 }

const convert = compile({
  wordwrap: false,
  limits: { maxInputLength: Number.MAX_SAFE_INTEGER, maxDepth, ellipsis: "" },
  formatters: { alternative, cell },
  selectors: [
    { selector: "a", options: { linkBrackets: ["<", ">"], hideLinkHrefIfSameAsText: true } },
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
