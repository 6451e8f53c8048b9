/** Reads parts of a JSON Schema whose form is not known. */
import { Predicate } from "effect"

/** A part of a schema; undefined if it has none. */
export const get = (schema: unknown, key: string): unknown =>
  Predicate.hasProperty(schema, key) ? schema[key] : undefined

/** A list in a schema; empty if it has none. */
export const listAt = (schema: unknown, key: string): ReadonlyArray<unknown> => {
  const value = get(schema, key)
  return Array.isArray(value) ? value : []
}

/** `#/components/schemas/Contact` gives `Contact`. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)

/** The schemas of a document, by name. */
export type Schemas = { readonly [name: string]: unknown }
