/**
 * Checks the elements of an MJML source before it is compiled. The compiler prints unknown elements as they are, ignores
 * the names of closing tags, and overflows its stack on deep nesting.
 */
import type { Flaw } from "./TemplateFault.ts"

/** Open elements at one place, whether of MJML or of HTML. */
const maxNesting = 50

/** Elements that hold other elements of MJML, and text. */
const structure = new Set([
  "mjml",
  "mj-head",
  "mj-attributes",
  "mj-body",
  "mj-wrapper",
  "mj-section",
  "mj-group",
  "mj-column",
  "mj-hero",
  "mj-accordion",
  "mj-accordion-element",
  "mj-carousel",
  "mj-navbar",
  "mj-social"
])

/** Elements that hold HTML, or nothing. */
const leaves = new Set([
  "mj-all",
  "mj-class",
  "mj-accordion-text",
  "mj-accordion-title",
  "mj-breakpoint",
  "mj-button",
  "mj-carousel-image",
  "mj-divider",
  "mj-font",
  "mj-image",
  "mj-navbar-link",
  "mj-preview",
  "mj-raw",
  "mj-social-element",
  "mj-spacer",
  "mj-style",
  "mj-table",
  "mj-text",
  "mj-title"
])

/** Elements of HTML without a closing tag. */
const empty = new Set("area base br col embed hr img input link meta param source track wbr".split(" "))

interface Open {
  readonly name: string
  readonly at: number
}

/** The first flaw of the elements, or undefined. Takes time in proportion to the source. */
export const elementsFlaw = (source: string): Flaw | undefined => {
  const open: Array<Open> = []
  let at = 0
  for (let start = source.indexOf("<"); start !== -1; start = source.indexOf("<", at)) {
    const tag = readTag(source, start)
    if ("message" in tag) return tag
    at = tag.end
    switch (tag.kind) {
      case "other":
        break
      case "close": {
        const last = open.pop()
        if (last === undefined) return { message: `</${tag.name}> closes no element.`, at: start }
        if (last.name !== tag.name) return { message: `<${last.name}> is closed by </${tag.name}>.`, at: start }
        break
      }
      case "open": {
        const message = refusal(tag.name, open)
        if (message !== undefined) return { message, at: start }
        if (!tag.isClosed && !isEmpty(tag.name, open)) open.push({ name: tag.name, at: start })
      }
    }
  }
  const last = open.at(-1)
  return last && { message: `<${last.name}> is not closed.`, at: last.at }
}

const refusal = (name: string, open: ReadonlyArray<Open>): string | undefined => {
  if (name === "mj-include") return "<mj-include> is not supported; a text that several templates share is a partial."
  if (open.length === maxNesting) return `Elements are nested more than ${maxNesting} deep.`
  const parent = open.at(-1)?.name
  if (parent === undefined) return name === "mjml" ? undefined : `The first element is <mjml>, not <${name}>.`
  const isMjml = structure.has(name) || leaves.has(name)
  if (structure.has(parent)) {
    return isMjml ? undefined : `<${name}> is not an element of MJML. HTML belongs in <mj-text> or <mj-raw>.`
  }
  if (isMjml) return `<${name}> is not allowed in <${parent}>.`
  return name.startsWith("mj-") ? `<${name}> is not an element of MJML.` : undefined
}

const isEmpty = (name: string, open: ReadonlyArray<Open>): boolean =>
  !structure.has(open.at(-1)?.name ?? "") && empty.has(name)

/** From the `<` to after the `>`. */
type TagRead =
  | { readonly kind: "open"; readonly name: string; readonly isClosed: boolean; readonly end: number }
  | { readonly kind: "close"; readonly name: string; readonly end: number }
  | { readonly kind: "other"; readonly end: number }

const readTag = (source: string, start: number): TagRead | Flaw => {
  switch (source[start + 1]) {
    case "!":
      return readComment(source, start)
    case "?":
      return { kind: "other", end: start + 2 }
    case "/": {
      const [tag, name] = matchAt(closingTag, source, start) ?? []
      if (tag === undefined || name === undefined) return { message: "A closing tag is not complete.", at: start }
      return { kind: "close", name, end: start + tag.length }
    }
    default: {
      const [tag, name] = matchAt(openingTag, source, start) ?? []
      if (tag === undefined || name === undefined) {
        return { message: "A < that begins no element is written &lt;.", at: start }
      }
      return readAttributes(source, start, name, start + tag.length)
    }
  }
}

const closingTag = /<\/([^\s<>/]+)\s*>/y
const openingTag = /<([\p{L}_:][^\s<>/"'=]*)/uy

const matchAt = (pattern: RegExp, source: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(source)
}

/** Conditional comments are tags of their own. What stands between them is read as elements. */
const readComment = (source: string, start: number): TagRead | Flaw => {
  const condition = matchAt(conditionalComment, source, start)
  if (condition !== null) return { kind: "other", end: start + condition[0].length }
  if (!source.startsWith("<!--", start)) return { kind: "other", end: start + 2 }
  const close = source.indexOf("-->", start + 4)
  return close === -1 ? { message: "The comment is not closed.", at: start } : { kind: "other", end: close + 3 }
}

const conditionalComment = /<!(?:--\[if|--<!\[endif|\[if|\[endif)[^\]]*(?:\](?:>-->|><!-->|-->|>))?/y

const readAttributes = (source: string, start: number, name: string, from: number): TagRead | Flaw => {
  for (let at = from; at < source.length; at++) {
    switch (source[at]) {
      case ">":
        return { kind: "open", name, isClosed: source[at - 1] === "/", end: at + 1 }
      case "<":
        return { message: `The tag <${name}> is not complete.`, at: start }
      case '"':
      case "'": {
        const close = source.indexOf(source[at] ?? "", at + 1)
        if (close === -1) return { message: "A value in quotes is not closed.", at }
        at = close
      }
    }
  }
  return { message: `The tag <${name}> is not complete.`, at: start }
}
