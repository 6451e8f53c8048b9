/** Limits of a data object, as one check that reports every faulty key. */
import { Schema, SchemaIssue } from "effect"

/** 64 KB of JSON text. The limit applies to the data in one request and to the data of the contact after the merge. */
export const maxDataBytes = 64 * 1024
const maxDepth = 10
const maxKeys = 500
/** Keys that are refused at any depth. */
export const forbiddenKeys: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"])

const fault = (path: ReadonlyArray<PropertyKey>, code: string, message: string): Schema.FilterIssue => ({
  path,
  issue: new SchemaIssue.InvalidValue({ code, message })
})

function* faults(value: Schema.Json, path: ReadonlyArray<string> = []): Generator<Schema.FilterIssue> {
  if (typeof value !== "object" || value === null) return
  if (path.length >= maxDepth) return yield fault(path, "too_big", `Must not be nested deeper than ${maxDepth} levels.`)
  const entries = Object.entries(value)
  if (!Array.isArray(value)) {
    if (entries.length > maxKeys) yield fault(path, "too_big", `Must not have more than ${maxKeys} keys.`)
    for (const [key] of entries) {
      if (forbiddenKeys.has(key)) yield fault([...path, key], "custom", `'${key}' is not allowed as a key.`)
      else if (!/^\P{Cc}{1,100}$/u.test(key)) {
        yield fault([...path, key], "invalid_string", "A key has 1 to 100 characters and no control characters.")
      }
    }
  }
  for (const [key, nested] of entries) yield* faults(nested, [...path, key])
}

export const isContactData = Schema.makeFilter<Schema.JsonObject>(
  (data) => {
    const found = [...faults(data)]
    const bytes = new TextEncoder().encode(JSON.stringify(data)).length
    if (bytes > maxDataBytes) found.push(fault([], "too_big", `Must not be larger than ${maxDataBytes} bytes as JSON.`))
    return found
  },
  { toJsonSchema: () => ({ maxProperties: maxKeys }) }
)
