/** HTML that is safe by construction: whatever a template is given is text, unless it came out of a template itself. */
import { escapeHtml } from "../rendering/PrintedValue.ts"

/** Markup made by `html`; there is no other way to make it. */
export type Html = Markup

/** A list stands for its items one after the other; null, undefined and false for nothing. */
export type HtmlValue = string | number | Html | ReadonlyArray<HtmlValue> | null | undefined | false

/** Attribute values must stand in double quotes; a URL needs its scheme checked besides. */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<HtmlValue>): Html =>
  new Markup(String.raw({ raw: strings }, ...values.map(markupOf)))

class Markup {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

const markupOf = (value: HtmlValue): string => {
  if (value === null || value === undefined || value === false) return ""
  if (value instanceof Markup) return value.toString()
  if (typeof value === "object") return value.map(markupOf).join("")
  return escapeHtml(String(value))
}
