/** Shows a JSON Schema to people: its type in a few words, and its fields as a list in which objects expand. */
import { get, listAt, nameOf, type Schemas } from "@posthorn/contract/service/examples/SchemaParts"
import { type Html, type HtmlValue, html } from "@posthorn/core/platform/web/Html"
import { Predicate } from "effect"
import { described } from "../markdown/Markdown.ts"

const joined = (parts: ReadonlyArray<HtmlValue>, between: string): HtmlValue =>
  parts.map((part, position) => (position === 0 ? part : html`${between}${part}`))

const figure = (value: number): string => value.toLocaleString("en-US")

const range = (min: unknown, max: unknown, unit: string): string => {
  if (typeof min === "number" && typeof max === "number") return `, ${figure(min)} to ${figure(max)}${unit}`
  if (typeof min === "number") return `, at least ${figure(min)}${unit}`
  return typeof max === "number" ? `, at most ${figure(max)}${unit}` : ""
}

const bounds = (schema: unknown): string =>
  range(get(schema, "minLength"), get(schema, "maxLength"), " characters") +
  range(get(schema, "minimum"), get(schema, "maximum"), "") +
  range(get(schema, "minItems"), get(schema, "maxItems"), " items")

const choicesOf = (schema: unknown): ReadonlyArray<unknown> => [
  ...listAt(schema, "anyOf"),
  ...listAt(schema, "oneOf"),
  ...listAt(schema, "allOf")
]

/** `string (email), at most 254 characters`, `array of Contact`, `"READY" or null`. */
export const kindOf = (schema: unknown): HtmlValue => {
  const reference = get(schema, "$ref")
  if (typeof reference === "string") {
    return html`<a href="/docs/schemas#schema-${nameOf(reference)}">${nameOf(reference)}</a>`
  }
  const values = listAt(schema, "enum")
  if (values.length > 0)
    return joined(
      values.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      " or "
    )
  const choices = choicesOf(schema)
  if (choices.length > 0) return joined(choices.map(kindOf), " or ")
  const type = get(schema, "type")
  const format = get(schema, "format")
  const items = get(schema, "items")
  if (type === "array" && items !== undefined) return html`array of ${kindOf(items)}${bounds(schema)}`
  const name = typeof type === "string" ? type : Array.isArray(type) ? type.join(" or ") : "any value"
  return `${name}${typeof format === "string" ? ` (${format})` : ""}${bounds(schema)}`
}

interface Shown {
  /** The name of the schema, if it has one. */
  readonly name: string | undefined
  readonly properties: object
  readonly required: ReadonlyArray<unknown>
}

/** A union of objects as one object that has the fields of all of them. Undefined for any other union. */
const joinedForms = (forms: ReadonlyArray<unknown>): { readonly properties: object } | undefined => {
  const all = forms.map((form) => get(form, "properties")).filter(Predicate.isObject)
  const [first] = all
  if (first === undefined || all.length < 2 || all.length < forms.length) return undefined
  const properties = Object.keys(first).map((name) => {
    const different = [...new Set(all.map((each) => JSON.stringify(get(each, name))))].map((text) => JSON.parse(text))
    const values = different.flatMap((form) => listAt(form, "enum"))
    const references = different.filter((form) => get(form, "$ref") !== undefined)
    return [name, values.length > 0 ? { enum: values } : references.length > 0 ? { oneOf: references } : different[0]]
  })
  return { properties: Object.fromEntries(properties) }
}

/** The objects in a schema: itself, its items, or the members of a union. */
const objectsIn = (
  schema: unknown,
  schemas: Schemas,
  open: ReadonlySet<string>,
  name?: string
): ReadonlyArray<Shown> => {
  const reference = get(schema, "$ref")
  if (typeof reference === "string") {
    const target = nameOf(reference)
    return open.has(target) ? [] : objectsIn(schemas[target], schemas, new Set([...open, target]), target)
  }
  const properties = get(schema, "properties")
  if (Predicate.isObject(properties)) return [{ name, properties, required: listAt(schema, "required") }]
  const forms = listAt(schema, "oneOf")
  const joint = joinedForms(forms)
  if (joint !== undefined) return [{ name, ...joint, required: listAt(forms[0], "required") }]
  return [get(schema, "items"), ...choicesOf(schema)].flatMap((part) =>
    part === undefined ? [] : objectsIn(part, schemas, open, name)
  )
}

/** Deeper objects are shown on the page of their schema. */
const deepest = 2

const rows = (shown: Shown, schemas: Schemas, open: ReadonlySet<string>, depth: number): Html => {
  const inner = shown.name === undefined ? open : new Set([...open, shown.name])
  return html`<ul class="fields">${Object.entries(shown.properties).map(
    ([name, value]) => html`
<li>
  <code class="name">${name}</code> <span class="kind">${kindOf(value)}</span>${shown.required.includes(name) && html` <strong>required</strong>`}
  ${described(get(value, "description"))}${depth < deepest && folded(name, value, schemas, inner, depth + 1)}
</li>`
  )}</ul>`
}

/** The fields of a field, collapsed until the reader opens them. */
const folded = (
  name: string,
  schema: unknown,
  schemas: Schemas,
  open: ReadonlySet<string>,
  depth: number
): HtmlValue => {
  const objects = objectsIn(schema, schemas, open).filter(({ properties }) => Object.keys(properties).length > 0)
  return objects.map(
    (shown, position) =>
      html`<details><summary>Fields of <code>${name}</code>${
        objects.length > 1 && html` <span class="kind">${shown.name ?? `form ${position + 1}`}</span>`
      }</summary>${rows(shown, schemas, open, depth)}</details>`
  )
}

/** The fields of the object in a schema; nothing if there is none. */
export const fieldsOf = (schema: unknown, schemas: Schemas, name?: string): HtmlValue => {
  const open = new Set(name === undefined ? [] : [name])
  const objects = objectsIn(schema, schemas, open, name).filter(({ properties }) => Object.keys(properties).length > 0)
  if (objects.length === 0) return null
  return objects.map(
    (shown) =>
      html`${objects.length > 1 && html`<p class="kind">${shown.name ?? "object"}</p>`}${rows(shown, schemas, open, 0)}`
  )
}
