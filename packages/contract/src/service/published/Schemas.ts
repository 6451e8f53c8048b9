/** Makes the generated schemas readable: removes noise and adds what the generator loses. */
import { Array, Predicate } from "effect"

type JsonSchema = { readonly [keyword: string]: unknown }

/** Query values are sent as text, and the generator describes them as text. Describes the type that they stand for. */
const meantType = (schema: JsonSchema): JsonSchema => {
  const { pattern, enum: values, ...rest } = schema
  if (schema["type"] === "string" && String(pattern).startsWith("^[+-]?")) return { ...rest, type: "integer" }
  return JSON.stringify(values) === `["true","false"]` ? { ...rest, type: "boolean" } : schema
}

/** Removes the bounds of safe integers, which every integer has. */
const withoutSafeBounds = ({ minimum, maximum, ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
  ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum })
})

/** Allows unknown fields: requests may have them, and responses may gain fields. */
const open = ({ additionalProperties, ...schema }: JsonSchema): JsonSchema =>
  Predicate.isObject(additionalProperties) ? { ...schema, additionalProperties } : schema

const isSchemas = (value: unknown): value is ReadonlyArray<JsonSchema> => Array.isArray(value)

/** Errors of one status share one envelope. Keeps one alternative instead of one for each error. */
const withoutRepeats = ({ anyOf, ...schema }: JsonSchema): JsonSchema => {
  if (!isSchemas(anyOf)) return schema
  const different = Array.dedupeWith(anyOf, (a, b) => JSON.stringify(a) === JSON.stringify(b))
  return different.length === 1 ? { ...schema, ...different[0] } : { ...schema, anyOf: different }
}

/** The generator keeps checks and annotations apart. Joins them where they do not collide. */
const flat = ({ allOf, ...schema }: JsonSchema): JsonSchema => {
  if (!isSchemas(allOf)) return schema
  const keywords = [schema, ...allOf].flatMap(Object.keys)
  return new Set(keywords).size < keywords.length ? { ...schema, allOf } : Object.assign(schema, ...allOf)
}

const requiredOf = ({ required }: JsonSchema): ReadonlyArray<unknown> => (Array.isArray(required) ? required : [])

/** Gives each alternative of an object all fields. Many programs cannot combine `properties` with `oneOf`. */
const expanded = (schema: JsonSchema): JsonSchema => {
  const { type, properties, required: _, oneOf, ...rest } = schema
  if (!Predicate.isObject(properties) || !isSchemas(oneOf)) return schema
  const forms = oneOf.map((form) => ({
    type,
    properties: { ...properties, ...(Predicate.isObject(form["properties"]) && form["properties"]) },
    required: [...new Set([...requiredOf(schema), ...requiredOf(form)])]
  }))
  return { ...rest, oneOf: forms }
}

/** Replacer of `JSON.stringify` for a generated document. */
export const readable = (key: string, value: unknown): unknown =>
  // Internal to the generator.
  key === "x-effect-stream"
    ? undefined
    : Predicate.isObject(value) && !Array.isArray(value)
      ? meantType(withoutSafeBounds(open(expanded(withoutRepeats(flat({ ...value }))))))
      : value

const prefix = "#/components/schemas/"

/**
 * Keeps one name for one schema. The generator writes a number with a check, and every schema that contains it,
 * once for each use, under the same name with a number added. Where two of them are equal, the first replaces both.
 * A schema of JSON text is written where it is used, without a name.
 */
export const withoutDuplicates = (schemas: { readonly [name: string]: unknown }) => {
  const originals = new Map<string, string>(
    Object.entries(schemas).flatMap(([name, schema]) => {
      const original = name.replace(/_\d+$/, "")
      const isDuplicate = original !== name && JSON.stringify(schema) === JSON.stringify(schemas[original])
      return isDuplicate ? [[`${prefix}${name}`, `${prefix}${original}`] as const] : []
    })
  )
  const texts = new Map<string, unknown>(
    Object.entries(schemas).flatMap(([name, schema]) =>
      Predicate.hasProperty(schema, "contentSchema") ? [[`${prefix}${name}`, schema] as const] : []
    )
  )
  return (key: string, value: unknown): unknown => {
    if (key === "$ref") return originals.get(String(value)) ?? value
    if (Predicate.hasProperty(value, "$ref")) return texts.get(String(value.$ref)) ?? value
    return originals.has(`${prefix}${key}`) || texts.has(`${prefix}${key}`) ? undefined : value
  }
}
