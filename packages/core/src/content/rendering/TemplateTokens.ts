/**
 * Splits a source into text and tags in one pass, at the same positions as the Handlebars lexer: `\{{` is literal,
 * `\\{{` is a backslash before a tag, and quoted texts and `[names]` may contain braces. Syntax that is not supported
 * stops the pass.
 */

import type { Flaw } from "./TemplateFault.ts"
import { readTag, type TagRead } from "./TemplateTag.ts"

export interface Text {
  readonly _tag: "Text"
  readonly text: string
}

/** `trimLeft` and `trimRight`: `{{~` and `~}}` remove white space on their side. */
export type Tag = TagRead["tag"] & {
  readonly at: number
  readonly end: number
  readonly trimLeft: boolean
  readonly trimRight: boolean
}

export type Token = Text | Tag

/** The maximum number of characters of all tags in a text. Comments and the texts after `??` do not count. */
const maxTags = 256 * 1024

/** Never contains two adjacent texts. If there is a flaw, contains the tokens before it. */
export interface Tokens {
  readonly tokens: ReadonlyArray<Token>
  /** Where the braces of each `\\{{` are. */
  readonly literals: ReadonlyArray<number>
  readonly flaw: Flaw | undefined
}

export const tokenize = (source: string): Tokens => {
  const tokens: Array<Token> = []
  const literals: Array<number> = []
  let text = ""
  let at = 0
  let spent = 0
  const endText = () => {
    if (text !== "") tokens.push({ _tag: "Text", text })
    text = ""
  }
  for (let open = source.indexOf("{{"); open !== -1; open = source.indexOf("{{", at)) {
    const slashes = backslashesBefore(source, open, at)
    text += source.slice(at, slashes === 0 ? open : open - 1)
    if (slashes === 1) {
      literals.push(open)
      at = endOfLiteral(source, open)
      text += source.slice(open, at)
      continue
    }
    endText()
    const read = readTag(source, open)
    if ("refusal" in read) return { tokens, literals, flaw: { message: read.refusal, at: open } }
    spent += costOf(read, open)
    if (spent > maxTags) return { tokens, literals, flaw: { message: tooMuch, at: open } }
    tokens.push({ ...read.tag, at: open, end: read.end, trimLeft: source[open + 2] === "~", trimRight: read.trimRight })
    at = read.end
  }
  text += source.slice(at)
  endText()
  return { tokens, literals, flaw: undefined }
}

const tooMuch = "The placeholders of a text have at most 256 kB in all."

const costOf = ({ end, tag }: TagRead, open: number): number => {
  if (tag._tag === "Comment") return 0
  return end - open - (tag._tag === "Value" ? (tag.fallback?.length ?? 0) : 0)
}

/** Counts at most 2, because more have the same meaning. */
const backslashesBefore = (source: string, end: number, start: number): number => {
  let count = 0
  while (count < 2 && end - count > start && source[end - count - 1] === "\\") count++
  return count
}

/** Literal braces extend to the next tag or the next escape. */
const endOfLiteral = (source: string, open: number): number => {
  const next = source.indexOf("{{", open + 2)
  return next === -1 ? source.length : next - backslashesBefore(source, next, open + 2)
}
