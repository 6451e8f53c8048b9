/** HTML templates that escape every value, except markup that another template made. */
import { escapeHtml } from "./EscapeHtml.ts"

/** Markup from `html`. There is no other way to create it. */
export type Html = Markup

/** A list is joined without separators. Null, undefined and false give nothing. */
export type HtmlValue = string | number | Html | ReadonlyArray<HtmlValue> | null | undefined | false

/** Attribute values must be in double quotes. Check the scheme of a URL separately. */
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
