/**
 * Cuts a source into text and tags, in one pass, where Handlebars' own lexer cuts it: `\{{` is literal, `\\{{` is a
 * backslash before a tag, texts in quotes and `[names]` may hold braces. What is outside our language ends the pass.
 */

import type { Flaw } from "./TemplateFault.ts"
import { readTag, type TagRead } from "./TemplateTag.ts"

export interface Text {
  readonly _tag: "Text"
  readonly text: string
}

/** `trimLeft`, `trimRight`: `{{~` and `~}}` eat the white space of their side. */
export type Tag = TagRead["tag"] & { readonly at: number; readonly trimLeft: boolean; readonly trimRight: boolean }

export type Token = Text | Tag

/** Never two texts in a row. With a flaw: the tokens before it. */
export interface Tokens {
  readonly tokens: ReadonlyArray<Token>
  readonly flaw: Flaw | undefined
}

export const tokenize = (source: string): Tokens => {
  const tokens: Array<Token> = []
  let text = ""
  let at = 0
  const endText = () => {
    if (text !== "") tokens.push({ _tag: "Text", text })
    text = ""
  }
  for (let open = source.indexOf("{{"); open !== -1; open = source.indexOf("{{", at)) {
    const slashes = backslashesBefore(source, open, at)
    text += source.slice(at, slashes === 0 ? open : open - 1)
    if (slashes === 1) {
      at = endOfLiteral(source, open)
      text += source.slice(open, at)
      continue
    }
    endText()
    const read = readTag(source, open)
    if ("refusal" in read) return { tokens, flaw: { message: read.refusal, at: open } }
    tokens.push({ ...read.tag, at: open, trimLeft: source[open + 2] === "~", trimRight: read.trimRight })
    at = read.end
  }
  text += source.slice(at)
  endText()
  return { tokens, flaw: undefined }
}

/** At most 2: more mean the same. */
const backslashesBefore = (source: string, end: number, start: number): number => {
  let count = 0
  while (count < 2 && end - count > start && source[end - count - 1] === "\\") count++
  return count
}

/** Literal braces run up to the next tag or the next escape. */
const endOfLiteral = (source: string, open: number): number => {
  const next = source.indexOf("{{", open + 2)
  return next === -1 ? source.length : next - backslashesBefore(source, next, open + 2)
}
