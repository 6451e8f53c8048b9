/**
 * Compiles an MJML source with placeholders to HTML with the same placeholders.
 *
 * A compiler of MJML knows no placeholders, so each is replaced by a word before compiling and put back after it. Quotes
 * and `<` in a placeholder therefore do no harm, and a placeholder that the compiler drops is noticed.
 */
import { exceedsBytes, maxText, megabyte } from "./ByteLimit.ts"
import { elementsFlaw } from "./MjmlElements.ts"
import { type Flaw, faultAt, type TemplateFault } from "./TemplateFault.ts"
import { checkTemplate, templateFlaw } from "./TemplateSyntax.ts"
import { tokenize } from "./TemplateTokens.ts"

/** What a compiler answers. `at` is the offset of the fault in its source, if it is known. */
export type Compiled = { readonly html: string } | { readonly message: string; readonly at: number | undefined }

/** A compiler of MJML without placeholders. */
export type Engine = (source: string) => Compiled

/** A source that cannot be compiled, for a reason without a place in the source. */
export interface OtherFault {
  readonly code: "custom"
  readonly message: string
}

export type MjmlFault = TemplateFault | OtherFault

export type MjmlResult =
  | { readonly ok: true; readonly html: string }
  | { readonly ok: false; readonly fault: MjmlFault }

export const maxMjml = megabyte

const refused = (fault: MjmlFault): MjmlResult => ({ ok: false, fault })

/** The HTML, or the first fault of the source. */
export const compileMjml = (source: string, engine: Engine): MjmlResult => {
  if (exceedsBytes(source, maxMjml)) return refused({ code: "too_big", message: "At most 1 MB of MJML." })
  const [syntax] = checkTemplate(source)
  if (syntax !== undefined) return refused(syntax)

  const masks = new Masks(source)
  const refuseAt = ({ message, at }: Flaw) =>
    refused(faultAt(source, { message: masks.restore(message), at: masks.offset(at) }))
  const flaw = elementsFlaw(masks.masked)
  if (flaw !== undefined) return refuseAt(flaw)

  const compiled = engine(masks.masked)
  if (!("html" in compiled)) {
    const { message, at } = compiled
    return at === undefined ? refused({ code: "custom", message: masks.restore(message) }) : refuseAt({ message, at })
  }
  return restored(source, masks, compiled.html)
}

const restored = (source: string, masks: Masks, masked: string): MjmlResult => {
  const { html, missing, placeholders } = masks.put(masked)
  if (exceedsBytes(html, maxText)) return refused({ code: "too_big", message: "At most 5 MB of HTML after compiling." })
  if (missing !== undefined) {
    const message =
      "This placeholder is missing from the compiled HTML. Use placeholders in texts, in <mj-raw>, or in values that are part of the HTML."
    return refused(faultAt(source, { message, at: missing }))
  }
  const flaw = templateFlaw(html)
  if (flaw === undefined) return { ok: true, html }
  if (!("at" in flaw)) return refused(flaw)
  // Placeholders may be in another order, or in several places.
  const { at } = flaw
  const placeholder = placeholders.findLast((each) => each.from <= at)
  const message = `In the compiled HTML: ${flaw.message}`
  return refused(faultAt(source, { message, at: placeholder?.at ?? 0 }))
}

interface Mask {
  /** The offset of the placeholder in the source. */
  readonly at: number
  readonly text: string
  /** The offset of the word in the masked source. */
  readonly masked: number
  readonly word: string
}

interface Restored {
  readonly html: string
  /** The offset in the source of the first placeholder that is not in the HTML. */
  readonly missing: number | undefined
  /** Where each placeholder begins in the HTML, and in the source. */
  readonly placeholders: ReadonlyArray<{ readonly from: number; readonly at: number }>
}

/** A source with words in place of its placeholders. */
class Masks {
  readonly masked: string
  private readonly masks: ReadonlyArray<Mask>
  private readonly words: RegExp

  constructor(source: string) {
    const prefix = unusedPrefix(source)
    const masks: Array<Mask> = []
    let masked = ""
    let last = 0
    for (const { at, end } of placeholdersIn(source)) {
      masked += source.slice(last, at)
      const word = `${prefix}${masks.length}y`
      masks.push({ at, text: source.slice(at, end), masked: masked.length, word })
      masked += word
      last = end
    }
    this.masked = masked + source.slice(last)
    this.masks = masks
    this.words = new RegExp(`${prefix}(\\d+)y`, "g")
  }

  /** Puts the placeholders back into a message. */
  restore(message: string): string {
    return message.replaceAll(this.words, (word, index) => this.masks[Number(index)]?.text ?? word)
  }

  /** Puts the placeholders back into the HTML. Stops when it becomes too long. */
  put(compiled: string): Restored {
    const placeholders: Array<Restored["placeholders"][number]> = []
    const found = new Set<Mask>()
    let html = ""
    let last = 0
    for (const word of compiled.matchAll(this.words)) {
      const mask = this.masks[Number(word[1])]
      if (mask === undefined) continue
      html += compiled.slice(last, word.index)
      placeholders.push({ from: html.length, at: mask.at })
      html += mask.text
      last = word.index + word[0].length
      found.add(mask)
      if (html.length > maxText) break
    }
    html += compiled.slice(last)
    return { html, missing: this.masks.find((mask) => !found.has(mask))?.at, placeholders }
  }

  /** The offset in the source of an offset in the masked source. */
  offset(at: number): number {
    const mask = this.masks.findLast(({ masked }) => masked <= at)
    if (mask === undefined) return at
    const after = at - mask.masked - mask.word.length
    return after < 0 ? mask.at : mask.at + mask.text.length + after
  }
}

/** The placeholders of a source without flaws, and its escaped braces, each with the backslashes before it. */
const placeholdersIn = (source: string): ReadonlyArray<{ readonly at: number; readonly end: number }> => {
  const { tokens, literals } = tokenize(source)
  const tags = tokens.flatMap((token) => (token._tag === "Text" ? [] : [{ at: token.at, end: token.end }]))
  const escaped = literals.map((at) => ({ at, end: at + 2 }))
  let last = 0
  return [...tags, ...escaped]
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, end }) => {
      let from = at
      while (from > last && source[from - 1] === "\\") from--
      last = end
      return { at: from, end }
    })
}

/** The first character occurs once in a word, so no text before a word can be mistaken for its start. */
const unusedPrefix = (source: string): string => {
  for (let n = 0; ; n++) {
    const prefix = `qz${n}x`
    if (!source.includes(prefix)) return prefix
  }
}
