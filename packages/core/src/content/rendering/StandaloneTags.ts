/**
 * Removes white space around tags by the rules of Handlebars. A tag with `~` removes all white space on that side. A
 * tag that prints nothing and stands alone on a line removes the whole line.
 */
import type { Token } from "./TemplateTokens.ts"

export const withoutTagLines = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const alone = tokens.map((token, i) => printsNothing(token) && lineEndsBefore(tokens, i) && lineEndsAfter(tokens, i))
  return tokens.map((token, i) => {
    if (token._tag !== "Text") return token
    const before = tokens[i - 1]
    const after = tokens[i + 1]
    let text = token.text
    if (before !== undefined && before._tag !== "Text" && before.trimRight) text = text.trimStart()
    else if (alone[i - 1]) text = text.replace(/^[ \t]*\r?\n?/, "")
    if (after !== undefined && after._tag !== "Text" && after.trimLeft) text = text.trimEnd()
    else if (alone[i + 1]) text = text.replace(/(^|[^ \t])[ \t]+$/, "$1")
    return { _tag: "Text", text }
  })
}

const printsNothing = (token: Token): boolean =>
  token._tag !== "Text" && token._tag !== "Value" && token._tag !== "Partial"

/** Only the first text of the source may lack a line break, because the source begins there. */
const lineEndsBefore = (tokens: ReadonlyArray<Token>, i: number): boolean => {
  const before = tokens[i - 1]
  if (before === undefined) return true
  if (before._tag !== "Text") return false
  return (i === 1 ? /^\s*$|(?:^|\S)[^\S\n]*\n\s*$/ : /(?:^|\S)[^\S\n]*\n\s*$/).test(before.text)
}

const lineEndsAfter = (tokens: ReadonlyArray<Token>, i: number): boolean => {
  const after = tokens[i + 1]
  if (after === undefined) return true
  if (after._tag !== "Text") return false
  return (i === tokens.length - 2 ? /^\s*?(?:\r?\n|$)/ : /^\s*?\r?\n/).test(after.text)
}
