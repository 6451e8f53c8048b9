/** Readers of the operators on the address. */
import { canonicalAddress } from "../../platform/Primitives.ts"
import type { EmailMatch } from "./Condition.ts"
import { type Readers, readList, readScalar, readText } from "./FilterValues.ts"

const equals: Readers<"text", EmailMatch>["equals"] = ({ value }, report) => {
  const address = readText(value, report.at("value"))
  return address === undefined ? undefined : { _tag: "OneOf", addresses: [canonicalAddress(address)] }
}

const within: Readers<"text", EmailMatch>["in"] = ({ value }, report) => {
  const entries = readList(value, readScalar, report.at("value"))
  return entries && { _tag: "OneOf", addresses: entries.map((entry) => canonicalAddress(String(entry))) }
}

const contains: Readers<"text", EmailMatch>["contains"] = ({ value }, report) => {
  const part = readScalar(value, report.at("value"))
  return part === undefined ? undefined : { _tag: "Contains", text: String(part).toLowerCase() }
}

const edge =
  (_tag: "StartsWith" | "EndsWith"): Readers<"text", EmailMatch>["startsWith"] =>
  ({ value }, report) => {
    const text = readText(value, report.at("value"))
    return text === undefined ? undefined : { _tag, text: text.toLowerCase() }
  }

export const textOperators: Readers<"text", EmailMatch> = {
  equals,
  notEquals: equals,
  contains,
  notContains: contains,
  startsWith: edge("StartsWith"),
  endsWith: edge("EndsWith"),
  in: within,
  notIn: within
}
