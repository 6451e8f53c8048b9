/** Values of data as text in a form, and back without a change of their type. */

export type ValueFault = "empty" | "number" | "boolean" | "json"
export type ValueType = "string" | "number" | "boolean" | "json"
export type Parsed = { readonly value: unknown } | { readonly fault: ValueFault }

export const typeOf = (value: unknown): ValueType => {
  const type = typeof value
  return type === "string" || type === "number" || type === "boolean" ? type : "json"
}

export const textOf = (value: unknown): string =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)

export const parseValue = (text: string, type: ValueType): Parsed => {
  const trimmed = text.trim()
  if (type === "string") return text === "" ? { fault: "empty" } : { value: text }
  if (type === "number") {
    const value = Number(trimmed)
    return trimmed === "" || !Number.isFinite(value) ? { fault: "number" } : { value }
  }
  if (type === "boolean") return /^(?:true|false)$/.test(trimmed) ? { value: trimmed === "true" } : { fault: "boolean" }
  try {
    return { value: JSON.parse(trimmed) }
  } catch {
    return { fault: "json" }
  }
}
