/** Readers of the operators on the caller's own id. Case counts. */
import type { IdMatch } from "./Condition.ts"
import { type Readers, readList, readScalar, readText } from "./FilterValues.ts"

type IdReaders = Readers<"id", IdMatch>

const equals: IdReaders["equals"] = ({ value }, report) => {
  const id = readText(value, report.at("value"))
  return id === undefined ? undefined : { _tag: "OneOf", ids: [id] }
}

const within: IdReaders["in"] = ({ value }, report) => {
  const entries = readList(value, readScalar, report.at("value"))
  return entries && { _tag: "OneOf", ids: entries.map(String) }
}

const contains: IdReaders["contains"] = ({ value }, report) => {
  const part = readScalar(value, report.at("value"))
  return part === undefined ? undefined : { _tag: "Contains", text: String(part) }
}

const edge =
  (_tag: "StartsWith" | "EndsWith"): IdReaders["startsWith"] =>
  ({ value }, report) => {
    const text = readText(value, report.at("value"))
    return text === undefined ? undefined : { _tag, text }
  }

export const idOperators: IdReaders = {
  equals,
  notEquals: equals,
  contains,
  notContains: contains,
  startsWith: edge("StartsWith"),
  endsWith: edge("EndsWith"),
  in: within,
  notIn: within,
  exists: () => ({ _tag: "Present" }),
  notExists: () => ({ _tag: "Missing" })
}
