/** JSON Schemas for the arguments of tools: whole in themselves, and small. */
import type { JSONObject, JSONValue } from "@modelcontextprotocol/server"
import { nameOf, type Schemas } from "@posthorn/contract/service/examples/SchemaParts"
import { Predicate } from "effect"

/** Characters of the schema of one body. Longer ones lose their deepest parts. */
export const longestSchema = 4_000

/** Examples are in the documentation. Patterns with Unicode classes are not understood by every client. */
const isLeftOut = (key: string, value: unknown): boolean =>
  key === "example" || key === "examples" || (key === "pattern" && typeof value === "string" && /\\[pP]\{/.test(value))

const elsewhere = (name: string): JSONObject => ({
  description: `${name}: see the page \`schemas\` of the tool \`docs\`.`
})

const isPrimitive = (value: unknown): value is string | number | boolean =>
  Predicate.isString(value) || Predicate.isNumber(value) || Predicate.isBoolean(value)

/** The schema with its references replaced by their targets, down to a depth. A schema within itself is only named. */
const inlined = (schema: unknown, schemas: Schemas, depth: number, within: ReadonlyArray<string> = []): JSONValue => {
  if (Array.isArray(schema)) return schema.map((each) => inlined(each, schemas, depth, within))
  if (!Predicate.isObject(schema)) return isPrimitive(schema) ? schema : null
  const reference = "$ref" in schema ? schema["$ref"] : undefined
  if (typeof reference === "string") {
    const name = nameOf(reference)
    return within.length >= depth || within.includes(name)
      ? elsewhere(name)
      : inlined(schemas[name], schemas, depth, [...within, name])
  }
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !isLeftOut(key, value))
      .map(([key, value]) => [key, inlined(value, schemas, depth, within)])
  )
}

export const isRecord = (value: JSONValue | undefined): value is JSONObject =>
  Predicate.isObject(value) && !Array.isArray(value)

const depths = [20, 4, 3, 2, 1]

/** Only the fields of an object, with what can be said on a line. */
const outlined = (schema: JSONValue | undefined): JSONObject => {
  if (!isRecord(schema)) return {}
  const { type = "object", description, properties, required } = schema
  const kept = ([name, value]: [string, JSONValue]): [string, JSONObject] => {
    const { type, enum: values, description } = isRecord(value) ? value : {}
    const about = Predicate.isString(description) ? description.slice(0, 200) : ""
    return [
      name,
      { ...(type !== undefined && { type }), ...(values !== undefined && { enum: values }), description: about }
    ]
  }
  return {
    type,
    description: `${Predicate.isString(description) ? `${description} ` : ""}The tool \`docs\` has all of it.`,
    ...(isRecord(properties) && { properties: Object.fromEntries(Object.entries(properties).map(kept)) }),
    ...(required !== undefined && { required })
  }
}

/** The deepest form of a schema that is short enough. */
export const wholeSchema = (schema: unknown, schemas: Schemas): JSONObject => {
  const forms = depths.map((depth) => inlined(schema, schemas, depth))
  const short = forms.find((form) => JSON.stringify(form).length <= longestSchema)
  return isRecord(short) ? short : outlined(inlined(schema, schemas, 1))
}
