/** Converts a JSON Schema of the document to the TypeScript type of its values. */
import type { ReferenceObject, SchemaObject } from "openapi3-ts/oas31"
import { comment } from "./Comment.ts"

export type AnySchema = SchemaObject | ReferenceObject

/** Renames `Error`, which JavaScript defines. */
export const typeName = (reference: string): string => {
  const name = reference.split("/").at(-1) ?? reference
  return name === "Error" ? "ErrorEnvelope" : name
}

const isReference = (schema: AnySchema): schema is ReferenceObject => "$ref" in schema

const union = (members: ReadonlyArray<string>): string => [...new Set(members)].join(" | ")

/** The fields of an object, one on a line. Optional ones may also be undefined. */
const fields = ({ properties = {}, required = [] }: SchemaObject): string =>
  Object.entries(properties)
    .map(([name, schema]) => {
      const key = /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)
      const type = typeOf(schema)
      return `${comment(schema.description)}readonly ${required.includes(name) ? `${key}: ${type}` : `${key}?: ${type} | undefined`}\n`
    })
    .join("")

const objectType = (schema: SchemaObject): string => {
  if (schema.properties !== undefined) return `{\n${fields(schema)}}`
  const { additionalProperties } = schema
  const value = typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown"
  return `{ readonly [key: string]: ${value} }`
}

const anyText = "[\\s\\S]*?"

/** A pattern of letters, dots and any text is a template literal type. Every other string is `string`. */
const textType = (pattern: string | undefined): string => {
  const parts = pattern?.replace(/^\^|\$$/g, "").split(anyText) ?? []
  const plain = parts.map((part) => part.replaceAll("\\.", "."))
  return parts.length > 1 && plain.every((part) => /^[\w.]*$/.test(part))
    ? `\`${plain.join("$" + "{string}")}\``
    : "string"
}

const plainType = (schema: SchemaObject, type: string): string => {
  switch (type) {
    case "integer":
      return "number"
    case "string":
      // The client parses JSON text.
      if ("contentSchema" in schema) return typeOf(Object(schema.contentSchema))
      return schema.format === "binary" ? "Uint8Array" : textType(schema.pattern)
    case "array":
      return `ReadonlyArray<${schema.items === undefined ? "unknown" : typeOf(schema.items)}>`
    case "object":
      return objectType(schema)
    default:
      return type
  }
}

const propertiesOf = (schema: AnySchema) => (isReference(schema) ? undefined : schema.properties)

/**
 * A union of objects, as the fields that all of them share and the fields that differ. Undefined for any other union.
 */
const formsType = (forms: ReadonlyArray<AnySchema>): string | undefined => {
  const [first, ...others] = forms.map(propertiesOf)
  if (first === undefined || others.length === 0 || others.includes(undefined)) return undefined
  const isShared = (name: string, property: unknown) =>
    others.every((properties) => JSON.stringify(properties?.[name]) === JSON.stringify(property))
  const shared = Object.fromEntries(Object.entries(first).filter(([name, property]) => isShared(name, property)))
  if (Object.keys(shared).length === 0) return undefined
  const own = forms.flatMap((form): ReadonlyArray<SchemaObject> => {
    if (isReference(form)) return []
    const properties = Object.entries(form.properties ?? {}).filter(([name]) => !(name in shared))
    return [{ ...form, properties: Object.fromEntries(properties) }]
  })
  const required = own.flatMap((form) => form.required ?? [])
  return `(${union(own.map(typeOf))}) & ${objectType({ properties: shared, required })}`
}

export const typeOf = (schema: AnySchema): string => {
  if (isReference(schema)) return typeName(schema.$ref)
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)))
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives !== undefined) return formsType(schema.oneOf ?? []) ?? union(alternatives.map(typeOf))
  if (schema.allOf !== undefined) return schema.allOf.map((member) => `(${typeOf(member)})`).join(" & ")
  const types = [schema.type ?? []].flat()
  return types.length === 0 ? "unknown" : union(types.map((type) => plainType(schema, type)))
}
