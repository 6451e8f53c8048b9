/** Reads one tag of a template from its opening braces to the closing braces. Does not parse the expression in it. */

/** `inner` is trimmed and free of sigils and `~`. */
type Kind =
  | { readonly _tag: "Value"; readonly inner: string; readonly escaped: boolean; readonly fallback: string | undefined }
  | { readonly _tag: "Partial"; readonly inner: string }
  | { readonly _tag: "Open"; readonly inner: string }
  | { readonly _tag: "ElseIf"; readonly inner: string }
  | { readonly _tag: "Else" }
  | { readonly _tag: "Close"; readonly inner: string }
  | { readonly _tag: "Comment" }

/** Where the tag ends, and whether it removes white space after it. */
interface Ending {
  readonly end: number
  readonly trimRight: boolean
}

export interface TagRead extends Ending {
  readonly tag: Kind
}

/** A message for the author of the template. */
interface Refused {
  readonly refusal: string
}

const refuse = (refusal: string): Refused => ({ refusal })
const foreign = (what: string): Refused => refuse(`${what} are not part of the template language.`)
const notClosed = refuse("The placeholder is not closed.")

/**
 * The maximum length of a tag in characters, without fallback and comment. Limits the work of the expression parser.
 */
const maxTag = 10_000

export const readTag = (source: string, at: number): TagRead | Refused => {
  if (source.startsWith("{{{{", at)) return foreign("Raw blocks")
  const start = source[at + 2] === "~" ? at + 3 : at + 2
  const otherwise = matchAt(elseTag, source, start)
  if (otherwise !== undefined) {
    return { tag: { _tag: "Else" }, end: start + otherwise.length, trimRight: otherwise.at(-3) === "~" }
  }
  const elseIf = matchAt(elseIfTag, source, start)
  if (elseIf !== undefined) return readBlockTag(source, start + elseIf.length, "ElseIf")
  switch (source[start]) {
    case "!":
      return readComment(source, start)
    case "#":
      if (source[start + 1] === ">") return foreign("Partials with a block")
      if (source[start + 1] === "*") return foreign("Decorators")
      return readBlockTag(source, start + 1, "Open")
    case "/":
      return readBlockTag(source, start + 1, "Close")
    case "{":
      return readValue(source, start + 1, { escaped: false, triple: true })
    case "&":
      return readValue(source, start + 1, { escaped: false, triple: false })
    case ">":
      return readBlockTag(source, start + 1, "Partial")
    case "*":
      return foreign("Decorators")
    case "^":
      return refuse("Inverted blocks are not part of the template language; use {{#unless}}.")
    default:
      return readValue(source, start, { escaped: true, triple: false })
  }
}

const elseTag = /(?:\^|\s*else)\s*~?\}\}/y
const elseIfTag = /\s*else\b/y
const longComment = /--~?\}\}/g
const shortComment = /\}\}/g
const blanks = /\s*/y

const matchAt = (pattern: RegExp, source: string, at: number): string | undefined => {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0]
}

const skipBlanks = (source: string, at: number): number => at + (matchAt(blanks, source, at)?.length ?? 0)

const readComment = (source: string, start: number): TagRead | Refused => {
  const close = source.startsWith("!--", start) ? longComment : shortComment
  if (matchAt(close, source, start + 1) === undefined) return refuse("The comment is not closed.")
  return { tag: { _tag: "Comment" }, end: close.lastIndex, trimRight: source[close.lastIndex - 3] === "~" }
}

const readBlockTag = (
  source: string,
  start: number,
  _tag: Exclude<Kind["_tag"], "Value" | "Else" | "Comment">
): TagRead | Refused => {
  const body = readBody(source, start, false)
  if ("refusal" in body) return body
  if (body.close === undefined)
    return refuse("A fallback with ?? belongs into a placeholder that prints, not into a block or a partial.")
  return { tag: { _tag, inner: body.inner }, ...body.close }
}

const readValue = (
  source: string,
  start: number,
  { escaped, triple }: { readonly escaped: boolean; readonly triple: boolean }
): TagRead | Refused => {
  const body = readBody(source, start, triple)
  if ("refusal" in body) return body
  const { inner, at, close } = body
  if (close !== undefined) return { tag: { _tag: "Value", inner, escaped, fallback: undefined }, ...close }
  const read = readFallback(source, skipBlanks(source, at + 2), triple)
  return "refusal" in read ? read : { tag: { _tag: "Value", inner, escaped, fallback: read.fallback }, ...read.close }
}

interface Body {
  readonly inner: string
  /** Where the closing braces, or `??`, begin. */
  readonly at: number
  /** Missing before `??`. */
  readonly close: Ending | undefined
}

const readBody = (source: string, start: number, triple: boolean): Body | Refused => {
  for (let at = start; at < source.length; at++) {
    if (at - start > maxTag) return refuse(`A placeholder is longer than ${maxTag} characters.`)
    switch (source[at]) {
      case '"':
      case "'":
        at = closing(source, at, source[at])
        if (at === -1) return refuse("A text in quotes is not closed.")
        break
      case "[":
        at = closing(source, at, "]")
        if (at === -1) return refuse("A name in [ ] is not closed.")
        break
      case "(":
        return foreign("Expressions in round brackets")
      case "{":
        if (source[at + 1] === "{") return notClosed
        break
      case "?":
        if (source[at + 1] !== "?") break
        return { inner: source.slice(start, at).trim(), at, close: undefined }
      case "~":
      case "}": {
        const close = closeAt(source, at, triple)
        if (close === undefined) break
        return "refusal" in close ? close : { inner: source.slice(start, at).trim(), at, close }
      }
    }
  }
  return notClosed
}

/** Finds the character that closes what opens at `open`. A backslash escapes it. Returns -1 if it is missing. */
export const closing = (source: string, open: number, close: string | undefined): number => {
  for (let at = open + 1; at < source.length; at++) {
    if (source[at] === close) return at
    if (source[at] === "\\" && source[at + 1] === close) at++
  }
  return -1
}

const closings = [
  { text: "}}}", triple: true, trimRight: false },
  { text: "}~}}", triple: true, trimRight: true },
  { text: "}}", triple: false, trimRight: false },
  { text: "~}}", triple: false, trimRight: true }
]

const closeAt = (source: string, at: number, triple: boolean): Ending | Refused | undefined => {
  const found = closings.find(({ text }) => source.startsWith(text, at))
  if (found === undefined) return undefined
  if (found.triple === triple) return { end: at + found.text.length, trimRight: found.trimRight }
  return triple
    ? refuse("A placeholder that begins with {{{ ends with }}}.")
    : refuse("A placeholder that begins with {{ ends with }}; leave a blank between it and a further }.")
}

interface Fallback {
  readonly fallback: string
  readonly close: Ending
}

/** The text after `??` as written. Quotes around it are removed. Quoted text may contain closing braces. */
const readFallback = (source: string, start: number, triple: boolean): Fallback | Refused => {
  const quote = source[start]
  if (quote === '"' || quote === "'") {
    const last = closing(source, start, quote)
    const close = last === -1 ? undefined : closeAt(source, skipBlanks(source, last + 1), triple)
    if (close !== undefined && "end" in close) {
      return { fallback: source.slice(start + 1, last).replaceAll(`\\${quote}`, quote), close }
    }
  }
  for (let at = start; at < source.length; at++) {
    if (source.startsWith("{{", at)) return notClosed
    const close = closeAt(source, at, triple)
    if (close !== undefined) {
      return "refusal" in close ? close : { fallback: source.slice(start, at).trim(), close }
    }
  }
  return notClosed
}
