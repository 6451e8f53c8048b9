/** Schemas as callers should read them, where the generator says more, less or something else than is meant. */
import { Array, Predicate } from "effect"

type JsonSchema = { readonly [keyword: string]: unknown }

/** Query values travel as text, and are described as such; callers want to know what the text means. */
const meaning = (schema: JsonSchema): JsonSchema => {
  const { pattern, enum: values, ...rest } = schema
  if (schema["type"] === "string" && String(pattern).startsWith("^[+-]?")) return { ...rest, type: "integer" }
  return JSON.stringify(values) === `["true","false"]` ? { ...rest, type: "boolean" } : schema
}

/** Every integer is safe to hold in a double; only narrower bounds tell something. */
const withoutSafeBounds = ({ minimum, maximum, ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
  ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum })
})

/** Unknown fields are ignored and responses may grow (contract 1.1): no object is closed. */
const open = ({ additionalProperties, ...schema }: JsonSchema): JsonSchema =>
  Predicate.isObject(additionalProperties) ? { ...schema, additionalProperties } : schema

const isSchemas = (value: unknown): value is ReadonlyArray<JsonSchema> => Array.isArray(value)

/** Errors of one status share one envelope: one alternative, not one for each of them. */
const withoutRepeats = ({ anyOf, ...schema }: JsonSchema): JsonSchema => {
  if (!isSchemas(anyOf)) return schema
  const different = Array.dedupeWith(anyOf, (a, b) => JSON.stringify(a) === JSON.stringify(b))
  return different.length === 1 ? { ...schema, ...different[0] } : { ...schema, anyOf: different }
}

/** The generator keeps checks and annotations apart; where they do not collide they read better as one. */
const flat = ({ allOf, ...schema }: JsonSchema): JsonSchema => {
  if (!isSchemas(allOf)) return schema
  const keywords = [schema, ...allOf].flatMap(Object.keys)
  return new Set(keywords).size < keywords.length ? { ...schema, allOf } : Object.assign(schema, ...allOf)
}

/** Replacer of `JSON.stringify` for a generated document. */
export const readable = (key: string, value: unknown): unknown =>
  // How a stream is made is nothing to a caller.
  key === "x-effect-stream"
    ? undefined
    : Predicate.isObject(value) && !Array.isArray(value)
      ? meaning(withoutSafeBounds(open(withoutRepeats(flat({ ...value })))))
      : value

const prefix = "#/components/schemas/"

/**
 * One name for one schema: a number with a check is made anew wherever it is met, and with it what holds it, under the
 * same name and a number. Where the two say the same, the first one serves both.
 */
export const withoutTwins = (schemas: { readonly [name: string]: unknown }) => {
  const originals = new Map<string, string>(
    Object.entries(schemas).flatMap(([name, schema]) => {
      const original = name.replace(/_\d+$/, "")
      const isTwin = original !== name && JSON.stringify(schema) === JSON.stringify(schemas[original])
      return isTwin ? [[`${prefix}${name}`, `${prefix}${original}`] as const] : []
    })
  )
  return (key: string, value: unknown): unknown => {
    if (key === "$ref") return originals.get(String(value)) ?? value
    return originals.has(`${prefix}${key}`) ? undefined : value
  }
}
