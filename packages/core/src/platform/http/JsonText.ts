/** Checks of a JSON text before it is parsed. Pure. */
import type { Fault } from "@posthorn/contract/platform/Errors"

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c

/**
 * The limit that a text exceeds. V8 parses a million levels of nesting but overflows when it walks five thousand, and
 * checking a value takes much longer than parsing it. So both limits are counted on the bytes.
 */
export const excessOf = (
  bytes: Uint8Array,
  most: { readonly nesting: number; readonly values: number }
): "nesting" | "values" | undefined => {
  let depth = 0
  let commas = 0
  let inString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (inString) {
      if (byte === backslash) at++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === comma) {
      if (++commas >= most.values) return "values"
    }
    // [ and {, ] and }
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > most.nesting) return "nesting"
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
}

const suspicious = /\\u(?:0000|[dD][89a-fA-F])/

/** Keys and values with U+0000 or an unpaired surrogate, which PostgreSQL cannot store. The text parses. */
export const unstorableText = (text: string): ReadonlyArray<Fault> =>
  suspicious.test(text) ? [...faults(JSON.parse(text), [])] : []

function* faults(value: unknown, path: ReadonlyArray<string>): Generator<Fault> {
  if (typeof value === "string") {
    if (!isStorable(value)) yield fault(path)
  } else if (typeof value === "object" && value !== null) {
    for (const [key, nested] of Object.entries(value)) {
      if (!isStorable(key)) yield fault([...path, key])
      else yield* faults(nested, [...path, key])
    }
  }
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

const fault = (path: ReadonlyArray<string>): Fault => ({
  field: path.join(".").toWellFormed().replaceAll("\0", "\uFFFD"),
  code: "invalid_string",
  message: "Must not contain U+0000 or an unpaired surrogate."
})
