/**
 * Parameters for a driver other than Effect's: values as text, with their type in the statement.
 *
 * Drivers encode numbers and arrays differently, but text with a cast is the same for all of them. The cast names the
 * type that Effect's driver would send: `$1` of a date becomes `$1::text::timestamptz`. Strings and nulls stay untyped,
 * so that the statement determines their type.
 */
import { Hex } from "effect/encoding"

const int4 = { least: -(2 ** 31), most: 2 ** 31 - 1 }

const numberType = (value: number): string => {
  if (!Number.isSafeInteger(value)) return "float8"
  return value >= int4.least && value <= int4.most ? "int4" : "int8"
}

/** The text of one value, and its type unless the statement should infer it. */
const scalar = (value: unknown): { readonly text: string; readonly type?: string } => {
  if (typeof value === "boolean") return { text: String(value), type: "bool" }
  if (typeof value === "bigint") return { text: String(value), type: "int8" }
  if (typeof value === "number") return { text: String(value), type: numberType(value) }
  if (value instanceof Date) return { text: value.toISOString(), type: "timestamptz" }
  if (value instanceof Uint8Array) return { text: `\\x${Hex.encode(value)}`, type: "bytea" }
  return { text: String(value) }
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`

const list = (values: ReadonlyArray<unknown>): { readonly text: string; readonly type?: string } => {
  const items = values.map((value) => (value === null || value === undefined ? null : scalar(value)))
  const first = items.find((item) => item !== null)
  const text = `{${items.map((item) => (item === null ? "NULL" : quoted(item.text))).join(",")}}`
  return first === undefined ? { text } : { text, type: `${first.type ?? "text"}[]` }
}

/** The statement with its casts, and the values as text. */
export const asText = (
  statement: string,
  values: ReadonlyArray<unknown>
): { readonly text: string; readonly values: ReadonlyArray<string | null> } => {
  const given = values.map((value) =>
    value === null || value === undefined ? null : Array.isArray(value) ? list(value) : scalar(value)
  )
  const typed = (placeholder: string, number: string) => {
    const type = given[Number(number) - 1]?.type
    return type === undefined ? placeholder : `${placeholder}::text::${type}`
  }
  return {
    text: given.length === 0 ? statement : statement.replace(/\$(\d+)/g, typed),
    values: given.map((value) => value?.text ?? null)
  }
}
