/** Shows a JSON Schema to people: its type in a few words, and its fields as a list. */

import { type Html, type HtmlValue, html } from "@posthorn/core/platform/web/Html"
import { Predicate } from "effect"
import { nameOf } from "./OpenApiDocument.ts"

/** A part of a schema; undefined if it has none. */
export const get = (schema: unknown, key: string): unknown =>
  Predicate.hasProperty(schema, key) ? schema[key] : undefined

export const listAt = (schema: unknown, key: string): ReadonlyArray<unknown> => {
  const value = get(schema, key)
  return Array.isArray(value) ? value : []
}

const joined = (parts: ReadonlyArray<HtmlValue>, between: string): HtmlValue =>
  parts.map((part, position) => (position === 0 ? part : html`${between}${part}`))

const range = (min: unknown, max: unknown, unit: string): string => {
  if (typeof min === "number" && typeof max === "number") return `, ${min} to ${max}${unit}`
  if (typeof min === "number") return `, at least ${min}${unit}`
  return typeof max === "number" ? `, at most ${max}${unit}` : ""
}

const bounds = (schema: unknown): string =>
  range(get(schema, "minLength"), get(schema, "maxLength"), " characters") +
  range(get(schema, "minimum"), get(schema, "maximum"), "") +
  range(get(schema, "minItems"), get(schema, "maxItems"), " items")

/** `string (email), at most 254 characters`, `array of Contact`, `"READY" or null`. */
export const kindOf = (schema: unknown): HtmlValue => {
  const reference = get(schema, "$ref")
  if (typeof reference === "string") return html`<a href="#schema-${nameOf(reference)}">${nameOf(reference)}</a>`
  const values = listAt(schema, "enum")
  if (values.length > 0)
    return joined(
      values.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      " or "
    )
  const choices = [...listAt(schema, "anyOf"), ...listAt(schema, "oneOf"), ...listAt(schema, "allOf")]
  if (choices.length > 0) return joined(choices.map(kindOf), " or ")
  const type = get(schema, "type")
  const format = get(schema, "format")
  const items = get(schema, "items")
  if (type === "array" && items !== undefined) return html`array of ${kindOf(items)}${bounds(schema)}`
  const name = typeof type === "string" ? type : Array.isArray(type) ? type.join(" or ") : "any value"
  return `${name}${typeof format === "string" ? ` (${format})` : ""}${bounds(schema)}`
}

/** The object in a schema, also one in a list or a union with null. Deeper ones are shown inline. */
const objectIn = (schema: unknown): unknown =>
  get(schema, "properties") !== undefined
    ? schema
    : [get(schema, "items"), ...listAt(schema, "anyOf"), ...listAt(schema, "oneOf")]
        .filter((part) => part !== undefined)
        .map(objectIn)
        .find((part) => part !== undefined)

const deepest = 3

const field = (name: string, schema: unknown, isRequired: boolean, depth: number): Html => html`
<li>
  <code class="name">${name}</code> <span class="kind">${kindOf(schema)}</span>${isRequired && html` <strong>required</strong>`}
  ${described(get(schema, "description"))}
  ${depth < deepest && fieldsOf(schema, depth + 1)}
</li>`

/** The fields of the object in a schema; nothing if there is none. */
export const fieldsOf = (schema: unknown, depth = 0): HtmlValue => {
  const properties = get(objectIn(schema), "properties")
  if (!Predicate.isObject(properties)) return null
  const required = listAt(objectIn(schema), "required")
  const fields = Object.entries(properties)
  return (
    fields.length > 0 &&
    html`<ul class="fields">${fields.map(([name, value]) => field(name, value, required.includes(name), depth))}</ul>`
  )
}

/** Paragraphs; text in backticks becomes code. */
export const described = (text: unknown): HtmlValue =>
  typeof text === "string" &&
  text
    .split(/\n{2,}/)
    .map(
      (paragraph) =>
        html`<p>${paragraph.split("`").map((part, position) => (position % 2 === 1 ? html`<code>${part}</code>` : part))}</p>`
    )
